//! Calls that no honest worker makes.

use dayfly::Outcome::{Abandoned, Cancelled, Failed, NotStarted, Succeeded};
use dayfly::{Language, LogEntry, LogLevel, Observer, RunRequest};
use dayfly_tests::hostile::{Act, Ends, Frame, Row, Script, Then, call, done, log};
use dayfly_tests::leftovers::eventually;
use dayfly_tests::{Both, Host, tools};

rows! {
    h8_a_name_that_nobody_declared_fails_that_call_alone: h8,
    h9_names_of_the_language_are_ordinary_names: h9,
    h10_a_used_id_runs_nothing_again: h10,
    h11_an_id_that_is_none_is_a_violation: h11,
    h12_a_completion_cancels_what_is_in_flight: h12,
    h13_nothing_is_dispatched_after_the_settlement: h13,
    h19_an_error_of_any_length_and_content_reaches_the_program_alone: h19,
}

/// Sends these frames, awaits so many replies, and completes.
fn asked(frames: impl IntoIterator<Item = Vec<u8>>, replies: usize) -> Script {
    let mut acts = vec![Act::Send(frames.into_iter().flatten().collect())];
    acts.extend((0..replies).map(|_| Act::AwaitReply));
    Script::of(acts, Then::Return)
}

fn of(global: &str, id: u32, name: &str) -> Vec<u8> {
    Frame::new(2, id, format!(r#"{{"global":"{global}","name":"{name}"}}"#)).bytes()
}

fn h8() -> Row {
    let unknown = [of("tools", 1, "nope"), of("nope", 2, "ping"), of("", 3, ""), of("tools", 4, "ping")];
    let long = "n".repeat(1 << 20);
    Row::new("H8")
        .script("an unknown function, an unknown namespace, and one that is known", asked(unknown, 4), Ends::Completed)
        .calls([("nope", Failed), ("ping", Failed), ("", Failed), ("ping", Succeeded)])
        .script(
            "a name of a megabyte",
            asked([of("tools", 1, &long), of(&long, 2, "ping"), of("tools", 3, "ping")], 3),
            Ends::Completed,
        )
        .also(|seen| {
            let longest = seen.result.receipts.calls.iter().map(|call| call.name.len() + call.global.len()).max();
            seen.must("the receipts repeat only its beginning", longest < Some(200))?;
            seen.must("only the known one ran", seen.ran.keys().eq([&3]))
        })
        .programs(
            "a program's own mistyped name",
            "try { await tools.nope() } catch (e) { return [String(e).includes('nope'), await tools.ping()] }",
            "try:\n    await tools.nope()\nexcept AttributeError as e:\n    return ['nope' in str(e), await tools.ping()]",
            Ends::Value(r#"[true,"pong"]"#),
        )
        .calls([("ping", Succeeded)])
}

fn h9() -> Row {
    let names = ["__proto__", "constructor", "toString"];
    let declared = (1..).zip(names).map(|(id, name)| of("odd", id, name));
    let undeclared = (1..).zip(names).map(|(id, name)| of("tools", id, name));
    let namespaces = (1..).zip(names).map(|(id, name)| of(name, id, "ping"));
    Row::new("H9")
        .script("declared", asked(declared, 3), Ends::Completed)
        .calls([("__proto__", Succeeded), ("constructor", Succeeded), ("toString", Succeeded)])
        .script("not declared", asked(undeclared, 3), Ends::Completed)
        .calls([("__proto__", Failed), ("constructor", Failed), ("toString", Failed)])
        .script("as namespaces", asked(namespaces, 3), Ends::Completed)
        .calls([("ping", Failed); 3])
        .programs(
            "from the language",
            "return [await odd.__proto__(), await odd.constructor(), await odd['toString'](), typeof tools.constructor, typeof (tools as any).__proto__]",
            "return [await odd['__proto__'](), await odd.constructor(), await odd.toString(), *['undefined' if not hasattr(tools, name) else name for name in ['constructor', '__proto__']]]",
            Ends::Value(r#"["called __proto__","called constructor","called toString","undefined","undefined"]"#),
        )
}

fn h10() -> Row {
    let acts = [
        Act::Send([call(1, "slow", "1"), call(1, "echo", "2"), call(1, "nope", "3"), call(2, "echo", "4")].concat()),
        Act::AwaitReply,
        Act::Send([call(2, "echo", "5"), call(1, "echo", "6"), call(3, "echo", "7")].concat()),
        Act::AwaitReply,
    ];
    Row::new("H10")
        .script("in flight, and settled", Script::of(acts, Then::Return), Ends::Value("[[false,4],[false,7]]"))
        .calls([("slow", Cancelled), ("echo", Succeeded), ("echo", Succeeded)])
        .also(|seen| {
            let ran: Vec<_> = seen.ran.iter().map(|(id, names)| (*id, names.join(" "))).collect();
            let wanted = [(1, "slow".to_owned()), (2, "echo".to_owned()), (3, "echo".to_owned())];
            seen.must("each function ran once, for the first call of its id", ran == wanted)
        })
        .script(
            "a thousand times at once",
            Script::of([Act::Repeat(call(1, "echo", "1"), 1_000), Act::AwaitReply], Then::Return),
            Ends::Value("[[false,1]]"),
        )
        .calls([("echo", Succeeded)])
}

fn h11() -> Row {
    let field = |id: u32, field: &str| {
        Frame::new(2, id, format!(r#"{{"global":"tools","name":"echo","args":{id},"id":{field}}}"#)).bytes()
    };
    Row::new("H11")
        .script("no id", Script::send(call(0, "echo", "1")), Ends::Broken(&["a call frame has the id 0"]))
        .calls([])
        // The header's id has no sign and no fraction: what a payload says of one is a field that nobody asks for.
        .script(
            "negative, fractional, a text, in the payload",
            asked([field(1, "-1"), field(2, "1.5"), field(3, "\"1\""), field(4, "null")], 4),
            Ends::Completed,
        )
        .calls([("echo", Succeeded); 4])
        .also(|seen| seen.must("the header's ids count", seen.ran.keys().copied().eq(1..=4)))
        .script(
            "the greatest there is, negative to whoever reads a sign, uses all others up",
            asked([call(u32::MAX, "echo", "1"), call(1, "echo", "2"), call(u32::MAX, "echo", "3")], 1),
            Ends::Value("[[false,1]]"),
        )
        .calls([("echo", Succeeded)])
}

fn h12() -> Row {
    let pending = [call(1, "slow", "{}"), call(2, "stuck", "{}"), call(3, "ping", "{}")].concat();
    let outcomes = [("slow", Cancelled), ("stuck", Abandoned), ("ping", Succeeded)];
    Row::new("H12")
        .script(
            "a completion while calls are pending",
            Script::of([Act::Send(pending.clone()), Act::AwaitReply], Then::Return),
            Ends::Completed,
        )
        .calls(outcomes)
        .script(
            "a forged one, and another",
            Script::of([Act::Send(pending), Act::AwaitReply, Act::Send([done("1"), done("2")].concat())], Then::Sleep),
            Ends::Value("1"),
        )
        .calls(outcomes)
        .script(
            "a forged failure",
            Script::of(
                [
                    Act::Send(call(1, "slow", "{}")),
                    Act::Send(Frame::new(5, 0, r#"{"kind":"exception","message":"forged","name":"Forged"}"#).bytes()),
                ],
                Then::Sleep,
            ),
            Ends::Exception("Forged"),
        )
        .calls([("slow", Cancelled)])
}

fn h13() -> Row {
    let late = [call(1, "echo", "1"), log("late"), done("2"), call(2, "stuck", "{}")].concat();
    let flood = Act::Repeat([call(7, "echo", "1"), log("late")].concat(), 2_000);
    Row::new("H13")
        .script("behind a completion", Script::send([done("1"), late.clone()].concat()), Ends::Value("1"))
        .calls([])
        .also(|seen| {
            seen.must("nothing ran", seen.ran.is_empty())?;
            seen.must("nothing was kept", !seen.printed().contains("late"))
        })
        .script(
            "what is no frame, behind a completion",
            Script::send([done("1"), vec![0; 100]].concat()),
            Ends::Value("1"),
        )
        .calls([])
        .script("a flood behind a completion", Script::of([Act::Send(done("1")), flood], Then::Sleep), Ends::Value("1"))
        .calls([])
        .script(
            "behind a violation",
            Script::send([log("said"), b"DAYX".to_vec(), vec![0; 12], late].concat()),
            Ends::Broken(&["\"DAYX\""]),
        )
        .calls([])
        .also(|seen| seen.must("what came before it is kept, and nothing else", seen.printed() == "said"))
}

fn h19() -> Row {
    // The function's own text of 100 MB, once for each of two at a time, and nothing near as large beside it.
    Row::new("H19")
        .growth(dayfly::ByteSize::mib(240))
        .programs(
            "a hundred megabytes are cut",
            "try { await tools.scream() } catch (e) { return [e instanceof ToolCallError, e.message.startsWith('aaaa'), e.message.length < 70_000, e.message.includes('more bytes')] }",
            "try:\n    await tools.scream()\nexcept ToolCallError as e:\n    return [True, str(e).startswith('aaaa'), len(str(e)) < 70_000, 'more bytes' in str(e)]",
            Ends::Value("[true,true,true,true]"),
        )
        .calls([("scream", Failed)])
        .programs(
            "control characters arrive as they are, and nothing of the frame breaks",
            "try { await tools.bell() } catch (e) { return [e.message, await tools.ping()] }",
            "try:\n    await tools.bell()\nexcept ToolCallError as e:\n    return [str(e), await tools.ping()]",
            Ends::Value(r#"["bell \u0007 \u001b[2J nul \u0000 \"},{\" \u202e \r\n DAYF","pong"]"#),
        )
        .calls([("bell", Failed), ("ping", Succeeded)])
        .programs(
            "one that nobody catches is the run's exception, cut",
            "await tools.scream()",
            "await tools.scream()",
            Ends::Exception("ToolCallError"),
        )
        .also(|seen| {
            let length = seen.result.failure.as_ref().map_or(0, |failure| failure.message.len());
            seen.must("its message is cut", (1_000..140_000).contains(&length))
        })
}

/// Holds the host up at the log entry that names the worker and its warden: lets the worker go on, and waits until the
/// warden has nothing left to do but to be reaped.
struct Late;

impl Observer for Late {
    fn log(&self, entry: &LogEntry) {
        let Some((worker, warden)) = entry.text.split_once(' ') else { return };
        let Ok(_) = warden.parse::<i32>() else { return };
        std::fs::write(format!("/proc/{worker}/cwd/go"), "").unwrap();
        eventually("the warden's end", || {
            let stat = std::fs::read_to_string(format!("/proc/{warden}/stat")).unwrap();
            stat.rsplit_once(')').is_some_and(|(_, rest)| rest.starts_with(" Z"))
        });
    }
}

// On one thread: what the kernel has to tell when the host comes back to it, it tells at once.
#[tokio::test]
async fn p23_a_call_that_the_host_finds_only_when_the_worker_has_gone_is_named_too() {
    let programs = Both::new(
        "console.log(process.pid, process.ppid);\nwhile (!require('node:fs').existsSync('go'));\nvoid tools.slow({});\nreturn 'done'",
        "import asyncio, os\nprint(os.getpid(), os.getppid())\nwhile not os.path.exists('go'): pass\nleft = asyncio.ensure_future(tools.slow())\nawait asyncio.sleep(0)\nreturn 'done'",
    );
    let host = Host::new();
    for language in Language::ALL {
        let result = host.run(language, RunRequest::new(*programs.of(language)).bind(tools()).observe(Late)).await;
        assert_eq!(result.value.as_ref().and_then(|value| value.as_str()), Some("done"), "{language}: {result:?}");
        let outcomes: Vec<_> = result.receipts.calls.iter().map(|call| call.outcome).collect();
        assert_eq!(outcomes, [NotStarted], "{language}");
        let notes: Vec<_> = result.logs.iter().filter(|entry| entry.level == LogLevel::Warn).collect();
        assert!(matches!(*notes, [note] if note.text.contains("tools.slow")), "{language}: {:?}", result.logs);
    }
}
