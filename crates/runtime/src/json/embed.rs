//! A [`Json`] as a field of types that go through serde.

use std::fmt;

use serde::de::{self, Deserialize, DeserializeSeed, Visitor};
use serde::ser::{self, Serialize, Serializer};

use super::convert::{ConvertProblem, MAX_CONVERSION_DEPTH};
use super::number::{self, check_float};
use super::serialize::NUMBER_AS_TEXT;
use super::tape::Tag;
use super::value_tree::write_number_text;
use super::{Json, JsonRef, ParseLimits, Writer};

/// Exact for integers of up to 128 bits and for doubles; an error beyond, and deeper than [`MAX_CONVERSION_DEPTH`].
impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.root().serialize(serializer)
    }
}

/// Exact for integers of up to 128 bits and for doubles; an error beyond, and deeper than [`MAX_CONVERSION_DEPTH`].
impl Serialize for JsonRef<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.check_depth(MAX_CONVERSION_DEPTH).map_err(ser::Error::custom)?;
        Part(*self).serialize(serializer)
    }
}

/// A value whose depth has been checked.
struct Part<'a>(JsonRef<'a>);

impl Serialize for Part<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = self.0;
        let text = value.number_text().unwrap_or_default();
        match value.node().tag() {
            Tag::Null => serializer.serialize_unit(),
            Tag::Bool => serializer.serialize_bool(value.node().value() == 1),
            Tag::Integer => serialize_integer(text, serializer),
            Tag::Float => serializer.serialize_f64(number::to_f64(text)),
            Tag::String | Tag::Dead => serializer.serialize_str(value.as_str().unwrap_or_default()),
            Tag::Array => serializer.collect_seq(value.items().map(Part)),
            Tag::Object => serializer.collect_map(value.entries().map(|(key, value)| (key, Part(value)))),
        }
    }
}

fn serialize_integer<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    if let Ok(value) = text.parse() {
        serializer.serialize_u64(value)
    } else if let Ok(value) = text.parse() {
        serializer.serialize_i64(value)
    } else if let Ok(value) = text.parse() {
        serializer.serialize_u128(value)
    } else if let Ok(value) = text.parse() {
        serializer.serialize_i128(value)
    } else {
        Err(ser::Error::custom(ConvertProblem::integer(text, "128 bits")))
    }
}

/// Whatever a self-describing format holds; an error for what is not lossless JSON, and deeper than
/// [`MAX_CONVERSION_DEPTH`].
///
/// Numbers are as exact as the format's own parser: [`Json::parse`] is the one to use on text.
impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(WHOLE_VALUE, WholeVisitor)
    }
}

/// The name under which a [`Json`] asks its own deserializer for a value as it stands.
///
/// Without it a hostile object with the key [`NUMBER_AS_TEXT`] would turn into a number on its way from one `Json` into
/// another.
pub(super) const WHOLE_VALUE: &str = "$dayfly::Json";

/// Takes a value from any format, or as text from this module's own deserializer.
struct WholeVisitor;

impl<'de> Visitor<'de> for WholeVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_newtype_struct<D: de::Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        let mut writer = Writer::new();
        ValueSeed { writer: &mut writer, depth: 0 }.deserialize(deserializer)?;
        Ok(Json::from_tape(writer.finish()))
    }

    fn visit_bytes<E: de::Error>(self, text: &[u8]) -> Result<Json, E> {
        Json::parse_with(text, &ParseLimits::TRUSTED).map(|parsed| parsed.json).map_err(E::custom)
    }
}

/// Writes the value that it is shown.
struct ValueSeed<'w> {
    writer: &'w mut Writer,
    depth: usize,
}

impl ValueSeed<'_> {
    fn inner(&mut self) -> ValueSeed<'_> {
        ValueSeed { writer: self.writer, depth: self.depth + 1 }
    }

    fn check_depth<E: de::Error>(&self) -> Result<(), E> {
        if self.depth < MAX_CONVERSION_DEPTH {
            return Ok(());
        }
        Err(E::custom(ConvertProblem::TooDeep { limit: MAX_CONVERSION_DEPTH }))
    }
}

impl<'de> DeserializeSeed<'de> for ValueSeed<'_> {
    type Value = ();

    fn deserialize<D: de::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

macro_rules! integers {
    ($($method:ident($integer:ty))*) => {$(
        fn $method<E: de::Error>(self, value: $integer) -> Result<(), E> {
            self.writer.integer(value);
            Ok(())
        }
    )*};
}

impl<'de> Visitor<'de> for ValueSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    integers!(visit_i64(i64) visit_u64(u64) visit_i128(i128) visit_u128(u128));

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<(), E> {
        self.writer.bool(value);
        Ok(())
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<(), E> {
        check_float(value).map_err(E::custom)?;
        self.writer.float(value);
        Ok(())
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<(), E> {
        self.writer.text(Tag::String, value);
        Ok(())
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        self.writer.null();
        Ok(())
    }

    fn visit_none<E: de::Error>(self) -> Result<(), E> {
        self.visit_unit()
    }

    fn visit_some<D: de::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_newtype_struct<D: de::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_seq<A: de::SeqAccess<'de>>(mut self, mut items: A) -> Result<(), A::Error> {
        self.check_depth()?;
        self.writer.begin(Tag::Array);
        while items.next_element_seed(self.inner())?.is_some() {}
        self.writer.end();
        Ok(())
    }

    fn visit_map<A: de::MapAccess<'de>>(mut self, mut entries: A) -> Result<(), A::Error> {
        let mut key = entries.next_key::<String>()?;
        if key.as_deref() == Some(NUMBER_AS_TEXT) {
            let text = entries.next_value::<String>()?;
            return write_number_text(&text, self.writer).map_err(de::Error::custom);
        }
        self.check_depth()?;
        self.writer.begin(Tag::Object);
        while let Some(name) = key {
            self.writer.key(&name);
            entries.next_value_seed(self.inner())?;
            key = entries.next_key()?;
        }
        self.writer.end();
        Ok(())
    }
}
