//! An interpreter to Dayfly, and a worker that plays a script instead of running a program: see `src/forged`.

fn main() -> std::io::Result<()> {
    dayfly_tests::forged::player::main()
}
