//! From tools files to tools that are ready to be called.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dayfly::ByteSize;
use dayfly::tools::{DeclarationError, Json, RUN_CODE, RunContext, Tool, Warning};
use serde_json::json;

use crate::document::{self, DocumentError};
use crate::output;

use super::Toolbox;
use super::command::CommandSpec;
use super::entry::{ToolEntry, ToolsFile};
use super::running::Commands;
use super::tool::CommandTool;
use super::values::EnvValue;

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
    #[error("`input` is not a schema that can be used: {problem}")]
    Input { problem: String },
    #[error("`output` is not a schema that can be used: {problem}")]
    Output { problem: String },
    #[error("`name`: `{RUN_CODE}` is what runs programs; give the tool another name")]
    Reserved,
    #[error("`name`: {problem}")]
    Name { problem: String },
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
        let commands: Arc<Commands> = Arc::default();
        let mut tools: Vec<Tool> = Vec::new();
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
                let refused = |problem| ToolsError::Tool { path: path.clone(), tool: name.clone(), problem };
                let tool = declare(entry, &directory, &commands).map_err(refused)?;
                // What is called by programs alone may take anything.
                let spoken = |warning: &&Warning| **warning != Warning::InputNotAnObject;
                for warning in tool.warnings().iter().filter(spoken) {
                    output::note(&format!("{}: tool {name:?}: {warning}", path.display()));
                }
                tools.push(tool);
            }
        }
        Ok(Self { tools, commands })
    }
}

/// The absolute directory of a file. Commands keep their meaning wherever dayfly is started.
fn directory_of(path: &Path) -> Result<PathBuf, DocumentError> {
    let failed = |source| DocumentError::Read { path: path.to_owned(), source };
    let absolute = std::path::absolute(path).map_err(failed)?;
    Ok(absolute.parent().unwrap_or(Path::new("/")).to_owned())
}

/// Declares the tool that an entry describes.
fn declare(entry: ToolEntry, directory: &Path, commands: &Arc<Commands>) -> Result<Tool, ToolProblem> {
    if entry.name == RUN_CODE {
        return Err(ToolProblem::Reserved);
    }
    let (name, safe) = (entry.name.clone(), entry.concurrency_safe);
    let description = entry.description.clone().unwrap_or_default();
    // Without a schema the command itself says what it takes; a model is told that it is an object.
    let (input, unchecked) =
        (entry.input.clone().unwrap_or_else(|| json!({ "type": "object" })), entry.input.is_none());
    let output = entry.output.clone().unwrap_or_else(|| json!({}));
    let tool = Arc::new(prepare(entry, directory, commands)?);
    let declaration = Tool::raw(name, input).description(description).concurrency_safe(move |_| safe);
    let declaration = if unchecked { declaration.validates_itself() } else { declaration };
    let declared = declaration.output_plain(output).execute(move |arguments: Json, run: RunContext| {
        let tool = Arc::clone(&tool);
        async move { tool.call(&arguments, run.cancel()).await }
    });
    declared.map_err(|error| {
        if let DeclarationError::InputSchema { source, .. } = &error {
            ToolProblem::Input { problem: source.to_string() }
        } else if let DeclarationError::OutputSchema { source, .. } = &error {
            ToolProblem::Output { problem: source.to_string() }
        } else {
            ToolProblem::Name { problem: error.to_string() }
        }
    })
}

fn prepare(entry: ToolEntry, directory: &Path, commands: &Arc<Commands>) -> Result<CommandTool, ToolProblem> {
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
    Ok(CommandTool { command, commands: Arc::clone(commands) })
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
