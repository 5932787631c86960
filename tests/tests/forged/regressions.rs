//! What forged peers have found, one test a class.

use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use dayfly::{
    Call, CancellationToken, CodeRuntime as _, FailureKind, Json, Language, LogEntry, Namespace, Observer, Outcome,
    RunRequest,
};
use dayfly_tests::forged::{Ending, ForgedHost, Script, Step, frame};
use dayfly_tests::tools;
use tokio::runtime::Builder;
use tokio::sync::Notify;

use crate::frames::{CALL, DONE, LOG};

const LANGUAGE: Language = Language::Python;

/// A payload that is refused leaves the decoder whole, unlike a header that is.
#[tokio::test]
async fn nothing_behind_a_refused_payload_is_looked_at() {
    let host = ForgedHost::new();
    for refused in ["{", "[]", r#"{"source":"console"}"#, &format!("\"{}\"", "x".repeat(300 << 10))] {
        let broken = frame(LOG, 0, refused.as_bytes());
        let log = frame(LOG, 0, br#"{"source":"console","level":"log","text":"too late"}"#);
        let call = frame(CALL, 2, br#"{"global":"tools","name":"echo"}"#);
        let script = Script::honest(LANGUAGE)
            .call(1, "echo", "1")
            .await_replies(1)
            .send([broken, log, call, frame(DONE, 0, br#"{"value":1}"#)].concat())
            .end(Ending::Linger);
        let result = host.play(LANGUAGE, &script, RunRequest::new("").bind(tools())).await.unwrap();
        let kind = result.failure.as_ref().map(|failure| failure.kind());
        assert_eq!((kind, &*result.logs), (Some(FailureKind::WorkerExit), &[][..]), "{:.40}", refused);
        let receipts: Vec<_> = result.receipts.calls.iter().map(|receipt| (receipt.id, receipt.outcome)).collect();
        assert_eq!(receipts, [(1, Outcome::Succeeded)], "{refused:.40}");
    }
    host.still_serves(LANGUAGE).await;
}

/// A payload of 256 KiB is decoded apart from the others.
#[tokio::test]
async fn a_ready_of_any_length_is_one() {
    let host = ForgedHost::new();
    let ready = format!(r#"{{"language":"python","version":"3","padding":"{}"}}"#, "p".repeat(300 << 10));
    let script = Script::new().frame(0x01, 0, &ready).step(Step::AwaitStart).done("1");
    let result = host.play(LANGUAGE, &script.end(Ending::Linger), RunRequest::new("")).await.unwrap();
    assert_eq!((result.failure, result.value), (None, Some(Json::from(1))));
}

/// It would have waited in the host's buffer for bytes that never come.
#[tokio::test]
async fn what_comes_before_start_is_refused() {
    let host = ForgedHost::with(|config| config.wall(Duration::from_secs(30)));
    let honest = Script::new().ready(LANGUAGE);
    let [Step::Send(ready)] = &*honest.steps else { panic!("ready is one frame") };
    let long = format!(r#"{{"value":"{}"}}"#, "v".repeat(300 << 10));
    for (kind, id, payload, named) in [
        (CALL, 1, r#"{"global":"tools","name":"echo"}"#, "a call frame came before start"),
        (LOG, 0, r#"{"source":"console","level":"log","text":""}"#, "a log frame came before start"),
        (DONE, 0, "{}", "a done frame came before start"),
        (0x01, 0, r#"{"language":"python","version":"3"}"#, "a ready frame came before start"),
        (LOG, 0, "[]", "not an object"),
        (DONE, 0, &*long, "a done frame came before start"),
    ] {
        let bytes = [&**ready, &frame(kind, id, payload.as_bytes())].concat();
        let script = Script::new().send(bytes).end(Ending::Linger);
        let refused = host.play(LANGUAGE, &script, RunRequest::new("").bind(tools())).await;
        // So long a frame is not there whole when `ready` is: it may come after `start`.
        match refused {
            Err(error) => assert!(error.to_string().contains(named), "{error}"),
            Ok(result) => assert!(payload.len() > 200_000 && result.receipts.calls.is_empty(), "{result:?}"),
        }
    }
    host.still_serves(LANGUAGE).await;
}

/// Its frames wait behind calls in flight when the time for its exit is over.
#[tokio::test]
async fn a_socket_that_was_closed_loses_nothing_of_what_came_before() {
    let host = ForgedHost::with(|config| config.max_pending_calls(1));
    let bindings = Namespace::tools()
        // Meanwhile everything arrives, the end of the socket as well.
        .async_fn("block", |_| {
            std::thread::sleep(Duration::from_millis(500));
            async { Ok(Json::null()) }
        })
        // It takes longer than a worker that has closed its socket has for its exit.
        .async_fn("slow", |call: Call| async move {
            let _ = tokio::time::timeout(Duration::from_secs(2), call.cancel.cancelled()).await;
            Ok(Json::null())
        });
    let script = Script::honest(LANGUAGE)
        .call(1, "block", "1")
        .pause(100)
        .call(2, "slow", "1")
        .call(3, "block", "1")
        .log("at last")
        .done("7")
        .step(Step::HalfClose)
        .end(Ending::Linger);
    let result = host.play(LANGUAGE, &script, RunRequest::new("").bind(bindings)).await.unwrap();
    assert_eq!((result.failure, result.value), (None, Some(Json::from(7))));
    assert_eq!(result.logs[0].text, "at last");
    let ids: Vec<_> = result.receipts.calls.iter().map(|receipt| receipt.id).collect();
    assert_eq!(ids, [1, 2, 3]);
}

/// Tells that the program has printed.
struct Printed(Arc<Notify>);

impl Observer for Printed {
    fn log(&self, _: &LogEntry) {
        self.0.notify_one();
    }
}

#[test]
fn a_call_that_is_being_decoded_when_its_run_settles_has_its_receipt() {
    // What blocks has one thread, which a function of the host keeps: decoding waits for it.
    let runtime = Builder::new_current_thread().enable_all().max_blocking_threads(1).build().unwrap();
    let host = ForgedHost::new();
    let large = format!(r#"{{"global":"tools","name":"echo","args":"{}"}}"#, "y".repeat(300 << 10));
    let script = Script::honest(LANGUAGE).call(1, "keep", "1").await_replies(1).frame(CALL, 2, &large);
    let script = script.step(Step::Stdout(b"sent\n".to_vec())).end(Ending::Linger);
    host.prepare(&script);
    let (release, released) = mpsc::channel::<()>();
    let released = Arc::new(Mutex::new(released));
    let bindings = Namespace::tools().async_fn("echo", |call: Call| async { Ok(call.arguments) }).async_fn("keep", {
        move |_| {
            let released = Arc::clone(&released);
            drop(tokio::task::spawn_blocking(move || released.lock().unwrap().recv()));
            async { Ok(Json::null()) }
        }
    });
    let (cancel, printed) = (CancellationToken::new(), Arc::new(Notify::new()));
    let request = RunRequest::new("").bind(bindings).cancel_with(cancel.clone()).observe(Printed(Arc::clone(&printed)));
    let result = runtime.block_on(async {
        let run = host.host.runtime(LANGUAGE).run(request);
        let stop = async {
            printed.notified().await;
            // The last of the frame is in the socket.
            tokio::time::sleep(Duration::from_millis(100)).await;
            cancel.cancel();
            release.send(()).unwrap();
        };
        tokio::join!(run, stop).0.unwrap()
    });
    assert_eq!(result.failure.map(|failure| failure.kind()), Some(FailureKind::Abort));
    let receipts: Vec<_> = result.receipts.calls.iter().map(|receipt| (receipt.id, receipt.outcome)).collect();
    assert_eq!(receipts, [(1, Outcome::Succeeded), (2, Outcome::NotStarted)], "{:?}", result.usage);
}
