//! Answers the question for its version as an interpreter would that is too old: the fixture of row P25.

use std::io::Write as _;

fn main() -> std::io::Result<()> {
    // Node is asked by `-e`, CPython by `-c`.
    let node = std::env::args().any(|argument| argument == "-e");
    let name = if node { "node" } else { "cpython" };
    write!(std::io::stdout(), "{name} 3.2.1")
}
