//! scratch
use dayfly_strip::{StripLimits, strip};
fn main() {
    for c in std::env::args().skip(1) {
        let c = c.replace("\\n", "\n");
        match strip(&c, &StripLimits::default()) {
            Ok(s) => println!("{c:?}\n  -> {:?} {:?}", s.code, s.uncalled),
            Err(e) => println!("{c:?}\n  !! {:?} {e}", e.kind),
        }
    }
}
