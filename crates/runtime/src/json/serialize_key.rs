//! Keys from types with `serde::Serialize`.

use serde::ser::{Impossible, Serialize, Serializer};

use super::convert::ConvertProblem;

/// Gives the text of a key, and refuses what has none that is obvious.
pub(super) struct KeySerializer;

type Text = Result<String, ConvertProblem>;
type Never = Impossible<String, ConvertProblem>;

macro_rules! printed {
    ($($method:ident($type:ty))*) => {$(
        fn $method(self, value: $type) -> Text {
            Ok(value.to_string())
        }
    )*};
}

impl Serializer for KeySerializer {
    type Ok = String;
    type Error = ConvertProblem;
    type SerializeSeq = Never;
    type SerializeTuple = Never;
    type SerializeTupleStruct = Never;
    type SerializeTupleVariant = Never;
    type SerializeMap = Never;
    type SerializeStruct = Never;
    type SerializeStructVariant = Never;

    printed!(serialize_bool(bool) serialize_char(char) serialize_str(&str)
        serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64) serialize_i128(i128)
        serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64) serialize_u128(u128));

    fn serialize_f32(self, _: f32) -> Text {
        Err(ConvertProblem::Key)
    }

    fn serialize_f64(self, _: f64) -> Text {
        Err(ConvertProblem::Key)
    }

    fn serialize_bytes(self, _: &[u8]) -> Text {
        Err(ConvertProblem::Key)
    }

    fn serialize_none(self) -> Text {
        Err(ConvertProblem::Key)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Text {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Text {
        Err(ConvertProblem::Key)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Text {
        Err(ConvertProblem::Key)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Text {
        Ok(variant.to_owned())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Text {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(self, _: &'static str, _: u32, _: &'static str, _: &T) -> Text {
        Err(ConvertProblem::Key)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Never, ConvertProblem> {
        Err(ConvertProblem::Key)
    }

    fn serialize_tuple(self, _: usize) -> Result<Never, ConvertProblem> {
        Err(ConvertProblem::Key)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Never, ConvertProblem> {
        Err(ConvertProblem::Key)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Never, ConvertProblem> {
        Err(ConvertProblem::Key)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Never, ConvertProblem> {
        Err(ConvertProblem::Key)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Never, ConvertProblem> {
        Err(ConvertProblem::Key)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Never, ConvertProblem> {
        Err(ConvertProblem::Key)
    }
}
