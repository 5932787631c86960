//! What a model is shown before it is asked: the sections of its prompt, and the tools of the request.
//!
//! ```text
//! sections of the scope, an inner one shadowing an outer one of its id
//!  + tools:code-only (order 99)    under `code`
//!  + tools:sdk (order 150)         under `code` and `both`
//! tools    native: what the scope sees    code: run_code    both: what the scope sees, and run_code
//!          those of `tool_order` first, the others by name
//!  -> listeners in order, each given the assembly so far and returning the next one
//! ```
//!
//! What comes out is final. A listener that takes `run_code` or its declarations away, or changes them, has taken charge of how
//! programs are asked for.
//!
//! ```
//! use dayfly_tools::{Assembly, NoArguments, Registry, Tool};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let registry = Registry::new();
//! let now = Tool::typed::<NoArguments, String>("now").render_plain().execute(async |_, _| Ok("noon".to_owned()))?;
//! let _now = registry.register(now)?;
//! registry.global().section("persona", 10, |scope| format!("You are {}.", scope.name()))?.keep();
//!
//! let agent = registry.scope("the clerk");
//! let assembly = agent.assemble().await?;
//! assert_eq!(assembly.text(), "You are the clerk.");
//! assert_eq!(assembly.tools[0].name, "now");
//! # Ok(())
//! # }
//! ```

mod assemble;
mod assembly;
mod declarations;
mod error;

pub use assembly::{Assembly, Section};
pub use error::AssemblyError;

pub(crate) use declarations::Declarations;

/// The id of the section that declares the tools to programs.
pub const SDK_SECTION: &str = "tools:sdk";
/// Its order: among the guidance about single tools.
pub const SDK_ORDER: i32 = 150;
/// The id of the section that says that `run_code` alone is called directly.
pub const CODE_ONLY_SECTION: &str = "tools:code-only";
/// Its order: before the guidance about single tools, which begins at 100.
pub const CODE_ONLY_ORDER: i32 = 99;
