//! Time for what a machine that stands still for a moment, or has other things to do, can spoil.

use std::panic::AssertUnwindSafe;

use futures_util::FutureExt as _;

/// How many times as long a second and a third try may take as the first.
pub(crate) const LONGER: [u32; 2] = [4, 16];

/// Tries `test` with its limits as they are, then with four times and with sixteen times as much.
///
/// For what must happen before a limit that is itself part of the test, such as a line that is printed before the wall:
/// with a limit that is near, a machine that stands still for a second spoils it; with one that is far, every run would
/// wait for it. What is wrong with Dayfly is wrong with any limit, and fails three times.
///
/// # Panics
///
/// As `test` does the third time.
pub async fn with_more_time(test: impl AsyncFn(u32)) {
    let [longer, longest] = LONGER;
    for times in [1, longer] {
        // What failed is printed by the panic itself, and nothing that the next try uses has seen it.
        if AssertUnwindSafe(test(times)).catch_unwind().await.is_ok() {
            return;
        }
    }
    test(longest).await;
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[tokio::test]
    async fn the_first_try_that_succeeds_is_the_last() {
        for enough in [1, 4, 16] {
            let tried = RefCell::new(Vec::new());
            with_more_time(async |times| {
                tried.borrow_mut().push(times);
                assert!(times >= enough, "{times} is too little");
            })
            .await;
            assert_eq!(*tried.borrow(), [1, 4, 16].into_iter().filter(|times| *times <= enough).collect::<Vec<_>>());
        }
    }

    #[tokio::test]
    #[should_panic(expected = "whatever the time: 16")]
    async fn what_fails_with_any_time_fails() {
        with_more_time(async |times| panic!("whatever the time: {times}")).await;
    }
}
