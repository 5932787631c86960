//! What the host takes from a peer.

/// The caps on what one frame may bring.
///
/// They bound single frames. What a run may bring in total is the business of whoever reads the socket: the output
/// ledger and the cap on pending calls are not here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct WireLimits {
    /// The longest payload, in bytes. Enforced on the header, before anything is allocated.
    pub max_frame_bytes: u32,
    /// The most memory that one decoded payload may take, in bytes; bytes on the wire are not memory.
    pub max_decoded_bytes: usize,
    /// The deepest argument or completion value; the object that carries it on the wire does not count.
    pub max_depth: usize,
}

impl WireLimits {
    /// 256 MiB on the wire, 1 GiB decoded, 10,000 levels.
    pub const DEFAULT: Self =
        Self { max_frame_bytes: 256 * 1024 * 1024, max_decoded_bytes: 1024 * 1024 * 1024, max_depth: 10_000 };

    /// These caps.
    #[must_use]
    pub const fn new(max_frame_bytes: u32, max_decoded_bytes: usize, max_depth: usize) -> Self {
        Self { max_frame_bytes, max_decoded_bytes, max_depth }
    }
}

impl Default for WireLimits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
