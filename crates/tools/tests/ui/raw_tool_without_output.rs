//! A raw tool that does not declare its output has no body.

use dayfly_tools::schema::Parameters;
use dayfly_tools::{Json, Tool};

fn main() {
    let _ = Tool::raw("greet", Parameters::new()).execute(|_, _| async { Ok(Json::from("hello")) });
}
