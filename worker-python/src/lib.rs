//! Dayfly's bootstrap for CPython: what the interpreter is started with, and what it then runs.
//!
//! The host starts `python3` with [`arguments`], the worker's socket as descriptor 3 and, as descriptor 4, a sealed memfd
//! that many workers share. [`LOADER`] reads the whole of descriptor 4, closes it and executes it. Its first byte says
//! what it holds:
//!
//! | first byte | then |
//! |---|---|
//! | [`SOURCE_MARKER`] (`S`) | source text, which is [`BOOTSTRAP`] |
//! | `M` | what [`COMPILER`] wrote: bytecode that only the interpreter that wrote it can read |
//!
//! Bytecode saves each worker the time of compiling the same text again. To make it, run the interpreter once with
//! [`compiler_arguments`], [`BOOTSTRAP`] on standard input, and keep what it writes to standard output: it carries its
//! marker already. Make it anew for every interpreter, and when the interpreter's file changes.
//!
//! The bootstrap speaks the worker protocol, version 1. It needs CPython 3.10 or later on Linux.

/// The program that turns an interpreter into a worker, as source text.
pub const BOOTSTRAP: &str = concat!(
    include_str!("bootstrap/captured.py"),
    include_str!("bootstrap/remedies.py"),
    include_str!("bootstrap/lossless.py"),
    include_str!("bootstrap/codec.py"),
    include_str!("bootstrap/wire.py"),
    include_str!("bootstrap/output.py"),
    include_str!("bootstrap/calls.py"),
    include_str!("bootstrap/body.py"),
    include_str!("bootstrap/failure.py"),
    include_str!("bootstrap/loop.py"),
    include_str!("bootstrap/main.py"),
);

/// The `-c` program that reads descriptor 4 and executes what it holds.
pub const LOADER: &str = include_str!("loader.py");

/// The `-c` program that reads source text on standard input and writes what [`LOADER`] takes as bytecode.
pub const COMPILER: &str = include_str!("compiler.py");

/// The first byte of descriptor 4's content when source text follows.
pub const SOURCE_MARKER: u8 = b'S';

/// The oldest CPython that can run the bootstrap, as major and minor.
pub const MINIMUM_VERSION: (u32, u32) = (3, 10);

/// Isolated from the environment and the user's site, no `site`, UTF-8 everywhere, no bytecode written to disk.
const FLAGS: [&str; 6] = ["-I", "-S", "-B", "-X", "utf8", "-c"];

/// The arguments, after the interpreter's own name, with which a worker is started.
#[must_use]
pub fn arguments() -> Vec<String> {
    FLAGS.into_iter().chain([LOADER]).map(str::to_owned).collect()
}

/// The arguments with which an interpreter compiles the bootstrap from its standard input to its standard output.
#[must_use]
pub fn compiler_arguments() -> Vec<String> {
    FLAGS.into_iter().chain([COMPILER]).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests;
