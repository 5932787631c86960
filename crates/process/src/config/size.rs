//! A number of bytes that people write as `64MiB`.

use std::fmt;
use std::str::FromStr;

use serde::de::{self, Deserialize, Deserializer, Visitor};

/// A number of bytes; written as an integer or as text with a unit: `65536`, `"64KiB"`, `"1.5 GiB"`, `"10MB"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ByteSize(u64);

const UNITS: [(&str, u64); 8] = [
    ("GiB", 1 << 30),
    ("MiB", 1 << 20),
    ("KiB", 1 << 10),
    ("GB", 1_000_000_000),
    ("MB", 1_000_000),
    ("kB", 1_000),
    ("KB", 1_000),
    ("B", 1),
];

impl ByteSize {
    /// This many bytes.
    #[must_use]
    pub const fn bytes(bytes: u64) -> Self {
        Self(bytes)
    }

    /// This many times 1,024 bytes.
    #[must_use]
    pub const fn kib(kib: u64) -> Self {
        Self(kib << 10)
    }

    /// This many times 1,048,576 bytes.
    #[must_use]
    pub const fn mib(mib: u64) -> Self {
        Self(mib << 20)
    }

    /// This many times 1,073,741,824 bytes.
    #[must_use]
    pub const fn gib(gib: u64) -> Self {
        Self(gib << 30)
    }

    /// The number of bytes.
    #[must_use]
    pub const fn as_u64(self) -> u64 {
        self.0
    }

    /// The number of bytes, or the largest `usize` where that is smaller.
    #[must_use]
    pub fn as_usize(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

impl fmt::Display for ByteSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let binary = UNITS.iter().take(3).find(|(_, unit)| self.0 >= *unit && self.0.is_multiple_of(*unit));
        match binary {
            Some((name, unit)) => write!(f, "{}{name}", self.0 / unit),
            None => write!(f, "{}B", self.0),
        }
    }
}

/// The text is not a number of bytes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a size; write bytes or a number with KiB, MiB or GiB, such as \"64MiB\"")]
pub struct ParseByteSizeError {
    text: String,
}

impl FromStr for ByteSize {
    type Err = ParseByteSizeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ParseByteSizeError { text: text.chars().take(40).collect() };
        let trimmed = text.trim();
        let digits = trimmed.find(|c: char| !c.is_ascii_digit() && c != '.' && c != '_').unwrap_or(trimmed.len());
        let (number, unit) = trimmed.split_at(digits);
        let unit = unit.trim();
        let scale = if unit.is_empty() {
            1
        } else {
            let found = UNITS.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit));
            found.map(|(_, scale)| *scale).ok_or_else(error)?
        };
        let number = number.replace('_', "");
        let (whole, fraction) = number.split_once('.').unwrap_or((&number, ""));
        let whole: u64 = whole.parse().map_err(|_| error())?;
        let mut bytes = u128::from(whole) * u128::from(scale);
        if !fraction.is_empty() {
            // Six digits tell apart every kilobyte of a gigabyte; more are not a size somebody means.
            if fraction.len() > 6 || !fraction.bytes().all(|digit| digit.is_ascii_digit()) {
                return Err(error());
            }
            let numerator: u64 = fraction.parse().map_err(|_| error())?;
            let denominator = 10u128.pow(u32::try_from(fraction.len()).map_err(|_| error())?);
            bytes += u128::from(numerator) * u128::from(scale) / denominator;
        } else if number.contains('.') {
            return Err(error());
        }
        u64::try_from(bytes).map(Self).map_err(|_| error())
    }
}

impl<'de> Deserialize<'de> for ByteSize {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct SizeVisitor;
        impl Visitor<'_> for SizeVisitor {
            type Value = ByteSize;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number of bytes, or text such as \"64MiB\"")
            }

            fn visit_u64<E: de::Error>(self, bytes: u64) -> Result<ByteSize, E> {
                Ok(ByteSize(bytes))
            }

            fn visit_i64<E: de::Error>(self, bytes: i64) -> Result<ByteSize, E> {
                u64::try_from(bytes).map(ByteSize).map_err(|_| E::invalid_value(de::Unexpected::Signed(bytes), &self))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<ByteSize, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_any(SizeVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_read_as_people_write_them() {
        for (text, bytes) in [
            ("0", 0),
            ("65536", 65_536),
            ("64KiB", 65_536),
            ("1.5 GiB", 1_610_612_736),
            ("10MB", 10_000_000),
            ("7b", 7),
        ] {
            assert_eq!(text.parse(), Ok(ByteSize::bytes(bytes)), "{text}");
        }
    }

    #[test]
    fn what_is_not_a_size_is_refused() {
        for text in ["", "MiB", "-1", "1.", "1.1234567GiB", "64 parsecs", "99999999999999999999", "20000000000GiB"] {
            assert!(text.parse::<ByteSize>().is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_print_in_the_largest_unit_that_divides_them() {
        assert_eq!(ByteSize::gib(3).to_string(), "3GiB");
        assert_eq!(ByteSize::mib(64).to_string(), "64MiB");
        assert_eq!(ByteSize::bytes(1_500).to_string(), "1500B");
    }
}
