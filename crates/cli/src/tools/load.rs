//! From tools files to tools that are ready to be called.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dayfly::ByteSize;
use serde_json::Value;

use crate::document::{self, DocumentError};
use crate::output;

use super::Toolbox;
use super::command::CommandSpec;
use super::entry::{ToolEntry, ToolsFile};
use super::schema::Schema;
use super::tool::Tool;
use super::values::EnvValue;
use super::vocabulary;

/// What a command may write when its tool does not say.
const DEFAULT_MAX_OUTPUT: ByteSize = ByteSize::mib(16);

/// What a command's environment has of dayfly's own, beside what its tool lists: enough to find programs, the user's
/// files and the language of messages, and no secrets.
const INHERITED: [&str; 3] = ["PATH", "HOME", "LANG"];

/// Why tools files cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ToolsError {
    #[error(transparent)]
    Document(#[from] DocumentError),
    #[error("{}: tool {tool:?}: {problem}", path.display())]
    Tool { path: PathBuf, tool: String, problem: ToolProblem },
    #[error("tool {tool:?} is in {} and again in {}; give each tool a name of its own", first.display(), second.display())]
    Duplicate { tool: String, first: PathBuf, second: PathBuf },
}

/// What is wrong with one tool.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ToolProblem {
    #[error("`name` is empty; give it the name by which programs call it")]
    EmptyName,
    #[error("`argv` is empty; name the command that it runs")]
    EmptyCommand,
    #[error("`{key}` has a NUL character; remove it")]
    Nul { key: &'static str },
    #[error("`argv`: there is no program {program:?} in PATH; install it or give its path")]
    NotInPath { program: String },
    #[error("`argv`: there is no file {}; check the path, which is seen from the tools file", program.display())]
    NoFile { program: PathBuf },
    #[error("`argv`: {} is not a file that can be executed; {}", program.display(), execution_advice(program))]
    NotExecutable { program: PathBuf },
    #[error("`cwd`: {} is not a directory", cwd.display())]
    NoDirectory { cwd: PathBuf },
    #[error("`env`: {variable:?} cannot be the name of a variable")]
    VariableName { variable: String },
    #[error("`env`: {variable} is to be passed on and is not set; set it, or give it a value in the file")]
    NotSet { variable: String },
    #[error("`{key}` is not a schema that can be used: {problem}")]
    Schema { key: &'static str, problem: String },
}

/// How a file is run that cannot be executed itself.
fn execution_advice(program: &Path) -> String {
    let extension = program.extension().and_then(OsStr::to_str).unwrap_or_default();
    let interpreter = match extension {
        "py" => "python3",
        "js" | "mjs" | "cjs" | "ts" | "mts" => "node",
        "sh" => "sh",
        "bash" => "bash",
        "rb" => "ruby",
        "pl" => "perl",
        _ if program.is_dir() => return "it is a directory".to_owned(),
        _ => return "make it so with chmod +x, or name its interpreter in front of it".to_owned(),
    };
    format!(
        "write argv = [{interpreter:?}, {program:?}], or make it so with chmod +x and a first line such as #!/usr/bin/env {interpreter}"
    )
}

impl Toolbox {
    /// Reads tools files.
    pub(crate) fn load(paths: &[PathBuf]) -> Result<Self, ToolsError> {
        let mut tools: Vec<Arc<Tool>> = Vec::new();
        let mut seen: BTreeMap<String, &Path> = BTreeMap::new();
        for path in paths {
            let file: ToolsFile = document::parse(path)?;
            let directory = directory_of(path)?;
            for entry in file.tools {
                if let Some(first) = seen.insert(entry.name.clone(), path) {
                    return Err(ToolsError::Duplicate {
                        tool: entry.name,
                        first: first.to_owned(),
                        second: path.clone(),
                    });
                }
                let name = entry.name.clone();
                for (key, oddity) in oddities(&entry) {
                    output::note(&format!("{}: tool {name:?}: `{key}`: {oddity}", path.display()));
                }
                let tool = prepare(entry, &directory).map_err(|problem| ToolsError::Tool {
                    path: path.clone(),
                    tool: name,
                    problem,
                })?;
                tools.push(Arc::new(tool));
            }
        }
        Ok(Self { tools, gate: Arc::default(), commands: Arc::default() })
    }
}

/// The absolute directory of a file. Commands keep their meaning wherever dayfly is started.
fn directory_of(path: &Path) -> Result<PathBuf, DocumentError> {
    let failed = |source| DocumentError::Read { path: path.to_owned(), source };
    let absolute = std::path::absolute(path).map_err(failed)?;
    Ok(absolute.parent().unwrap_or(Path::new("/")).to_owned())
}

fn prepare(entry: ToolEntry, directory: &Path) -> Result<Tool, ToolProblem> {
    if entry.name.is_empty() {
        return Err(ToolProblem::EmptyName);
    }
    if entry.argv.iter().any(|argument| argument.contains('\0')) {
        return Err(ToolProblem::Nul { key: "argv" });
    }
    let cwd = entry.cwd.map_or_else(|| directory.to_owned(), |cwd| directory.join(cwd));
    if !cwd.is_dir() {
        return Err(ToolProblem::NoDirectory { cwd });
    }
    let env = environment(entry.env)?;
    let mut argv = entry.argv.into_iter();
    let program = argv.next().filter(|program| !program.is_empty()).ok_or(ToolProblem::EmptyCommand)?;
    let path = env.iter().find(|(name, _)| name == "PATH").map(|(_, value)| value.as_os_str());
    let command = CommandSpec {
        program: find(&program, directory, path)?,
        arguments: argv.collect(),
        cwd,
        timeout: entry.timeout,
        max_output: entry.max_output.unwrap_or(DEFAULT_MAX_OUTPUT),
        env,
    };
    Ok(Tool {
        name: entry.name,
        description: entry.description,
        input: compile("input", entry.input.as_ref())?,
        output: compile("output", entry.output.as_ref())?,
        command,
        concurrency_safe: entry.concurrency_safe,
    })
}

fn environment(listed: BTreeMap<String, EnvValue>) -> Result<Vec<(String, OsString)>, ToolProblem> {
    let mut env: BTreeMap<String, OsString> = BTreeMap::new();
    for name in INHERITED {
        if let Some(value) = std::env::var_os(name) {
            env.insert(name.to_owned(), value);
        }
    }
    for (variable, value) in listed {
        if variable.is_empty() || variable.contains(['=', '\0']) {
            return Err(ToolProblem::VariableName { variable });
        }
        let value = match value {
            EnvValue::Text(text) if text.contains('\0') => return Err(ToolProblem::Nul { key: "env" }),
            EnvValue::Text(text) => OsString::from(text),
            EnvValue::Inherit => {
                std::env::var_os(&variable).ok_or_else(|| ToolProblem::NotSet { variable: variable.clone() })?
            }
        };
        env.insert(variable, value);
    }
    Ok(env.into_iter().collect())
}

/// A name with a slash is a path, seen from the tools file; one without is looked up in PATH.
fn find(program: &str, directory: &Path, path: Option<&OsStr>) -> Result<PathBuf, ToolProblem> {
    if program.contains('/') {
        // Without the `.` of `./name`.
        let program: PathBuf = directory.join(program).components().collect();
        return match program.try_exists() {
            _ if is_executable(&program) => Ok(program),
            Ok(false) => Err(ToolProblem::NoFile { program }),
            _ => Err(ToolProblem::NotExecutable { program }),
        };
    }
    std::env::split_paths(path.unwrap_or_default())
        .map(|entry| entry.join(program))
        .find(|candidate| candidate.is_absolute() && is_executable(candidate))
        .ok_or_else(|| ToolProblem::NotInPath { program: program.to_owned() })
}

fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

/// What a schema says and probably does not mean.
fn oddities(entry: &ToolEntry) -> Vec<(&'static str, String)> {
    let schemas = [("input", &entry.input), ("output", &entry.output)];
    let schemas = schemas.into_iter().filter_map(|(key, schema)| schema.as_ref().map(|schema| (key, schema)));
    schemas
        .flat_map(|(key, schema)| vocabulary::read(schema).misspelt.into_iter().map(move |oddity| (key, oddity)))
        .collect()
}

fn compile(key: &'static str, schema: Option<&Value>) -> Result<Option<Arc<Schema>>, ToolProblem> {
    let compiled = schema.map(|schema| Schema::compile(schema).map(Arc::new)).transpose();
    compiled.map_err(|problem| ToolProblem::Schema { key, problem })
}
