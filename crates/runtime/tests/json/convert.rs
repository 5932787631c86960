//! Conversions to and from serde's world.

use std::collections::BTreeMap;

use dayfly_runtime::Json;
use dayfly_runtime::json::{ConvertProblem, NumberError};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::model::Model;
use crate::strategies::{double, model};

proptest! {
    #[test]
    fn a_value_tree_is_the_same_value(model in model()) {
        let json = model.json();
        let value = json.to_value().unwrap();
        prop_assert_eq!(&value, &model.value());
        prop_assert_eq!(&Json::from_value(&value).unwrap(), &json);
        prop_assert_eq!(&Json::from_serialize(&value).unwrap(), &json);
        prop_assert_eq!(&json.deserialize::<Value>().unwrap(), &value);
        prop_assert_eq!(&serde_json::to_value(&json).unwrap(), &value);
        prop_assert_eq!(&serde_json::from_value::<Json>(value).unwrap(), &json);
        prop_assert_eq!(&json.deserialize::<Json>().unwrap(), &json);
        prop_assert_eq!(Json::from_serialize(&json).unwrap().to_string(), json.to_string());
    }

    #[test]
    fn numbers_are_exact_both_ways(
        small in any::<i64>(), large in any::<u64>(), signed in any::<i128>(), unsigned in any::<u128>(), float in double(),
    ) {
        let numbers = (small, large, signed, unsigned, float);
        let json = Json::from_serialize(&numbers).unwrap();
        let read: (i64, u64, i128, u128, f64) = json.deserialize().unwrap();
        prop_assert_eq!((read.0, read.1, read.2, read.3, read.4.to_bits()), (small, large, signed, unsigned, float.to_bits()));
        prop_assert_eq!(json.at(4).and_then(|value| value.as_f64()).map(f64::to_bits), Some(float.to_bits()));
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Everything {
    unit: (),
    option: Option<u8>,
    absent: Option<u8>,
    character: char,
    text: String,
    tuple: (bool, i128, f32),
    newtype: Meters,
    by_number: BTreeMap<u64, Vec<Shape>>,
    by_flag: BTreeMap<bool, ()>,
    by_variant: BTreeMap<Color, i8>,
    part: Json,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Meters(f64);

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Color {
    Red,
    Green,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Shape {
    Empty,
    Circle(f64),
    Line(i32, i32),
    Box { width: u16, height: u16 },
}

fn everything() -> Everything {
    Everything {
        unit: (),
        option: Some(3),
        absent: None,
        character: '🦋',
        text: "\"\u{0}".to_owned(),
        tuple: (true, i128::MIN, 0.5),
        newtype: Meters(1e300),
        by_number: BTreeMap::from([(
            u64::MAX,
            vec![Shape::Empty, Shape::Circle(1.0), Shape::Line(-1, 2), Shape::Box { width: 1, height: 2 }],
        )]),
        by_flag: BTreeMap::from([(true, ()), (false, ())]),
        by_variant: BTreeMap::from([(Color::Red, -1), (Color::Green, 1)]),
        part: Json::parse(&format!("[{}, {{\"$serde_json::private::Number\": \"7\"}}, 1.0]", "9".repeat(60))).unwrap(),
    }
}

#[test]
fn every_shape_of_type_goes_there_and_back() {
    let mut everything = everything();
    // A part of more than 128 bits cannot be serialized, so it is added afterwards.
    let part = std::mem::replace(&mut everything.part, Json::null());
    let json = Json::from_serialize(&everything).unwrap();
    assert_eq!(json.deserialize::<Everything>().unwrap(), everything);
    let theirs = serde_json::to_string(&everything).unwrap();
    assert_eq!(json, Json::parse(&theirs).unwrap());
    let with_part =
        json.entries().map(|(key, value)| (key, if key == "part" { part.clone() } else { value.to_owned() }));
    let read: Everything = Json::object(with_part).deserialize().unwrap();
    assert_eq!(read.part.to_string(), part.to_string());
}

#[test]
fn strings_can_be_borrowed() {
    let json = Json::parse(r#"{"a": "text"}"#).unwrap();
    let map: BTreeMap<&str, &str> = json.deserialize().unwrap();
    assert_eq!(map, BTreeMap::from([("a", "text")]));
}

#[test]
fn integral_floats_and_exact_integers_stand_in_for_one_another() {
    assert_eq!(Json::parse("3.0").unwrap().deserialize::<u8>().unwrap(), 3);
    assert_eq!(Json::parse("3").unwrap().deserialize::<f64>().unwrap(), 3.0);
    assert!(Json::parse("3.5").unwrap().deserialize::<u8>().is_err());
    assert!(Json::parse("256.0").unwrap().deserialize::<u8>().is_err());
    let error = Json::parse("[9007199254740993]").unwrap().deserialize::<Vec<f64>>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "at [0]: the integer 9007199254740993 does not fit a double exactly; send it as a string"
    );
}

#[test]
fn a_failed_conversion_names_the_innermost_place() {
    let path = |text: &str| Json::parse(text).unwrap().deserialize::<Everything>().unwrap_err().path;
    assert_eq!(path(r#"{"unit": 1}"#), "unit");
    assert_eq!(path(r#"{"unit": null}"#), "");
    let shape = |text: &str| Json::parse(text).unwrap().deserialize::<Vec<BTreeMap<u64, Shape>>>().unwrap_err().path;
    assert_eq!(shape(r#"[{}, {"1": {"Box": {"width": 1, "height": 99999}}}]"#), "[1][\"1\"].Box.height");
    assert_eq!(shape(r#"[{}, {"1": {"Box": {"width": 1}}}]"#), "[1][\"1\"].Box");
    assert_eq!(shape(r#"[{"1": {"Line": [1, 2, 3]}}]"#), "[0][\"1\"].Line");
    assert_eq!(shape(r#"[{"1": "Triangle"}]"#), "[0][\"1\"]");
    assert_eq!(shape(r#"[{"one": "Empty"}]"#), "[0].one");
    assert_eq!(shape(r#"[{"1": {"Empty": 1}}]"#), "[0][\"1\"].Empty");
    assert_eq!(shape(r#"[{"1": "Circle"}]"#), "[0][\"1\"]");
    assert_eq!(shape(r#"[{"1": {"Circle": 1, "Empty": null}}]"#), "[0][\"1\"]");
}

#[test]
fn what_is_not_lossless_is_not_serialized() {
    let cases = [
        (f64::NAN, NumberError::NotANumber),
        (f64::INFINITY, NumberError::Infinite),
        (-0.0, NumberError::NegativeZero),
    ];
    for (value, problem) in cases {
        let error = Json::from_serialize(&BTreeMap::from([("a", vec![1.0, value])])).unwrap_err();
        assert_eq!((error.path.as_str(), error.problem), ("a[1]", ConvertProblem::Number(problem)));
        assert_eq!(Json::try_from(value), Err(problem));
    }
    let error = Json::from_serialize(&BTreeMap::from([("a", BTreeMap::from([(vec![1], 1)]))])).unwrap_err();
    assert_eq!((error.path.as_str(), error.problem), ("a", ConvertProblem::Key));
    let value = serde_json::json!({"a": [-0.0]});
    assert_eq!(Json::from_value(&value).unwrap_err().path, "a[0]");
}

#[test]
fn an_integer_that_no_number_of_the_other_side_holds_is_an_error_with_its_path() {
    let json = Json::parse(r#"{"a": [18446744073709551616]}"#).unwrap();
    let error = json.to_value().unwrap_err();
    assert_eq!(
        error.to_string(),
        "at a[0]: the integer 18446744073709551616 does not fit a 64-bit integer; send it as a string"
    );
    let json = Json::parse(&format!("[{}]", "9".repeat(100))).unwrap();
    assert_eq!(json.deserialize::<Vec<u128>>().unwrap_err().path, "[0]");
    assert_eq!(
        Json::parse("[18446744073709551615,-9223372036854775808]").unwrap().to_value().unwrap(),
        serde_json::json!([u64::MAX, i64::MIN])
    );
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Nest(Vec<Nest>);

fn nest(levels: usize) -> Nest {
    (1..levels).fold(Nest(Vec::new()), |inner, _| Nest(vec![inner]))
}

#[test]
fn conversions_reach_128_levels_and_no_further() {
    let json = Json::from_serialize(&nest(128)).unwrap();
    assert_eq!(json.depth(), 128);
    assert_eq!(json.deserialize::<Nest>().unwrap(), nest(128));
    assert_eq!(Json::from_value(&json.to_value().unwrap()).unwrap(), json);
    assert_eq!(Json::from_serialize(&json).unwrap(), json);

    let deeper = Json::array([json]);
    let path = "[0][0][0][0][0][0][0][0]…(112 more)…[0][0][0][0][0][0][0][0]";
    let problem = ConvertProblem::TooDeep { limit: 128 };
    for error in [
        Json::from_serialize(&nest(129)).unwrap_err(),
        deeper.deserialize::<Nest>().unwrap_err(),
        deeper.to_value().unwrap_err(),
        Json::from_value(&deeper.to_value_with_depth(129).unwrap()).unwrap_err(),
    ] {
        assert_eq!((error.path.as_str(), error.problem), (path, problem.clone()));
    }
    assert!(Json::from_serialize(&deeper).is_err());
    let text = deeper.to_string();
    assert!(serde_json::Deserializer::from_str(&text).into_iter::<Json>().next().unwrap().is_err());
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Chain {
    End,
    Tuple(u8, Box<Chain>),
    Struct { next: Box<Chain> },
}

#[test]
fn a_variant_with_content_counts_as_two_levels() {
    let chain = |length: usize| {
        (0..length).fold(Chain::End, |next, nth| match nth % 2 {
            0 => Chain::Tuple(0, Box::new(next)),
            _ => Chain::Struct { next: Box::new(next) },
        })
    };
    let json = Json::from_serialize(&chain(64)).unwrap();
    assert_eq!(json.depth(), 128);
    assert_eq!(json.deserialize::<Chain>().unwrap(), chain(64));
    assert!(Json::from_serialize(&chain(65)).is_err());
}

#[test]
fn the_model_is_not_confused_by_a_key_that_another_library_uses() {
    let text = r#"{"$serde_json::private::Number":"7"}"#;
    let json = Json::parse(text).unwrap();
    assert_eq!(json.deserialize::<Json>().unwrap().to_string(), text);
    assert!(Model::Integer(7).json() != json);
}
