//! A body returns what its tool declares, and nothing else.

use dayfly_tools::{NoArguments, Tool};

fn main() {
    let _ = Tool::typed::<NoArguments, String>("count").render_plain().execute(|_, _| async { Ok(1) });
}
