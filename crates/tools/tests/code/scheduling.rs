//! Which calls of a program overlap.

use std::sync::{Arc, Mutex};

use dayfly_runtime::testing::Script;
use dayfly_tools::{Json, RunContext};

use crate::support::{House, Log, call, config, declared, scripted};

/// Adds a safe and an exclusive tool that count who runs with whom.
fn probes(house: House) -> (House, Arc<Mutex<Most>>) {
    let most = Arc::new(Mutex::new(Most::default()));
    let body = |most: &Arc<Mutex<Most>>, log: &Log| {
        let (most, log) = (Arc::clone(most), log.clone());
        move |arguments: Json, run: RunContext| {
            let (most, log) = (Arc::clone(&most), log.clone());
            async move {
                let n = arguments.get("n").unwrap().to_string();
                most.lock().unwrap().enter(run.execution().name() == "write");
                log.say(format!("enters {n}"));
                for _ in 0..10 {
                    tokio::task::yield_now().await;
                }
                log.say(format!("leaves {n}"));
                most.lock().unwrap().leave();
                Ok(arguments)
            }
        }
    };
    let read = declared("read").concurrency_safe(|_| true).execute(body(&most, &house.log)).unwrap();
    let write = declared("write").execute(body(&most, &house.log)).unwrap();
    (house.add(read).add(write), most)
}

#[derive(Default)]
struct Most {
    now: usize,
    most: usize,
    exclusive_overlapped: bool,
}

impl Most {
    fn enter(&mut self, exclusive: bool) {
        self.exclusive_overlapped |= exclusive && self.now > 0;
        self.now += 1;
        self.most = self.most.max(self.now);
    }

    fn leave(&mut self) {
        self.now -= 1;
    }
}

#[tokio::test]
async fn safe_calls_overlap_up_to_the_limit_of_sub_calls() {
    for (limit, expected) in [(1, 1), (3, 3), (10, 8)] {
        let runtime = scripted(Script::new().parallel((1..=8).map(|n| call("read", n))));
        let (house, most) = probes(House::with(runtime, config().max_parallel_sub_calls(limit).max_parallel(1)));
        assert!(!house.run().await.is_error());
        assert_eq!(most.lock().unwrap().most, expected, "of a limit of {limit}");
    }
}

#[tokio::test]
async fn exclusive_calls_wait_run_alone_and_bar_those_behind_them() {
    let script =
        Script::new().parallel([call("read", 1), call("read", 2), call("write", 3), call("write", 4), call("read", 5)]);
    let (house, most) = probes(House::of(script));
    assert!(!house.run().await.is_error());
    assert_eq!(
        house.log.take(),
        [
            "enters 1", "enters 2", "leaves 1", "leaves 2", "enters 3", "leaves 3", "enters 4", "leaves 4", "enters 5",
            "leaves 5",
        ]
    );
    assert!(!most.lock().unwrap().exclusive_overlapped);
}

#[tokio::test]
async fn twenty_three_writes_at_once_all_run_alone_and_in_order() {
    let (house, most) = probes(House::of(Script::new().parallel((1..=23).map(|n| call("write", n)))));
    assert!(!house.run().await.is_error());
    let expected: Vec<String> = (1..=23).flat_map(|n| [format!("enters {n}"), format!("leaves {n}")]).collect();
    assert_eq!(house.log.take(), expected);
    assert_eq!(most.lock().unwrap().most, 1);
}
