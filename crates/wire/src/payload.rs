//! Payloads: text to fields of known types, and back.

use dayfly_runtime::json::{JsonKind, MAX_NUMBER_DIGITS, ParseError, ParseLimits, Parsed, Refusal, RefusalKind};
use dayfly_runtime::{Json, JsonRef};

use crate::violation::{REASON_SHOWN, VALUE_SHOWN, excerpt};
use crate::{Frame, Kind, Violation, WireLimits};

/// A payload that is JSON; lossless unless `refusal` says where not.
pub(crate) struct Payload {
    pub(crate) kind: Kind,
    pub(crate) json: Json,
    pub(crate) refusal: Option<Refusal>,
}

impl Payload {
    /// Parses a payload that may be `levels` deeper than the limit: those of what carries the value.
    pub(crate) fn parse(frame: &Frame, limits: &WireLimits, levels: usize) -> Result<Self, Violation> {
        let kind = frame.header.kind;
        let max_depth = limits.max_depth;
        let limits = ParseLimits {
            max_depth: max_depth.saturating_add(levels),
            max_decoded_bytes: limits.max_decoded_bytes,
            max_number_digits: MAX_NUMBER_DIGITS,
        };
        match Json::parse_with(&frame.payload, &limits) {
            Ok(Parsed { json, mut refusal }) => {
                if let Some(refusal) = refusal.as_mut().filter(|refusal| refusal.kind == RefusalKind::TooDeep) {
                    // The parser counts what carries the value; its author knows the configured limit.
                    refusal.reason = format!(
                        "the value is nested deeper than the limit of {max_depth} levels; flatten it or send less"
                    );
                }
                Ok(Self { kind, json, refusal })
            }
            Err(ParseError::NotUtf8 { offset }) => Err(Violation::NotUtf8 { kind, offset }),
            Err(error) => Err(Violation::NotJson { kind, reason: excerpt(&error.to_string(), REASON_SHOWN) }),
        }
    }

    /// The value, which must be lossless.
    pub(crate) fn lossless(self) -> Result<Json, Violation> {
        match self.refusal {
            None => Ok(self.json),
            Some(refusal) => Err(Violation::NotLossless { kind: self.kind, refusal }),
        }
    }
}

/// The fields of one object of a payload. Fields that nobody asks for are ignored.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'a> {
    kind: Kind,
    object: JsonRef<'a>,
    /// What stands before a field's name in messages, such as `namespaces[].`.
    within: &'static str,
}

impl<'a> Fields<'a> {
    /// The fields of the payload itself.
    pub(crate) fn of(kind: Kind, payload: JsonRef<'a>) -> Result<Self, Violation> {
        match payload.kind() {
            JsonKind::Object => Ok(Self { kind, object: payload, within: "" }),
            found @ (JsonKind::Null | JsonKind::Bool | JsonKind::Number | JsonKind::String | JsonKind::Array) => {
                Err(Violation::NotAnObject { kind, found: found.name() })
            }
        }
    }

    /// The fields of an object further in, named `within` in messages.
    pub(crate) fn inner(
        self,
        value: JsonRef<'a>,
        field: &'static str,
        within: &'static str,
    ) -> Result<Self, Violation> {
        self.expect_kind(field, value, JsonKind::Object)?;
        Ok(Self { kind: self.kind, object: value, within })
    }

    /// A field of any type.
    pub(crate) fn any(self, field: &str) -> Option<JsonRef<'a>> {
        self.object.get(field)
    }

    /// A field that must be there.
    pub(crate) fn required(self, field: &'static str, expected: JsonKind) -> Result<JsonRef<'a>, Violation> {
        let Some(value) = self.object.get(field) else {
            return Err(Violation::MissingField { kind: self.kind, field: self.path(field) });
        };
        self.expect_kind(field, value, expected)?;
        Ok(value)
    }

    /// A text that must be there.
    pub(crate) fn text(self, field: &'static str) -> Result<&'a str, Violation> {
        let value = self.required(field, JsonKind::String)?;
        Ok(value.as_str().unwrap_or_default())
    }

    /// A text that may be absent.
    pub(crate) fn optional_text(self, field: &'static str) -> Result<Option<String>, Violation> {
        match self.object.get(field) {
            None => Ok(None),
            Some(_) => self.text(field).map(|text| Some(text.to_owned())),
        }
    }

    /// A text that must be one of `choices` by its name.
    pub(crate) fn choice<T: Copy>(
        self,
        field: &'static str,
        choices: &[T],
        name: impl Fn(T) -> &'static str,
    ) -> Result<T, Violation> {
        let found = self.text(field)?;
        choices.iter().copied().find(|choice| name(*choice) == found).ok_or_else(|| self.value_violation(field, found))
    }

    /// An integer from `least` to 2^32 - 1 that must be there.
    pub(crate) fn integer(self, field: &'static str, least: u32) -> Result<u32, Violation> {
        let value = self.required(field, JsonKind::Number)?;
        value
            .as_u64()
            .and_then(|number| u32::try_from(number).ok())
            .filter(|number| *number >= least)
            .ok_or_else(|| self.value_violation(field, value.number_text().unwrap_or_default()))
    }

    /// Such an integer, which may be absent.
    pub(crate) fn optional_integer(self, field: &'static str, least: u32) -> Result<Option<u32>, Violation> {
        match self.object.get(field) {
            None => Ok(None),
            Some(_) => self.integer(field, least).map(Some),
        }
    }

    pub(crate) fn expect_kind(
        self,
        field: &'static str,
        value: JsonRef<'_>,
        expected: JsonKind,
    ) -> Result<(), Violation> {
        let found = value.kind();
        if found == expected {
            return Ok(());
        }
        Err(Violation::FieldType {
            kind: self.kind,
            field: self.path(field),
            expected: expected.name(),
            found: found.name(),
        })
    }

    fn value_violation(self, field: &str, found: &str) -> Violation {
        Violation::FieldValue { kind: self.kind, field: self.path(field), found: excerpt(found, VALUE_SHOWN) }
    }

    fn path(self, field: &str) -> String {
        format!("{}{field}", self.within)
    }
}
