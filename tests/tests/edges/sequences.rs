//! Programs that call so quickly that their run waits for the next call in place.

use std::sync::Arc;
use std::time::Duration;

use dayfly::{Json, RunRequest};
use dayfly_tests::{Both, Host, tools};
use tokio::sync::Barrier;

use crate::in_both;

/// Quick calls, one after the other, with a log between them, and then two that are answered only when both have been read; again and again.
const MEET: Both<&str> = Both::new(
    "for (let round = 0; round < 20; round++) {\n  for (let i = 0; i < 100; i++) console.log((await tools.echo({ i })).i);\n  \
     const first = tools.meet();\n  await tools.meet();\n  await first;\n}\nreturn 'met'",
    "import asyncio\nfor round in range(20):\n    for i in range(100): print((await tools.echo(i=i))['i'])\n    \
     first = asyncio.ensure_future(tools.meet())\n    await asyncio.sleep(0)\n    await tools.meet()\n    await first\n\
     return 'met'",
);

async fn meet() {
    let host = Host::with(|config| config.wall(Duration::from_secs(120)));
    in_both(async |language| {
        let barrier = Arc::new(Barrier::new(2));
        let bindings = tools().async_fn("meet", move |_| {
            let barrier = Arc::clone(&barrier);
            async move {
                barrier.wait().await;
                Ok(Json::null())
            }
        });
        let result = host.run(language, RunRequest::new(*MEET.of(language)).bind(bindings)).await;
        assert_eq!((&result.failure, &result.value), (&None, &Some(Json::from("met"))), "{language}");
        assert_eq!(result.usage.calls, 20 * 102, "{language}");
        let said: Vec<_> = result.logs.iter().map(|entry| entry.text.trim().to_owned()).collect();
        let wanted: Vec<_> = (0..20).flat_map(|_| (0..100).map(|i| i.to_string())).collect();
        assert_eq!(said, wanted, "{language}");
    })
    .await;
}

#[tokio::test]
async fn what_a_program_says_behind_a_quick_sequence_is_read_while_a_function_runs() {
    meet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_program_says_behind_a_quick_sequence_is_read_on_several_threads() {
    meet().await;
}
