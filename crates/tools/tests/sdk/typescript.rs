//! TypeScript declarations, held by `tsc --strict`.

use std::fmt::Write as _;
use std::path::Path;

use dayfly_runtime::{Json, Language};
use dayfly_tools::Tool;
use dayfly_tools::sdk::{declare, typescript_type};

use crate::checker::{compiler, complaints};
use crate::golden::{folders, tools_of};
use crate::tools::{json, tool};

fn declarations(tools: &[Tool]) -> String {
    declare(Language::TypeScript, tools).unwrap().text.to_string()
}

/// A module per case: what fits must be taken, and what does not must be refused, as an argument, as a value, and where the
/// type stands alone.
fn module(schema: &Json, case: &Json) -> String {
    let mut text = declarations(&[tool("case", "", schema.clone(), schema.clone())]);
    let alone = typescript_type(schema);
    // A type that recurs is unknown inside itself when it stands alone.
    let exact = !alone.contains("unknown");
    let _ = write!(text, "\ntype Alone = {alone};\n");
    for (verdict, mark) in [("accept", ""), ("reject", "// @ts-expect-error\n")] {
        let expressions = case.get(verdict).unwrap();
        for (nth, expression) in expressions.items().enumerate() {
            let expression = expression.as_str().unwrap();
            let _ = writeln!(text, "{mark}const {verdict}{nth}argument: ToolArgsMap[\"case\"] = {expression};");
            let _ = writeln!(text, "{mark}const {verdict}{nth}value: ToolOutputMap[\"case\"] = {expression};");
            if exact || verdict == "accept" {
                let _ = writeln!(text, "{mark}const {verdict}{nth}alone: Alone = {expression};");
            }
        }
    }
    text
}

#[test]
fn types_take_what_their_schemas_take_and_refuse_what_they_refuse() {
    let Some(compiler) = compiler() else { return };
    let mut modules = Vec::new();
    let mut expressions = 0;
    for (file, text) in
        [("schema-types", include_str!("schema-types.json")), ("more-types", include_str!("more-types.json"))]
    {
        for (nth, case) in json(text).items().enumerate() {
            let case = case.to_owned();
            let schema = case.get("schema").unwrap().to_owned();
            expressions += case.get("accept").unwrap().len() + case.get("reject").unwrap().len();
            let name = case.get("name").unwrap().as_str().unwrap();
            modules.push((format!("{file}-{nth}"), format!("// {name}\n{}", module(&schema, &case))));
        }
    }
    assert!(modules.len() > 40 && expressions > 120, "{} cases with {expressions} expressions", modules.len());
    let said = complaints(&compiler, &modules);
    let texts: Vec<&str> = modules
        .iter()
        .filter(|(name, _)| said.iter().any(|line| line.starts_with(&format!("{name}.ts"))))
        .map(|(_, text)| text.as_str())
        .collect();
    assert!(said.is_empty(), "{}\n{}", said.join("\n"), texts.join("\n"));
}

#[test]
fn every_golden_declaration_is_taken_by_the_compiler() {
    let Some(compiler) = compiler() else { return };
    let modules: Vec<(String, String)> = folders()
        .iter()
        .map(|folder| {
            let name = folder.file_name().and_then(|name| name.to_str()).unwrap().to_owned();
            (name, declarations(&tools_of(folder)))
        })
        .collect();
    let said = complaints(&compiler, &modules);
    assert!(said.is_empty(), "{}", said.join("\n"));
}

#[test]
fn p17_tools_of_any_name_are_callable_by_it_and_none_are_merged() {
    let Some(compiler) = compiler() else { return };
    let long = "n".repeat(200);
    let names = [
        "get-stock",
        "get_stock",
        "class",
        "constructor",
        "__proto__",
        "toString",
        "工具",
        &long,
        "a\"b\nc",
        "a\\",
        "1st",
        "new",
        "readonly",
        "get",
        "await",
        "tools",
        "Array",
        "JsonValue",
        "ToolName",
        "\u{2028}",
        "*/",
        "${x}",
        "`",
        "é",
        "e\u{301}",
    ];
    // Each takes what no other does, and gives it back: a tool that was merged with another would take both or neither.
    let tools: Vec<Tool> = names
        .iter()
        .enumerate()
        .map(|(nth, name)| {
            let schema = format!(
                r##"{{"type": "object", "required": ["n"], "properties": {{"n": {{"const": {nth}}}, "next": {{"$ref": "#/$defs/Node"}}}},
                "$defs": {{"Node": {{"type": "object", "properties": {{"only": {{"const": {nth}}}, "next": {{"$ref": "#/$defs/Node"}}}}}}}}}}"##
            );
            tool(name, "", json(&schema), json(&format!(r#"{{"const": {nth}}}"#)))
        })
        .collect();
    let mut text = declarations(&tools);
    for (nth, name) in names.iter().enumerate() {
        let name = Json::from(*name).to_string().replace('\u{2028}', "\\u2028");
        let other = nth + 1;
        let _ = writeln!(
            text,
            "const r{nth}: {nth} = await tools[{name}]({{n: {nth}, next: {{only: {nth}, next: {{}}}}}});"
        );
        let _ = writeln!(text, "// @ts-expect-error\nawait tools[{name}]({{n: {other}}});");
        let _ = writeln!(text, "// @ts-expect-error\nawait tools[{name}]({{n: {nth}, next: {{only: {other}}}}});");
        let _ = writeln!(text, "// @ts-expect-error\nawait tools[{name}]();");
    }
    text.push_str("await tools.class({n: 2}); await tools.constructor({n: 3}); await tools.__proto__({n: 4});\n");
    text.push_str("// @ts-expect-error\nawait tools.hasOwnProperty({});\n");
    let said = complaints(&compiler, &[("names".to_owned(), text.clone())]);
    assert!(said.is_empty(), "{}\n{text}", said.join("\n"));
}

#[test]
fn p18_a_tool_whose_arguments_are_all_optional_is_callable_without_any() {
    let Some(compiler) = compiler() else { return };
    let cases = [
        (r#"{"type": "object"}"#, true),
        (r#"{"type": "object", "properties": {}}"#, true),
        (r#"{"type": "object", "additionalProperties": false}"#, true),
        (r#"{"type": "object", "properties": {"a": {"type": "string"}}}"#, true),
        (r#"{"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": true}"#, true),
        (r##"{"type": "object", "properties": {"a": {"$ref": "#"}}}"##, true),
        (r#"{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}"#, false),
        (r#"{"type": "object", "properties": {"a": {"type": "string"}}, "anyOf": [{"required": ["a"]}]}"#, false),
    ];
    let names: Vec<String> = (0..cases.len()).map(|nth| format!("t{nth}")).collect();
    let tools: Vec<Tool> =
        names.iter().zip(cases).map(|(name, (schema, _))| tool(name, "", json(schema), json("true"))).collect();
    let mut text = declarations(&tools);
    for (name, (_, optional)) in names.iter().zip(cases) {
        let mark = if optional { "" } else { "// @ts-expect-error\n" };
        let _ = writeln!(text, "{mark}await tools.{name}();");
    }
    text.push_str(
        "try { await tools.t0(); } catch (error) {\n  if (error instanceof ToolCallError) {\n    \
         const name: ToolName = error.toolName; const message: string = error.message; console.log(name, message);\n  }\n}\n\
         declare const console: { log(...items: unknown[]): void };\n",
    );
    let said = complaints(&compiler, &[("optional".to_owned(), text.clone())]);
    assert!(said.is_empty(), "{}\n{text}", said.join("\n"));
}

#[test]
fn no_text_is_any() {
    for folder in folders() {
        let text = declarations(&tools_of(Path::new(&folder)));
        assert!(!text.contains(": any") && !text.contains("any[]"), "{}", folder.display());
    }
}

#[test]
fn a_value_that_is_listed_twice_in_other_words_is_one_type() {
    let schema = json(r#"{"enum": [1, 1.0, 2.5, {"a": 1, "b": [2]}, {"b": [2.0], "a": 1.0}]}"#);
    assert_eq!(typescript_type(&schema), "1 | 2.5 | { a: 1; b: [2] }");
}
