//! Where the inputs of the properties come from.

use proptest::collection::vec;
use proptest::prelude::*;

use crate::model::Model;

/// Any double that is lossless JSON.
pub(crate) fn double() -> impl Strategy<Value = f64> {
    any::<u64>()
        .prop_map(f64::from_bits)
        .prop_filter("lossless", |value| value.is_finite() && !(*value == 0.0 && value.is_sign_negative()))
}

/// Shallow values from so small an alphabet that two of them are often equal or nearly so.
pub(crate) fn model() -> impl Strategy<Value = Model> {
    let leaf = prop_oneof![
        Just(Model::Null),
        any::<bool>().prop_map(Model::Bool),
        (-2_i64..3).prop_map(Model::Integer),
        any::<i64>().prop_map(Model::Integer),
        prop::sample::select(vec![0.0, 1.0, -2.0, 0.5, 1e300, 9_007_199_254_740_992.0]).prop_map(Model::Float),
        double().prop_map(Model::Float),
        text().prop_map(Model::Text),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Model::Array),
            vec((key(), inner), 0..12).prop_map(Model::Object),
        ]
    })
}

/// A value and another that is often a rearrangement of it.
pub(crate) fn pair() -> impl Strategy<Value = (Model, Model)> {
    prop_oneof![
        (model(), model()),
        model().prop_map(|model| (model.clone(), rearranged(&model))),
        (small(), small()),
        (model(), any::<prop::sample::Index>(), any::<bool>()).prop_map(|(model, at, rearrange)| {
            let mut altered = if rearrange { rearranged(&model) } else { model.clone() };
            let mut left = at.index(altered.count());
            alter(&mut altered, &mut left);
            (model, altered)
        }),
    ]
}

/// Changes the value that comes after `left` others.
fn alter(model: &mut Model, left: &mut usize) {
    let here = *left == 0;
    *left = left.wrapping_sub(1);
    if here {
        *model = match model {
            Model::Null => Model::Bool(false),
            Model::Bool(_) | Model::Text(_) => Model::Null,
            Model::Integer(value) => Model::Integer(value.wrapping_add(1)),
            Model::Float(value) => Model::Float(if *value == 2.0 { 3.0 } else { 2.0 }),
            Model::Array(items) => Model::Array(items.iter().skip(1).cloned().collect()),
            Model::Object(entries) => {
                let mut entries = entries.clone();
                if let Some((key, _)) = entries.last_mut() {
                    key.push('~');
                }
                Model::Object(entries)
            }
        };
        return;
    }
    match model {
        Model::Array(items) => items.iter_mut().for_each(|item| alter(item, left)),
        Model::Object(entries) => entries.iter_mut().for_each(|(_, value)| alter(value, left)),
        Model::Null | Model::Bool(_) | Model::Integer(_) | Model::Float(_) | Model::Text(_) => {}
    }
}

fn small() -> impl Strategy<Value = Model> {
    let leaf = prop_oneof![(0_i64..2).prop_map(Model::Integer), Just(Model::Float(1.0)), Just(Model::Null)];
    leaf.prop_recursive(2, 8, 2, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Model::Array),
            vec(("[ab]", inner), 0..4).prop_map(Model::Object),
        ]
    })
}

/// The same by meaning: objects backwards without their duplicates, integral numbers of the other kind.
fn rearranged(model: &Model) -> Model {
    match model {
        Model::Array(items) => Model::Array(items.iter().map(rearranged).collect()),
        Model::Object(entries) => {
            let mut seen = std::collections::HashSet::new();
            let mut kept: Vec<_> = entries.iter().rev().filter(|(key, _)| seen.insert(key.clone())).collect();
            kept.sort_by(|left, right| right.0.cmp(&left.0));
            Model::Object(kept.into_iter().map(|(key, value)| (key.clone(), rearranged(value))).collect())
        }
        Model::Integer(1) => Model::Float(1.0),
        Model::Null | Model::Bool(_) | Model::Integer(_) | Model::Float(_) | Model::Text(_) => model.clone(),
    }
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[ab\"\\\\\n\u{0}\u{7f}é\u{2028}🦋]{0,5}", any::<String>()]
}

fn key() -> impl Strategy<Value = String> {
    prop_oneof![8 => "[a-e]", 1 => text()]
}

/// Bytes that are nearly JSON.
pub(crate) fn soup() -> impl Strategy<Value = String> {
    let tokens = vec![
        "[",
        "]",
        "{",
        "}",
        ",",
        ":",
        "null",
        "true",
        "false",
        "0",
        "-",
        "1",
        "-0",
        "1e400",
        "0.5",
        "1.",
        ".5",
        "01",
        "1E+5",
        "1e",
        "\"\"",
        "\"a\"",
        "\"\\ud800\"",
        "\"\\udc00\\ud800\"",
        "\"\\ud83d\\ude00\"",
        "\"\\x\"",
        "\"",
        "\\",
        " ",
        "\n",
        "\t",
        "\u{b}",
        "\u{feff}",
        "é",
        "\u{0}",
        "nul",
        "NaN",
        "[1,",
        "{\"a\":",
        "],",
        "},",
    ];
    vec(prop::sample::select(tokens), 0..40).prop_map(|tokens| tokens.concat())
}

/// Valid text with a few bytes changed.
pub(crate) fn mutated() -> impl Strategy<Value = Vec<u8>> {
    (model(), vec((any::<prop::sample::Index>(), any::<u8>()), 0..4)).prop_map(|(model, changes)| {
        let mut bytes = model.text().into_bytes();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        bytes
    })
}
