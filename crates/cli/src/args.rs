//! The words of the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use dayfly::Language;

const EXAMPLES: &str = "\
Examples:
  dayfly doctor                                     what this machine can run
  dayfly run hello.ts                               a program without tools
  dayfly run report.py --tools tools.toml           a program that calls your commands
  echo 'return 6 * 7' | dayfly run --lang ts        a program from standard input
  dayfly run report.ts --json --compute 5s          one JSON object, at most 5 s of CPU

Exit codes:
  0    the program completed
  1    the program failed
  2    bad usage, program file, tools file or configuration
  3    this host cannot run it: no usable interpreter, or the kernel refuses a layer
  129, 130, 143    ended by SIGHUP, SIGINT (Ctrl-C), SIGTERM

`dayfly help run` says more about programs, tools and limits.";

const RUN_HELP: &str = "\
A program is the body of an async function: `await` and `return` work at its top level.

  const files = await tools.list_files({ glob: \"*.rs\" });       files = await tools.list_files(glob=\"*.rs\")
  console.log(files.length);                                    print(len(files))
  return files[0];                                              return files[0]

Standard output is what a model would be shown: what the program printed, then what it returned. A failed program
prints `Error: code run failed (KIND): MESSAGE` and what it had printed until then. A standard output that is closed
early is not an error.

Tools files:
  A tools file (.toml or .json) holds a list `tools`. Each tool is a command: it reads its arguments as JSON from
  standard input and writes its result as JSON to standard output (nothing means null); another exit code than 0 is a
  failed call whose message is the end of standard error.

  [[tools]]
  name = \"list_files\"                   # any text; the program calls tools.list_files or tools[\"…\"]
  description = \"Names of files\"        # for the model
  argv = [\"python3\", \"list_files.py\"]  # the command; looked up in PATH
  input = { type = \"object\" }          # JSON Schema of the arguments; checked before the command runs
  output = { type = \"array\" }          # JSON Schema of the result; checked before the program sees it
  timeout = \"10s\"                      # then the command's process group is killed
  concurrency_safe = true              # may run beside other safe calls; without it the call runs alone, in order
  env = { LANG = \"C\", API_KEY = true } # beside PATH, HOME and LANG; `true` passes dayfly's own value on
  cwd = \"..\"                           # where it runs, from the tools file's directory (which is the default)
  max_output = \"1MiB\"                  # most bytes of standard output; 16MiB unless given

Limits:
  Any limit of the README's table is a key of the configuration file (--config FILE, TOML) and of --limit:
  `--limit drain_grace=1s`. A flag counts more than the file.";

/// Runs one model-written program in one fresh process, with your commands as its tools.
#[derive(Debug, Parser)]
#[command(name = "dayfly", version, after_help = EXAMPLES, disable_help_subcommand = false)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a TypeScript or Python program and print what it printed and returned.
    #[command(after_long_help = RUN_HELP)]
    Run(Box<RunArguments>),
    /// Say what this host can run: interpreters, versions, and what is applied to a worker.
    Doctor(DoctorArguments),
}

#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// The program; `-` or nothing reads it from standard input.
    pub(crate) file: Option<PathBuf>,
    /// The program's language [default: from the file's extension, or from the tag of its Markdown fence].
    #[arg(long, value_enum, value_name = "ts|py", hide_possible_values = true)]
    pub(crate) lang: Option<Lang>,
    /// A file of tools, TOML or JSON; may be given again.
    #[arg(long, value_name = "FILE")]
    pub(crate) tools: Vec<PathBuf>,
    /// Print one JSON object: value, logs, failure, usage, receipts, isolation, start.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[command(flatten)]
    pub(crate) host: HostArguments,
}

#[derive(Debug, Args)]
pub(crate) struct DoctorArguments {
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) host: HostArguments,
}

/// Where things are.
#[derive(Debug, Args)]
#[command(next_help_heading = "Host")]
pub(crate) struct HostArguments {
    /// A configuration file, TOML: limits and paths by the keys of the README's table.
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// The Node that runs TypeScript [default: searched for].
    #[arg(long, value_name = "PATH")]
    pub(crate) node: Option<PathBuf>,
    /// The CPython that runs Python, which may be a venv's [default: searched for].
    #[arg(long, value_name = "PATH")]
    pub(crate) python: Option<PathBuf>,
    /// A directory of packages that the program may import: a `node_modules`, or a Python `site-packages`.
    #[arg(long, value_name = "DIR")]
    pub(crate) modules: Option<PathBuf>,
}

/// The limits that people change; the others by `--limit`.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArguments {
    /// CPU time of the program and all it starts, such as 5s or 500ms [default: 1m].
    #[arg(long, value_name = "TIME")]
    pub(crate) compute: Option<String>,
    /// Time from start to end, such as 2m [default: 10m].
    #[arg(long, value_name = "TIME")]
    pub(crate) wall: Option<String>,
    /// Logs, value and failure message together, such as 1MiB [default: 64MiB].
    #[arg(long, value_name = "SIZE")]
    pub(crate) max_output: Option<String>,
    /// The JavaScript heap [default: 512MiB].
    #[arg(long, value_name = "SIZE")]
    pub(crate) old_space: Option<String>,
    /// Private memory of each process [default: 4GiB].
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory: Option<String>,
    /// Calls that are worked on at a time [default: 256].
    #[arg(long, value_name = "NUMBER")]
    pub(crate) max_pending_calls: Option<String>,
    /// Any limit by its key, such as drain_grace=1s; may be given again.
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) limit: Vec<String>,
}

/// A language as it is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Lang {
    #[value(alias = "typescript")]
    Ts,
    #[value(alias = "python")]
    Py,
}

impl From<Lang> for Language {
    fn from(lang: Lang) -> Self {
        match lang {
            Lang::Ts => Self::TypeScript,
            Lang::Py => Self::Python,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;
    use dayfly::ProcessConfig;

    use super::*;

    #[test]
    fn the_words_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn the_help_of_a_limit_says_its_default() {
        let mut command = Arguments::command();
        let help = command.find_subcommand_mut("run").unwrap().render_long_help().to_string();
        for (flag, key) in [
            ("--compute", "compute"),
            ("--wall", "wall"),
            ("--max-output", "max_output_bytes"),
            ("--old-space", "old_space"),
            ("--memory", "memory"),
            ("--max-pending-calls", "max_pending_calls"),
        ] {
            let limit = ProcessConfig::limit_keys().into_iter().find(|limit| limit.key == key).unwrap();
            let (_, after) = help.split_once(&format!("{flag} ")).unwrap();
            let (_, default) = after.split_once("[default: ").unwrap();
            assert!(default.starts_with(&format!("{}]", limit.default)), "{flag}: {}", limit.default);
        }
    }
}
