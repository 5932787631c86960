//! Panics of others, kept from going further.

use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

use dayfly_runtime::BoxFuture;

/// A panic that was caught, with its message when it is text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Panicked(pub(crate) String);

/// Runs something of a user's.
pub(crate) fn contain<T>(run: impl FnOnce() -> T) -> Result<T, Panicked> {
    catch_unwind(AssertUnwindSafe(run)).map_err(Panicked::from_payload)
}

impl Panicked {
    fn from_payload(payload: Box<dyn Any + Send>) -> Self {
        let text = payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned());
        if let Some(text) = text {
            return Self(text);
        }
        // A payload of a type of its own may panic when it is dropped, and there is no end to that.
        std::mem::forget(payload);
        Self("a value that is not text".to_owned())
    }
}

/// A future of a user's: making it, polling it and dropping it may each panic.
pub(crate) struct Contained<T> {
    state: State<T>,
}

enum State<T> {
    Running(BoxFuture<'static, T>),
    Broken(Panicked),
    Ended,
}

impl<T> Contained<T> {
    pub(crate) fn new(make: impl FnOnce() -> BoxFuture<'static, T>) -> Self {
        Self {
            state: match contain(make) {
                Ok(future) => State::Running(future),
                Err(panicked) => State::Broken(panicked),
            },
        }
    }

    /// Ends the future where it stands.
    fn end(&mut self) -> Option<Panicked> {
        match std::mem::replace(&mut self.state, State::Ended) {
            State::Running(future) => contain(move || drop(future)).err(),
            State::Broken(panicked) => Some(panicked),
            State::Ended => None,
        }
    }
}

impl<T> Future for Contained<T> {
    type Output = Result<T, Panicked>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let polled = match &mut self.state {
            State::Running(future) => contain(|| future.as_mut().poll(cx)),
            State::Broken(panicked) => Err(panicked.clone()),
            State::Ended => return Poll::Pending,
        };
        match polled {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(value)) => {
                // The value is there: what its future does when it goes cannot take it back.
                let _late = self.end();
                Poll::Ready(Ok(value))
            }
            Err(panicked) => {
                let _later = self.end();
                Poll::Ready(Err(panicked))
            }
        }
    }
}

impl<T> Drop for Contained<T> {
    fn drop(&mut self) {
        let _panicked = self.end();
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    struct PanicsWhenDropped;

    impl Drop for PanicsWhenDropped {
        fn drop(&mut self) {
            panic!("dropped");
        }
    }

    #[test]
    fn a_payload_that_panics_when_it_is_dropped_is_not_dropped() {
        let caught = contain(|| std::panic::panic_any(PanicsWhenDropped));
        assert_eq!(caught, Err(Panicked("a value that is not text".to_owned())));
    }

    #[test]
    fn making_polling_and_dropping_are_contained() {
        let made: Contained<()> = Contained::new(|| panic!("made"));
        assert_eq!(made.now_or_never(), Some(Err(Panicked("made".to_owned()))));
        let polled: Contained<()> = Contained::new(|| async { panic!("polled {}", 1) }.boxed());
        assert_eq!(polled.now_or_never(), Some(Err(Panicked("polled 1".to_owned()))));
        let mut dropped: Contained<()> = Contained::new(|| {
            let held = PanicsWhenDropped;
            async move {
                let _held = &held;
                std::future::pending().await
            }
            .boxed()
        });
        assert_eq!((&mut dropped).now_or_never(), None);
        drop(dropped);
    }
}
