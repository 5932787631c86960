//! Equality of flat values, with a schema's constants and with one another.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher as _;

use dayfly_runtime::JsonRef;
use dayfly_runtime::json::{Entries, Items, JsonKind};
use serde_json::{Number, Value};

use super::guard::Guard;

/// Whether a value is a schema's constant; numbers are compared exactly.
pub(super) fn equals(value: JsonRef<'_>, constant: &Value, guard: Option<&Guard>) -> bool {
    let mut pending = vec![(value, constant)];
    while let Some((value, constant)) = pending.pop() {
        step(guard);
        let same = match constant {
            Value::Null => value.is_null(),
            Value::Bool(constant) => value.as_bool() == Some(*constant),
            Value::Number(constant) => same_number(value, constant),
            Value::String(constant) => value.as_str() == Some(constant),
            Value::Array(constant) => {
                let same = value.kind() == JsonKind::Array && value.len() == constant.len();
                pending.extend(value.items().zip(constant).filter(|_| same));
                same
            }
            Value::Object(constant) => {
                value.kind() == JsonKind::Object
                    && value.len() == constant.len()
                    && value.entries().all(|(key, value)| {
                        constant.get(key).inspect(|constant| pending.push((value, constant))).is_some()
                    })
            }
        };
        if !same {
            return false;
        }
    }
    true
}

fn same_number(value: JsonRef<'_>, constant: &Number) -> bool {
    if let Some(constant) = constant.as_u64() {
        return value.as_u64() == Some(constant);
    }
    if let Some(constant) = constant.as_i64() {
        return value.as_i64() == Some(constant);
    }
    let Some(constant) = constant.as_f64() else { return false };
    let Some(text) = value.number_text() else { return false };
    // An integer of the value is only the same when the double is it to the last digit.
    if value.is_float() {
        value.as_f64() == Some(constant)
    } else {
        format!("{constant:.0}") == text && constant.fract() == 0.0
    }
}

fn step(guard: Option<&Guard>) {
    if let Some(guard) = guard {
        guard.step(1);
    }
}

/// Whether no two elements of an array are equal.
pub(super) fn all_different<'a>(array: JsonRef<'a>, guard: Option<&'a Guard>) -> bool {
    let mut seen = Distinct { guard, ..Distinct::with_room(array.len()) };
    array.items().all(|item| seen.insert(item))
}

/// Values of which no two are equal: 1.0 is 1, and the order of keys is none.
pub(crate) struct Distinct<'a> {
    /// Keyed at random, so that nobody can send a million different values of one digest.
    keys: RandomState,
    by_digest: HashMap<u64, Vec<JsonRef<'a>>>,
    /// Counts the steps of a validation.
    guard: Option<&'a Guard>,
}

impl<'a> Distinct<'a> {
    pub(crate) fn with_room(values: usize) -> Self {
        Self { keys: RandomState::new(), by_digest: HashMap::with_capacity(values), guard: None }
    }

    /// Whether the value was new.
    pub(crate) fn insert(&mut self, value: JsonRef<'a>) -> bool {
        let alike = self.by_digest.entry(digest(value, &self.keys, self.guard)).or_default();
        let new = !alike.contains(&value);
        if new {
            alike.push(value);
        }
        new
    }
}

/// A number that is the same for equal values.
fn digest(root: JsonRef<'_>, keys: &RandomState, guard: Option<&Guard>) -> u64 {
    // A container's digest is finished when everything inside it is, so each waits with what it has summed up so far.
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut finished = begin(root, keys, &mut open);
    step(guard);
    while let Some(container) = open.last_mut() {
        step(guard);
        if let Some(inner) = finished.take() {
            container.sum = match container.key {
                // Entries are equal in any order, elements are not.
                Some(key) => container.sum.wrapping_add(keys.hash_one((key, inner))),
                None => keys.hash_one((container.sum, inner)),
            };
        }
        let next = match &mut container.rest {
            Rest::Items(items) => items.next(),
            Rest::Entries(entries) => entries.next().map(|(key, value)| {
                container.key = Some(key);
                value
            }),
        };
        finished = match next {
            Some(value) => begin(value, keys, &mut open),
            None => open.pop().map(|done| keys.hash_one((4_u8, done.key.is_some(), done.sum))),
        };
    }
    finished.unwrap_or_default()
}

/// A container that is being digested.
struct Open<'a> {
    rest: Rest<'a>,
    key: Option<&'a str>,
    sum: u64,
}

/// What is left of a container.
enum Rest<'a> {
    Items(Items<'a>),
    Entries(Entries<'a>),
}

/// The digest of a scalar; a container is put on `open` instead.
fn begin<'a>(value: JsonRef<'a>, keys: &RandomState, open: &mut Vec<Open<'a>>) -> Option<u64> {
    let rest = match value.kind() {
        JsonKind::Null => return Some(keys.hash_one(0_u8)),
        JsonKind::Bool => return Some(keys.hash_one((1_u8, value.as_bool()))),
        JsonKind::Number => return Some(number_digest(value, keys)),
        JsonKind::String => return Some(keys.hash_one((3_u8, value.as_str()))),
        JsonKind::Array => Rest::Items(value.items()),
        JsonKind::Object => Rest::Entries(value.entries()),
    };
    open.push(Open { rest, key: None, sum: 0 });
    None
}

/// The digest of a number: equal for an integer and the double that is it, and for few others. Many integers have one
/// nearest double, so beyond 2^53 it is the digits that count.
fn number_digest(value: JsonRef<'_>, keys: &RandomState) -> u64 {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match (value.as_f64(), value.number_text()) {
        (Some(double), _) if double.abs() < EXACT => keys.hash_one((2_u8, double.to_bits())),
        (Some(double), _) if value.is_float() => keys.hash_one((5_u8, format!("{double:.0}"))),
        (_, text) => keys.hash_one((5_u8, text.unwrap_or_default())),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use dayfly_runtime::Json;
    use nix::time::{ClockId, clock_gettime};

    use super::*;

    fn json(text: &str) -> Json {
        Json::parse(text).expect("the test's own JSON")
    }

    #[test]
    fn a_constant_is_compared_by_value_whatever_the_spelling_of_numbers_and_the_order_of_keys() {
        let constant = serde_json::json!({"a": [1, 2.5, "x", null, true], "b": {"c": -3}});
        assert!(equals(json(r#"{"b": {"c": -3.0}, "a": [1.0, 2.5, "x", null, true]}"#).root(), &constant, None));
        for other in ["{}", r#"{"a": [1, 2.5, "x", null], "b": {"c": -3}}"#, r#"{"a": 1, "b": 2, "c": 3}"#] {
            assert!(!equals(json(other).root(), &constant, None), "{other}");
        }
    }

    #[test]
    fn integers_beyond_doubles_are_not_confused_with_their_neighbours() {
        assert!(equals(json("9007199254740993").root(), &serde_json::json!(9_007_199_254_740_993_u64), None));
        assert!(!equals(json("9007199254740992").root(), &serde_json::json!(9_007_199_254_740_993_u64), None));
        assert!(!equals(json("18446744073709551617").root(), &serde_json::json!(18_446_744_073_709_551_616.0), None));
        assert!(equals(json("18446744073709551616").root(), &serde_json::json!(18_446_744_073_709_551_616.0), None));
        assert!(all_different(json("[1e400000, 1]".replace("e400000", &"0".repeat(400)).as_str()).root(), None));
    }

    #[test]
    fn elements_are_different_exactly_when_no_two_are_equal() {
        assert!(all_different(
            json(r#"[1, "1", [1], {"a": 1}, {"a": "1"}, null, false, 0, [], {}, ["a", 1]]"#).root(),
            None
        ));
        for twice in ["[1, 1.0]", r#"[{"a": 1, "b": [2]}, {"b": [2.0], "a": 1}]"#, "[[], []]", "[null, 0, null]"] {
            assert!(!all_different(json(twice).root(), None), "{twice}");
        }
        assert!(all_different(json(r#"[["a", "b"], ["b", "a"], [{"a": {}}, {}], [{}, {"a": {}}]]"#).root(), None));
    }

    #[test]
    fn different_integers_of_one_nearest_double_are_told_apart_in_linear_time() {
        let list = |count: u32| {
            let items: Vec<String> = (0..count).map(|item| format!("1{item:029}")).collect();
            json(&format!("[{}]", items.join(",")))
        };
        // On the clock of the thread, which stands still while others have the CPU.
        let cpu_time = || Duration::from(clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).unwrap());
        let time = |count| {
            let list = list(count);
            let started = cpu_time();
            assert!(all_different(list.root(), None));
            cpu_time() - started
        };
        time(1_000);
        // Sixteen times the elements: 256 times the time if it were quadratic. A machine that stands still in the midst of one try
        // does so in no other.
        let allowed = 160 * time(2_000).max(Duration::from_micros(200));
        assert!((0..3).any(|_| time(32_000) < allowed), "never within {allowed:?}");
        assert!(!all_different(json("[100000000000000000000, 1e20]").root(), None));
    }
}
