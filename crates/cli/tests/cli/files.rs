//! Tools files that cannot be used are refused at their line and column, before anything runs.

use crate::bench::Bench;

fn refused(name: &str, text: &str, parts: &[&str]) {
    let bench = Bench::new();
    bench.file("program.py", "return 1");
    bench.file(name, text);
    bench.run(&["run", "program.py", "--tools", name]).assert_refused(2, parts);
}

#[test]
fn broken_syntax_is_refused_at_its_line_and_column() {
    refused("tools.toml", "[[tools]]\nname = \"a\n", &["tools.toml:2:10:"]);
    refused(
        "tools.json",
        "{\"tools\": [\n  {\"name\": \"a\", \"argv\": [\"cat\"],}]}",
        &["tools.json:2:33: trailing comma"],
    );
}

#[test]
fn unknown_keys_are_answered_with_the_nearest() {
    refused("tools.toml", "[[tools]]\nname = \"a\"\nargvv = [\"cat\"]\n", &["tools.toml:3:1:", "did you mean `argv`?"]);
    refused(
        "tools.json",
        "{\"tools\": [\n  {\"name\": \"a\", \"argvv\": [\"cat\"]}]}",
        &["tools.json:2:23:", "`argv`?"],
    );
    refused("tools.toml", "[[tool]]\nname = \"a\"\n", &["tools.toml:1:3:", "did you mean `tools`?"]);
    refused("tools.toml", "[[tools]]\nname = \"a\"\nzzzzzzzz = 1\n", &["there are `name`, `description`, `input`"]);
}

#[test]
fn values_of_the_wrong_kind_are_refused_with_what_was_expected() {
    let tool = |rest: &str| format!("[[tools]]\nname = \"a\"\nargv = [\"cat\"]\n{rest}\n");
    refused("tools.toml", &tool("timeout = \"soon\""), &["tools.toml:4:11:", "\"soon\" is not a duration"]);
    refused("tools.toml", &tool("timeout = 5"), &["tools.toml:4:11:", "expected a duration as text"]);
    refused("tools.toml", &tool("timeout = \"0s\""), &["tools.toml:4:11:", "a timeout of zero"]);
    refused("tools.toml", &tool("max_output = \"lots\""), &["tools.toml:4:14:", "\"lots\" is not a size"]);
    refused("tools.toml", &tool("env = { A = 1 }"), &["tools.toml:4:13:", "expected text, or `true`"]);
    refused(
        "tools.toml",
        "[[tools]]\nname = \"a\"\nargv = \"cat\"\n",
        &["tools.toml:3:8:", "such as [\"grep\", \"-c\"]"],
    );
}

#[test]
fn words_of_other_files_of_tools_are_answered_with_ours() {
    for (word, key) in [
        ("command", "argv"),
        ("cmd", "argv"),
        ("input_schema", "input"),
        ("inputSchema", "input"),
        ("parameters", "input"),
        ("output_schema", "output"),
    ] {
        let said = format!("unknown key `{word}`; did you mean `{key}`?");
        refused("tools.toml", &format!("[[tools]]\nname = \"a\"\n{word} = 1\n"), &["tools.toml:3:1:", &said]);
        refused("tools.json", &format!("{{\"tools\": [{{\"{word}\": 1}}]}}"), &[&said]);
    }
}

#[test]
fn a_map_where_a_list_belongs_and_the_other_way_round_is_explained() {
    let list = "a tool is written as [[tools]] in TOML and as {\"tools\": [{…}]} in JSON";
    refused("tools.toml", "[tools]\nname = \"a\"\nargv = [\"cat\"]\n", &["`tools` is a list and this is a map", list]);
    refused("tools.toml", "[tools.a]\nargv = [\"cat\"]\n", &["`tools` is a list and this is a map", list]);
    refused("tools.json", r#"{"tools": {"a": {"argv": ["cat"]}}}"#, &["`tools` is a list and this is a map", list]);
    refused("tools.json", r#"[{"name": "a", "argv": ["cat"]}]"#, &["the list of tools has no name", list]);
    let tool = "[[tools]]\nname = \"a\"\nargv = [\"cat\"]\nenv = [\"HOME\"]\n";
    refused("tools.toml", tool, &["tools.toml:4:7:", "`env` is a map and this is a list", "{ NAME = true }"]);
    let tool = r#"{"tools": [{"name": "a", "argv": ["cat"], "env": ["HOME"]}]}"#;
    refused("tools.json", tool, &["`env` is a map and this is a list", "{\"NAME\": true}"]);
}

#[test]
fn positions_in_json_count_characters_from_one() {
    refused("tools.json", "", &["tools.json:1:1: EOF"]);
    refused("tools.json", "{\n", &["tools.json:2:1: EOF"]);
    refused("tools.json", "x", &["tools.json:1:1: expected value"]);
    refused("tools.json", "{\"ä\": x}", &["tools.json:1:4: unknown key `ä`"]);
    refused("tools.json", "{\"tools\": [{\"name\": \"ää\", x}]}", &["tools.json:1:27: key must be a string"]);
}

#[test]
fn tools_without_a_name_or_a_command_are_refused() {
    refused("tools.toml", "[[tools]]\nargv = [\"cat\"]\n", &["tools.toml:1:1:", "a tool has no `name`"]);
    refused("tools.toml", "[[tools]]\nname = \"a\"\n", &["tools.toml:1:1:", "a tool has no `argv`"]);
    refused(
        "tools.toml",
        "[[tools]]\nname = \"\"\nargv = [\"cat\"]\n",
        &["tool \"\": `name`: a tool cannot be named \"\"; use 1 to 1024 bytes"],
    );
    refused("tools.toml", "[[tools]]\nname = \"a\"\nargv = []\n", &["tool \"a\": `argv` is empty"]);
    refused("tools.json", "{}", &["there is no list `tools`"]);
    refused(
        "tools.json",
        "{\"tools\": [{\"name\": \"a\", \"name\": \"b\"}]}",
        &["tools.json:1:", "duplicate field `name`"],
    );
}

#[test]
fn a_key_that_a_schema_has_twice_is_refused_where_it_stands() {
    for key in ["input", "output"] {
        let twice = "{\"tools\": [{\"name\": \"a\", \"argv\": [\"cat\"],\n  \"KEY\": {\"properties\": {\"x\": {},\n    \"x\": {}}}}]}";
        let said = "tools.json:3:7: the key \"x\" is given twice in one object; keep one";
        refused("tools.json", &twice.replace("KEY", key), &[said]);
        // Within lists as well.
        let twice = "{\"tools\": [{\"name\": \"a\", \"argv\": [\"cat\"], \"KEY\": {\"anyOf\": [{\"type\": \"string\", \"type\": \"null\"}]}}]}";
        refused("tools.json", &twice.replace("KEY", key), &["tools.json:1:", "the key \"type\" is given twice"]);
        let twice = "[[tools]]\nname = \"a\"\nargv = [\"cat\"]\nKEY = { type = \"object\", type = \"array\" }\n";
        refused("tools.toml", &twice.replace("KEY", key), &["tools.toml:4:", "duplicate key"]);
    }
}

#[test]
fn a_file_that_is_too_deep_is_told_where_and_how_deep_it_may_be() {
    let nested =
        |levels: usize, open: &str, close: &str| format!("{}{{}}{}", open.repeat(levels), close.repeat(levels));
    let json = |levels| {
        format!(
            "{{\"tools\": [{{\"name\": \"a\", \"argv\": [\"cat\"],\n\"input\": {}}}]}}",
            nested(levels, "{\"not\":", "}")
        )
    };
    let toml =
        |levels| format!("[[tools]]\nname = \"a\"\nargv = [\"cat\"]\ninput = {}\n", nested(levels, "{ not = ", " }"));
    let header =
        |levels| format!("[[tools]]\nname = \"a\"\nargv = [\"cat\"]\n[tools.input{}]\n", ".not".repeat(levels));
    let dotted = |levels| {
        format!("[[tools]]\nname = \"a\"\nargv = [\"cat\"]\ninput{}.type = \"string\"\n", ".not".repeat(levels))
    };
    // The file itself, its list and its tool are levels, and so is the innermost schema.
    for (name, text) in
        [("tools.json", json(123)), ("tools.toml", toml(79)), ("tools.toml", header(78)), ("tools.toml", dotted(78))]
    {
        let bench = Bench::new();
        bench.file("program.py", "return 1");
        bench.file(name, &text);
        let done = bench.run(&["run", "program.py", "--tools", name]);
        assert_eq!((done.code, done.stdout.as_str()), (Some(0), "1\n"), "{done:?}");
    }
    let advice = "move inner parts of a schema into `$defs`";
    for levels in [124, 1_000] {
        refused(
            "tools.json",
            &json(levels),
            &["tools.json:2:", "deeper here than the 127 levels that a JSON file may have", advice],
        );
    }
    let deep = "deeper here than the 80 levels that a TOML file may have";
    for levels in [80, 1_000] {
        refused("tools.toml", &toml(levels), &["tools.toml:4:", deep, advice, "in JSON, which may have 127"]);
        refused("tools.toml", &header(levels), &["tools.toml:4:1:", deep, advice]);
        refused("tools.toml", &dotted(levels), &["tools.toml:4:1:", deep, advice]);
    }
}

#[test]
fn commands_that_do_not_exist_are_found_out_before_anything_runs() {
    let tool = |rest: &str| format!("[[tools]]\nname = \"a\"\n{rest}\n");
    refused("tools.toml", &tool("argv = [\"no-such-command\"]"), &["no program \"no-such-command\" in PATH"]);
    refused(
        "tools.toml",
        &tool("argv = [\"./program.py\"]"),
        &["/program.py is not a file that can be executed; write argv = [\"python3\", \"/", "chmod +x"],
    );
    refused("tools.toml", &tool("argv = [\"./tools.toml\"]"), &["make it so with chmod +x, or name its interpreter"]);
    refused("tools.toml", &tool("argv = [\"./tmp\"]"), &["/tmp is not a file that can be executed; it is a directory"]);
    refused("tools.toml", &tool("argv = [\"./none.py\"]"), &["there is no file /", "seen from the tools file"]);
    refused("tools.toml", &tool("argv = [\"cat\"]\ncwd = \"nowhere\""), &["`cwd`:", "nowhere is not a directory"]);
    refused(
        "tools.toml",
        &tool("argv = [\"cat\"]\nenv = { NO_SUCH_VARIABLE = true }"),
        &["NO_SUCH_VARIABLE is to be passed"],
    );
    refused("tools.toml", &tool("argv = [\"cat\"]\nenv = { \"A=B\" = \"1\" }"), &["\"A=B\" cannot be the name"]);
}

#[test]
fn schemas_that_cannot_be_used_are_refused_by_tool_and_path() {
    let tool = |rest: &str| format!("[[tools]]\nname = \"a\"\nargv = [\"cat\"]\n{rest}\n");
    refused(
        "tools.toml",
        &tool("input = { type = \"sting\" }"),
        &[
            "tool \"a\": `input`",
            "at input.type: there is no type \"sting\"; did you mean `string`?",
            "`array`, `boolean`",
        ],
    );
    refused(
        "tools.toml",
        &tool("output = { \"$ref\" = \"https://example.com/s.json\" }"),
        &["tool \"a\": `output`", "https://example.com/s.json"],
    );
    refused(
        "tools.toml",
        &tool("input = { properties = { p = { pattern = \"(\" } } }"),
        &["tool \"a\": `input`", "at input.properties.p.pattern"],
    );
}

#[test]
fn a_misspelt_keyword_of_a_schema_is_said_and_the_program_runs() {
    let bench = Bench::with_tools(
        "[[tools]]\nname = \"a\"\nargv = [\"cat\"]\ninput = { propertys = { p = { type = \"string\" } } }\n",
    );
    bench.file("program.py", "return 1");
    let done = bench.run(&["run", "program.py", "--tools", "tools.toml"]);
    let said = "dayfly: tools.toml: tool \"a\": `propertys` at input is no keyword and is ignored; did you mean `properties`?\n";
    assert_eq!(done.parts(), (Some(0), "1\n", said));
}

#[test]
fn a_name_that_two_files_use_is_refused_with_both() {
    let bench = Bench::new();
    bench.file("program.py", "return 1");
    bench.file("one.toml", "[[tools]]\nname = \"a\"\nargv = [\"cat\"]\n");
    bench.file("two.json", r#"{"tools": [{"name": "a", "argv": ["cat"]}]}"#);
    let done = bench.run(&["run", "program.py", "--tools", "one.toml", "--tools", "two.json"]);
    done.assert_refused(2, &["tool \"a\" is in one.toml and again in two.json"]);
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let bench = Bench::new();
    bench.file("program.py", "return 1");
    bench.run(&["run", "program.py", "--tools", "none.toml"]).assert_refused(2, &["failed to read none.toml"]);
    bench.run(&["run", "program.py", "--tools", "tmp"]).assert_refused(2, &["tmp is a directory"]);
    bench.run(&["run", "program.py", "--tools", "program.py"]).assert_refused(2, &["name it .toml or .json"]);
    bench.file("latin1.toml", b"# \xe4");
    bench
        .run(&["run", "program.py", "--tools", "latin1.toml"])
        .assert_refused(2, &["latin1.toml is not UTF-8 at byte 2"]);
}
