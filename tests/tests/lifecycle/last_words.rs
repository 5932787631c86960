//! What a worker that died had said on standard error.

use dayfly::{Fault, Language, LogSource, RunRequest};
use dayfly_tests::{Both, Host, tools};

use crate::in_both;

/// Four kilobytes of it, which is where a stack of native frames fits.
const TAIL: usize = 4 << 10;

fn tail(fault: Option<&Fault>, language: Language) -> &str {
    let Some(Fault::WorkerExit { stderr_tail, .. }) = fault else { panic!("{language}: {fault:?}") };
    stderr_tail
}

#[tokio::test]
async fn the_last_words_of_a_worker_that_died_are_in_its_failure_and_all_of_them_in_the_logs() {
    let host = Host::new();
    let short = Both::new(
        "await tools.ping();\nrequire('node:fs').writeSync(2, 'the disk\\nis on fire\\n');\nprocess.kill(process.pid, 'SIGKILL');\nfor (;;);",
        "import os, signal\nawait tools.ping()\nos.write(2, b'the disk\\nis on fire\\n')\nos.kill(os.getpid(), signal.SIGKILL)\nwhile True: pass",
    );
    let long = Both::new(
        "const fs = require('node:fs');\nfor (let i = 0; i < 2_000; i++) fs.writeSync(2, `line ${i}\\n`);\nprocess.abort()",
        "import os\nfor i in range(2_000): os.write(2, f'line {i}\\n'.encode())\nos.abort()",
    );
    in_both(async |language| {
        let result = host.run(language, RunRequest::new(*short.of(language)).bind(tools())).await;
        assert_eq!(
            tail(result.failure.as_ref().map(|failure| &failure.fault), language).trim_end(),
            "the disk\nis on fire"
        );
        let printed: Vec<_> = result.logs.iter().map(|entry| (entry.source, entry.text.as_str())).collect();
        assert_eq!(printed, [(LogSource::Stderr, "the disk"), (LogSource::Stderr, "is on fire")], "{language}");

        let result = host.run_text(language, long).await;
        let tail = tail(result.failure.as_ref().map(|failure| &failure.fault), language);
        assert!(tail.len() <= TAIL && tail.contains("line 1999") && !tail.contains("line 0\n"), "{language}: {tail}");
        let lines = result.logs.iter().filter(|entry| entry.text.starts_with("line ")).count();
        assert_eq!(lines, 2_000, "{language}");
        host.still_serves(language).await;
    })
    .await;
}
