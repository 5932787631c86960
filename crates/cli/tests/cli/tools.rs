//! Commands as tools: what reaches them, what comes back, and how they fail.

use serde_json::json;

use crate::bench::{Bench, both};

/// A program that gives back the message of the failed call of `tools.it`.
const FAILS: [(&str, &str); 2] = [
    (
        "program.ts",
        "try { return {value: await tools.it({})} } catch (e) { return [e instanceof ToolCallError, e.toolName, e.message] }",
    ),
    (
        "program.py",
        "try:\n    return {'value': await tools.it({})}\nexcept ToolCallError as e:\n    return [True, e.tool_name, str(e)]",
    ),
];

/// The text of the failed call of a tool `it` with these keys, the same in both languages.
fn failure(bench: &Bench, keys: &str) -> String {
    bench.file("tools.toml", format!("[[tools]]\nname = \"it\"\n{keys}\n"));
    let [typescript, python] = FAILS.map(|(file, program)| bench.value(file, program));
    assert_eq!(typescript, python);
    assert_eq!((&typescript[0], &typescript[1]), (&json!(true), &json!("it")), "{typescript}");
    typescript[2].as_str().unwrap().to_owned()
}

#[test]
fn arguments_and_results_cross_exactly() {
    let bench = Bench::with_tools("[[tools]]\nname = \"odd name\\n'\\\"\"\nargv = [\"cat\"]\n");
    for (file, program) in both(
        "return await tools[\"odd name\\n'\\\"\"]({text: '\\u0000 ä 🙂', number: 0.1, list: [null, true, {}]})",
        "return await tools[\"odd name\\n'\\\"\"]({'text': '\\0 ä 🙂', 'number': 0.1, 'list': [None, True, {}]})",
    ) {
        let expected = json!({"text": "\0 ä 🙂", "number": 0.1, "list": [null, true, {}]});
        assert_eq!(bench.value(file, program), expected, "{file}");
    }
}

#[test]
fn megabytes_cross_in_both_directions_without_a_deadlock() {
    let bench = Bench::with_tools("[[tools]]\nname = \"echo\"\nargv = [\"cat\"]\n");
    for (file, program) in both(
        "const text = 'x'.repeat(3_000_000); return (await tools.echo({text})).text === text",
        "text = 'x' * 3_000_000\nreturn (await tools.echo(text=text))['text'] == text",
    ) {
        assert_eq!(bench.value(file, program), json!(true), "{file}");
    }
}

#[test]
fn a_command_that_reads_nothing_and_writes_nothing_answers_null() {
    let bench = Bench::with_tools("[[tools]]\nname = \"deaf\"\nargv = [\"true\"]\n");
    for (file, program) in both(
        "return [await tools.deaf({text: 'x'.repeat(1_000_000)})]",
        "return [await tools.deaf(text='x' * 1_000_000)]",
    ) {
        assert_eq!(bench.value(file, program), json!([null]), "{file}");
    }
}

#[test]
fn a_command_sees_only_the_environment_it_is_given() {
    let bench = Bench::with_tools(
        "[[tools]]\nname = \"env\"\nargv = [\"sh\", \"-c\", \"env | grep -v -e ^PWD= -e ^SHLVL= -e ^_= | cut -d= -f1 | sort | tr '\\\\n' ' ' | sed 's/.*/\\\"&\\\"/'\"]\n\
         env = { GIVEN = \"x\", PASSED = true }\n",
    );
    bench.file("program.py", "return await tools.env()");
    let mut command = bench.command(&["run", "program.py", "--tools", "tools.toml"]);
    command.env("PASSED", "y").env("SECRET", "z").env("HOME", "/").env("LANG", "C");
    let output = command.output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "GIVEN HOME LANG PASSED PATH \n");
}

#[test]
fn commands_and_directories_are_seen_from_the_tools_file() {
    let bench = Bench::new();
    std::fs::create_dir_all(bench.path("tools/data")).unwrap();
    bench.file("tools/data/number", "7");
    bench.file(
        "tools/tools.json",
        r#"{"tools": [
            {"name": "here", "argv": ["cat", "data/number"]},
            {"name": "there", "argv": ["cat", "number"], "cwd": "data"}
        ]}"#,
    );
    bench.file("program.py", "return [await tools.here(), await tools.there()]");
    let done = bench.run(&["run", "program.py", "--tools", "tools/tools.json"]);
    assert_eq!(done.parts(), (Some(0), "[\n  7,\n  7\n]\n", ""));
}

#[test]
fn a_failed_command_fails_the_call_with_the_end_of_its_standard_error() {
    let bench = Bench::new();
    let text = failure(&bench, r#"argv = ["sh", "-c", "printf 'no such \\033[1mthing\\n' >&2; exit 3"]"#);
    assert_eq!(text, "no such \\u{1b}[1mthing");
    let text = failure(&bench, r#"argv = ["sh", "-c", "exit 3"]"#);
    assert_eq!(text, "the tool's command exited with code 3 and wrote nothing to standard error");
    let text = failure(&bench, r#"argv = ["sh", "-c", "echo last words >&2; kill -9 $$"]"#);
    assert_eq!(text, "the tool's command was killed by signal 9: last words");
    let text = failure(&bench, r#"argv = ["sh", "-c", "seq 1 1000000 >&2; exit 1"]"#);
    assert!(text.starts_with('…') && text.ends_with("\n999999\n1000000"), "{text}");
    assert_eq!(text.chars().count(), 2_001);
}

#[test]
fn output_that_is_not_json_fails_the_call_and_is_shown() {
    let bench = Bench::new();
    let text = failure(&bench, r#"argv = ["echo", "hello"]"#);
    assert!(text.starts_with("the tool's command did not write JSON to standard output ("), "{text}");
    let advice = "let it print one JSON value, for example with json.dumps(text) or jq -Rs . It wrote: hello";
    assert!(text.ends_with(advice), "{text}");
    let text = failure(&bench, r#"argv = ["printf", "\\377"]"#);
    assert!(text.starts_with("the tool's command did not write JSON to standard output ("), "{text}");
}

#[test]
fn a_file_that_can_be_executed_and_is_no_program_says_what_it_lacks() {
    let bench = Bench::new();
    for (text, part) in [("print(1)\n", "begin the file with a line such as #!"), ("#!/no/such\n", "is not there")] {
        bench.executable("it.py", text);
        let text = failure(&bench, "argv = [\"./it.py\"]");
        assert!(text.starts_with("the tool's command could not be started: ") && text.contains(part), "{text}");
    }
}

#[test]
fn more_output_than_the_cap_fails_the_call() {
    let text = failure(&Bench::new(), "argv = [\"yes\"]\nmax_output = \"64KiB\"");
    assert_eq!(text, "the tool wrote more than its max_output of 64KiB; ask it for less");
}

#[test]
fn a_timeout_kills_everything_that_the_command_started() {
    // Enough for the command to say who it is, however busy the machine: when it is not, more.
    for timeout in ["1s", "4s", "16s", "1m"] {
        let bench = Bench::new();
        let script = "rm -f said; sleep 1000 & echo $! > child; echo $$ > leader; echo > said; wait";
        let text = failure(&bench, &format!("argv = [\"sh\", \"-c\", \"{script}\"]\ntimeout = \"{timeout}\""));
        assert_eq!(text, format!("the tool did not answer within its timeout of {timeout}"));
        if bench.path("said").exists() {
            bench.assert_gone(bench.pid_in("leader"));
            bench.assert_gone(bench.pid_in("child"));
            return;
        }
    }
    panic!("within no timeout did the command say who it is");
}

#[test]
fn what_a_command_leaves_in_its_group_is_killed_when_it_ends() {
    let bench = Bench::with_tools(
        "[[tools]]\nname = \"it\"\nargv = [\"sh\", \"-c\", \"sleep 1000 & echo $! > child; echo 1\"]\n",
    );
    assert_eq!(bench.value("program.py", "return await tools.it()"), json!(1));
    bench.assert_gone(bench.pid_in("child"));
}

#[test]
fn a_pipe_that_a_daemon_holds_open_does_not_hold_the_call() {
    let bench = Bench::with_tools(
        "[[tools]]\nname = \"it\"\nargv = [\"sh\", \"-c\", \"setsid sh -c 'echo $$ > daemon; echo go > began; exec sleep 1000' & cat began > began.txt; echo 1\"]\n",
    );
    bench.pipe("began");
    assert_eq!(bench.value("program.py", "return await tools.it()"), json!(1));
    nix::sys::signal::kill(bench.pid_in("daemon"), nix::sys::signal::Signal::SIGKILL).unwrap();
}

#[test]
fn arguments_that_do_not_match_the_schema_never_reach_the_command() {
    let bench = Bench::new();
    let text = failure(
        &bench,
        "description = \"Touches a file.\"\nargv = [\"touch\", \"ran\"]\n\
         input = { type = \"object\", required = [\"path\", \"depth\"], properties = { path = { type = \"string\" } } }",
    );
    assert_eq!(
        text,
        "the arguments of `it` do not match its schema; correct them and call again: path: is required but missing; \
         depth: is required but missing"
    );
    assert!(!bench.path("ran").exists());
}

#[test]
fn a_result_that_does_not_match_the_schema_fails_the_call() {
    let text = failure(&Bench::new(), "argv = [\"echo\", '[1, \"x\"]']\noutput = { items = { type = \"integer\" } }");
    assert_eq!(
        text,
        "`it` returned a value that does not match its output schema, which is a defect of the tool: [1]: must be an \
         integer, not the string \"x\""
    );
}

#[test]
fn depth_beyond_what_schemas_are_checked_to_is_refused_and_without_a_schema_it_crosses() {
    let bench = Bench::with_tools(
        "[[tools]]\nname = \"any\"\nargv = [\"cat\"]\n[[tools]]\nname = \"checked\"\nargv = [\"cat\"]\ninput = { type = \"object\" }\n",
    );
    for (file, program) in both(
        "let deep: any = 0; for (let i = 0; i < 1000; i++) deep = [deep];\nconst back = JSON.stringify(await tools.any({deep})) === JSON.stringify({deep});\ntry { await tools.checked({deep}) } catch (e) { return [back, e.message] }",
        "deep = 0\nfor _ in range(1000): deep = [deep]\nback = await tools.any(deep=deep)\nlevels, inner = 0, back['deep']\nwhile inner: levels, inner = levels + 1, inner[0]\ntry:\n    await tools.checked(deep=deep)\nexcept ToolCallError as e:\n    return [levels == 1000, str(e)]",
    ) {
        let value = bench.value(file, program);
        assert_eq!(value[0], json!(true), "{file}");
        assert!(value[1].as_str().unwrap().contains("nested"), "{value}");
    }
}
