//! A small vocabulary of values, for those who want neither Rust types nor JSON by hand: it makes ordinary JSON Schema.
//!
//! Constants have the type of what they constrain, an object says whether it is open or closed, and a tool's parameters
//! are an open object without saying so. Anything else that JSON Schema has is one `keyword` away.
//!
//! ```
//! use dayfly_tools::schema::{IntoSchema as _, Parameters, ValueSpec};
//!
//! let parameters = Parameters::new()
//!     .required("path", ValueSpec::string().description("Absolute file path"))
//!     .optional("limit", ValueSpec::integer().keyword("minimum", 1));
//! assert_eq!(
//!     parameters.into_schema()?.to_string(),
//!     concat!(
//!         r#"{"type":"object","properties":{"path":{"type":"string","description":"Absolute file path"},"#,
//!         r#""limit":{"type":"integer","minimum":1}},"required":["path"]}"#
//!     ),
//! );
//!
//! let verdict = ValueSpec::one_of(ValueSpec::string().const_value("yes"))
//!     .or(ValueSpec::closed_object().required("no", ValueSpec::string().enum_values(["late", "wrong"])));
//! assert_eq!(
//!     verdict.into_schema()?.to_string(),
//!     concat!(
//!         r#"{"oneOf":[{"type":"string","const":"yes"},{"type":"object","properties":{"#,
//!         r#""no":{"type":"string","enum":["late","wrong"]}},"required":["no"],"additionalProperties":false}]}"#
//!     ),
//! );
//! # Ok::<(), dayfly_tools::schema::SchemaError>(())
//! ```

mod object;
mod scalar;
mod value;

pub use object::{ObjectSpec, Parameters};
pub use scalar::{Scalar, ScalarSpec};
pub use value::{ArraySpec, OneOfSpec, ValueSpec};
