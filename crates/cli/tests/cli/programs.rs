//! What is printed of a run, and the exit code.

use std::process::Stdio;

use serde_json::{Value, json};

use crate::bench::{Bench, both, code};

#[test]
fn what_was_printed_comes_first_and_then_the_value() {
    for (file, program) in both(
        "console.log('one'); console.error('two'); return {list: [1, 'x'], empty: {}}",
        "import sys\nprint('one')\nprint('two', file=sys.stderr)\nreturn {'list': [1, 'x'], 'empty': {}}",
    ) {
        let bench = Bench::new();
        bench.file(file, program);
        let done = bench.run(&["run", file]);
        let shown = "one\ntwo\n{\n  \"list\": [\n    1,\n    \"x\"\n  ],\n  \"empty\": {}\n}\n";
        assert_eq!(done.parts(), (Some(0), shown, ""), "{file}");
        bench.assert_clean();
    }
}

#[test]
fn strings_are_shown_as_they_are_and_null_and_nothing_are_told_apart() {
    for (typescript, python, shown) in [
        ("return 'a\\n\"b\"'", "return 'a\\n\"b\"'", "a\n\"b\"\n"),
        ("return null", "return None", "null\n"),
        ("const x: number = 1", "x = 1", "(run_code completed with no output)\n"),
        ("console.log('only this')", "print('only this')", "only this\n"),
    ] {
        for (file, program) in both(typescript, python) {
            let bench = Bench::new();
            bench.file(file, program);
            assert_eq!(bench.run(&["run", file]).parts(), (Some(0), shown, ""), "{program}");
        }
    }
}

#[test]
fn a_failed_program_says_why_and_where_and_what_it_had_printed() {
    for (file, program) in both(
        "console.log('so far')\nfunction check(x: number) {\n  throw new TypeError('no good')\n}\ncheck(1)",
        "print('so far')\ndef check(x):\n    raise TypeError('no good')\n\ncheck(1)",
    ) {
        let bench = Bench::new();
        bench.file(file, program);
        let done = bench.run(&["run", file]);
        assert_eq!(done.code, Some(1), "{done:?}");
        let lines: Vec<&str> = done.stdout.lines().collect();
        assert_eq!(lines.len(), 5, "{done:?}");
        assert_eq!(lines[0], "Error: code run failed (exception): TypeError: no good");
        assert!(lines[1].starts_with(&format!("    at check ({file}:3:")), "{done:?}");
        assert!(lines[2].starts_with(&format!("    at {file}:5:")), "{done:?}");
        assert_eq!(lines[3..], ["Captured output:", "so far"]);
        assert!(done.stderr.starts_with("dayfly: exception after "), "{done:?}");
    }
}

#[test]
fn a_program_that_cannot_be_stripped_needs_no_worker() {
    let bench = Bench::new();
    bench.file("program.ts", "\nenum Colour { Red }\nreturn Colour.Red");
    let done = bench.run(&["run", "program.ts"]);
    assert_eq!(done.code, Some(1), "{done:?}");
    assert!(done.stdout.starts_with("Error: code run failed (exception): SyntaxError: "), "{done:?}");
    assert!(done.stdout.contains("enum") && done.stdout.contains("line 2"), "{done:?}");
    assert_eq!(done.stderr, "dayfly: exception; no worker was started\n");
}

#[test]
fn json_is_one_object_with_everything() {
    for (file, program, language_specific) in [
        ("program.ts", "console.warn('careful'); return [await tools.echo({a: 1})]", "console"),
        ("program.py", "print('careful')\nreturn [await tools.echo(a=1)]", "stdout"),
    ] {
        let bench = Bench::with_tools("[[tools]]\nname = \"echo\"\nargv = [\"cat\"]\n");
        bench.file(file, program);
        let done = bench.run(&["run", file, "--tools", "tools.toml", "--json"]);
        assert_eq!((done.code, done.stderr.as_str()), (Some(0), ""), "{done:?}");
        assert_eq!(done.stdout.lines().count(), 1);
        let result: Value = serde_json::from_str(&done.stdout).unwrap();
        let keys: Vec<_> = result.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, ["isolation", "logs", "receipts", "start", "usage", "value"]);
        assert_eq!(result["value"], json!([{"a": 1}]));
        assert_eq!(result["logs"][0]["text"], json!("careful"));
        assert_eq!(result["logs"][0]["source"], json!(language_specific));
        assert_eq!(result["receipts"]["calls"][0]["name"], json!("echo"));
        assert_eq!(result["receipts"]["calls"][0]["outcome"], json!("succeeded"));
        assert_eq!(result["usage"]["calls"], json!(1));
        assert_eq!(result["isolation"]["profile"], json!("open"));
        assert_eq!(result["start"], json!("spawn"));
    }
}

#[test]
fn json_of_a_failed_program_has_its_failure_and_no_value() {
    for (file, program) in both("\nthrow new RangeError('far')", "\nraise ValueError('far')") {
        let bench = Bench::new();
        bench.file(file, program);
        let done = bench.run(&["run", file, "--json"]);
        assert_eq!((done.code, done.stderr.as_str()), (Some(1), ""), "{done:?}");
        let result: Value = serde_json::from_str(&done.stdout).unwrap();
        assert_eq!(result.get("value"), None);
        assert_eq!(result["failure"]["kind"], json!("exception"));
        assert_eq!(result["failure"]["line"], json!(2));
    }
}

#[test]
fn a_program_comes_from_standard_input_in_the_language_of_its_fence() {
    let bench = Bench::new();
    let fenced = bench.run_with_input(&["run"], "```python\nreturn 6 * 7\n```\n");
    assert_eq!(fenced.parts(), (Some(0), "42\n", ""));
    let fenced = bench.run_with_input(&["run", "-"], "```ts\nconst x: number = 6; return x * 7\n```\n");
    assert_eq!(fenced.parts(), (Some(0), "42\n", ""));
    let told = bench.run_with_input(&["run", "-", "--lang", "ts"], "return 6 * 7");
    assert_eq!(told.parts(), (Some(0), "42\n", ""));
}

#[test]
fn text_around_a_fence_is_said_to_be_in_the_way() {
    let advice = "only a Markdown fence around the whole text is taken off; remove the text before and after it";
    let bench = Bench::new();
    for (lang, fence) in [("ts", "```ts\nreturn 1\n```"), ("py", "```python\nreturn 1\n```")] {
        for prose in
            [format!("Here:\n{fence}\n"), format!("Here it is:\n\n{fence}\n"), format!("{fence}\n\nIt returns 1.")]
        {
            let done = bench.run_with_input(&["run", "--lang", lang], &prose);
            assert_eq!(done.code, Some(1), "{done:?}");
            assert!(done.stderr.ends_with(&format!("\ndayfly: {advice}\n")), "{prose}\n{done:?}");
        }
        let untold = bench.run_with_input(&["run"], &format!("Here it is:\n{fence}\n"));
        untold.assert_refused(2, &["the language of standard input cannot be told", advice]);
    }
    for (lang, own) in
        [("ts", "const text = `\n```ts\n1\n```\n`;\nreturn text"), ("py", "t = '''\n```py\n1\n```\n'''\nx = = t")]
    {
        let done = bench.run_with_input(&["run", "--lang", lang], own);
        assert!(done.code == Some(1) && !done.stderr.contains("Markdown fence"), "{done:?}");
    }
}

#[test]
fn a_program_that_calls_tools_and_has_none_is_told_how_to_give_them() {
    for (file, program) in both("return await tools.grep({})", "return await tools.grep()") {
        let bench = Bench::with_tools("[[tools]]\nname = \"echo\"\nargv = [\"cat\"]\n");
        bench.file(file, program);
        let without = bench.run(&["run", file]);
        assert!(without.stderr.contains("was given none; say --tools FILE"), "{without:?}");
        let with = bench.run(&["run", file, "--tools", "tools.toml"]);
        assert!(!with.stderr.contains("--tools"), "{with:?}");
    }
}

#[test]
fn a_budget_that_is_spent_ends_the_program() {
    for (file, program) in both("console.log('so far'); while (true) {}", "print('so far')\nwhile True: pass") {
        let bench = Bench::new();
        bench.file(file, program);
        let done = bench.run(&["run", file, "--compute", "200ms"]);
        assert_eq!(done.code, Some(1), "{done:?}");
        assert!(done.stdout.starts_with("Error: code run failed (timeout): "), "{done:?}");
        assert!(done.stdout.ends_with("\nCaptured output:\nso far\n"), "{done:?}");
        bench.assert_clean();
    }
}

#[test]
fn a_standard_output_that_is_closed_early_is_not_a_crash() {
    for (file, program) in both("return 'x'.repeat(1_000_000)", "return 'x' * 1_000_000") {
        let bench = Bench::new();
        bench.file(file, program);
        let mut child = bench.start(&mut bench.command(&["run", file]));
        drop(child.stdout.take());
        let done = child.wait_with_output().unwrap();
        assert_eq!((code(done.status), String::from_utf8(done.stderr).unwrap().as_str()), (Some(0), ""));
        bench.assert_clean();
    }
}

#[test]
fn a_standard_output_that_cannot_be_written_is_said() {
    let bench = Bench::new();
    bench.file("program.py", "return 'x'");
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let child = bench.command(&["run", "program.py"]).stdout(full).stderr(Stdio::piped()).spawn().unwrap();
    let done = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(done.stderr).unwrap();
    assert_eq!(code(done.status), Some(3), "{stderr}");
    assert!(stderr.contains("failed to write to standard output"), "{stderr}");
}

#[test]
fn a_full_heap_is_one_sentence_for_the_model_and_a_bounded_tail_for_the_operator() {
    let bench = Bench::new();
    let program =
        "require('node:fs').writeSync(2, 'mine\\n');\nconst all: unknown[] = [];\nfor (;;) all.push([all.length])";
    bench.file("program.ts", program);
    let arguments = ["run", "program.ts", "--old-space", "32MiB"];
    let sentence = "the program ran out of memory and its process was ended (SIGABRT); process data in smaller pieces \
                    (limits: heap 32MiB, memory 4GiB)";
    let done = bench.run(&arguments);
    let shown = format!("Error: code run failed (worker-exit): {sentence}\nCaptured output:\nmine\n");
    assert_eq!((done.code, done.stdout.as_str()), (Some(1), shown.as_str()), "{done:?}");

    let done = bench.run(&[&arguments[..], &["--json"]].concat());
    let result: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(result["logs"], json!([{"source": "stderr", "level": "error", "text": "mine"}]));
    assert_eq!(result["failure"]["message"], json!(sentence));
    let tail = result["failure"]["stderr_tail"].as_str().unwrap();
    assert!(tail.contains("JavaScript heap out of memory") && tail.len() <= 4 << 10, "{tail}");
}
