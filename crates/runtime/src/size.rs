//! A number of bytes that people write as `64MiB`.

use std::fmt;
use std::str::FromStr;

use serde::de::{self, Deserialize, Deserializer, Visitor};

/// A number of bytes; written as an integer or as text with a unit: `65536`, `"64KiB"`, `"1.5 GiB"`, `"10MB"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ByteSize(u64);

/// The binary ones first: of two that say a size in as few digits, the first is printed.
const UNITS: [(&str, u64); 10] = [
    ("TiB", 1 << 40),
    ("GiB", 1 << 30),
    ("MiB", 1 << 20),
    ("KiB", 1 << 10),
    ("TB", 1_000_000_000_000),
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

    /// The size of as many binary units, when this one counts in decimal ones: 64MiB for 64MB.
    #[must_use]
    pub fn binary_twin(self) -> Option<Self> {
        let written = self.to_string();
        let (number, unit) = written.split_at(written.find(|c: char| !c.is_ascii_digit())?);
        // Decimal and binary units begin with the same letter.
        let prefix = unit.strip_suffix('B').filter(|prefix| prefix.len() == 1)?;
        format!("{number}{prefix}iB").parse().ok()
    }

    /// The number of bytes, or the largest `usize` where that is smaller.
    #[must_use]
    pub fn as_usize(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

impl fmt::Display for ByteSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // As it was probably written: `64MB` is no whole number of MiB, and not read again in `62500KiB`.
        let whole = UNITS.iter().filter(|(_, unit)| self.0 >= *unit && self.0.is_multiple_of(*unit));
        match whole.min_by_key(|(_, unit)| self.0 / unit) {
            Some((name, unit)) => write!(f, "{}{name}", self.0 / unit),
            None => write!(f, "{}B", self.0),
        }
    }
}

/// The text is not a number of bytes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{text:?} is not a size; {} KiB, MiB, GiB or TiB (steps of 1,024), kB, MB, GB or TB (steps of 1,000), or no unit \
     for bytes",
    meant.as_ref().map_or_else(
        || "write a number and a unit, such as \"64MiB\":".to_owned(),
        |meant| format!("did you mean {meant:?}? The units are")
    )
)]
pub struct ParseByteSizeError {
    text: String,
    meant: Option<String>,
}

/// A number as we write it: a comma is a decimal one, but before three digits, where it only parts thousands.
pub(crate) fn with_points(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(',') {
        written.push_str(before);
        let digits = after.chars().take_while(char::is_ascii_digit).count();
        written.push_str(if digits == 3 { "" } else { "." });
        rest = after;
    }
    written.push_str(rest);
    written
}

/// The size that a text probably means which is none: `64M` and `64 megabytes` are 64MiB elsewhere.
fn meant(text: &str) -> Option<String> {
    let text = with_points(text.trim());
    let (number, unit) = text.split_at(text.find(|c: char| c.is_ascii_alphabetic() || c.is_whitespace())?);
    let unit = match unit.trim_start().to_ascii_lowercase().as_str() {
        "" | "b" | "byte" | "bytes" => "B",
        "k" | "kb" | "ki" | "kib" | "kilobyte" | "kilobytes" | "kibibyte" | "kibibytes" => "KiB",
        "m" | "mb" | "mi" | "mib" | "meg" | "megs" | "megabyte" | "megabytes" | "mebibyte" | "mebibytes" => "MiB",
        "g" | "gb" | "gi" | "gib" | "gig" | "gigs" | "gigabyte" | "gigabytes" | "gibibyte" | "gibibytes" => "GiB",
        "t" | "tb" | "ti" | "tib" | "terabyte" | "terabytes" | "tebibyte" | "tebibytes" => "TiB",
        _ => return None,
    };
    let meant = format!("{number}{unit}");
    read(&meant).map(|_| meant)
}

impl FromStr for ByteSize {
    type Err = ParseByteSizeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        read(text).ok_or_else(|| ParseByteSizeError { text: text.chars().take(40).collect(), meant: meant(text) })
    }
}

/// A number and its unit.
fn read(text: &str) -> Option<ByteSize> {
    let trimmed = text.trim();
    let digits = trimmed.find(|c: char| !c.is_ascii_digit() && c != '.' && c != '_').unwrap_or(trimmed.len());
    let (number, unit) = trimmed.split_at(digits);
    let unit = unit.trim();
    let scale = if unit.is_empty() {
        1
    } else {
        UNITS.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit)).map(|(_, scale)| *scale)?
    };
    let number = number.replace('_', "");
    let (whole, fraction) = number.split_once('.').unwrap_or((&number, ""));
    let whole: u64 = whole.parse().ok()?;
    let mut bytes = u128::from(whole) * u128::from(scale);
    if !fraction.is_empty() {
        // Six digits tell apart every kilobyte of a gigabyte; more are not a size somebody means.
        if fraction.len() > 6 || !fraction.bytes().all(|digit| digit.is_ascii_digit()) {
            return None;
        }
        let numerator: u64 = fraction.parse().ok()?;
        let denominator = 10u128.pow(u32::try_from(fraction.len()).ok()?);
        bytes += u128::from(numerator) * u128::from(scale) / denominator;
    } else if number.contains('.') {
        return None;
    }
    u64::try_from(bytes).ok().map(ByteSize)
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
            ("1TiB", 1 << 40),
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
        assert_eq!(ByteSize::bytes(1_501).to_string(), "1501B");
    }

    #[test]
    fn a_size_prints_in_the_units_that_it_was_probably_written_in() {
        for text in ["64MB", "64MiB", "1kB", "1KiB", "1000MiB", "1500kB", "3TB", "1024TiB", "1000KiB"] {
            assert_eq!(text.parse::<ByteSize>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn a_decimal_size_has_a_binary_twin() {
        let twin = |text: &str| text.parse::<ByteSize>().unwrap().binary_twin();
        assert_eq!(twin("64MB"), Some(ByteSize::mib(64)));
        assert_eq!(twin("7kB"), Some(ByteSize::kib(7)));
        assert_eq!([twin("64MiB"), twin("17"), twin("0")], [None; 3]);
    }

    #[test]
    fn a_unit_of_other_programs_is_answered_with_ours() {
        for (text, meant) in [
            ("64M", "64MiB"),
            ("64m", "64MiB"),
            ("64Mi", "64MiB"),
            ("2 gigs", "2GiB"),
            ("1,5GiB", "1.5GiB"),
            ("1,024MiB", "1024MiB"),
            ("1,048,576B", "1048576B"),
            ("512k", "512KiB"),
            ("7 bytes", "7B"),
            ("1,5 t", "1.5TiB"),
        ] {
            let said = text.parse::<ByteSize>().unwrap_err().to_string();
            let wanted = format!("{text:?} is not a size; did you mean {meant:?}? The units are KiB, MiB, ");
            assert!(said.starts_with(&wanted), "{said}");
        }
        for text in ["much", "64 parsecs", "-1M", "1.2.3M", "5s", ""] {
            let said = text.parse::<ByteSize>().unwrap_err().to_string();
            assert!(!said.contains("did you mean"), "{said}");
            assert!(said.contains("such as \"64MiB\": KiB, MiB, GiB or TiB (steps of 1,024), kB, MB, GB"), "{said}");
        }
    }
}
