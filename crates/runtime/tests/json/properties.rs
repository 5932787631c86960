//! Properties of parsing, printing, comparing and building.

use dayfly_runtime::Json;
use dayfly_runtime::json::{ParseError, ParseLimits};
use proptest::prelude::*;

use crate::strategies::{double, model, mutated, pair, soup};

proptest! {
    #[test]
    fn text_is_read_as_what_it_says(model in model()) {
        let built = model.json();
        let read = Json::parse(&model.text()).unwrap();
        prop_assert_eq!(&read, &built);
        // Not only equal: the same text, so floats are still floats and keys in the same order.
        prop_assert_eq!(read.to_string(), built.to_string());
        prop_assert_eq!(read.memory_size(), built.memory_size());
    }

    #[test]
    fn printing_and_reading_give_the_value_back(model in model()) {
        let json = model.json();
        let text = json.to_string();
        prop_assert_eq!(Json::parse(&text).unwrap().to_string(), text.clone());
        prop_assert_eq!(json.serialized_len(), text.len());
        prop_assert_eq!(serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok(), true);
    }

    #[test]
    fn pretty_text_is_the_same_value_and_never_indented_beyond_ten(model in model()) {
        let json = model.json();
        let pretty = json.to_pretty();
        prop_assert_eq!(Json::parse(&pretty).unwrap().to_string(), json.to_string());
        for line in pretty.lines() {
            let indentation = line.len() - line.trim_start_matches(' ').len();
            prop_assert!(indentation <= 10 && indentation % 2 == 0, "{:?}", line);
        }
    }

    #[test]
    fn equality_is_the_models((left, right) in pair()) {
        prop_assert_eq!(left.json() == right.json(), left.same(&right));
        prop_assert_eq!(right.json() == left.json(), left.same(&right));
        prop_assert_eq!(left.json(), left.json());
    }

    #[test]
    fn a_part_taken_out_is_the_part(model in model()) {
        let json = model.json();
        let parts: Vec<_> = json.items().chain(json.entries().map(|(_, value)| value)).collect();
        for part in parts {
            let owned = part.to_owned();
            prop_assert_eq!(owned.to_string(), part.to_string());
            prop_assert_eq!(&owned, &part);
            prop_assert_eq!(owned.memory_size(), Json::parse(&part.to_string()).unwrap().memory_size());
        }
        for (key, value) in json.entries() {
            prop_assert_eq!(json.get(key), Some(value));
        }
        prop_assert_eq!(Json::array([json.clone(), json.clone()]).at(1).map(|part| part.to_owned()), Some(json));
    }

    #[test]
    fn a_double_comes_back_bit_for_bit(value in double()) {
        let json = Json::try_from(value).unwrap();
        let read = Json::parse(&json.to_string()).unwrap();
        prop_assert_eq!(read.as_f64().map(f64::to_bits), Some(value.to_bits()));
        prop_assert!(read.is_float());
        prop_assert_eq!(Json::parse(&format!("{value:.17e}")).unwrap().to_string(), json.to_string());
    }

    #[test]
    fn an_integer_comes_back_digit_for_digit(value in any::<i128>(), zeros in 0_usize..100) {
        let text = if value == 0 { "0".to_owned() } else { format!("{value}{}", "0".repeat(zeros)) };
        prop_assert_eq!(Json::parse(&text).unwrap().to_string(), text);
        prop_assert_eq!(Json::from(value).to_string(), value.to_string());
        let json = Json::from(value);
        prop_assert_eq!(json.as_i64(), i64::try_from(value).ok());
        prop_assert_eq!(json.as_u64(), u64::try_from(value).ok());
    }

    #[test]
    fn no_bytes_make_the_parser_panic(bytes in any::<Vec<u8>>()) {
        let _ = Json::parse_with(&bytes, &ParseLimits::default());
    }

    #[test]
    fn the_parser_takes_the_language_that_others_take(text in soup()) {
        let ours = Json::parse_with(text.as_bytes(), &ParseLimits::default());
        let theirs = serde_json::from_str::<serde::de::IgnoredAny>(&text);
        prop_assert_eq!(ours.is_ok(), theirs.is_ok(), "{:?} {:?}", ours, theirs);
        check_place(&text, ours.err());
    }

    #[test]
    fn the_parser_takes_the_language_that_others_take_after_mutation(bytes in mutated()) {
        let ours = Json::parse_with(&bytes, &ParseLimits::default());
        match std::str::from_utf8(&bytes) {
            Err(error) => {
                prop_assert_eq!(ours, Err(ParseError::NotUtf8 { offset: error.valid_up_to() }));
            }
            Ok(text) => {
                let theirs = serde_json::from_str::<serde::de::IgnoredAny>(text);
                prop_assert_eq!(ours.is_ok(), theirs.is_ok(), "{:?} {:?}", ours, theirs);
                check_place(text, ours.err());
            }
        }
    }
}

/// The line and the column of an error are those of its offset.
fn check_place(text: &str, error: Option<ParseError>) {
    if let Some(ParseError::Syntax { offset, line, column, .. }) = error {
        let before = &text[..offset];
        assert_eq!(line, before.split('\n').count());
        assert_eq!(column, before.split('\n').next_back().unwrap().chars().count() + 1);
    }
}
