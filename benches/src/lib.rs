//! What the benches share: a host, interpreters started by themselves, and contests whose rounds alternate.

mod bare;
mod contest;
mod echo;
mod host;
mod peer;
mod player;

pub use bare::{Bare, imports};
pub use contest::{Contender, Contest, Standing};
pub use echo::EchoedPlayer;
pub use host::Host;
pub use peer::{Peer, PeerScript};
pub use player::Player;
