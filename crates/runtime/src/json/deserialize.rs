//! To types with `serde::Deserialize`, straight from a tape.

use std::fmt;

use serde::de::{self, Deserialize, DeserializeSeed, Visitor};

use super::convert::{ConvertError, ConvertProblem, MAX_CONVERSION_DEPTH, check_depth};
use super::deserialize_key::KeyDeserializer;
use super::embed::WHOLE_VALUE;
use super::tape::Tag;
use super::view::{Entries, Items};
use super::walk::Walk;
use super::{Json, JsonRef, number};

impl Json {
    /// The value as any type with `serde::Deserialize`, with integers and doubles exact.
    ///
    /// Strings may be borrowed from the value. A float that is integral, such as `3.0`, is accepted where the type asks
    /// for an integer, and an integer where it asks for a double when it is exactly one.
    ///
    /// ```
    /// use dayfly_runtime::Json;
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Point {
    ///     x: f64,
    ///     y: i64,
    /// }
    ///
    /// let point: Point = Json::parse(r#"{"x": 0.5, "y": 2}"#)?.deserialize()?;
    /// assert_eq!((point.x, point.y), (0.5, 2));
    /// let error = Json::parse(r#"{"x": 0.5, "y": "two"}"#)?.deserialize::<Point>().err();
    /// assert_eq!(error.map(|error| error.path), Some("y".to_owned()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ConvertError`] with the path: deeper than [`MAX_CONVERSION_DEPTH`], an integer of more than 128 bits, or what
    /// the type's own code says.
    pub fn deserialize<'de, T: Deserialize<'de>>(&'de self) -> Result<T, ConvertError> {
        self.root().deserialize()
    }
}

impl<'de> JsonRef<'de> {
    /// The value as any type with `serde::Deserialize`; see [`Json::deserialize`].
    ///
    /// # Errors
    ///
    /// As [`Json::deserialize`].
    pub fn deserialize<T: Deserialize<'de>>(self) -> Result<T, ConvertError> {
        check_depth(self, MAX_CONVERSION_DEPTH)?;
        T::deserialize(ValueDeserializer(self)).map_err(|error| error.problem.at(self.path_to(error.index)))
    }

    /// The path from here to the value whose node is at `index`.
    fn path_to(self, index: Option<usize>) -> String {
        let mut walk = Walk::new(self);
        while let Some(value) = walk.step() {
            if Some(value.index) == index {
                return walk.path();
            }
        }
        String::new()
    }
}

/// A problem, and the innermost value that has it.
#[derive(Debug)]
pub(super) struct Located {
    problem: ConvertProblem,
    index: Option<usize>,
}

impl Located {
    /// The first value to be named is the innermost.
    fn at(mut self, value: JsonRef<'_>) -> Self {
        self.index = self.index.or(Some(value.index));
        self
    }
}

impl From<ConvertProblem> for Located {
    fn from(problem: ConvertProblem) -> Self {
        Self { problem, index: None }
    }
}

impl fmt::Display for Located {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.problem.fmt(f)
    }
}

impl std::error::Error for Located {}

impl de::Error for Located {
    fn custom<T: fmt::Display>(message: T) -> Self {
        ConvertProblem::Message(message.to_string()).into()
    }
}

/// Reads one value.
struct ValueDeserializer<'de>(JsonRef<'de>);

impl<'de> ValueDeserializer<'de> {
    fn any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Located> {
        let value = self.0;
        let text = value.number_text().unwrap_or_default();
        match value.node().tag() {
            Tag::Null => visitor.visit_unit(),
            Tag::Bool => visitor.visit_bool(value.node().value() == 1),
            Tag::Integer => visit_integer(text, visitor),
            Tag::Float => visitor.visit_f64(number::to_f64(text)),
            Tag::String | Tag::Dead => visitor.visit_borrowed_str(value.as_str().unwrap_or_default()),
            Tag::Array => {
                let mut items = ItemAccess(value.items());
                let result = visitor.visit_seq(&mut items)?;
                let left = items.0.len();
                if left == 0 {
                    return Ok(result);
                }
                let read = value.len() - left;
                Err(de::Error::invalid_length(value.len(), &format!("an array of {read} elements").as_str()))
            }
            Tag::Object => visitor.visit_map(EntryAccess { entries: value.entries(), value: None }),
        }
    }

    fn integer<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Located> {
        let integral = self.0.number_text().filter(|_| self.0.is_float()).map(number::to_f64);
        match integral.and_then(number::integral_text) {
            Some(text) => visit_integer(&text, visitor),
            None => self.any(visitor),
        }
    }

    fn float<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Located> {
        match self.0.number_text() {
            Some(text) if !self.0.is_float() && !number::is_exact_double(text) => {
                Err(ConvertProblem::integer(text, "a double exactly").into())
            }
            Some(text) => visitor.visit_f64(number::to_f64(text)),
            None => self.any(visitor),
        }
    }
}

/// Hands an integer over in the narrowest of the types that are usual.
pub(super) fn visit_integer<'de, V: Visitor<'de>>(text: &str, visitor: V) -> Result<V::Value, Located> {
    if let Ok(value) = text.parse() {
        visitor.visit_u64(value)
    } else if let Ok(value) = text.parse() {
        visitor.visit_i64(value)
    } else if let Ok(value) = text.parse() {
        visitor.visit_u128(value)
    } else if let Ok(value) = text.parse() {
        visitor.visit_i128(value)
    } else {
        Err(ConvertProblem::integer(text, "128 bits").into())
    }
}

macro_rules! through {
    ($way:ident: $($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Located> {
            let value = self.0;
            self.$way(visitor).map_err(|error| error.at(value))
        }
    )*};
}

impl<'de> de::Deserializer<'de> for ValueDeserializer<'de> {
    type Error = Located;

    through!(any: deserialize_any deserialize_bool deserialize_char deserialize_str deserialize_string deserialize_unit
        deserialize_seq deserialize_map deserialize_identifier deserialize_bytes deserialize_byte_buf);
    through!(integer: deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128);
    through!(float: deserialize_f32 deserialize_f64);

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Located> {
        let value = self.0;
        let result = if value.is_null() { visitor.visit_none() } else { visitor.visit_some(self) };
        result.map_err(|error| error.at(value))
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Located> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Located> {
        let value = self.0;
        if name == WHOLE_VALUE {
            return visitor.visit_bytes(value.to_string().as_bytes());
        }
        visitor.visit_newtype_struct(self).map_err(|error| error.at(value))
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Located> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Located> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Located> {
        // An array of the fields in order is accepted as well, as derived code offers it.
        self.deserialize_any(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Located> {
        let value = self.0;
        let mut entries = value.entries();
        let access = match (value.as_str(), entries.next(), entries.next()) {
            (Some(variant), _, _) => VariantOf { variant, content: None },
            (None, Some((variant, content)), None) => VariantOf { variant, content: Some(content) },
            _ => {
                let message = "expected a variant: its name as a string, or an object whose only key is its name";
                return Err(Located::from(ConvertProblem::Message(message.to_owned())).at(value));
            }
        };
        visitor.visit_enum(access).map_err(|error| error.at(value))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Located> {
        visitor.visit_unit()
    }
}

struct ItemAccess<'de>(Items<'de>);

impl<'de> de::SeqAccess<'de> for &mut ItemAccess<'de> {
    type Error = Located;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Located> {
        self.0.next().map(|item| seed.deserialize(ValueDeserializer(item))).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

struct EntryAccess<'de> {
    entries: Entries<'de>,
    value: Option<JsonRef<'de>>,
}

impl<'de> de::MapAccess<'de> for EntryAccess<'de> {
    type Error = Located;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Located> {
        let Some((key, value)) = self.entries.next() else { return Ok(None) };
        self.value = Some(value);
        seed.deserialize(KeyDeserializer(key)).map(Some).map_err(|error| error.at(value))
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Located> {
        let value = self.value.take();
        let value = value.ok_or_else(|| <Located as de::Error>::custom("a value was asked for before its key"))?;
        seed.deserialize(ValueDeserializer(value))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.entries.len())
    }
}

/// The variant of an enum, and what it holds.
struct VariantOf<'de> {
    variant: &'de str,
    content: Option<JsonRef<'de>>,
}

impl<'de> de::EnumAccess<'de> for VariantOf<'de> {
    type Error = Located;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Located> {
        let variant: de::value::BorrowedStrDeserializer<'de, Located> =
            de::value::BorrowedStrDeserializer::new(self.variant);
        Ok((seed.deserialize(variant)?, self))
    }
}

impl<'de> VariantOf<'de> {
    fn content(&self, expected: &str) -> Result<ValueDeserializer<'de>, Located> {
        self.content
            .map(ValueDeserializer)
            .ok_or_else(|| de::Error::invalid_type(de::Unexpected::UnitVariant, &expected))
    }
}

impl<'de> de::VariantAccess<'de> for VariantOf<'de> {
    type Error = Located;

    fn unit_variant(self) -> Result<(), Located> {
        self.content.map_or(Ok(()), |content| Deserialize::deserialize(ValueDeserializer(content)))
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Located> {
        seed.deserialize(self.content("a variant with a value")?)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Located> {
        de::Deserializer::deserialize_seq(self.content("a variant with an array")?, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, Located> {
        de::Deserializer::deserialize_any(self.content("a variant with an object")?, visitor)
    }
}
