//! The exact, flat JSON that crosses between host and worker.
