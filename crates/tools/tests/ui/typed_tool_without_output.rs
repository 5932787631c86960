//! A typed tool that does not say how its value is rendered has no body.

use dayfly_tools::{NoArguments, Tool};

fn main() {
    let _ = Tool::typed::<NoArguments, String>("greet")
        .description("Greets")
        .execute(|_, _| async { Ok("hello".to_owned()) });
}
