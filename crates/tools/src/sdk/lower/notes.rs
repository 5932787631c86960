//! What no type says, in words.

use std::fmt::Write as _;

use dayfly_runtime::JsonRef;
use dayfly_runtime::json::JsonKind;

use super::facets::Facets;
use super::types::Types;

/// Formats that generated schemas of Rust types give numbers.
const WIDTHS: &[&str] =
    &["double", "float", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64"];

/// Bytes shown of a value.
const SHOWN: usize = 200;
/// Examples shown.
const EXAMPLES: usize = 3;

/// What is said of one shape.
#[derive(Debug, Default)]
pub(super) struct Words {
    pub(super) doc: Vec<String>,
    pub(super) notes: Vec<String>,
}

impl Words {
    /// About how many bytes of text they are.
    pub(super) fn len(&self) -> usize {
        self.doc.iter().chain(&self.notes).map(|line| line.len() + 4).sum()
    }

    fn note(&mut self, note: String) {
        // The same is said again by few schemas, and none says very much.
        if self.notes.len() > 32 || !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}

/// Everything that the schemas of one place say about values of these kinds and that no type does.
pub(super) fn words(facets: &[Facets<'_>], types: Types, label: Option<&str>) -> Words {
    let mut words = Words::default();
    for facet in facets {
        for line in lines(facet.at.schema.get("description").and_then(JsonRef::as_str).unwrap_or_default()) {
            words.doc.push(line.to_owned());
        }
    }
    if words.doc.is_empty() {
        let titles = facets.iter().filter_map(|facet| facet.at.schema.get("title").and_then(JsonRef::as_str));
        words.doc.extend(titles.filter(|title| says_more(title, label)).take(1).map(one_line));
    }
    for facet in facets {
        Bounds::read(facet.at.schema).notes(types, &mut words);
    }
    words
}

/// The lines of a text, without blank ones around it.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.trim_matches(['\n', '\r']).trim_end().lines().map(str::trim_end)
}

/// Whether a title is more than the name of what it stands at, spelled another way: generated titles are not.
fn says_more(title: &str, label: Option<&str>) -> bool {
    let letters =
        |text: &str| text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    let title_letters = letters(title);
    // The schema itself has no name to compare with; of it, one word is such a title.
    !title_letters.is_empty()
        && label.map_or_else(|| title.trim().contains(' '), |label| title_letters != letters(label))
}

pub(super) fn one_line(text: &str) -> String {
    shortened(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// A value as compact JSON, cut where it is long.
pub(super) fn value(value: JsonRef<'_>) -> String {
    let mut head = Head(String::new());
    // What does not fit is refused, and cut here.
    let _ = value.write_to(&mut head);
    shortened(head.0)
}

fn shortened(mut text: String) -> String {
    if text.len() > SHOWN {
        text.truncate(text.floor_char_boundary(SHOWN));
        text.push('…');
    }
    text
}

/// Takes a little more than is shown.
struct Head(String);

impl std::fmt::Write for Head {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let room = (SHOWN + 4).saturating_sub(self.0.len());
        self.0.push_str(&text[..text.floor_char_boundary(room)]);
        if text.len() > room { Err(std::fmt::Error) } else { Ok(()) }
    }
}

/// The keywords of one schema that are only ever words.
#[derive(Default)]
struct Bounds<'a> {
    minimum: Option<&'a str>,
    maximum: Option<&'a str>,
    more_than: Option<&'a str>,
    less_than: Option<&'a str>,
    /// As the fourth draft has it: the minimum or the maximum itself is excluded.
    minimum_excluded: bool,
    maximum_excluded: bool,
    characters: Range<'a>,
    items: Range<'a>,
    members: Range<'a>,
    contained: Range<'a>,
    others: Vec<(&'a str, JsonRef<'a>)>,
}

#[derive(Default)]
struct Range<'a> {
    least: Option<&'a str>,
    most: Option<&'a str>,
}

impl<'a> Bounds<'a> {
    fn read(schema: JsonRef<'a>) -> Self {
        let mut bounds = Self::default();
        for (keyword, value) in schema.entries() {
            let number = value.number_text();
            match keyword {
                "minimum" => bounds.minimum = number,
                "maximum" => bounds.maximum = number,
                "exclusiveMinimum" => {
                    bounds.more_than = number;
                    bounds.minimum_excluded = value.as_bool() == Some(true);
                }
                "exclusiveMaximum" => {
                    bounds.less_than = number;
                    bounds.maximum_excluded = value.as_bool() == Some(true);
                }
                "minLength" => bounds.characters.least = number,
                "maxLength" => bounds.characters.most = number,
                "minItems" => bounds.items.least = number,
                "maxItems" => bounds.items.most = number,
                "minProperties" => bounds.members.least = number,
                "maxProperties" => bounds.members.most = number,
                "minContains" => bounds.contained.least = number,
                "maxContains" => bounds.contained.most = number,
                "multipleOf" | "pattern" | "format" | "contentEncoding" | "contentMediaType" | "uniqueItems"
                | "contains" | "propertyNames" | "dependentRequired" | "dependencies" | "default" | "example"
                | "examples" | "deprecated" | "readOnly" | "writeOnly" => bounds.others.push((keyword, value)),
                _ => {}
            }
        }
        if bounds.minimum_excluded {
            bounds.more_than = bounds.minimum.take();
        }
        if bounds.maximum_excluded {
            bounds.less_than = bounds.maximum.take();
        }
        bounds
    }

    fn notes(self, types: Types, words: &mut Words) {
        if types.has(Types::NUMBER) {
            match (self.minimum, self.maximum) {
                (Some(least), Some(most)) => words.note(format!("{least} to {most}")),
                (Some(least), None) => words.note(format!("at least {least}")),
                (None, Some(most)) => words.note(format!("at most {most}")),
                (None, None) => {}
            }
            if let Some(bound) = self.more_than {
                words.note(format!("more than {bound}"));
            }
            if let Some(bound) = self.less_than {
                words.note(format!("less than {bound}"));
            }
        }
        if types.has(Types::STRING) {
            self.characters.note("character", words);
        }
        if types.has(Types::ARRAY) {
            self.items.note("item", words);
        }
        if types.has(Types::OBJECT) {
            self.members.note("member", words);
        }
        for (keyword, value) in &self.others {
            other(keyword, *value, types, &self.contained, words);
        }
    }
}

impl Range<'_> {
    fn note(&self, what: &str, words: &mut Words) {
        let least = self.least.filter(|least| *least != "0");
        let note = match (least, self.most) {
            (Some(least), Some(most)) if least == most => format!("exactly {least}"),
            (Some(least), Some(most)) => format!("{least} to {most}"),
            (Some(least), None) => format!("at least {least}"),
            (None, Some(most)) => format!("at most {most}"),
            (None, None) => return,
        };
        let plural = if note.ends_with(" 1") && note.matches(char::is_numeric).count() == 1 { "" } else { "s" };
        words.note(format!("{note} {what}{plural}"));
    }
}

fn other(keyword: &str, value: JsonRef<'_>, types: Types, contained: &Range<'_>, words: &mut Words) {
    let text = value.as_str().map(one_line);
    let said = value.as_bool() == Some(true);
    match (keyword, text) {
        ("pattern", Some(pattern)) if types.has(Types::STRING) => words.note(format!("matches /{pattern}/")),
        // How wide a number of Rust's is says nothing to a model that its bounds do not.
        ("format", Some(format)) if WIDTHS.contains(&format.as_str()) => {}
        ("format", Some(format)) => words.note(format!("format {format}")),
        ("contentEncoding", Some(encoding)) => words.note(format!("encoded as {encoding}")),
        ("contentMediaType", Some(media)) => words.note(format!("contains {media}")),
        ("multipleOf", _) if types.has(Types::NUMBER) && value.number_text().is_some() => {
            words.note(format!("a multiple of {}", value_text(value)));
        }
        ("uniqueItems", _) if said && types.has(Types::ARRAY) => words.note("no item twice".to_owned()),
        ("contains", _) if types.has(Types::ARRAY) && contained.most.is_none() && contained.least == Some("0") => {}
        // Every item fits, so it is their count that is limited.
        ("contains", _) if types.has(Types::ARRAY) && is_anything(value) => {
            Range { least: contained.least.or(Some("1")), most: contained.most }.note("item", words);
        }
        ("contains", _) if types.has(Types::ARRAY) && is_schema(value) => {
            let times = match (contained.least, contained.most) {
                (None, None) => String::new(),
                (least, None) => format!(" at least {} times", least.unwrap_or("1")),
                (least, Some(most)) => format!(" {} to {most} times", least.unwrap_or("1")),
            };
            words.note(format!("contains an item{times} that fits {}", value_text(value)));
        }
        ("propertyNames", _) if types.has(Types::OBJECT) && is_schema(value) => {
            words.note(format!("names fit {}", value_text(value)));
        }
        ("dependentRequired" | "dependencies", _) if types.has(Types::OBJECT) => {
            for (name, needed) in value.entries().filter(|(_, needed)| needed.kind() == JsonKind::Array) {
                let needed: Vec<String> = needed.items().map(value_text).collect();
                if !needed.is_empty() {
                    words.note(shortened(format!("{} goes with {}", quoted(name), needed.join(", "))));
                }
            }
        }
        ("default", _) => words.note(format!("default {}", value_text(value))),
        ("example", _) => words.note(format!("such as {}", value_text(value))),
        ("examples", _) if !value.is_empty() => {
            let shown: Vec<String> = value.items().take(EXAMPLES).map(value_text).collect();
            if !shown.is_empty() {
                words.note(shortened(format!("such as {}", shown.join(", "))));
            }
        }
        ("deprecated", _) if said => words.note("deprecated".to_owned()),
        ("readOnly", _) if said => words.note("read-only".to_owned()),
        ("writeOnly", _) if said => words.note("write-only".to_owned()),
        _ => {}
    }
}

/// Whether an array that says what its items contain need not contain it.
pub(super) fn may_be_without(schema: JsonRef<'_>) -> bool {
    let is_zero = schema.get("minContains").and_then(JsonRef::number_text) == Some("0");
    is_zero && schema.get("maxContains").is_none()
}

/// Whether there is something that does not fit.
pub(super) fn is_schema(value: JsonRef<'_>) -> bool {
    value.kind() == JsonKind::Object && !value.is_empty() || value.as_bool() == Some(false)
}

fn is_anything(value: JsonRef<'_>) -> bool {
    value.kind() == JsonKind::Object && value.is_empty() || value.as_bool() == Some(true)
}

fn value_text(json: JsonRef<'_>) -> String {
    value(json)
}

/// A name as a JSON string.
pub(super) fn quoted(name: &str) -> String {
    let mut text = String::from("\"");
    let _ = write!(text, "{}", name.escape_debug());
    text.push('"');
    text
}
