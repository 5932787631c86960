//! Durations that people write as `1m 30s`.

use std::time::Duration;

use crate::size::with_points;

/// Reads a duration as people write it: `500ms`, `2s`, `1m 30s`.
///
/// # Errors
///
/// Says what was expected, and what was probably meant.
pub fn parse_duration(text: &str) -> Result<Duration, ParseDurationError> {
    read(text).ok_or_else(|| ParseDurationError { text: text.chars().take(40).collect(), meant: meant(text) })
}

/// The text is not a duration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{text:?} is not a duration; {} ms, s, m (minutes), h and d",
    meant.as_ref().map_or_else(
        || "write numbers with their units, such as \"500ms\", \"2s\" or \"1m 30s\":".to_owned(),
        |meant| format!("did you mean {meant:?}? The units are")
    )
)]
pub struct ParseDurationError {
    text: String,
    meant: Option<String>,
}

fn read(text: &str) -> Option<Duration> {
    // To the library `5M` is five months, which no limit is; whoever writes it means minutes.
    let months = text.split(|c: char| !c.is_alphabetic()).any(|unit| unit == "M");
    if months { None } else { humantime::parse_duration(text).ok() }
}

/// The duration that a text probably means which is none.
fn meant(text: &str) -> Option<String> {
    const LONGEST: usize = 40;
    let text = text.trim();
    if text.len() > LONGEST {
        return None;
    }
    let plain = with_points(&text.to_lowercase());
    // A number alone is seconds nearly everywhere, and what follows hours is minutes, and minutes seconds.
    let up_to_unit = plain.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let trailing = match up_to_unit.chars().last() {
        None => "s",
        Some(_) if up_to_unit.len() == plain.len() => "",
        Some('h') => "m",
        Some('m') => "s",
        Some(_) => return None,
    };
    let meant = format!("{plain}{trailing}");
    read(&meant).map(|_| meant)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_as_people_write_them() {
        for (text, milliseconds) in [
            ("500ms", 500),
            ("2s", 2_000),
            ("1m 30s", 90_000),
            ("1.5s", 1_500),
            ("2 minutes", 120_000),
            ("1h5m", 3_900_000),
        ] {
            assert_eq!(parse_duration(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
    }

    #[test]
    fn a_duration_that_is_written_otherwise_is_answered_with_ours() {
        for (text, meant) in [
            ("5", "5s"),
            ("1.5", "1.5s"),
            ("1,5s", "1.5s"),
            ("5S", "5s"),
            ("5 Sec", "5 sec"),
            ("500MS", "500ms"),
            ("5M", "5m"),
            ("1h 5M", "1h 5m"),
            ("1h30", "1h30m"),
            ("1m30", "1m30s"),
        ] {
            let said = parse_duration(text).unwrap_err().to_string();
            let wanted =
                format!("{text:?} is not a duration; did you mean {meant:?}? The units are ms, s, m (minutes), h");
            assert!(said.starts_with(&wanted), "{said}");
        }
        for text in ["soon", "", "-5s", "5 parsecs", "64MiB", "1d 5", "500µ", "µ", "5秒", "1秒5", "1h5秒", "é1,5"]
        {
            let said = parse_duration(text).unwrap_err().to_string();
            assert!(!said.contains("did you mean"), "{said}");
            assert!(said.ends_with("such as \"500ms\", \"2s\" or \"1m 30s\": ms, s, m (minutes), h and d"), "{said}");
        }
    }
}
