//! Names and descriptions that end strings, hide types, or are other names to Python.

use std::collections::BTreeSet;

use dayfly_tools::{Json, Tool};

use super::pyright::{Source, agrees};
use super::python::accepts;
use super::texts::{declare, json, module_of, text_of, tool};

const NAMES: [&str; 38] = [
    "plain",
    "Plain",
    "PLAIN",
    "pl_ain",
    "pl-ain",
    "pl.ain",
    "_private",
    "__mangled",
    "__init__",
    "__class__",
    "__getitem__",
    "class",
    "None",
    "await",
    "match",
    "type",
    "self",
    "tools",
    "Tools",
    "ToolCallError",
    "PlainArgs",
    "PlainOutput",
    "int",
    "list",
    "Any",
    "overload",
    "a\"b",
    "a\\",
    "a'b",
    "é",
    "ﬁle",
    "file",
    "名前",
    "🦀",
    "1st",
    "a b",
    "Runtime",
    "-",
];

const DESCRIPTIONS: [&str; 16] = [
    "",
    "Plain.",
    "says \"hi\"",
    "\"\"\"",
    "a \"\"\" b \"",
    "\\",
    "\\\\\\",
    "\\d+ and \\N{x} \\u12 \\x",
    "ends in a quote\"",
    "''' \"\"\" '''",
    "two\nlines",
    "one\r\n\n  indented\n",
    "\0\u{1}\u{7f}nul",
    "\u{2028}\u{2029}\u{85}\u{202e}evil",
    "# coding: nonsense",
    "{x} %s $y",
];

fn object(members: &[(&str, Json)]) -> Json {
    let names = members.iter().map(|(name, _)| *name);
    Json::object([
        ("type", Json::from("object")),
        ("properties", Json::object(members.iter().map(|(name, schema)| (*name, schema.clone())))),
        ("required", Json::array(names)),
        ("additionalProperties", Json::from(false)),
    ])
}

/// Tools of every name, no two of one type.
fn tools() -> Vec<Tool> {
    NAMES
        .iter()
        .enumerate()
        .map(|(number, name)| {
            let own = format!("member{number}");
            let error = object(&[("code", json(r#"{"type": "integer"}"#))]);
            let mut input = object(&[(&own, json(r##"{"$ref": "#/$defs/Error"}"##))]).to_string();
            input.truncate(input.len() - 1);
            let input = json(&format!("{input}, \"$defs\": {{\"Error\": {error}}}}}"));
            tool(name, DESCRIPTIONS[number % DESCRIPTIONS.len()], &input, &object(&[(&own, json("{}"))]))
        })
        .collect()
}

#[test]
fn tools_of_any_names_keep_their_own_types_and_are_all_there() {
    let tools = tools();
    let sdk = declare(&tools);
    let checked = accepts(&[sdk.text.to_string()]);
    // One class for each of the arguments, what they refer to, and the value.
    let classes = sdk.text.matches("(TypedDict").count();
    assert_eq!(classes, 3 * NAMES.len());
    for number in 0..NAMES.len() {
        assert_eq!(sdk.text.matches(&format!("    member{number}: ")).count(), 2, "{number}");
    }
    if checked.runs {
        let members = checked.answers[0].get("members").unwrap();
        assert_eq!(members.entries().count(), classes);
        let methods: BTreeSet<String> =
            checked.answers[0].get("docs").unwrap().entries().map(|(name, _)| name.to_owned()).collect();
        let subscripts = NAMES.iter().filter(|name| !methods.contains(**name)).count();
        assert_eq!(sdk.text.matches("@overload").count(), subscripts);
        for name in ["plain", "_private", "match", "type", "self", "tools", "Tools", "ToolCallError", "PlainArgs"] {
            assert!(methods.contains(name), "{name}");
        }
        for name in ["__mangled", "class", "None", "é", "ﬁle", "list", "overload", "a b", "1st"] {
            assert!(!methods.contains(name), "{name}");
        }
    }
    let mut source = Source::new(&sdk.text);
    source.right("async def program() -> None:");
    for (number, name) in NAMES.iter().enumerate() {
        let written: String = name
            .chars()
            .map(|letter| if letter.is_ascii() { format!("\\x{:02x}", u32::from(letter)) } else { letter.to_string() })
            .collect();
        // By subscript where there is no attribute, and no type of another tool.
        if sdk.text.contains(&format!("    async def {name}(self, ")) {
            source.right(&format!("    await tools.{name}({{\"member{number}\": {{\"code\": 1}}}})"));
            source.wrong(&format!("    await tools.{name}({{\"member{}\": {{\"code\": 1}}}})", number + 1));
        } else {
            source.right(&format!("    await tools[\"{written}\"]({{\"member{number}\": {{\"code\": 1}}}})"));
            source.wrong(&format!("    await tools[\"{written}\"]({{\"member{}\": {{\"code\": 1}}}})", number + 1));
        }
    }
    agrees(&[source]);
}

#[test]
fn descriptions_are_read_as_they_were_written() {
    let any = json(r#"{"type": "object"}"#);
    let tools: Vec<Tool> = DESCRIPTIONS
        .iter()
        .enumerate()
        .map(|(number, description)| tool(&format!("t{number}"), description, &any, &any))
        .collect();
    let checked = accepts(&[text_of(&tools).to_string()]);
    let Some(docs) = checked.answers[0].get("docs").filter(|_| checked.runs) else { return };
    for (number, description) in DESCRIPTIONS.iter().enumerate() {
        let shown: String = description
            .replace("\r\n", "\n")
            .replace(['\u{2028}', '\u{2029}', '\u{85}'], "\n")
            .chars()
            .map(|letter| if letter != '\n' && (letter.is_control() || letter == '\u{202e}') { ' ' } else { letter })
            .collect();
        let doc = docs.get(&format!("t{number}")).unwrap();
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(doc.as_str().unwrap_or_default()), words(&shown), "{description:?}");
    }
}

#[test]
fn every_description_is_a_comment_or_a_docstring_wherever_it_stands() {
    let mut modules = Vec::new();
    for description in DESCRIPTIONS {
        let say = |schema: &str| {
            let mut entries: Vec<(String, Json)> =
                json(schema).entries().map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
            entries.push(("description".to_owned(), Json::from(description)));
            Json::object(entries)
        };
        let text = say(r#"{"type": "string"}"#);
        let members = [
            ("plain", text.clone()),
            ("class", text.clone()),
            ("list_", Json::object([("type", Json::from("array")), ("items", text.clone())])),
            ("alternatives", Json::object([("anyOf", Json::array([text, say(r#"{"type": "integer"}"#)]))])),
            ("object", say(r#"{"type": "object", "properties": {"a": {}}}"#)),
            ("functional", say(r#"{"type": "object", "properties": {"a-b": {}}}"#)),
        ];
        for number in 1..=members.len() {
            let (module, ty) = module_of(&object(&members[..number]));
            modules.push(format!("{module}value: {ty}\n"));
        }
    }
    accepts(&modules);
}

#[test]
fn members_of_any_names_are_all_there_and_are_themselves() {
    let mut names: Vec<&str> = NAMES.iter().copied().chain(DESCRIPTIONS).collect();
    names.retain(|name| !name.is_empty());
    names.sort_unstable();
    names.dedup();
    let members: Vec<(&str, Json)> = names.iter().map(|name| (*name, json(r#"{"type": "integer"}"#))).collect();
    let (module, ty) = module_of(&object(&members));
    let checked = accepts(&[format!("{module}value: {ty}\n")]);
    if checked.runs {
        let found = checked.answers[0].get("members").unwrap().get(&ty).unwrap().to_owned();
        assert_eq!(found, Json::array(names.iter().copied()));
    }
}

#[test]
fn a_tool_is_declared_the_same_beside_others_unless_they_take_its_names() {
    let schema = object(&[("a", json(r#"{"type": "object", "properties": {"b": {}}}"#))]);
    let own = tool("find_all", "Finds.", &schema, &schema);
    let alone = declare(std::slice::from_ref(&own));
    let classes = alone.text.split("class FindAll").nth(1).unwrap().split("class Tools").next().unwrap().to_owned();
    let others = [tool("a", "", &schema, &schema), own.clone(), tool("find", "", &schema, &schema)];
    let beside = declare(&others);
    assert!(beside.text.contains(&classes), "{}", beside.text);
    let bytes = |sdk: &dayfly_tools::sdk::SdkText| sdk.bytes.iter().find(|(name, _)| name == "find_all").cloned();
    assert_eq!(bytes(&beside), bytes(&alone));
    // The class of one is not the class of the other.
    let taken = [
        own,
        tool("FindAll", "", &schema, &schema),
        tool("Find", "", &object(&[("AllArgs", schema.clone())]), &schema),
    ];
    let text = text_of(&taken);
    assert_eq!(text.matches("class FindAllArgs(").count(), 1, "{text}");
    assert_eq!(text.matches("class FindAll2Args(").count(), 1, "{text}");
    accepts(&[text.to_string()]);
}

#[test]
fn bytes_of_tools_are_bytes_of_the_text() {
    let tools = tools();
    let sdk = declare(&tools);
    let all: usize = sdk.bytes.iter().map(|(_, bytes)| bytes).sum();
    let names: Vec<&str> = sdk.bytes.iter().map(|(name, _)| name.as_str()).collect();
    let mut sorted = NAMES;
    sorted.sort_unstable();
    assert_eq!(names, sorted);
    assert!(all < sdk.text.len() && sdk.text.len() - all < 600, "{all} of {}", sdk.text.len());
}
