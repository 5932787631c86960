//! Answers every question as a usable interpreter would, and as a worker says nothing: it marks its directory and stays.
//!
//! A copy whose name holds `mute` says nothing from the start.

use std::io::Write as _;
use std::path::Path;

fn main() -> std::io::Result<()> {
    let mute = std::env::current_exe()?.file_name().is_some_and(|name| name.to_string_lossy().contains("mute"));
    // Only a worker has a socket, on descriptor 3.
    if mute || Path::new("/proc/self/fd/3").exists() {
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
