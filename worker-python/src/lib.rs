//! Dayfly's bootstrap for CPython: what the interpreter is started with, and what it then runs.
//!
//! The host starts `python3` with [`arguments`], the worker's socket as descriptor 3 and, as descriptor 4, a sealed memfd
//! that many workers share. [`LOADER`] reads the whole of descriptor 4, closes it and executes it. What it holds is
//! either source text ([`BOOTSTRAP`]) or what [`COMPILER`] made of it, told apart by the first byte: compiled content
//! begins with `M`, which source text never does.
//!
//! Bytecode saves each worker the time of compiling the same text again. To make it, run the interpreter once with
//! [`compiler_arguments`] and [`BOOTSTRAP`] as descriptor 4 (or, where none is open, as standard input), and keep what
//! it writes to standard output. Only the interpreter that wrote it can read it: make it anew for each, and when the
//! interpreter's file changes.
//!
//! The bootstrap speaks the worker protocol, version 1. It needs CPython 3.10 or later on Linux.
//!
//! # What a program can do to it
//!
//! The bootstrap takes what it uses before the program starts, with builtins of its own, and serves the socket without
//! asyncio's help. A program may therefore replace any attribute of `builtins` and of every module, empty `sys.modules`,
//! install trace functions, signal handlers, audit hooks and callbacks that raise: values cross exactly all the same, or
//! the run fails as an exception of the program's. Its frames stay whole.
//!
//! It runs in the program's own interpreter, and that is where this ends: CPython has no wall between one function and
//! another. A program that reaches for the bootstrap's own objects (through `gc`, `__globals__`, frames, `ctypes` or
//! the classes below `object`), installs a handler for the `strict` errors of codecs that writes bytes of its own, or
//! writes to descriptor 3 is not an accident but a forgery: it can send what it likes, or nothing. To the host that is no
//! new case. It takes every worker for a forged peer from its first byte.

/// The program that turns an interpreter into a worker, as source text.
pub const BOOTSTRAP: &str = concat!(
    include_str!("bootstrap/captured.py"),
    include_str!("bootstrap/remedies.py"),
    include_str!("bootstrap/lossless.py"),
    include_str!("bootstrap/codec.py"),
    include_str!("bootstrap/wire.py"),
    include_str!("bootstrap/output.py"),
    include_str!("bootstrap/names.py"),
    include_str!("bootstrap/calls.py"),
    include_str!("bootstrap/body.py"),
    include_str!("bootstrap/unawaited.py"),
    include_str!("bootstrap/meant.py"),
    include_str!("bootstrap/hints.py"),
    include_str!("bootstrap/failure.py"),
    include_str!("bootstrap/ending.py"),
    include_str!("bootstrap/loop.py"),
    include_str!("bootstrap/tracing.py"),
    include_str!("bootstrap/children.py"),
    include_str!("bootstrap/main.py"),
);

/// The `-c` program that reads descriptor 4 and executes what it holds.
pub const LOADER: &str = include_str!("loader.py");

/// The `-c` program that compiles source text from descriptor 4 (else standard input) to standard output for [`LOADER`].
pub const COMPILER: &str = include_str!("compiler.py");

/// The oldest CPython that can run the bootstrap, as major and minor.
pub const MINIMUM_VERSION: (u32, u32) = (3, 10);

/// Isolated from the environment and the user's site, no `site`, UTF-8 everywhere, no bytecode written to disk.
const FLAGS: [&str; 6] = ["-I", "-S", "-B", "-X", "utf8", "-c"];

/// The arguments, after the interpreter's own name, with which a worker is started.
#[must_use]
pub fn arguments() -> Vec<String> {
    FLAGS.into_iter().chain([LOADER]).map(str::to_owned).collect()
}

/// The arguments, after the interpreter's own name, with which it compiles the bootstrap, as [`COMPILER`] says.
#[must_use]
pub fn compiler_arguments() -> Vec<String> {
    FLAGS.into_iter().chain([COMPILER]).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests;
