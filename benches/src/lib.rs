//! What the benches share: a host, interpreters started by themselves, and contests whose rounds alternate.

mod bare;
mod contest;
mod host;

pub use bare::{Bare, imports};
pub use contest::{Contender, Contest, Standing};
pub use host::Host;
