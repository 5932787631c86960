//! What is applied to a worker, layer by layer.

/// The report of a profile as this host applies it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Isolation {
    /// The profile's name.
    pub profile: String,
    /// Its layers, in the order in which they are applied.
    pub layers: Vec<LayerReport>,
    /// How the CPU time of a run is known.
    pub cpu: CpuAccounting,
}

/// One layer of a profile.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LayerReport {
    /// The layer's name.
    pub layer: String,
    /// Whether it is in force.
    pub state: LayerState,
    /// Whether a child on this host tried what the layer forbids and was refused.
    pub verified: bool,
}

impl LayerReport {
    /// A report.
    #[must_use]
    pub fn new(layer: impl Into<String>, state: LayerState, verified: bool) -> Self {
        Self { layer: layer.into(), state, verified }
    }
}

/// Whether a layer is in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LayerState {
    /// Applied to every worker.
    Applied,
    /// Asked for, and this host refuses it with this errno.
    Unavailable {
        /// The kernel's answer.
        errno: i32,
    },
    /// Not part of the profile.
    NotRequested,
}

impl LayerState {
    /// The name in reports: `applied`, `unavailable`, `not-requested`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Applied => "applied",
            Self::Unavailable { .. } => "unavailable",
            Self::NotRequested => "not-requested",
        }
    }
}

/// How exactly CPU time is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum CpuAccounting {
    /// Every process of the run is counted.
    Exact,
    /// Descendants are sampled: one that hides from its parent's accounts may escape the count, never the wall.
    #[default]
    Sampled,
}

impl CpuAccounting {
    /// The name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Sampled => "sampled",
        }
    }
}
