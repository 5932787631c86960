//! Where a run stands among the runs around it.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// Where a run stands among the runs around it: opaque to all but the runtime that made it.
///
/// A runtime gives one to each [`Call`](crate::Call). Whoever runs a program because of that call, from whatever task, gives it
/// back [with the request](crate::RunRequest::within), so that the inner run does not wait for a place that the outer one
/// holds. A runtime that is given another one's treats it as none.
#[derive(Clone, Default)]
pub struct Standing(Option<Arc<dyn Any + Send + Sync>>);

impl Standing {
    /// What the runtime wants to find again.
    #[must_use]
    pub fn new(of: impl Any + Send + Sync) -> Self {
        Self(Some(Arc::new(of)))
    }

    /// What the runtime put there, when it is of this type.
    #[must_use]
    pub fn get<T: Any>(&self) -> Option<&T> {
        self.0.as_ref()?.downcast_ref()
    }
}

impl fmt::Debug for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Standing(inner)" } else { "Standing(outermost)" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_who_knows_the_type_finds_it_again() {
        let standing = Standing::new(7_u8);
        assert_eq!((standing.get::<u8>(), standing.get::<u16>()), (Some(&7), None));
        assert_eq!(Standing::default().get::<u8>(), None);
        assert_eq!(format!("{standing:?} {:?}", Standing::default()), "Standing(inner) Standing(outermost)");
    }
}
