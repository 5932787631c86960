//! How the declarations that a model reads say that a tool is reached.

use dayfly::Language;
use dayfly_tests::CodeMode;

/// The whole section of declarations.
pub(crate) async fn text(mode: &CodeMode) -> String {
    let assembly = mode.agent.assemble().await.unwrap();
    assembly.section("tools:sdk").unwrap().text.clone()
}

/// The expression that reaches the tool with this description, as it is declared: `tools.name` or `tools["odd-name"]`.
///
/// # Panics
///
/// When there is not exactly one declaration with the description.
pub(crate) fn access(language: Language, text: &str, description: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let described: Vec<usize> = (0..lines.len()).filter(|line| lines[*line].contains(description)).collect();
    assert_eq!(described.len(), 1, "{language}: {description:?} is declared at {described:?}:\n{text}");
    if language == Language::Python {
        let line = lines[..described[0]]
            .iter()
            .rev()
            .find_map(|line| line.strip_prefix("async def ").or(line.strip_prefix("def ")));
        let line = line.unwrap_or_else(|| panic!("nothing is declared before {description:?}:\n{text}"));
        let literal = line.strip_prefix("__getitem__(self, name: Literal[").and_then(|rest| rest.split_once("], /)"));
        return match (literal, line.split_once('(')) {
            (Some((literal, _)), _) => format!("tools[{literal}]"),
            (None, Some((name, _))) => format!("tools.{name}"),
            (None, None) => panic!("{line}"),
        };
    }
    // What else is said of the tool may follow the description.
    let line = lines[described[0] + 1..].iter().find(|line| !line.starts_with('*')).copied().unwrap_or_default();
    if line.starts_with('"') {
        let end = line
            .match_indices('"')
            .skip(1)
            .find(|(at, _)| !line[..*at].ends_with('\\') && line[at + 1..].starts_with(':'));
        let (end, _) = end.unwrap_or_else(|| panic!("no key is declared after {description:?}: {line}"));
        return format!("tools[{}]", &line[..=end]);
    }
    let (name, _) = line.split_once(':').unwrap_or_else(|| panic!("no key is declared after {description:?}: {line}"));
    format!("tools.{name}")
}
