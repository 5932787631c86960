//! Keys to types with `serde::Deserialize`.

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{Deserializer, Visitor};

use super::deserialize::{Located, visit_integer};
use super::lex::{Lexer, Token};

/// Reads a key: as text, or as the integer or boolean that a map is keyed by.
pub(super) struct KeyDeserializer<'de>(pub(super) &'de str);

impl<'de> KeyDeserializer<'de> {
    fn text<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Located> {
        visitor.visit_borrowed_str(self.0)
    }

    fn integer<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Located> {
        match Lexer::new(self.0).token() {
            Ok(Token::Number(token)) if !token.float && token.text == self.0 => visit_integer(self.0, visitor),
            _ => self.text(visitor),
        }
    }

    fn boolean<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Located> {
        match self.0 {
            "true" => visitor.visit_bool(true),
            "false" => visitor.visit_bool(false),
            _ => self.text(visitor),
        }
    }
}

macro_rules! through {
    ($way:ident: $($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Located> {
            self.$way(visitor)
        }
    )*};
}

impl<'de> Deserializer<'de> for KeyDeserializer<'de> {
    type Error = Located;

    through!(text: deserialize_any deserialize_char deserialize_str deserialize_string deserialize_identifier
        deserialize_bytes deserialize_byte_buf deserialize_unit deserialize_seq deserialize_map deserialize_ignored_any
        deserialize_f32 deserialize_f64);
    through!(boolean: deserialize_bool);
    through!(integer: deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128);

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Located> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Located> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Located> {
        BorrowedStrDeserializer::new(self.0).deserialize_enum(name, variants, visitor)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Located> {
        self.text(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Located> {
        self.text(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Located> {
        self.text(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Located> {
        self.text(visitor)
    }
}
