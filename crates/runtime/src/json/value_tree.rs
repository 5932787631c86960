//! To and from `serde_json::Value`, without its parser and whatever its features.

use serde_json::{Map, Number, Value};

use super::convert::{ConvertError, ConvertProblem, MAX_CONVERSION_DEPTH, check_depth};
use super::lex::{Lexer, Token};
use super::number::{self, MAX_NUMBER_DIGITS};
use super::tape::Tag;
use super::walk::Walk;
use super::{Json, JsonRef, Writer};

impl Json {
    /// The same value as a `serde_json::Value`, exactly, up to [`MAX_CONVERSION_DEPTH`] levels.
    ///
    /// # Errors
    ///
    /// [`ConvertProblem::TooDeep`], and [`ConvertProblem::Integer`] for an integer that neither an `i64` nor a `u64`
    /// holds.
    pub fn to_value(&self) -> Result<Value, ConvertError> {
        self.root().to_value()
    }

    /// The same with another cap: `Value` recurses when it is cloned, compared, printed and dropped.
    ///
    /// # Errors
    ///
    /// As [`Json::to_value`].
    pub fn to_value_with_depth(&self, limit: usize) -> Result<Value, ConvertError> {
        self.root().to_value_with_depth(limit)
    }

    /// The same value as a `Json`, exactly, up to [`MAX_CONVERSION_DEPTH`] levels.
    ///
    /// # Errors
    ///
    /// [`ConvertProblem::TooDeep`]; [`ConvertProblem::Number`] and [`ConvertProblem::NumberText`] for numbers that are
    /// not lossless, such as negative zero.
    pub fn from_value(value: &Value) -> Result<Self, ConvertError> {
        Self::from_value_with_depth(value, MAX_CONVERSION_DEPTH)
    }

    /// The same with another cap.
    ///
    /// # Errors
    ///
    /// As [`Json::from_value`].
    pub fn from_value_with_depth(value: &Value, limit: usize) -> Result<Self, ConvertError> {
        let mut writer = Writer::new();
        match read_tree(value, limit, &mut writer) {
            Ok(()) => Ok(Self::from_tape(writer.finish())),
            Err(problem) => Err(problem.at(writer.path())),
        }
    }
}

impl JsonRef<'_> {
    /// The same value as a `serde_json::Value`; see [`Json::to_value`].
    ///
    /// # Errors
    ///
    /// As [`Json::to_value`].
    pub fn to_value(self) -> Result<Value, ConvertError> {
        self.to_value_with_depth(MAX_CONVERSION_DEPTH)
    }

    /// The same with another cap; see [`Json::to_value_with_depth`].
    ///
    /// # Errors
    ///
    /// As [`Json::to_value`].
    pub fn to_value_with_depth(self, limit: usize) -> Result<Value, ConvertError> {
        check_depth(self, limit)?;
        let mut walk = Walk::new(self);
        let mut root = Value::Null;
        // The containers around the current value, each with the key under which it belongs to the one around it.
        let mut open: Vec<(Option<&str>, Value)> = Vec::new();
        while let Some(value) = walk.step() {
            while open.len() > walk.depth() {
                close(&mut open, &mut root);
            }
            let leaf = match value.node().tag() {
                Tag::Null => Value::Null,
                Tag::Bool => Value::Bool(value.node().value() == 1),
                Tag::Integer | Tag::Float => {
                    Value::Number(to_number(value).map_err(|problem| problem.at(walk.path()))?)
                }
                Tag::String | Tag::Dead => Value::String(value.as_str().unwrap_or_default().to_owned()),
                Tag::Array => Value::Array(Vec::with_capacity(value.len())),
                Tag::Object => Value::Object(Map::with_capacity(value.len())),
            };
            if value.node().is_container() {
                open.push((walk.key(), leaf));
            } else {
                put(&mut open, &mut root, walk.key(), leaf);
            }
        }
        while !open.is_empty() {
            close(&mut open, &mut root);
        }
        Ok(root)
    }
}

/// Puts the innermost open container where it belongs.
fn close(open: &mut Vec<(Option<&str>, Value)>, root: &mut Value) {
    if let Some((key, value)) = open.pop() {
        put(open, root, key, value);
    }
}

fn put(open: &mut [(Option<&str>, Value)], root: &mut Value, key: Option<&str>, value: Value) {
    match (open.last_mut().map(|(_, container)| container), key) {
        (Some(Value::Array(items)), _) => items.push(value),
        (Some(Value::Object(entries)), Some(key)) => drop(entries.insert(key.to_owned(), value)),
        _ => *root = value,
    }
}

fn to_number(value: JsonRef<'_>) -> Result<Number, ConvertProblem> {
    let text = value.number_text().unwrap_or_default();
    if value.is_float() {
        return Number::from_f64(number::to_f64(text))
            .ok_or_else(|| ConvertProblem::NumberText(format!("the number {text} is not finite")));
    }
    let signed = text.parse::<i64>().map(Number::from);
    signed
        .or_else(|_| text.parse::<u64>().map(Number::from))
        .map_err(|_| ConvertProblem::integer(text, "a 64-bit integer"))
}

/// What is left to read of a container.
enum Rest<'v> {
    Array(std::slice::Iter<'v, Value>),
    Object(serde_json::map::Iter<'v>),
}

fn read_tree(root: &Value, limit: usize, writer: &mut Writer) -> Result<(), ConvertProblem> {
    let mut open: Vec<Rest<'_>> = Vec::new();
    let mut value = root;
    loop {
        match value {
            Value::Null => writer.null(),
            Value::Bool(value) => writer.bool(*value),
            // The number's text is exact under every feature of serde_json; its accessors are not.
            Value::Number(value) => write_number_text(&value.to_string(), writer)?,
            Value::String(value) => writer.text(Tag::String, value),
            Value::Array(_) | Value::Object(_) if open.len() >= limit => {
                return Err(ConvertProblem::TooDeep { limit });
            }
            Value::Array(items) => {
                writer.begin(Tag::Array);
                open.push(Rest::Array(items.iter()));
            }
            Value::Object(entries) => {
                writer.begin(Tag::Object);
                open.push(Rest::Object(entries.iter()));
            }
        }
        value = loop {
            let next = match open.last_mut() {
                None => return Ok(()),
                Some(Rest::Array(items)) => items.next(),
                Some(Rest::Object(entries)) => entries.next().map(|(key, value)| {
                    writer.key(key);
                    value
                }),
            };
            match next {
                Some(next) => break next,
                None => {
                    writer.end();
                    open.pop();
                }
            }
        };
    }
}

/// Writes a number that another library gives as text.
pub(super) fn write_number_text(text: &str, writer: &mut Writer) -> Result<(), ConvertProblem> {
    let refuse = |what: &str| Err(ConvertProblem::NumberText(format!("a number {what}; send it as a string")));
    let mut lexer = Lexer::new(text);
    let (Ok(Token::Number(token)), Ok(Token::End)) = (lexer.token(), lexer.token()) else {
        return refuse("is not one of JSON's");
    };
    if token.digits > MAX_NUMBER_DIGITS {
        return refuse("has too many digits");
    }
    if token.float {
        let value = number::to_f64(text);
        number::check_float(value)?;
        writer.float(value);
    } else if text == "-0" {
        return Err(ConvertProblem::Number(number::NumberError::NegativeZero));
    } else {
        writer.text(Tag::Integer, text);
    }
    Ok(())
}
