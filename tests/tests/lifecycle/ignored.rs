//! What frames that are ignored cost.

use dayfly::{ByteSize, FailureKind, Json, Language, RunRequest};
use dayfly_tests::forged::{Ending, ForgedHost, Script, frame};
use dayfly_tests::tools;

/// The kind of a `call`.
const CALL: u8 = 0x02;

#[tokio::test]
async fn the_bytes_of_ignored_frames_are_charged_to_the_output_cap_to_the_byte() {
    const CAP: u16 = 20_000;
    let host = ForgedHost::with(|config| config.max_output_bytes(ByteSize::bytes(u64::from(CAP))));
    let language = Language::Python;
    let fits = usize::from(CAP) - "7".len();
    for (over, kind) in [(0, None), (1, Some(FailureKind::OutputLimit))] {
        // Calls of an id that was used: short ones, and a last one that fills what is left.
        let used = |padding: usize| {
            let payload = format!(r#"{{"global":"tools","name":"echo"{}}}"#, " ".repeat(padding));
            frame(CALL, 1, payload.as_bytes())
        };
        let least = used(0).len();
        let many = fits / least - 1;
        let last = used(fits + over - (many + 1) * least);
        let bytes = [used(0).repeat(many), last].concat();
        assert_eq!(bytes.len(), fits + over);
        let script = Script::honest(language).call(1, "echo", "1").await_replies(1).send(bytes).done("7");
        let result = host.play(language, &script.end(Ending::Linger), RunRequest::new("").bind(tools())).await.unwrap();
        assert_eq!(result.failure.as_ref().map(|failure| failure.kind()), kind, "{over} over: {:?}", result.failure);
        assert_eq!(result.value, kind.is_none().then(|| Json::from(7)), "{over} over");
        // Whatever became of the run, the function ran for the first of them alone.
        assert_eq!(result.receipts.calls.len(), 1, "{over} over: {:?}", result.receipts);
    }
    host.still_serves(language).await;
}
