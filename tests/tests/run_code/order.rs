//! Many calls at once: which overlap, and in which order everything else is.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use dayfly::tools::RegistryConfig;
use dayfly::{Json, Language};
use dayfly_tests::code_mode::{safe_tool, tool};
use dayfly_tests::{Both, CodeMode, Host};
use tokio::sync::Barrier;

use crate::{json, result};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn p21_twenty_three_writes_at_once_run_alone_and_in_order() {
    let programs = Both::new(
        "return await Promise.all(Array.from({ length: 23 }, (_, n) => tools.write({ n })))",
        "import asyncio\nreturn await asyncio.gather(*[tools.write(n=n) for n in range(23)])",
    );
    let host = Host::new();
    for language in Language::ALL {
        let probe: Arc<Mutex<Vec<String>>> = Arc::default();
        let probed = Arc::clone(&probe);
        let write = tool("write", move |arguments, _| {
            let probe = Arc::clone(&probed);
            async move {
                let n = arguments.get("n").map(Json::from).unwrap_or_default();
                probe.lock().unwrap().push(format!("enters {n}"));
                // Whatever else could run has every chance to.
                for _ in 0..20 {
                    tokio::task::yield_now().await;
                }
                probe.lock().unwrap().push(format!("leaves {n}"));
                Ok(n)
            }
        });
        let mode = CodeMode::new(&host, language).with_tool(write);
        let outcome = mode.run(programs.of(language)).await;
        assert_eq!(result(&outcome), Json::array(0..23), "{language}");
        let alone: Vec<String> = (0..23).flat_map(|n| [format!("enters {n}"), format!("leaves {n}")]).collect();
        assert_eq!(*probe.lock().unwrap(), alone, "{language}");
        let kept: Vec<String> =
            (1..=23).flat_map(|n| [format!("start {n} write"), format!("end {n} write ok")]).collect();
        let told = mode.kept.told();
        assert_eq!(told[1..told.len() - 1], kept, "{language}");
    }
    host.supervisor.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_calls_at_once_overlap_up_to_the_limit_and_are_answered_and_kept_in_order() {
    const CALLS: usize = 1_000;
    const LIMIT: usize = 8;
    let programs = Both::new(
        "return await Promise.all(Array.from({ length: 1000 }, (_, n) => tools.read({ n })))",
        "import asyncio\nreturn await asyncio.gather(*[tools.read(n=n) for n in range(1000)])",
    );
    let host = Host::new();
    for language in Language::ALL {
        let (inside, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let together = Arc::new(Barrier::new(LIMIT));
        let (counted, highest) = (Arc::clone(&inside), Arc::clone(&most));
        let read = safe_tool("read", move |arguments, _| {
            let (inside, most, together) = (Arc::clone(&counted), Arc::clone(&highest), Arc::clone(&together));
            async move {
                most.fetch_max(inside.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                // None goes on before as many are inside as may be: fewer would wait here for ever.
                together.wait().await;
                inside.fetch_sub(1, Ordering::SeqCst);
                Ok(arguments.get("n").map(Json::from).unwrap_or_default())
            }
        });
        let config = RegistryConfig::default().max_parallel_sub_calls(LIMIT);
        let mode = CodeMode::with(&host, language, config).with_tool(read);
        let outcome = mode.run(programs.of(language)).await;
        assert_eq!(result(&outcome), Json::from_iter((0..1_000).map(Json::from)), "{language}");
        assert_eq!((most.load(Ordering::SeqCst), inside.load(Ordering::SeqCst)), (LIMIT, 0), "{language}");
        let meta = outcome.meta.unwrap();
        assert_eq!(meta, json(r#"{"logs":[],"dispatches":1000}"#), "{language}");
        let told = mode.kept.told();
        let of = |what: &str| told.iter().filter(|event| event.starts_with(what)).cloned().collect::<Vec<_>>();
        assert_eq!(of("start"), (1..=CALLS).map(|n| format!("start {n} read")).collect::<Vec<_>>(), "{language}");
        assert_eq!(of("end"), (1..=CALLS).map(|n| format!("end {n} read ok")).collect::<Vec<_>>(), "{language}");
    }
    host.supervisor.shutdown().await;
}
