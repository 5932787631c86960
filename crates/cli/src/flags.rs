//! What is said of a flag that does not exist.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use dayfly::ProcessConfig;

use crate::keys::plain;

/// Flags of other commands, without separators, and what does here what they ask for.
const ELSEWHERE: [(&[&str], &str); 6] = [
    (
        &["timeout", "time", "timelimit", "maxtime", "deadline"],
        "'--wall <TIME>' limits the time from start to end, '--compute <TIME>' the CPU time",
    ),
    (&["cpu", "cputime", "cpulimit"], "'--compute <TIME>' limits the CPU time"),
    (&["mem", "maxmemory", "memorylimit"], "'--memory <SIZE>' limits the memory of each process"),
    (&["heap", "maxoldspacesize"], "'--old-space <SIZE>' limits the JavaScript heap"),
    (&["env"], "a program has no environment; pass what it needs through a tool"),
    (&["file", "program", "eval"], "the program is a file, or standard input: dayfly run [FILE|-]"),
];

/// Adds what would do what an unknown flag asks for.
pub(crate) fn advise(mut error: clap::Error) -> clap::Error {
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let flag = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(flag)) => flag.clone(),
        _ => return error,
    };
    if let Some(advice) = advice(&flag) {
        // In the place of the advice to pass it as a value, and of a flag that is merely spelt alike.
        error.remove(ContextKind::SuggestedArg);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(advice)]));
    }
    error
}

fn advice(flag: &str) -> Option<String> {
    let name = plain(flag.strip_prefix("--")?.split('=').next()?);
    if let Some((_, advice)) = ELSEWHERE.iter().find(|(names, _)| names.contains(&name.as_str())) {
        return Some((*advice).to_owned());
    }
    let limit = ProcessConfig::limit_keys().into_iter().find(|limit| plain(limit.key) == name)?;
    Some(format!("a limit without a flag of its own is set with '--limit {}={}'", limit.key, limit.default))
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory as _, Parser as _};

    use super::*;
    use crate::args::Arguments;

    fn said(flag: &str) -> String {
        advise(Arguments::try_parse_from(["dayfly", "run", flag]).unwrap_err()).to_string()
    }

    #[test]
    fn a_flag_of_another_command_is_answered_with_ours() {
        let text = said("--timeout");
        assert!(text.contains("tip: '--wall <TIME>'") && text.contains("'--compute <TIME>'"), "{text}");
        assert!(!text.contains("as a value"), "{text}");
        assert!(said("--timeout=3s").contains("'--wall <TIME>'"));
        assert!(said("--time_out").contains("'--wall <TIME>'"));
        assert!(said("--max_memory").contains("'--memory <SIZE>'"));
    }

    #[test]
    fn a_limit_that_has_no_flag_is_answered_with_its_key() {
        assert!(said("--drain-grace").contains("'--limit drain_grace=5s'"));
        assert!(said("--tool").contains("'--tools'"));
        assert!(said("--foo").contains("unexpected argument '--foo'"));
    }

    #[test]
    fn no_flag_of_ours_is_said_to_be_of_another_command() {
        let mut command = Arguments::command();
        command.build();
        for flag in command.get_subcommands().flat_map(clap::Command::get_arguments).filter_map(clap::Arg::get_long) {
            assert!(!ELSEWHERE.iter().any(|(names, _)| names.contains(&plain(flag).as_str())), "{flag}");
        }
    }
}
