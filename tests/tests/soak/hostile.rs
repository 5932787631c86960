//! Programs that do what none should, and callers that change their minds.

use std::future::pending;

use dayfly::{CancellationToken, FailureKind, Json, Language, RunRequest};
use dayfly_tests::{Both, Host, tools};
use tokio::sync::mpsc;

use crate::honest::{TRIES, in_its_budget, is_timeout};

/// A program, and the failures with which it may end; `None` is that it completes.
type Program = (Both<&'static str>, &'static [Option<FailureKind>]);

const EXCEPTION: Option<FailureKind> = Some(FailureKind::Exception);
const EXIT: Option<FailureKind> = Some(FailureKind::WorkerExit);
const TIMEOUT: Option<FailureKind> = Some(FailureKind::Timeout);
const FULL: Option<FailureKind> = Some(FailureKind::OutputLimit);
const INVALID: Option<FailureKind> = Some(FailureKind::InvalidOutput);

const PROGRAMS: [Program; 14] = [
    // Noise on the socket.
    (
        Both::new(
            "require('node:fs').writeSync(3, require('node:crypto').randomBytes(4096));\nawait new Promise(() => {})",
            "import asyncio, os\nos.write(3, os.urandom(4096))\nawait asyncio.sleep(300)",
        ),
        &[EXIT],
    ),
    // A header that names more than may be, with the bytes of the bootstrap's own.
    (
        Both::new(
            "const header = Buffer.from('4446010200000000ffffffffffffffff', 'hex');\nrequire('node:fs').writeSync(3, header);\nawait new Promise(() => {})",
            "import asyncio, os\nos.write(3, bytes.fromhex('4446010200000000ffffffffffffffff'))\nawait asyncio.sleep(300)",
        ),
        &[EXIT],
    ),
    // The socket closed.
    (
        Both::new("require('node:fs').closeSync(3);\nfor (;;);", "import os\nos.close(3)\nwhile True: pass"),
        &[EXIT, TIMEOUT],
    ),
    (Both::new("for (;;);", "while True: pass"), &[TIMEOUT]),
    (
        Both::new(
            "void tools.stuck();\nawait tools.ping();\nfor (;;);",
            "import asyncio\nleft = asyncio.ensure_future(tools.stuck())\nawait asyncio.sleep(0)\nawait tools.ping()\nwhile True: pass",
        ),
        &[TIMEOUT],
    ),
    (
        Both::new(
            "for (;;) require('node:fs').writeSync(1, 'xxxxxxxxxxxxxxxx'.repeat(64))",
            "import os\nwhile True: os.write(1, b'x' * 1024)",
        ),
        &[FULL, TIMEOUT],
    ),
    (
        Both::new("for (;;) { console.log('x'.repeat(1000)); await null }", "while True: print('x' * 1000)"),
        &[FULL, TIMEOUT],
    ),
    (Both::new("process.exit(3)", "import os\nos._exit(3)"), &[EXIT]),
    (
        Both::new(
            "process.kill(process.pid, 'SIGKILL');\nawait new Promise(() => {})",
            "import os\nos.kill(os.getpid(), 9)",
        ),
        &[EXIT],
    ),
    (
        Both::new(
            "const all = [];\nfor (;;) all.push(new Array(100_000).fill(1.5))",
            "all = []\nwhile True: all.append(bytearray(1 << 24))",
        ),
        &[EXIT, EXCEPTION, TIMEOUT],
    ),
    (Both::new("return new Map()", "return {1}"), &[INVALID]),
    (Both::new("return 'x'.repeat(2_000_000)", "return 'x' * 2_000_000"), &[FULL]),
    (
        Both::new(
            "for (let i = 0; i < 50; i++) void tools.stuck({ i });\nreturn await tools.ping()",
            "import asyncio\nleft = [asyncio.ensure_future(tools.stuck(i=i)) for i in range(50)]\nawait asyncio.sleep(0)\nreturn await tools.ping()",
        ),
        &[None],
    ),
    // A daemon, and files of every mode, that stay behind.
    (
        Both::new(
            "const { spawn, execFileSync } = require('node:child_process');\nspawn('/bin/sleep', ['300'], { detached: true }).unref();\nexecFileSync('/bin/sh', ['-c', 'mkdir -p a/b/c; echo x > a/b/c/d; ln -s / a/root; chmod 0 a/b/c']);\nreturn 1",
            "import subprocess\nsubprocess.Popen(['/bin/sleep', '300'], start_new_session=True)\nsubprocess.run(['/bin/sh', '-c', 'mkdir -p a/b/c; echo x > a/b/c/d; ln -s / a/root; chmod 0 a/b/c'])\nreturn 1",
        ),
        &[None],
    ),
];

/// What callers do.
const CALLERS: usize = 2;

/// Does the run of this number.
pub(crate) async fn run(host: &Host, language: Language, number: usize) {
    match number % (PROGRAMS.len() + CALLERS) {
        0 => cancelled(host, language).await,
        1 => dropped(host, language).await,
        other => {
            let (program, endings) = PROGRAMS[other - CALLERS];
            let program = program.of(language);
            let request = || RunRequest::new(*program).bind(tools());
            let result = if endings.contains(&TIMEOUT) {
                host.run(language, request()).await
            } else {
                in_its_budget(host, language, request).await
            };
            let kind = result.failure.as_ref().map(|failure| failure.kind());
            assert!(endings.contains(&kind), "{language}: {program}\nended with {:?}", result.failure);
        }
    }
}

const HELD: Both<&str> = Both::new("await tools.hold()\nfor (;;);", "await tools.hold()\nwhile True: pass");

async fn cancelled(host: &Host, language: Language) {
    let request = || {
        let cancel = CancellationToken::new();
        let token = cancel.clone();
        let bindings = tools().async_fn("hold", move |_| {
            token.cancel();
            async { Ok(Json::null()) }
        });
        RunRequest::new(*HELD.of(language)).bind(bindings).cancel_with(cancel)
    };
    let result = in_its_budget(host, language, request).await;
    assert_eq!(result.failure.map(|failure| failure.kind()), Some(FailureKind::Abort), "{language}");
}

async fn dropped(host: &Host, language: Language) {
    for _ in 0..TRIES {
        let (told, mut news) = mpsc::unbounded_channel();
        let bindings = tools().async_fn("hold", move |_| {
            told.send(()).unwrap();
            pending()
        });
        tokio::select! {
            result = host.run(language, RunRequest::new(*HELD.of(language)).bind(bindings)) => {
                assert!(is_timeout(&result), "{language}: {result:?}");
            }
            told = news.recv() => return told.unwrap(),
        }
    }
    panic!("{language}: no call of {TRIES} runs arrived within their budgets");
}
