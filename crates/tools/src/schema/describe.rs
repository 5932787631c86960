//! Violations in words that a model can act on: what is there, what must be there, nothing copied at length.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::fmt::Write as _;

use dayfly_runtime::JsonRef;
use dayfly_runtime::json::JsonKind;
use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::types::JsonType;
use serde_json::Value;

use super::Violation;
use super::path::{quoted, resolve};

/// Characters shown of a value.
const VALUE_SHOWN: usize = 48;
/// Characters shown of what a schema demands.
const DEMAND_SHOWN: usize = 200;
/// Names listed in one violation.
const NAMES_SHOWN: usize = 8;
/// Violations shown of the closest of several alternatives.
const ALTERNATIVE_SHOWN: usize = 3;

/// Explains violations of one value by one schema.
pub(super) struct Describe<'a> {
    pub(super) value: JsonRef<'a>,
    pub(super) document: JsonRef<'a>,
}

impl Describe<'_> {
    /// One violation.
    pub(super) fn violation(&self, error: &ValidationError<'_>) -> Violation {
        let pointer = error.instance_path().as_str();
        if let Kind::Required { property } = error.kind() {
            // The path is that of what is missing, so that a list of violations is a list of places to change.
            let property = property.as_str().unwrap_or_default().replace('~', "~0").replace('/', "~1");
            let (_, path) = resolve(self.value, &format!("{pointer}/{property}"));
            return Violation { path, problem: "is required but missing".to_owned() };
        }
        Violation { path: resolve(self.value, pointer).1, problem: self.problem(error.kind(), error) }
    }

    fn problem(&self, kind: &Kind, error: &ValidationError<'_>) -> String {
        let found = || match error.instance().as_str() {
            Some(key) => quoted(key, VALUE_SHOWN),
            None => resolve(self.value, error.instance_path().as_str()).0.map_or_else(|| "it".to_owned(), show),
        };
        match kind {
            Kind::Type { kind } => format!("must be {}, not {}{}", types(kind), found(), self.instead(kind, error)),
            Kind::Enum { options } => format!("must be one of {}, not {}", list(options), found()),
            Kind::Constant { expected_value } => format!("must be {}, not {}", demand(expected_value), found()),
            Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
                self.unknown_properties(unexpected, error)
            }
            Kind::Required { property } => format!("the property {property} is required but missing"),
            Kind::AnyOf { context } => self.alternatives("at least one", context),
            Kind::OneOfNotValid { context } => self.alternatives("exactly one", context),
            Kind::OneOfMultipleValid { .. } => {
                "must match exactly one of several alternatives, but matches more than one".to_owned()
            }
            Kind::Not { schema } => format!("must not match {}", demand(schema)),
            Kind::FalseSchema => "must not be there".to_owned(),
            Kind::Minimum { limit } => format!("must be at least {limit}, not {}", found()),
            Kind::Maximum { limit } => format!("must be at most {limit}, not {}", found()),
            Kind::ExclusiveMinimum { limit } => format!("must be more than {limit}, not {}", found()),
            Kind::ExclusiveMaximum { limit } => format!("must be less than {limit}, not {}", found()),
            Kind::MultipleOf { multiple_of } => format!("must be a multiple of {multiple_of}, not {}", found()),
            Kind::MinLength { limit } => format!("must be at least {limit} characters long"),
            Kind::MaxLength { limit } => format!("must be at most {limit} characters long"),
            Kind::MinItems { limit } => format!("must have at least {limit} items"),
            Kind::MaxItems { limit } => format!("must have at most {limit} items"),
            Kind::AdditionalItems { limit } => format!("must have no more than {limit} items"),
            Kind::UnevaluatedItems { unexpected } => format!("has {} items too many", unexpected.len()),
            Kind::UniqueItems => "must not contain the same item twice".to_owned(),
            Kind::Contains => "does not contain the items it must".to_owned(),
            Kind::MinProperties { limit } => format!("must have at least {limit} properties"),
            Kind::MaxProperties { limit } => format!("must have at most {limit} properties"),
            Kind::PropertyNames { error } => {
                let key = quoted(error.instance().as_str().unwrap_or_default(), VALUE_SHOWN);
                format!("must not have the key {key}, which {}", self.violation(error).problem)
            }
            Kind::Pattern { pattern } => {
                format!("must match the regular expression {}, not {}", quoted(pattern, DEMAND_SHOWN), found())
            }
            Kind::Format { format } => {
                format!("must be in the format {}, not {}", quoted(format, VALUE_SHOWN), found())
            }
            Kind::ContentEncoding { content_encoding } => {
                format!("must be encoded as {}", quoted(content_encoding, VALUE_SHOWN))
            }
            Kind::ContentMediaType { content_media_type } => {
                format!("must contain {}", quoted(content_media_type, VALUE_SHOWN))
            }
            Kind::FromUtf8 { .. } => "does not decode to UTF-8".to_owned(),
            Kind::Custom { message, .. } | Kind::RegexEngineFailure { message } => quoted(message, DEMAND_SHOWN),
            Kind::BacktrackLimitExceeded { .. } => "takes too long to match".to_owned(),
            Kind::Referencing(error) => error.to_string(),
        }
    }

    fn unknown_properties(&self, unexpected: &[String], error: &ValidationError<'_>) -> String {
        let mut text = match unexpected {
            [one] => format!("has the unknown property {}", quoted(one, VALUE_SHOWN)),
            several => format!("has the unknown properties {}", names(several.iter().map(String::as_str))),
        };
        if let Some(known) = self.properties_beside(error) {
            // Writing to a string cannot fail.
            let _ = write!(text, "; known are {known}");
        }
        text
    }

    /// What to write where something else than an object or array stands: models put one value in the place of all arguments, or send
    /// the JSON text of what is meant.
    fn instead(&self, wanted: &TypeKind, error: &ValidationError<'_>) -> String {
        let wants = |kind| match wanted {
            TypeKind::Single(single) => *single == kind,
            TypeKind::Multiple(kinds) => kinds.contains(kind),
        };
        let found = resolve(self.value, error.instance_path().as_str()).0;
        let text = found.and_then(JsonRef::as_str).unwrap_or_default().trim_start();
        for (kind, sign, name) in [(JsonType::Object, '{', "object"), (JsonType::Array, '[', "array")] {
            if wants(kind) && text.starts_with(sign) {
                return format!("; give the {name} itself, not its JSON text");
            }
        }
        let known = wants(JsonType::Object).then(|| self.properties_beside(error)).flatten();
        known.map_or_else(String::new, |known| format!("; its properties are {known}"))
    }

    /// The properties that the schema of a keyword knows; behind a reference it is not where the pointer says.
    fn properties_beside(&self, error: &ValidationError<'_>) -> Option<String> {
        let pointer = error.schema_path().as_str();
        let around = pointer.rsplit_once('/').map_or("", |(around, _)| around);
        let known = resolve(self.document, around).0?.get("properties")?;
        (!known.is_empty()).then(|| names(known.entries().map(|(key, _)| key)))
    }

    fn alternatives(&self, wanted: &str, context: &[Vec<ValidationError<'static>>]) -> String {
        let mut text = format!("must match {wanted} of {} alternatives", context.len());
        let Some((nth, errors)) = closest(context) else { return text };
        let _ = write!(text, "; the closest, number {}, says (", nth + 1);
        for (nth, error) in errors.iter().take(ALTERNATIVE_SHOWN).enumerate() {
            let _ = write!(text, "{}{}", if nth == 0 { "" } else { "; " }, self.violation(innermost(error)));
        }
        text.push_str(if errors.len() > ALTERNATIVE_SHOWN { "; and more)" } else { ")" });
        text
    }
}

/// The alternative that was most likely meant: the one with the fewest violations, and among those the one that looked
/// furthest into the value, which had its tag right.
fn closest<'c>(context: &'c [Vec<ValidationError<'static>>]) -> Option<(usize, &'c Vec<ValidationError<'static>>)> {
    let depth = |error: &ValidationError<'_>| error.instance_path().as_str().matches('/').count();
    let furthest = |errors: &[ValidationError<'_>]| errors.iter().map(depth).max();
    context
        .iter()
        .enumerate()
        .filter(|(_, errors)| !errors.is_empty())
        .min_by_key(|(_, errors)| (errors.len(), Reverse(furthest(errors))))
}

/// The violation that alternatives inside alternatives come down to, without a word on those in between.
fn innermost<'e>(mut error: &'e ValidationError<'static>) -> &'e ValidationError<'static> {
    while let Kind::AnyOf { context } | Kind::OneOfNotValid { context } = error.kind() {
        let Some(inner) = closest(context).and_then(|(_, errors)| errors.first()) else { break };
        error = inner;
    }
    error
}

/// What a value is, and what it is exactly when that is short.
fn show(value: JsonRef<'_>) -> String {
    match value.kind() {
        JsonKind::Null => "null".to_owned(),
        JsonKind::Bool => value.to_string(),
        JsonKind::Number => {
            let text = value.number_text().unwrap_or_default();
            if text.len() <= VALUE_SHOWN { text.to_owned() } else { format!("{}…", &text[..VALUE_SHOWN]) }
        }
        JsonKind::String => format!("the string {}", quoted(value.as_str().unwrap_or_default(), VALUE_SHOWN)),
        JsonKind::Array => "an array".to_owned(),
        JsonKind::Object => "an object".to_owned(),
    }
}

fn types(kind: &TypeKind) -> Cow<'static, str> {
    match kind {
        TypeKind::Single(kind) => with_article(*kind).into(),
        TypeKind::Multiple(kinds) => {
            let kinds: Vec<&str> = kinds.iter().map(with_article).collect();
            kinds.join(" or ").into()
        }
    }
}

const fn with_article(kind: JsonType) -> &'static str {
    match kind {
        JsonType::Null => "null",
        JsonType::Boolean => "a boolean",
        JsonType::Integer => "an integer",
        JsonType::Number => "a number",
        JsonType::String => "a string",
        JsonType::Array => "an array",
        JsonType::Object => "an object",
    }
}

fn list(options: &Value) -> String {
    let Some(options) = options.as_array() else { return demand(options) };
    let mut text = String::new();
    for (nth, option) in options.iter().enumerate() {
        if text.len() > DEMAND_SHOWN {
            let _ = write!(text, " and {} more", options.len() - nth);
            break;
        }
        let _ = write!(text, "{}{}", if nth == 0 { "" } else { ", " }, demand(option));
    }
    text
}

/// A part of a schema, or the beginning of it.
fn demand(value: &Value) -> String {
    let mut text = value.to_string();
    if let Some((end, _)) = text.char_indices().nth(DEMAND_SHOWN) {
        text.truncate(end);
        text.push('…');
    }
    text
}

fn names<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> String {
    let more = names.len().saturating_sub(NAMES_SHOWN);
    let shown: Vec<String> = names.take(NAMES_SHOWN).map(|name| quoted(name, VALUE_SHOWN)).collect();
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{rest}", shown.join(", "))
}
