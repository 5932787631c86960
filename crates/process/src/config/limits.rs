//! One definition of every limit: the field, its default, its documentation and its row in the table.

/// A limit as it is documented.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LimitKey {
    /// The key in a configuration and the field of [`ProcessConfig`](crate::ProcessConfig).
    pub key: &'static str,
    /// What is limited.
    pub what: &'static str,
    /// What it is counted in.
    pub unit: &'static str,
    /// The default as it would be written.
    pub default: String,
    /// Who enforces it.
    pub enforcer: &'static str,
    /// What the program and the host see.
    pub effect: &'static str,
}

/// How a limit's value is written and read.
pub(super) mod text {
    use std::time::Duration;

    use serde::de::{Deserializer, Error as _};

    use crate::ByteSize;

    pub(crate) trait LimitText: Sized {
        fn written(&self) -> String;
        fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
    }

    impl LimitText for Duration {
        fn written(&self) -> String {
            humantime::format_duration(*self).to_string()
        }

        fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let text: String = serde::Deserialize::deserialize(deserializer)?;
            crate::parse_duration(&text).map_err(D::Error::custom)
        }
    }

    macro_rules! plain {
        ($($type:ty),*) => {$(
            impl LimitText for $type {
                fn written(&self) -> String {
                    self.to_string()
                }

                fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    serde::Deserialize::deserialize(deserializer)
                }
            }
        )*};
    }

    plain!(ByteSize, usize, u64);
}

macro_rules! limits {
    ($(
        #[doc = $what:literal]
        $key:ident: $type:ty = $default:expr, $unit:literal, $enforcer:literal, $effect:literal;
    )*) => {
        /// Everything that can be configured, as a user writes it.
        ///
        /// ```
        /// use std::time::Duration;
        /// use dayfly_process::{ByteSize, ProcessConfig};
        ///
        /// let config = ProcessConfig::default().compute(Duration::from_secs(5)).memory(ByteSize::gib(1));
        /// assert_eq!(config.compute, Duration::from_secs(5));
        /// ```
        #[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        #[non_exhaustive]
        pub struct ProcessConfig {
            $(
                #[doc = $what]
                #[doc = concat!("\n\nCounted in ", $unit, "; enforced by ", $enforcer, ". Beyond it, ", $effect, ".")]
                #[serde(deserialize_with = "limits::text::LimitText::read")]
                pub $key: $type,
            )*
            /// The interpreter for TypeScript; searched for when absent.
            pub node: Option<PathBuf>,
            /// The interpreter for Python, which may be a venv's; searched for when absent.
            pub python: Option<PathBuf>,
            /// A `node_modules` directory whose packages programs may import.
            pub node_modules: Option<PathBuf>,
            /// A directory of Python packages that programs may import.
            pub python_modules: Option<PathBuf>,
            /// Where the workers' private directories are made; the system's temporary directory when absent.
            pub work_root: Option<PathBuf>,
            /// What is applied to every worker.
            #[serde(deserialize_with = "limits::profile")]
            pub profile: Profile,
        }

        impl Default for ProcessConfig {
            fn default() -> Self {
                Self {
                    $($key: $default,)*
                    node: None,
                    python: None,
                    node_modules: None,
                    python_modules: None,
                    work_root: None,
                    profile: Profile::default(),
                }
            }
        }

        impl ProcessConfig {
            /// Every limit with its unit, default, enforcer and effect.
            #[must_use]
            pub fn limit_keys() -> Vec<LimitKey> {
                use limits::text::LimitText as _;
                let default = Self::default();
                vec![$(
                    LimitKey {
                        key: stringify!($key),
                        what: $what.trim_ascii(),
                        unit: $unit,
                        default: default.$key.written(),
                        enforcer: $enforcer,
                        effect: $effect,
                    },
                )*]
            }

            $(
                #[doc = $what]
                #[must_use]
                pub const fn $key(mut self, $key: $type) -> Self {
                    self.$key = $key;
                    self
                }
            )*
        }
    };
}

pub(super) use limits;

/// Reads a profile's name.
pub(super) fn profile<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<dayfly_sandbox::Profile, D::Error> {
    use serde::de::Error as _;
    let name: String = serde::Deserialize::deserialize(deserializer)?;
    match name.as_str() {
        "open" => Ok(dayfly_sandbox::Profile::Open),
        _ => Err(D::Error::custom(format!("there is no profile {name:?}; the one profile is \"open\""))),
    }
}
