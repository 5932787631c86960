//! Calls of names that no function has, in words: what V8 says of them names nothing else, and a program may catch it.

use dayfly_runtime::{Namespace, nearest_names};

use super::prepare::Unknown;

/// Names that are told.
const MOST_TOLD: usize = 3;
/// Functions that are listed where none is near.
const MOST_LISTED: usize = 20;
/// Characters that are shown of a name.
const MOST_SHOWN: usize = 80;

/// The tool that runs programs, which none of them is given.
const RUN_CODE: &str = "run_code";

/// A member that the program calls and takes for a function.
#[derive(Debug)]
pub(super) struct Called {
    pub(super) namespace: String,
    pub(super) function: String,
    pub(super) line: u32,
}

/// Those that are no function of the namespace.
pub(super) fn unknown(called: &[Called], namespaces: &[Namespace]) -> Vec<Unknown> {
    let told = called.iter().filter_map(|call| {
        let namespace = namespaces.iter().find(|namespace| namespace.global == call.namespace)?;
        let is_known = namespace.functions.iter().any(|(name, _)| *name == call.function);
        (!is_known).then(|| Unknown {
            uncaught: format!("{}.{} is not a function", call.namespace, call.function),
            note: note(call, namespace),
        })
    });
    told.take(MOST_TOLD).collect()
}

fn note(call: &Called, namespace: &Namespace) -> String {
    let Called { namespace: global, function, line } = call;
    let names = || namespace.functions.iter().map(|(name, _)| name.as_str());
    let near = nearest_names(function, names());
    let advice = if function == RUN_CODE {
        "; a program cannot run another one, so write what that one would do into this one".to_owned()
    } else if !near.is_empty() {
        let near: Vec<String> = near.into_iter().map(|name| access(global, name)).collect();
        format!("; did you mean {}?", near.join(" or "))
    } else if namespace.functions.is_empty() {
        "; it has none at all".to_owned()
    } else {
        let listed: Vec<String> = names().take(MOST_LISTED).map(shown).collect();
        let left = namespace.functions.len() - listed.len();
        let more = if left == 0 { String::new() } else { format!(" and {left} more") };
        format!("; it has {}{more}", listed.join(", "))
    };
    format!("note: {global} has no function `{}`, which the program calls in line {line}{advice}", shown(function))
}

/// A function as a program reaches it.
fn access(global: &str, name: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    if name.chars().all(is_word) && !name.starts_with(|c: char| c.is_ascii_digit()) && !name.is_empty() {
        return format!("{global}.{name}");
    }
    format!("{global}[{:?}]", shown(name))
}

fn shown(name: &str) -> String {
    name.chars().filter(|character| !character.is_control()).take(MOST_SHOWN).collect()
}

#[cfg(test)]
mod tests {
    use dayfly_runtime::{HostFunction, Json};

    use super::*;

    fn namespace(names: &[&str]) -> Namespace {
        let function = || HostFunction::new(|_| async { Ok(Json::null()) });
        names.iter().fold(Namespace::tools(), |namespace, name| namespace.function(*name, function()))
    }

    fn told(function: &str, names: &[&str]) -> Vec<String> {
        let call = Called { namespace: "tools".to_owned(), function: function.to_owned(), line: 3 };
        unknown(&[call], &[namespace(names)]).into_iter().map(|unknown| unknown.note).collect()
    }

    #[test]
    fn a_name_that_no_function_has_is_told_with_its_line_and_what_may_be_meant() {
        let names = ["read_file", "odd-name", "write_file"];
        for (function, advice) in [
            ("readFile", "; did you mean tools.read_file?"),
            ("odd_name", "; did you mean tools[\"odd-name\"]?"),
            ("nothing_like_it", "; it has read_file, odd-name, write_file"),
            ("run_code", "; a program cannot run another one, so write what that one would do into this one"),
        ] {
            let wanted = format!("note: tools has no function `{function}`, which the program calls in line 3{advice}");
            assert_eq!(told(function, &names), [wanted]);
        }
        assert!(told("read_file", &names).is_empty());
        assert_eq!(
            told("a", &[]),
            ["note: tools has no function `a`, which the program calls in line 3; it has none at all"]
        );
    }

    #[test]
    fn no_program_makes_the_notes_long() {
        let called: Vec<Called> = (0..1_000)
            .map(|nth| Called {
                namespace: "tools".to_owned(),
                function: format!("{nth}{}", "x\n".repeat(9_000)),
                line: 1,
            })
            .collect();
        let names: Vec<String> = (0..1_000).map(|nth| format!("{nth}{}", "y".repeat(900))).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let notes = unknown(&called, &[namespace(&names)]);
        assert!(notes.len() == MOST_TOLD && notes.iter().all(|unknown| unknown.note.len() < 2_500));
        assert!(notes.iter().all(|unknown| !unknown.note.contains('\n') && unknown.note.ends_with(" and 980 more")));
        assert!(unknown(&called, &[]).is_empty());
    }
}
