//! From types with `serde::Serialize`, straight onto a tape.

use serde::ser::{self, Serialize};

use super::convert::{ConvertError, ConvertProblem, MAX_CONVERSION_DEPTH};
use super::number::check_float;
use super::serialize_key::KeySerializer;
use super::tape::Tag;
use super::value_tree::write_number_text;
use super::{Json, Writer};

/// The name under which `serde_json` passes a number as text, when a feature of it is on anywhere in the build.
pub(super) const NUMBER_AS_TEXT: &str = "$serde_json::private::Number";

impl Json {
    /// The value of any type with `serde::Serialize`, with integers and doubles exact.
    ///
    /// ```
    /// use dayfly_runtime::Json;
    ///
    /// let json = Json::from_serialize(&(1, "two", [3.5], u64::MAX))?;
    /// assert_eq!(json.to_string(), r#"[1,"two",[3.5],18446744073709551615]"#);
    /// # Ok::<(), dayfly_runtime::json::ConvertError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ConvertError`] with the path: deeper than [`MAX_CONVERSION_DEPTH`], a double that is not lossless JSON, a key
    /// that is not text, or what the type's own code says.
    pub fn from_serialize<T: Serialize + ?Sized>(value: &T) -> Result<Self, ConvertError> {
        let mut writer = Writer::new();
        match value.serialize(ValueSerializer { writer: &mut writer, depth: 0 }) {
            Ok(()) => Ok(Self::from_tape(writer.finish())),
            Err(problem) => Err(problem.at(writer.path())),
        }
    }
}

type Done = Result<(), ConvertProblem>;

/// Writes one value.
struct ValueSerializer<'w> {
    writer: &'w mut Writer,
    depth: usize,
}

impl<'w> ValueSerializer<'w> {
    /// Opens a container, as the only entry of an object when it belongs to an enum's variant.
    fn open(self, variant: Option<&str>, tag: Tag) -> Result<Container<'w>, ConvertProblem> {
        let depth = self.depth + 1 + usize::from(variant.is_some());
        if depth > MAX_CONVERSION_DEPTH {
            return Err(ConvertProblem::TooDeep { limit: MAX_CONVERSION_DEPTH });
        }
        if let Some(variant) = variant {
            self.writer.begin(Tag::Object);
            self.writer.key(variant);
        }
        self.writer.begin(tag);
        Ok(Container { writer: self.writer, depth, ends: 1 + usize::from(variant.is_some()), number: false })
    }
}

macro_rules! integers {
    ($($method:ident($integer:ty))*) => {$(
        fn $method(self, value: $integer) -> Done {
            self.writer.integer(value);
            Ok(())
        }
    )*};
}

impl<'w> ser::Serializer for ValueSerializer<'w> {
    type Ok = ();
    type Error = ConvertProblem;
    type SerializeSeq = Container<'w>;
    type SerializeTuple = Container<'w>;
    type SerializeTupleStruct = Container<'w>;
    type SerializeTupleVariant = Container<'w>;
    type SerializeMap = Container<'w>;
    type SerializeStruct = Container<'w>;
    type SerializeStructVariant = Container<'w>;

    integers!(serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64) serialize_i128(i128)
        serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64) serialize_u128(u128));

    fn serialize_bool(self, value: bool) -> Done {
        self.writer.bool(value);
        Ok(())
    }

    fn serialize_f32(self, value: f32) -> Done {
        self.serialize_f64(f64::from(value))
    }

    fn serialize_f64(self, value: f64) -> Done {
        check_float(value)?;
        self.writer.float(value);
        Ok(())
    }

    fn serialize_char(self, value: char) -> Done {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Done {
        self.writer.text(Tag::String, value);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Done {
        value.serialize(self)
    }

    fn serialize_none(self) -> Done {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Done {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Done {
        self.writer.null();
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Done {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Done {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Done {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Done {
        let mut entry = self.open(None, Tag::Object)?;
        entry.entry(variant, value)?;
        entry.finish()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Container<'w>, ConvertProblem> {
        self.open(None, Tag::Array)
    }

    fn serialize_tuple(self, _: usize) -> Result<Container<'w>, ConvertProblem> {
        self.open(None, Tag::Array)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Container<'w>, ConvertProblem> {
        self.open(None, Tag::Array)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Container<'w>, ConvertProblem> {
        self.open(Some(variant), Tag::Array)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Container<'w>, ConvertProblem> {
        self.open(None, Tag::Object)
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Container<'w>, ConvertProblem> {
        if name == NUMBER_AS_TEXT {
            return Ok(Container { writer: self.writer, depth: self.depth, ends: 0, number: true });
        }
        self.open(None, Tag::Object)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Container<'w>, ConvertProblem> {
        self.open(Some(variant), Tag::Object)
    }
}

/// Writes what is inside an array or an object.
struct Container<'w> {
    writer: &'w mut Writer,
    depth: usize,
    /// How many containers end with this one.
    ends: usize,
    /// Whether this is no container but a number whose text is its only field.
    number: bool,
}

impl Container<'_> {
    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
        if self.writer.opens_object() && !self.writer.pending_key() {
            return Err(misuse("a value was given without its key"));
        }
        value.serialize(ValueSerializer { writer: self.writer, depth: self.depth })
    }

    fn entry<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) -> Done {
        if self.number {
            self.number = false;
            let text = value.serialize(KeySerializer)?;
            return write_number_text(&text, self.writer);
        }
        self.writer.key(key);
        self.value(value)
    }

    fn finish(self) -> Done {
        if self.number || self.writer.pending_key() {
            return Err(misuse("a key was given without its value"));
        }
        (0..self.ends).for_each(|_| self.writer.end());
        Ok(())
    }
}

/// An implementation of `Serialize` that does not keep its side of the contract.
fn misuse(what: &str) -> ConvertProblem {
    ConvertProblem::Message(format!("{what}; correct the type's implementation of Serialize"))
}

macro_rules! sequences {
    ($($of:ident::$method:ident)*) => {$(
        impl ser::$of for Container<'_> {
            type Ok = ();
            type Error = ConvertProblem;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
                self.value(value)
            }

            fn end(self) -> Done {
                self.finish()
            }
        }
    )*};
}

sequences!(SerializeSeq::serialize_element SerializeTuple::serialize_element
    SerializeTupleStruct::serialize_field SerializeTupleVariant::serialize_field);

macro_rules! structs {
    ($($of:ident)*) => {$(
        impl ser::$of for Container<'_> {
            type Ok = ();
            type Error = ConvertProblem;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Done {
                self.entry(key, value)
            }

            fn end(self) -> Done {
                self.finish()
            }
        }
    )*};
}

structs!(SerializeStruct SerializeStructVariant);

impl ser::SerializeMap for Container<'_> {
    type Ok = ();
    type Error = ConvertProblem;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Done {
        let key = key.serialize(KeySerializer)?;
        if self.writer.pending_key() {
            return Err(misuse("a key was given without its value"));
        }
        self.writer.key(&key);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
        self.value(value)
    }

    fn end(self) -> Done {
        self.finish()
    }
}
