//! Workers as the host sees them: real processes, on this machine.

mod contract;
mod directory;
mod fixture;
mod host;
mod metering;
mod tree;
