//! Values of a tool's keys that are read with words of their own.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

/// What a variable of a tool's environment is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum EnvValue {
    /// This text.
    Text(String),
    /// The value that it has for dayfly itself.
    Inherit,
}

/// A command and its arguments.
pub(super) struct Argv(pub(super) Vec<String>);

impl<'de> Deserialize<'de> for Argv {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ArgvVisitor;
        impl<'de> Visitor<'de> for ArgvVisitor {
            type Value = Argv;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of the command and its arguments, such as [\"grep\", \"-c\"]")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Argv, A::Error> {
                let mut argv = Vec::new();
                while let Some(argument) = list.next_element()? {
                    argv.push(argument);
                }
                Ok(Argv(argv))
            }
        }
        deserializer.deserialize_seq(ArgvVisitor)
    }
}

/// A duration above zero.
pub(super) struct Timeout(pub(super) Duration);

impl<'de> Deserialize<'de> for Timeout {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TimeoutVisitor;
        impl Visitor<'_> for TimeoutVisitor {
            type Value = Timeout;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a duration as text, such as \"500ms\" or \"10s\"")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Timeout, E> {
                let duration = dayfly::parse_duration(text).map_err(E::custom)?;
                if duration.is_zero() {
                    return Err(E::custom("a timeout of zero lets no call succeed; leave it out for none"));
                }
                Ok(Timeout(duration))
            }
        }
        deserializer.deserialize_str(TimeoutVisitor)
    }
}

/// The variables of a tool, which are often taken for a list.
pub(super) struct Env(pub(super) BTreeMap<String, EnvValue>);

/// How variables are written.
const ENV: &str = "write { NAME = \"text\" } to set a variable and { NAME = true } to pass on dayfly's own value \
                   ({\"NAME\": true} in JSON)";

impl<'de> Deserialize<'de> for Env {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct EnvVisitor;
        impl<'de> Visitor<'de> for EnvVisitor {
            type Value = Env;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a map of variables; {ENV}")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Env, A::Error> {
                let mut env = BTreeMap::new();
                while let Some((name, value)) = map.next_entry::<String, EnvValue>()? {
                    if env.contains_key(&name) {
                        return Err(de::Error::custom(format!("the variable {name:?} is given twice; keep one")));
                    }
                    env.insert(name, value);
                }
                Ok(Env(env))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> Result<Env, A::Error> {
                Err(de::Error::custom(format!("`env` is a map and this is a list; {ENV}")))
            }
        }
        deserializer.deserialize_any(EnvVisitor)
    }
}

impl<'de> Deserialize<'de> for EnvValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct EnvVisitor;
        impl Visitor<'_> for EnvVisitor {
            type Value = EnvValue;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("text, or `true` to pass on the value that dayfly itself has")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<EnvValue, E> {
                Ok(EnvValue::Text(text.to_owned()))
            }

            fn visit_bool<E: de::Error>(self, inherit: bool) -> Result<EnvValue, E> {
                if inherit { Ok(EnvValue::Inherit) } else { Err(E::invalid_value(de::Unexpected::Bool(false), &self)) }
            }
        }
        deserializer.deserialize_any(EnvVisitor)
    }
}
