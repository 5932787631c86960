//! Answers every question as a usable interpreter would, and as a worker says nothing: it marks its directory and stays.
//!
//! One whose name holds `mute` says nothing from the start, and one whose name holds `greedy` takes 200 MiB first, or
//! ends without a word when there are none.

use std::io::Write as _;
use std::path::Path;

fn main() -> std::io::Result<()> {
    let executable = std::env::current_exe()?;
    let is = |word: &str| executable.file_name().is_some_and(|name| name.to_string_lossy().contains(word));
    if is("greedy") && Vec::<u8>::new().try_reserve_exact(200 << 20).is_err() {
        std::process::abort();
    }
    // Only a worker has a socket, on descriptor 3.
    if is("mute") || Path::new("/proc/self/fd/3").exists() {
        std::fs::write("silent", "")?;
        loop {
            std::thread::park();
        }
    }
    let arguments: Vec<String> = std::env::args().collect();
    let answer = if arguments.iter().any(|argument| argument == "-e") {
        "node 99.0.0\nbootstrap"
    } else if arguments.iter().any(|argument| argument.contains("marshal")) {
        "bootstrap"
    } else {
        "cpython 3.99.0"
    };
    std::io::stdout().write_all(answer.as_bytes())
}
