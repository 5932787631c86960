//! What a model is told of tools, and what their author should know.

use serde_json::{Value, json};

use crate::bench::Bench;

const TOOLS: &str = r#"
[[tools]]
name = "get-stock"
description = "How many there are."
argv = ["cat"]
input = { type = "object", required = ["item"], properties = { item = { type = "string", minLength = 1 } } }
output = { type = "integer" }

[[tools]]
name = "get_stock"
argv = ["cat"]
input = { type = "object", properties = { "a/b" = { type = "object", patternProperties = { "^x" = { type = "integer" } } } } }
output = { type = "array", items = { not = { const = { a = 1 } } } }
"#;

#[test]
fn what_is_printed_is_what_a_model_is_told_in_either_language() {
    let bench = Bench::with_tools(TOOLS);
    for (lang, instructions, declared) in [
        ("ts", "body of an async TypeScript function", r#""get-stock": {"#),
        ("py", "body of an async Python function", r#"Literal["get-stock"]"#),
    ] {
        let done = bench.run(&["sdk", "--lang", lang, "--tools", "tools.toml"]);
        assert_eq!((done.code, done.stderr.as_str()), (Some(0), ""), "{done:?}");
        assert!(done.stdout.starts_with("## Writing code for run_code\n"), "{}", done.stdout);
        for part in [instructions, declared, "How many there are.", "at least 1 character"] {
            assert!(done.stdout.contains(part), "{lang}: {part:?} is not in {}", done.stdout);
        }
        assert!(done.stdout.ends_with("```\n"), "{}", done.stdout);
        assert_eq!(done.stdout, bench.run(&["sdk", "--lang", lang, "--tools", "tools.toml"]).stdout, "{lang}");
    }
    bench.assert_clean();
}

#[test]
fn the_lint_says_what_is_widened_by_its_path_what_is_awkward_and_what_it_costs() {
    let bench = Bench::with_tools(TOOLS);
    let done = bench.run(&["sdk", "--lint", "--tools", "tools.toml"]);
    assert_eq!((done.code, done.stderr.as_str()), (Some(0), ""), "{done:?}");
    for line in [
        "  its name is no plain identifier; programs call it by a subscript",
        "  it has no description; say what it does and when to use it",
        "  input at /properties/a~1b/patternProperties: no type says",
        "  output at /items/not: no type says what `not` excludes",
        "easily mistaken for each other: `get-stock`, `get_stock`",
    ] {
        assert!(done.stdout.lines().any(|found| found.starts_with(line)), "{line:?} is not in {}", done.stdout);
    }
    let total = done.stdout.lines().last().unwrap();
    assert!(total.starts_with("2 tools: ") && total.contains("tokens) as function definitions"), "{total}");
}

#[test]
fn the_lint_says_the_same_as_json() {
    let bench = Bench::with_tools(TOOLS);
    for lang in ["ts", "py"] {
        let done = bench.run(&["sdk", "--lint", "--json", "--lang", lang, "--tools", "tools.toml"]);
        assert_eq!((done.code, done.stderr.as_str()), (Some(0), ""), "{done:?}");
        let lint: Value = serde_json::from_str(&done.stdout).unwrap();
        assert_eq!(lint["similar"], json!([["get-stock", "get_stock"]]), "{lang}");
        let [dashed, plain] = lint["tools"].as_array().unwrap().as_slice() else { panic!("{lint}") };
        assert_eq!((&dashed["oddName"], &plain["oddName"]), (&json!(["subscript"]), &json!([])), "{lang}");
        assert_eq!((&dashed["undescribed"], &plain["undescribed"]), (&json!(false), &json!(true)), "{lang}");
        assert_eq!(dashed["widened"], json!([]), "{lang}");
        let places = plain["widened"].as_array().unwrap().iter().map(|place| (&place["schema"], &place["path"]));
        let wanted =
            [(&json!("input"), &json!("/properties/a~1b/patternProperties")), (&json!("output"), &json!("/items/not"))];
        assert_eq!(places.collect::<Vec<_>>(), wanted, "{lang}");
        for size in [&lint["native"], &lint["sdk"], &lint["instructions"], &plain["sdk"]] {
            let (bytes, tokens) = (size["bytes"].as_u64().unwrap(), size["tokens"].as_u64().unwrap());
            assert!(bytes > 0 && tokens == bytes.div_ceil(4), "{lang}: {size}");
        }
    }
}

/// Names that are members in one language and words, or nothing, in the other.
#[test]
fn the_lint_finds_a_name_awkward_where_the_declarations_do() {
    let names = ["plain", "class", "def", "None", "await", "__init__", "list", "é", "a b", "😀", "🚀"];
    let tools = names.map(|name| format!("[[tools]]\nname = \"{name}\"\nargv = [\"cat\"]\n"));
    let bench = Bench::with_tools(&tools.concat());
    for (lang, quoted) in [("ts", "  \"{}\": "), ("py", "Literal[\"{}\"]")] {
        let told = bench.run(&["sdk", "--lang", lang, "--tools", "tools.toml"]);
        let linted = bench.run(&["sdk", "--lint", "--json", "--lang", lang, "--tools", "tools.toml"]);
        let lint: Value = serde_json::from_str(&linted.stdout).unwrap();
        for name in names {
            let tool = lint["tools"].as_array().unwrap().iter().find(|tool| tool["name"] == name).unwrap();
            let subscript = tool["oddName"].as_array().unwrap().contains(&json!("subscript"));
            assert_eq!(subscript, told.stdout.contains(&quoted.replace("{}", name)), "{lang}: {name}");
        }
        assert_eq!(lint["similar"], json!([]), "{lang}");
    }
}

#[test]
fn the_lint_names_the_place_of_a_schema_that_is_nothing_but_itself() {
    let bench = Bench::with_tools("[[tools]]\nname = \"a\"\nargv = [\"cat\"]\ninput = { \"$ref\" = \"#\" }\n");
    let done = bench.run(&["sdk", "--lint", "--tools", "tools.toml"]);
    let line = "  input at the root: the reference to the whole schema leads back to itself\n";
    assert!(done.stdout.contains(line), "{}", done.stdout);
}

#[test]
fn what_runs_programs_is_no_tool_of_a_file() {
    let bench = Bench::with_tools("[[tools]]\nname = \"run_code\"\nargv = [\"cat\"]\n");
    for arguments in [&["sdk", "--tools", "tools.toml"][..], &["run", "--lang", "ts", "--tools", "tools.toml"][..]] {
        let done = bench.run(arguments);
        assert_eq!((done.code, done.stdout.as_str()), (Some(2), ""), "{done:?}");
        assert!(done.stderr.contains("tool \"run_code\": `name`: `run_code` is what runs programs"), "{}", done.stderr);
    }
}

#[test]
fn tools_that_cannot_be_used_are_refused_before_anything_is_printed() {
    let bench = Bench::with_tools("[[tools]]\nname = \"a\"\nargv = [\"cat\"]\ninput = { type = \"strnig\" }\n");
    let done = bench.run(&["sdk", "--tools", "tools.toml"]);
    assert_eq!((done.code, done.stdout.as_str()), (Some(2), ""), "{done:?}");
    assert!(done.stderr.contains("strnig"), "{}", done.stderr);
}
