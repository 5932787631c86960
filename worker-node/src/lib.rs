//! Dayfly's bootstrap for Node: the program that makes a fresh interpreter a worker.
//!
//! The host starts `node`, [`arguments`], `-e`, [`LOADER`] with an empty environment, the protocol's socket as
//! descriptor 3 and a memory file that holds [`BOOTSTRAP`] as descriptor 4. Nothing is written to a disk. Node 18.19 and
//! up will do. The contract is `PROTOCOL.md` of `dayfly-wire`; the tests in `test/` hold it from the worker's side:
//! `node --test worker-node/test/*.test.js`, where `DAYFLY_NODE` may name another interpreter to put to the test.
//!
//! What it decides where the contract leaves room:
//!
//! - A rejection that nobody handles fails the run when it is there by the turn of the event loop in which the body
//!   returned; what happens after `done` is on its way does not count. A program that listens to `unhandledRejection` or
//!   `uncaughtException` itself has handled them.
//! - After `done` or `failed` the process exits at once, whatever timers or servers the program left open.
//! - An integer beyond 2^53 is written with all its digits, for JavaScript's own notation names another integer.
//! - A program that breaks Node itself (setters on the indexes of arrays) ends as an exception of its own.

/// The bootstrap, an expression that evaluates to a function of `require`, `module` and an importing function.
///
/// The parts share one scope, in this order.
pub const BOOTSTRAP: &str = concat!(
    "(function (require, module, importModule) {\n\"use strict\";\n",
    include_str!("bootstrap/intrinsics.js"),
    include_str!("bootstrap/outgoing.js"),
    include_str!("bootstrap/incoming.js"),
    include_str!("bootstrap/faults.js"),
    include_str!("bootstrap/json.js"),
    include_str!("bootstrap/output.js"),
    include_str!("bootstrap/calls.js"),
    include_str!("bootstrap/names.js"),
    include_str!("bootstrap/line.js"),
    include_str!("bootstrap/failure.js"),
    include_str!("bootstrap/main.js"),
    "})\n",
);

/// The text for `-e`: reads [`BOOTSTRAP`] from descriptor 4 by position, closes it and runs it.
pub const LOADER: &str = include_str!("loader.js");

/// The text for `-e` that, run once with [`arguments`] and [`BOOTSTRAP`] on descriptor 4, writes `node`, a space, the
/// version and a line break to standard output, and then what [`LOADER`] takes in place of the plain text: the same with
/// V8's code cache, which spares every worker the compiling. It fits the interpreter and the flags that made it; with any
/// other, V8 leaves the cache aside.
pub const COMPILER: &str = include_str!("compiler.js");

/// The descriptor on which [`LOADER`] expects [`BOOTSTRAP`].
pub const BOOTSTRAP_DESCRIPTOR: i32 = 4;

/// Node's arguments in front of `-e` and [`LOADER`]; V8's old space may grow to `old_space_mib` mebibytes.
///
/// ```
/// let arguments = dayfly_worker_node::arguments(512);
/// assert_eq!(arguments[0], "--max-old-space-size=512");
/// ```
#[must_use]
pub fn arguments(old_space_mib: u64) -> Vec<String> {
    vec![
        format!("--max-old-space-size={old_space_mib}"),
        // Warnings still reach the program's log, through the bootstrap; this keeps them off standard error.
        "--no-warnings".to_owned(),
        // Node 18.20 and later let no script bring its own `import()` without it; it warns of nothing by itself.
        "--experimental-vm-modules".to_owned(),
        // Without it Node reads the host's openssl.cnf at start.
        "--openssl-config=/dev/null".to_owned(),
    ]
}
