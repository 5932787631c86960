//! An object says whether it takes other properties.

use dayfly_tools::schema::ValueSpec;

fn main() {
    let _ = ValueSpec::object().required("a", ValueSpec::string());
}
