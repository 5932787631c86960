//! What is wrong with a command line or a configuration is said, and the exit code is 2.

use crate::bench::Bench;

#[test]
fn help_shows_examples_and_exit_codes() {
    let done = Bench::new().run(&["--help"]);
    assert_eq!(done.code, Some(0));
    for part in ["Examples:", "Exit codes:", "dayfly run report.py --tools tools.toml", "doctor"] {
        assert!(done.stdout.contains(part), "{part}");
    }
    for words in [&["--help"][..], &["-h"], &["help", "run"], &["run", "-h"], &["help", "doctor"], &["doctor", "-h"]] {
        let done = Bench::new().run(words);
        assert!(done.stdout.lines().all(|line| line.chars().count() <= 80), "{done:?}");
    }
    let done = Bench::new().run(&["help", "run"]);
    for part in ["[[tools]]", "await tools.list_files", "--compute", "concurrency_safe", "--limit <KEY=VALUE>"] {
        assert!(done.stdout.contains(part), "{part}");
    }
}

#[test]
fn unknown_words_are_answered_with_the_nearest() {
    let bench = Bench::new();
    bench.run(&["rum"]).assert_refused(2, &["unrecognized subcommand 'rum'", "'run'"]);
    bench.run(&["run", "--tool", "x"]).assert_refused(2, &["unexpected argument '--tool'", "'--tools'"]);
    bench.run(&["run", "--timeout", "3s"]).assert_refused(2, &["unexpected argument '--timeout'", "'--wall <TIME>'"]);
    bench.run(&["run", "--drain-grace", "3s"]).assert_refused(2, &["'--limit drain_grace=5s'"]);
    bench.run(&["run", "--lang", "rb"]).assert_refused(2, &["invalid value 'rb'", "ts, py"]);
    bench.run(&[]).assert_refused(2, &["Usage: dayfly <COMMAND>"]);
}

#[test]
fn a_blank_program_is_no_program() {
    let bench = Bench::new();
    for text in ["", " \n\t\r\n", "```ts\n\n```"] {
        for arguments in [&["run", "--lang", "ts"][..], &["run", "--lang", "py", "--json"][..]] {
            let done = bench.run_with_input(arguments, text);
            done.assert_refused(2, &["standard input has no program in it: it is blank"]);
            assert_eq!(done.stdout, "", "{text:?}");
        }
    }
}

#[test]
fn a_program_file_that_cannot_be_read_is_named() {
    let bench = Bench::new();
    bench.run(&["run", "none.ts"]).assert_refused(2, &["failed to read none.ts", "No such file"]);
    bench.run(&["run", "tmp"]).assert_refused(2, &["tmp is a directory; name the program's file"]);
    bench.file("latin1.py", b"return '\xe4'");
    bench.run(&["run", "latin1.py"]).assert_refused(2, &["latin1.py is not UTF-8: byte 8"]);
}

#[test]
fn a_language_that_cannot_be_guessed_is_asked_for() {
    let bench = Bench::new();
    bench.file("program.rb", "return 1");
    bench.run(&["run", "program.rb"]).assert_refused(2, &["the language of program.rb cannot be guessed", "--lang ts"]);
    bench.run_with_input(&["run"], "return 1").assert_refused(2, &["the language of standard input", "--lang py"]);
}

#[test]
fn a_program_beyond_its_limit_is_refused_before_it_is_read_whole() {
    let bench = Bench::new();
    let done = bench.run(&["run", "/dev/zero", "--lang", "py"]);
    done.assert_refused(2, &["/dev/zero is longer than the limit of 1MiB", "max_program_bytes"]);
}

#[test]
fn a_limit_with_a_bad_value_says_what_was_expected() {
    let bench = Bench::new();
    bench.file("program.py", "return 1");
    for (flags, parts) in [
        (&["--compute", "soon"][..], &["--compute: `compute`", "\"soon\" is not a duration", "\"500ms\""][..]),
        (&["--wall", "5"], &["--wall: `wall`", "\"5\" is not a duration"]),
        (&["--memory", "much"], &["--memory: `memory`", "\"much\" is not a size", "64MiB"]),
        (&["--wall", "5"], &["did you mean \"5s\"? The units are ms, s, m (minutes), h and d"]),
        (&["--wall", "5M"], &["--wall: `wall`", "\"5M\" is not a duration; did you mean \"5m\"?"]),
        (&["--limit", "memory=64M"], &["\"64M\" is not a size; did you mean \"64MiB\"? The units are KiB, MiB, GiB"]),
        (&["--memory", "64MB"], &["`memory` is 64MB; it must be from 64MiB to", "did you mean 64MiB?"]),
        (&["--memory", "512"], &["`memory` is 512B; it must be from 64MiB", "a number without a unit is bytes"]),
        (&["--memory", "1KiB"], &["--memory: `memory` is 1KiB; it must be from"]),
        (&["--max-pending-calls", "many"], &["`max_pending_calls` is \"many\"; write a whole number of calls"]),
        (&["--limit", "drain_grace"], &["--limit drain_grace: write it as KEY=VALUE"]),
        (&["--limit", "timeout=1s"], &["unknown key `timeout`; did you mean `wall`?"]),
        (&["--limit", "comput=1s"], &["unknown key `comput`; did you mean `compute`?"]),
        (&["--modules", "nowhere"], &["--modules: `node_modules`", "/nowhere, which is not a directory"]),
    ] {
        bench.run(&[&["run", "program.py"], flags].concat()).assert_refused(2, parts);
    }
}

#[test]
fn every_problem_of_a_configuration_is_listed_at_its_place() {
    let bench = Bench::new();
    bench.file("program.py", "return 1");
    let config =
        "compute_time = \"5s\"\nwall = \"soon\"\nmax_depth = \"deep\"\nmax_pending_calls = 0\nprofile = \"shut\"\n";
    bench.file("dayfly.toml", config);
    let done = bench.run(&["run", "program.py", "--config", "dayfly.toml", "--memory", "3"]);
    done.assert_refused(
        2,
        &[
            "dayfly.toml:1:1: unknown key `compute_time`; did you mean `compute`?",
            "dayfly.toml:2:8: `wall` is wrong: \"soon\" is not a duration",
            "dayfly.toml:3:13: `max_depth` is \"deep\"; write a whole number of levels",
            "dayfly.toml:4:21: `max_pending_calls` is 0; it must be from 1",
            "dayfly.toml:5:11: `profile` is wrong",
            "--memory: `memory` is 3B; it must be from",
        ],
    );
}

#[test]
fn a_configuration_that_is_not_toml_is_refused_at_its_line_and_column() {
    let bench = Bench::new();
    bench.file("program.py", "return 1");
    bench.file("broken.toml", "wall = \"1s\"\ncompute = = 1\n");
    bench.run(&["run", "program.py", "--config", "broken.toml"]).assert_refused(2, &["broken.toml:2:11:"]);
    bench.run(&["run", "program.py", "--config", "none.toml"]).assert_refused(2, &["failed to read none.toml"]);
    bench.run(&["run", "program.py", "--config", "tmp"]).assert_refused(2, &["tmp is a directory"]);
}

#[test]
fn the_configuration_file_counts_and_a_flag_counts_more() {
    let bench = Bench::new();
    bench.file("program.py", "return 'x' * 5000");
    bench.file("dayfly.toml", "max_output_bytes = \"1KiB\"\n");
    let failed = bench.run(&["run", "program.py", "--config", "dayfly.toml"]);
    assert_eq!(failed.code, Some(1), "{failed:?}");
    assert!(failed.stdout.starts_with("Error: code run failed (output-limit): "), "{failed:?}");
    let done = bench.run(&["run", "program.py", "--config", "dayfly.toml", "--max-output", "1MiB"]);
    assert_eq!(done.parts(), (Some(0), format!("{}\n", "x".repeat(5000)).as_str(), ""));
}
