//! Forged peers against the real supervisor, over real sockets: any sequence of valid, invalid, duplicated, reordered,
//! truncated, split and delayed frames.
//!
//! Strategies make sessions (`strategy`, `frames`, `violations`), up to four of which are played at a time (`session`), a
//! model says what the protocol makes of their bytes (`model`), and the oracle compares (`oracle`). What must have
//! occurred in every run, a short one too, stands in `coverage`. A million messages:
//!
//! ```text
//! DAYFLY_FORGED_MESSAGES=1000000 cargo test -p dayfly-tests --test forged sessions -- --nocapture
//! ```

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod compile;
mod coverage;
mod dice;
mod frames;
mod host;
mod model;
mod oracle;
mod regressions;
mod session;
mod sessions;
mod strategy;
mod tally;
mod violations;

use peak_alloc::PeakAlloc;

/// Counts what this process has allocated.
#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;
