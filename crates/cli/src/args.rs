//! The words of the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use dayfly::Language;

/// The widest line of a help text: what a terminal of 80 columns shows as it stands.
const WIDTH: usize = 78;

const EXAMPLES: &str = "\
Examples:
  dayfly doctor                               what this machine can run
  dayfly run hello.ts                         a program without tools
  dayfly run report.py --tools tools.toml     one that calls your commands
  echo 'return 6 * 7' | dayfly run --lang ts  one from standard input
  dayfly run report.ts --json --compute 5s    one JSON object, at most 5 s CPU
  dayfly sdk --tools tools.toml --lang py     what a model is told of them

Exit codes:
  0    the program completed
  1    the program failed
  2    bad usage, program file, tools file or configuration
  3    this host cannot run it: no usable interpreter, or the kernel refuses
       a layer
  129, 130, 143    ended by SIGHUP, SIGINT (Ctrl-C), SIGTERM

`dayfly help run` says more about programs, tools, limits and signals.";

const SDK_HELP: &str = "\
The text is the section of a system prompt that a model reads before it
writes programs against the tools, and the same to the byte for the same
tools files. No interpreter is needed to print it.

--lint says of each tool where its declared types admit more than its schema
does, by the JSON pointer of the place; whether its name is awkward; and how
large its declarations are beside the function definition that they replace.
A token is estimated as four bytes. What it finds is to be known, not always
to be mended: it does not change the exit code.";

const RUN_HELP: &str = "\
A program is the body of an async function: `await` and `return` work at its
top level. In TypeScript:

  const files = await tools.list_files({ glob: \"*.rs\" });
  console.log(files.length);
  return files[0];

The same in Python:

  files = await tools.list_files(glob=\"*.rs\")
  print(len(files))
  return files[0]

A Markdown fence around the whole text is taken off; text before or after it
is not. Standard output is what a model would be shown: what the program
printed, then what it returned. A failed program prints
`Error: code run failed (KIND): MESSAGE` and what it had printed until then.
A standard output that is closed early is not an error.

Tools files:
  A tools file (.toml or .json) holds a list `tools`. Each tool is a command:
  it reads its arguments as JSON from standard input and writes its result as
  one JSON value to standard output (nothing means null); another exit code
  than 0 is a failed call whose message is the end of standard error. All of
  a tools file is checked before the program starts. A program finds the
  tools by their names on the global object `tools`.

  [[tools]]
  # Any text; the program calls tools.list_files or tools[\"list_files\"].
  name = \"list_files\"
  # What it does and when to use it, for the model (`dayfly sdk`).
  description = \"Names of files\"
  # The command. A name is looked up in PATH; a path (with a slash) is seen
  # from the tools file. The words after it are passed on as they are, so
  # that a relative path among them is seen from `cwd`.
  argv = [\"python3\", \"list_files.py\"]
  # JSON Schema of the arguments; checked before the command runs.
  input = { type = \"object\" }
  # JSON Schema of the result; checked before the program sees it.
  output = { type = \"array\" }
  # After this time the command's process group is killed.
  timeout = \"10s\"
  # May run beside other safe calls; without it the call runs alone, in order.
  concurrency_safe = true
  # Variables beside PATH, HOME and LANG; `true` passes dayfly's value on.
  env = { LANG = \"C\", API_KEY = true }
  # Where it runs, seen from the tools file; without it, where that file is.
  cwd = \"..\"
  # Most bytes of standard output; 16MiB unless given.
  max_output = \"1MiB\"

Limits:
  Any limit of the README's table is a key of the configuration file
  (--config FILE, TOML) and of --limit: `--limit drain_grace=1s`. A flag
  counts more than the file.

Signals:
  The first SIGHUP, SIGINT or SIGTERM cancels the run: its tools and its
  worker are ended, and what it had printed is reported. Another one, half a
  second later or more, ends the command at once: the report is lost, and the
  run's working directory may be left until the next start.";

/// Runs one model-written program in one fresh process, with your commands as its tools.
#[derive(Debug, Parser)]
#[command(name = "dayfly", version, after_help = EXAMPLES, max_term_width = WIDTH)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a TypeScript or Python program and print what it printed and returned.
    #[command(after_long_help = RUN_HELP)]
    Run(Box<RunArguments>),
    /// Print what a model is told of your tools: how to write programs, and each tool's types.
    #[command(after_long_help = SDK_HELP)]
    Sdk(SdkArguments),
    /// Say what this host can run: interpreters, versions, and what is applied to a worker.
    Doctor(DoctorArguments),
}

#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// The program; `-` or nothing reads it from standard input.
    pub(crate) file: Option<PathBuf>,
    /// The program's language [default: from the file's extension, or from the tag of its Markdown fence].
    #[arg(long, value_enum, ignore_case = true, value_name = "ts|py", hide_possible_values = true)]
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
pub(crate) struct SdkArguments {
    /// The language that programs are written in [default: ts].
    #[arg(long, value_enum, ignore_case = true, value_name = "ts|py", hide_possible_values = true)]
    pub(crate) lang: Option<Lang>,
    /// A file of tools, TOML or JSON; may be given again.
    #[arg(long, value_name = "FILE")]
    pub(crate) tools: Vec<PathBuf>,
    /// Print what to know of the tools instead: types that say less than a schema, awkward names, sizes.
    #[arg(long)]
    pub(crate) lint: bool,
    /// With --lint, print one JSON object.
    #[arg(long, requires = "lint")]
    pub(crate) json: bool,
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
    /// The Node that runs TypeScript: its file, or its directory [default: searched for].
    #[arg(long, value_name = "PATH")]
    pub(crate) node: Option<PathBuf>,
    /// The CPython that runs Python: its file, or a directory such as a venv, whose packages come with it [default: searched for].
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
    /// Logs, value and failure message, such as 1MiB [default: 64MiB].
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
    #[value(aliases = ["typescript", "mts", "js", "javascript", "mjs"])]
    Ts,
    #[value(aliases = ["python", "python3"])]
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

    /// Every help text that there is, as it is printed to a wide terminal.
    fn helps() -> Vec<String> {
        fn add(command: &mut clap::Command, helps: &mut Vec<String>) {
            helps.extend([command.render_help().to_string(), command.render_long_help().to_string()]);
            command.get_subcommands_mut().for_each(|inner| add(inner, helps));
        }
        let mut command = Arguments::command();
        command.build();
        let mut helps = Vec::new();
        add(&mut command, &mut helps);
        helps
    }

    #[test]
    fn no_help_is_wider_than_a_terminal() {
        let helps = helps();
        assert!(helps.len() > 6);
        for line in helps.iter().flat_map(|help| help.lines()) {
            assert!(line.chars().count() <= WIDTH, "{line}");
        }
    }

    #[test]
    fn the_texts_that_are_set_by_hand_reach_the_reader_as_they_stand() {
        let helps = helps();
        for text in [EXAMPLES, RUN_HELP, SDK_HELP] {
            assert!(helps.iter().any(|help| help.contains(text)), "{text}");
        }
    }

    #[test]
    fn the_tool_of_the_help_has_every_key() {
        let (_, tool) = RUN_HELP.split_once("  [[tools]]\n").unwrap();
        let (tool, _) = tool.split_once("\n\n").unwrap();
        let table: toml::Table = toml::from_str(tool).unwrap();
        let mut keys: Vec<&str> = crate::tools::TOOL_KEYS.to_vec();
        keys.sort_unstable();
        assert_eq!(table.keys().map(String::as_str).collect::<Vec<_>>(), keys);
    }

    #[test]
    fn a_language_has_the_names_that_people_give_it() {
        for (names, lang) in [
            (&["ts", "typescript", "TypeScript", "js", "javascript", "mjs", "mts"][..], Lang::Ts),
            (&["py", "python", "Python3"], Lang::Py),
        ] {
            for name in names {
                let arguments = Arguments::try_parse_from(["dayfly", "run", "--lang", name]).unwrap();
                let Command::Run(run) = arguments.command else { panic!("{name}") };
                assert_eq!(run.lang, Some(lang), "{name}");
            }
        }
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
