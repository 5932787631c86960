//! Tools and the declarations that a model reads, side by side by folder.
//!
//! `DAYFLY_BLESS=1` writes what is made over what was expected; read the difference before it is kept.

use std::fs;
use std::path::{Path, PathBuf};

use dayfly_runtime::Language;
use dayfly_tools::sdk::declare;

use crate::tools::{json, tool};

/// The file of each language.
const EXPECTED: [(Language, &str); 2] = [(Language::TypeScript, "expected.ts"), (Language::Python, "expected.py")];

/// A folder of the golden pairs.
pub(crate) fn folders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sdk/golden");
    let mut folders: Vec<PathBuf> = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    assert!(folders.len() > 10, "only {} golden pairs were found", folders.len());
    folders
}

/// What a folder declares: `schema.json` is the input of one tool, `tools.json` is a list of tools.
pub(crate) fn tools_of(folder: &Path) -> Vec<dayfly_tools::Tool> {
    let name = folder.file_name().unwrap().to_str().unwrap();
    if let Ok(text) = fs::read_to_string(folder.join("schema.json")) {
        return vec![tool(name, "", json(&text), json(r#"{"type": "null"}"#))];
    }
    let tools = json(&fs::read_to_string(folder.join("tools.json")).unwrap());
    tools
        .items()
        .map(|entry| {
            let text = |key| entry.get(key).and_then(|value| value.as_str()).unwrap_or_default();
            let schema = |key| entry.get(key).map_or_else(|| json("{}"), |schema| schema.to_owned());
            tool(text("name"), text("description"), schema("input"), schema("output"))
        })
        .collect()
}

#[test]
fn declarations_are_as_they_were_read_last() {
    let bless = std::env::var("DAYFLY_BLESS").is_ok_and(|value| value == "1");
    let mut offences = Vec::new();
    for folder in folders() {
        let tools = tools_of(&folder);
        for (language, file) in EXPECTED {
            let sdk = declare(language, &tools).unwrap();
            let mut made = sdk.text.to_string();
            let comment = if language == Language::Python { "#" } else { "//" };
            for widening in &sdk.widened {
                let (tool, of) = (&widening.tool, widening.schema);
                made.push_str(&format!("{comment} widened: {tool} {of:?} {:?}: {}\n", widening.path, widening.reason));
            }
            let path = folder.join(file);
            if bless {
                fs::write(&path, &made).unwrap();
            }
            let expected = fs::read_to_string(&path).unwrap_or_default();
            if made != expected {
                offences.push(format!("{}:\n{made}", path.display()));
            }
        }
    }
    assert!(offences.is_empty(), "not as expected (DAYFLY_BLESS=1 writes them):\n{}", offences.join("\n"));
}

#[test]
fn the_order_in_which_tools_are_given_changes_no_byte() {
    for folder in folders() {
        let mut tools = tools_of(&folder);
        for language in Language::ALL {
            let forwards = declare(language, &tools).unwrap();
            tools.reverse();
            assert_eq!(declare(language, &tools), Some(forwards), "{language} of {}", folder.display());
        }
    }
}

#[test]
fn of_several_tools_of_one_name_the_first_is_declared() {
    let [one, other] = ["First.", "Second."]
        .map(|description| tool("search", description, json(r#"{"type": "object"}"#), json(r#"{"type": "string"}"#)));
    for language in Language::ALL {
        let alone = declare(language, std::slice::from_ref(&one)).unwrap();
        assert!(alone.text.contains("First."), "{language}: {}", alone.text);
        assert_eq!(declare(language, &[one.clone(), other.clone()]), Some(alone), "{language}");
    }
}
