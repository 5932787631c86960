//! Output without end.

use dayfly::ByteSize;
use dayfly::Outcome::Succeeded;
use dayfly_tests::hostile::{Act, Ends, Frame, Row, Script, Seen, Then, call, done, log};

rows! {
    h14_the_same_ledger_counts_what_is_forged: h14,
    h43_a_flood_is_ended_by_the_cap: h43,
}

const CAP: u64 = 64 << 10;

/// What was kept is within the cap.
fn kept(seen: &Seen) -> Result<(), String> {
    let bytes: usize = seen.result.logs.iter().map(|entry| entry.text.len()).sum();
    seen.must("what was kept fits the cap", (bytes as u64) < CAP)
}

fn h14() -> Row {
    let text = |bytes: usize| "x".repeat(bytes);
    let padded = format!(r#"{{"source":"stdout","level":"log","text":"x"{}}}"#, " ".repeat(50_000));
    let failed = format!(r#"{{"kind":"exception","message":"{}","name":"Long"}}"#, text(1 << 20));
    Row::new("H14")
        .config(|config| config.max_output_bytes(ByteSize::kib(64)))
        .script("logs", Script::of([Act::Repeat(log(&text(1_000)), 200)], Then::Sleep), Ends::OutputLimit)
        .also(|seen| {
            kept(seen)?;
            seen.must("those that fit are kept", (50..65).contains(&seen.result.logs.len()))
        })
        .script("logs without a text", Script::of([Act::Repeat(log(""), 10_000)], Then::Sleep), Ends::OutputLimit)
        .script("one log of a megabyte", Script::send(log(&text(1 << 20))), Ends::OutputLimit)
        .script("a completion", Script::send(done(&format!("\"{}\"", text(65 << 10)))), Ends::OutputLimit)
        .script(
            "a log and a completion that fit only each alone",
            Script::send([log(&text(40 << 10)), done(&format!("\"{}\"", text(40 << 10)))].concat()),
            Ends::OutputLimit,
        )
        .also(|seen| seen.must("the log is kept", seen.printed().len() == 40 << 10))
        .script(
            "a log and a completion that fit",
            Script::send([log(&text(30 << 10)), done("7")].concat()),
            Ends::Value("7"),
        )
        .script("a failure is cut", Script::send(Frame::new(5, 0, failed).bytes()), Ends::Exception("Long"))
        .also(|seen| {
            let length = seen.result.failure.as_ref().map_or(0, |failure| failure.message.len());
            seen.must("it still says something", (100..=64 << 10).contains(&length))
        })
        .script(
            "padding",
            Script::of([Act::Repeat(Frame::new(3, 0, padded).bytes(), 100)], Then::Sleep),
            Ends::OutputLimit,
        )
        .script(
            "calls of a used id",
            Script::of(
                [Act::Send(call(1, "echo", "1")), Act::AwaitReply, Act::Repeat(call(1, "echo", "1"), 10_000)],
                Then::Sleep,
            ),
            Ends::OutputLimit,
        )
        .calls([("echo", Succeeded)])
}

fn h43() -> Row {
    let flood =
        |row: Row, name, typescript, python| row.programs(name, typescript, python, Ends::OutputLimit).also(kept);
    let row = Row::new("H43").config(|config| config.max_output_bytes(ByteSize::kib(64)));
    let row = flood(
        row,
        "through the language's output, without a line break",
        "for (;;) process.stdout.write('x'.repeat(100))",
        "import sys\nwhile True: sys.stdout.write('x' * 100)",
    );
    let row = flood(
        row,
        "natively, without a line break",
        "const fs = require('node:fs');\nfor (;;) fs.writeSync(1, 'x'.repeat(4096))",
        "import os\nwhile True: os.write(1, b'x' * 4096)",
    );
    let row = flood(
        row,
        "natively, to standard error, in lines",
        "const fs = require('node:fs');\nfor (;;) fs.writeSync(2, 'flood\\n'.repeat(100))",
        "import os\nwhile True: os.write(2, b'flood\\n' * 100)",
    );
    flood(row, "in lines that are empty", "for (;;) console.log('')", "while True: print()")
}
