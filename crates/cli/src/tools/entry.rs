//! One tool as it is written in a tools file, the same in TOML and JSON.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use dayfly::ByteSize;
use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::keys::{Synonym, unknown_key};

use super::schema::SchemaText;
use super::values::{Argv, Env, EnvValue, Timeout};

/// A tools file.
#[derive(Debug)]
pub(super) struct ToolsFile {
    pub(super) tools: Vec<ToolEntry>,
}

/// A tool, before its schemas are compiled and its command is looked up.
#[derive(Debug)]
pub(super) struct ToolEntry {
    pub(super) name: String,
    pub(super) description: Option<String>,
    pub(super) input: Option<serde_json::Value>,
    pub(super) output: Option<serde_json::Value>,
    pub(super) argv: Vec<String>,
    pub(super) timeout: Option<Duration>,
    pub(super) concurrency_safe: bool,
    pub(super) env: BTreeMap<String, EnvValue>,
    pub(super) cwd: Option<PathBuf>,
    pub(super) max_output: Option<ByteSize>,
}

const FILE_KEYS: &[&str] = &["tools"];

pub(crate) const TOOL_KEYS: &[&str] =
    &["name", "description", "input", "output", "argv", "timeout", "concurrency_safe", "env", "cwd", "max_output"];

/// Words for these keys in other files of tools, without case and separators.
const TOOL_SYNONYMS: &[Synonym] = &[
    Synonym { key: "argv", words: &["command", "cmd", "exec", "run", "program", "entrypoint"] },
    Synonym { key: "input", words: &["inputschema", "parameters", "params", "arguments", "schema", "inputs"] },
    Synonym { key: "output", words: &["outputschema", "returns", "result", "response", "outputs"] },
    Synonym { key: "cwd", words: &["workdir", "workingdir", "workingdirectory", "directory", "dir"] },
    Synonym { key: "env", words: &["environment", "variables"] },
    Synonym { key: "description", words: &["desc", "help", "doc", "summary"] },
    Synonym { key: "concurrency_safe", words: &["parallel", "concurrent", "readonly", "threadsafe"] },
    Synonym { key: "max_output", words: &["maxoutputbytes", "outputlimit", "limit"] },
];

/// How a list of tools is written.
const LIST: &str = "a tool is written as [[tools]] in TOML and as {\"tools\": [{…}]} in JSON";

/// Reads a key that must be one of a list, so that a mistyped key is refused at its own place in the file.
#[derive(Clone, Copy)]
struct KeyOf(&'static [&'static str], &'static [Synonym]);

impl<'de> DeserializeSeed<'de> for KeyOf {
    type Value = &'static str;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<&'static str, D::Error> {
        struct KeyVisitor(KeyOf);
        impl Visitor<'_> for KeyVisitor {
            type Value = &'static str;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }

            fn visit_str<E: de::Error>(self, key: &str) -> Result<&'static str, E> {
                let known = self.0.0;
                let found = known.iter().find(|known| **known == key).copied();
                found.ok_or_else(|| E::custom(unknown_key(key, known.iter().copied(), self.0.1)))
            }
        }
        deserializer.deserialize_identifier(KeyVisitor(self))
    }
}

/// Takes the value of `key`, which must not have one yet.
fn take<'de, A: MapAccess<'de>, T: Deserialize<'de>>(
    map: &mut A,
    key: &'static str,
    slot: &mut Option<T>,
) -> Result<(), A::Error> {
    if slot.is_some() {
        return Err(de::Error::duplicate_field(key));
    }
    *slot = Some(map.next_value()?);
    Ok(())
}

impl<'de> Deserialize<'de> for ToolsFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FileVisitor;
        impl<'de> Visitor<'de> for FileVisitor {
            type Value = ToolsFile;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with a list `tools`")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ToolsFile, A::Error> {
                let mut tools = None;
                while let Some(key) = map.next_key_seed(KeyOf(FILE_KEYS, &[]))? {
                    take(&mut map, key, &mut tools)?;
                }
                let tools = tools.map(|ToolList(tools)| tools);
                let tools = tools.ok_or_else(|| de::Error::custom(format!("there is no list `tools`; {LIST}")))?;
                Ok(ToolsFile { tools })
            }

            fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> Result<ToolsFile, A::Error> {
                Err(de::Error::custom(format!("the list of tools has no name; {LIST}")))
            }
        }
        deserializer.deserialize_any(FileVisitor)
    }
}

/// The list of tools, which is often taken for a map.
struct ToolList(Vec<ToolEntry>);

impl<'de> Deserialize<'de> for ToolList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ListVisitor;
        impl<'de> Visitor<'de> for ListVisitor {
            type Value = ToolList;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a list; {LIST}")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<ToolList, A::Error> {
                let mut tools = Vec::new();
                while let Some(tool) = list.next_element()? {
                    tools.push(tool);
                }
                Ok(ToolList(tools))
            }

            fn visit_map<A: MapAccess<'de>>(self, _: A) -> Result<ToolList, A::Error> {
                Err(de::Error::custom(format!("`tools` is a list and this is a map; {LIST}, with its `name` inside")))
            }
        }
        deserializer.deserialize_any(ListVisitor)
    }
}

impl<'de> Deserialize<'de> for ToolEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ToolVisitor;
        impl<'de> Visitor<'de> for ToolVisitor {
            type Value = ToolEntry;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a tool: an object with `name` and `argv`")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ToolEntry, A::Error> {
                let (mut name, mut description, mut argv, mut cwd) = (None, None, None, None);
                let (mut input, mut output) = (None, None);
                let (mut timeout, mut concurrency_safe, mut env, mut max_output) = (None, None, None, None);
                while let Some(key) = map.next_key_seed(KeyOf(TOOL_KEYS, TOOL_SYNONYMS))? {
                    match key {
                        "name" => take(&mut map, key, &mut name)?,
                        "description" => take(&mut map, key, &mut description)?,
                        "input" => take(&mut map, key, &mut input)?,
                        "output" => take(&mut map, key, &mut output)?,
                        "argv" => take(&mut map, key, &mut argv)?,
                        "timeout" => take(&mut map, key, &mut timeout)?,
                        "concurrency_safe" => take(&mut map, key, &mut concurrency_safe)?,
                        "env" => take(&mut map, key, &mut env)?,
                        "cwd" => take(&mut map, key, &mut cwd)?,
                        "max_output" => take(&mut map, key, &mut max_output)?,
                        other => return Err(de::Error::unknown_field(other, TOOL_KEYS)),
                    }
                }
                Ok(ToolEntry {
                    name: name.ok_or_else(|| de::Error::custom("a tool has no `name`"))?,
                    description,
                    input: input.map(|SchemaText(schema)| schema),
                    output: output.map(|SchemaText(schema)| schema),
                    argv: argv
                        .map(|Argv(argv)| argv)
                        .ok_or_else(|| de::Error::custom("a tool has no `argv`, the command that it runs"))?,
                    timeout: timeout.map(|Timeout(timeout)| timeout),
                    concurrency_safe: concurrency_safe.unwrap_or(false),
                    env: env.map(|Env(env)| env).unwrap_or_default(),
                    cwd,
                    max_output,
                })
            }
        }
        deserializer.deserialize_map(ToolVisitor)
    }
}
