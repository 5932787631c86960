//! Numbers as canonical text.

use std::fmt::Write as _;

/// The most digits of a number unless configured: the limit CPython puts on converting between `int` and `str`.
pub const MAX_NUMBER_DIGITS: usize = 4_300;

/// Why a double cannot be JSON without loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NumberError {
    /// JSON has no NaN.
    #[error("NaN is not JSON; use null or a string")]
    NotANumber,
    /// JSON has no infinities.
    #[error("an infinite number is not JSON; use null or a string")]
    Infinite,
    /// Most readers lose the sign of negative zero.
    #[error("negative zero does not survive JSON; use 0")]
    NegativeZero,
}

/// Refuses the doubles that are not lossless JSON.
pub(super) fn check_float(value: f64) -> Result<(), NumberError> {
    if value.is_nan() {
        Err(NumberError::NotANumber)
    } else if value.is_infinite() {
        Err(NumberError::Infinite)
    } else if value == 0.0 && value.is_sign_negative() {
        Err(NumberError::NegativeZero)
    } else {
        Ok(())
    }
}

/// Appends the shortest text that reads back as `value`; it always has a point or an exponent.
pub(super) fn push_float(value: f64, text: &mut String) {
    // Rust's `Debug` for floats is the shortest round trip, with an exponent below 1e-5 and from 1e16 on.
    // Writing to a string cannot fail.
    let _ = write!(text, "{value:?}");
}

/// The double that `text` stands for, a number's canonical text; infinite when it is beyond all doubles.
pub(super) fn to_f64(text: &str) -> f64 {
    text.parse().unwrap_or(f64::NAN)
}

/// The exact integer that a double is, as text.
pub(super) fn integral_text(value: f64) -> Option<String> {
    // Rust prints every digit of a double exactly.
    (value.fract() == 0.0).then(|| format!("{value:.0}"))
}

/// Whether a canonical integer is exactly the double nearest to it.
pub(super) fn is_exact_double(integer: &str) -> bool {
    // Fifteen digits always fit the 53 bits of a double.
    integer.len() <= 15 || integral_text(to_f64(integer)).is_some_and(|text| text == integer)
}

/// Whether a canonical integer and a canonical float are the same number, exactly.
pub(super) fn integer_equals_float(integer: &str, float: &str) -> bool {
    // No double has more than 309 digits before its point.
    integer.len() <= 310 && integral_text(to_f64(float)).is_some_and(|text| text == integer)
}
