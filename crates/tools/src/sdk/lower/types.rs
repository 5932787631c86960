//! Sets of the kinds of JSON value.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign};

use dayfly_runtime::JsonRef;
use dayfly_runtime::json::JsonKind;

/// A set of kinds; numbers without a fraction are a kind of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Types(u8);

impl Types {
    pub(super) const NONE: Self = Self(0);
    pub(super) const NULL: Self = Self(1);
    pub(super) const BOOLEAN: Self = Self(2);
    pub(super) const INTEGER: Self = Self(4);
    /// Numbers with a fraction.
    pub(super) const FRACTION: Self = Self(8);
    pub(super) const NUMBER: Self = Self(4 | 8);
    pub(super) const STRING: Self = Self(16);
    pub(super) const ARRAY: Self = Self(32);
    pub(super) const OBJECT: Self = Self(64);
    pub(super) const ALL: Self = Self(127);

    /// What a `type` keyword allows, and whether all of it was understood; `None` when nothing was.
    pub(super) fn read(keyword: JsonRef<'_>) -> Option<(Self, bool)> {
        let names: Vec<Option<Self>> = match keyword.as_str() {
            Some(name) => vec![Self::named(name)],
            None => keyword.items().map(|item| item.as_str().and_then(Self::named)).collect(),
        };
        let known = names.iter().flatten().copied().fold(Self::NONE, BitOr::bitor);
        (known != Self::NONE).then_some((known, names.iter().all(Option::is_some)))
    }

    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "null" => Self::NULL,
            "boolean" => Self::BOOLEAN,
            "integer" => Self::INTEGER,
            "number" => Self::NUMBER,
            "string" => Self::STRING,
            "array" => Self::ARRAY,
            "object" => Self::OBJECT,
            // The word of the oldest drafts.
            "any" => Self::ALL,
            _ => return None,
        })
    }

    /// The kind of a value.
    pub(super) fn of(value: JsonRef<'_>) -> Self {
        match value.kind() {
            JsonKind::Null => Self::NULL,
            JsonKind::Bool => Self::BOOLEAN,
            JsonKind::Number if is_integer(value) => Self::INTEGER,
            JsonKind::Number => Self::FRACTION,
            JsonKind::String => Self::STRING,
            JsonKind::Array => Self::ARRAY,
            JsonKind::Object => Self::OBJECT,
        }
    }

    /// Whether any of these kinds is among them.
    pub(super) const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether all of these kinds are among others.
    pub(super) const fn within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Without some kinds.
    pub(super) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

fn is_integer(number: JsonRef<'_>) -> bool {
    !number.is_float() || number.as_f64().is_some_and(|value| value.fract() == 0.0)
}

impl BitAnd for Types {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitAndAssign for Types {
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOr for Types {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Types {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}
