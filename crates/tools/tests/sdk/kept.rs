//! What is kept with a tool never shows: whatever sets it was declared in before, a set has the text that it has the first time.

use dayfly_runtime::Language;
use dayfly_tools::Tool;
use dayfly_tools::sdk::{SdkText, declare};
use proptest::prelude::*;

use crate::tools::{json, tool};

/// Names that are written alike in names of types, and names that such types would have.
const NAMES: [&str; 18] = [
    "get_file",
    "get-file",
    "get.file",
    "getFile",
    "GetFile",
    "GetFileArgs",
    "GetFileNode",
    "GetFile2",
    "GetFile2Args",
    "GetFileArgs2",
    "get_file_2",
    "get_file_args",
    "calendar_of_somebody_whose_name_is_too_long_for_a_type_first",
    "calendar_of_somebody_whose_name_is_too_long_for_a_type_second",
    "3d",
    "-",
    "名前",
    "type",
];

/// Each name has several declarations: types in the arguments and in the value, some of them widened.
const SCHEMAS: [(&str, &str); 3] = [
    (
        r##"{"type": "object", "properties": {"first": {"$ref": "#/$defs/Node"}}, "$defs": {"Node": {"type": "object",
            "properties": {"next": {"$ref": "#/$defs/Node"}, "value": {"type": "object", "properties": {"a-b": {"type": "null"}}}}}}}"##,
        r#"{"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]}"#,
    ),
    (
        r#"{"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}"#,
        r##"{"type": "object", "properties": {"node": {"$ref": "#"}, "size": {"const": 1.5}}}"##,
    ),
    (r#"{"type": "object", "additionalProperties": false}"#, r#"{"type": "string"}"#),
];

/// One that has not been declared before.
fn fresh(name: usize, schemas: usize) -> Tool {
    let (input, output) = SCHEMAS[schemas];
    tool(NAMES[name], "Does something.", json(input), json(output))
}

fn text(language: Language, tools: &[Tool]) -> SdkText {
    declare(language, tools).unwrap()
}

/// Some of the names in some order, each with one of its declarations.
fn set() -> impl Strategy<Value = Vec<(usize, usize)>> {
    let names = prop::sample::subsequence((0..NAMES.len()).collect::<Vec<_>>(), 0..=NAMES.len()).prop_shuffle();
    let schemas = prop::collection::vec(0..SCHEMAS.len(), NAMES.len());
    (names, schemas).prop_map(|(names, schemas)| names.into_iter().map(|name| (name, schemas[name])).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    #[test]
    fn a_set_of_tools_has_the_text_that_it_has_the_first_time_whatever_was_declared_before(
        sets in prop::collection::vec(set(), 2..6)
    ) {
        let kept: Vec<Vec<Tool>> =
            (0..NAMES.len()).map(|name| (0..SCHEMAS.len()).map(|schemas| fresh(name, schemas)).collect()).collect();
        for set in &sets {
            let again: Vec<Tool> = set.iter().map(|&(name, schemas)| kept[name][schemas].clone()).collect();
            let first: Vec<Tool> = set.iter().map(|&(name, schemas)| fresh(name, schemas)).collect();
            for language in Language::ALL {
                prop_assert_eq!(text(language, &again), text(language, &first), "{} of {:?}", language, set);
            }
        }
    }
}

#[test]
fn types_of_a_tool_are_numbered_where_another_has_their_names_and_nowhere_else() {
    for (language, numbered) in [(Language::TypeScript, "GetFileNode2"), (Language::Python, "GetFile2Node")] {
        let (tool, other) = (fresh(0, 0), fresh(1, 0));
        let alone = text(language, std::slice::from_ref(&tool));
        assert!(alone.text.contains("GetFileNode") && !alone.text.contains(numbered), "{}", alone.text);
        let both = text(language, &[tool.clone(), other.clone()]);
        assert!(both.text.contains(numbered), "{}", both.text);
        assert_eq!(text(language, &[fresh(1, 0), fresh(0, 0)]), both);
        assert_eq!(text(language, std::slice::from_ref(&tool)), alone);
        assert_eq!(text(language, &[other, tool]), both);
    }
}
