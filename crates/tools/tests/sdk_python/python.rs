//! CPython, which compiles and runs texts.

use std::io::Write as _;
use std::process::{Command, Stdio};

use dayfly_tools::Json;

const CHECK: &str = r#"
import ast, builtins, inspect, json, sys, types, typing, warnings

warnings.simplefilter("error")
runs = sys.version_info >= (3, 11)  # typing has all of the names since then
answers = []
for text in json.load(sys.stdin):
    answer = {}
    try:
        ast.parse(text, feature_version=(3, 10))
        code = compile(text, "sdk.py", "exec", dont_inherit=True)
        if runs:
            module = sys.modules["sdk"] = types.ModuleType("sdk")
            space = vars(module)
            exec(code, space)
            hidden = [name for name in space if hasattr(builtins, name) and not name.startswith("__")]
            assert not hidden, f"hides {hidden}"
            members = {}
            for name, value in list(space.items()):
                if getattr(value, "__module__", None) == "sdk":
                    # Every name in every annotation means something.
                    hints = typing.get_type_hints(value, include_extras=True)
                    if isinstance(value, type) and issubclass(value, dict):
                        members[name] = list(hints)
            answer["members"] = members
            tools = space.get("Tools")
            if tools:
                methods = {n: m for n, m in vars(tools).items() if inspect.iscoroutinefunction(m)}
                for method in methods.values():
                    typing.get_type_hints(method)
                answer["docs"] = {name: method.__doc__ for name, method in methods.items()}
    except Exception as problem:
        answer["problem"] = f"{type(problem).__name__}: {problem}"
    answers.append(answer)
json.dump({"runs": runs, "answers": answers}, sys.stdout)
"#;

/// What CPython made of texts.
pub(crate) struct Checked {
    /// Whether texts were run as well; CPython 3.10 only compiles them.
    pub(crate) runs: bool,
    /// Of each text: `problem`, or the `members` of each class and the `docs` of each method.
    pub(crate) answers: Vec<Json>,
}

/// Compiles texts under the rules of 3.10, and runs them; one process for all.
pub(crate) fn check(texts: &[String]) -> Checked {
    let python = std::env::var_os("DAYFLY_PYTHON").unwrap_or_else(|| "python3".into());
    let mut child = Command::new(&python)
        .args(["-I", "-c", CHECK])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{}: {error}", python.display()));
    let input = Json::array(texts.iter().map(String::as_str)).to_string();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success(), "{}", output.status);
    let answer = Json::parse(std::str::from_utf8(&output.stdout).unwrap()).unwrap();
    let runs = answer.get("runs").unwrap().as_bool().unwrap();
    let answers: Vec<Json> = answer.get("answers").unwrap().items().map(|item| item.to_owned()).collect();
    assert_eq!(answers.len(), texts.len());
    Checked { runs, answers }
}

/// Compiles and runs texts, none of which may be refused.
pub(crate) fn accepts(texts: &[String]) -> Checked {
    let checked = check(texts);
    for (text, answer) in texts.iter().zip(&checked.answers) {
        let problem = answer.get("problem").and_then(|problem| problem.as_str());
        assert_eq!(problem, None, "of this text:\n{text}");
    }
    checked
}
