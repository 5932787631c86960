//! The constants of a scalar have its type.

use dayfly_tools::schema::ValueSpec;

fn main() {
    let _ = ValueSpec::integer().enum_values(["one", "two"]);
    let _ = ValueSpec::string().const_value(1);
}
