//! Frames that no honest worker writes.

use std::time::Duration;

use dayfly::{ByteSize, Language, Outcome};
use dayfly_tests::hostile::{Act, Ends, Frame, Peer, Row, Script, Then, call, done, log, nested};

rows! {
    h1_a_length_over_the_cap_is_a_violation_and_allocates_nothing: h1,
    h2_a_header_that_means_nothing_is_a_violation_that_is_named: h2,
    h3_a_frame_that_never_ends_is_ended_by_the_runs_own_budget: h3,
    h4_a_part_of_a_frame_and_an_exit_is_an_exit: h4,
    h5_a_payload_that_is_no_json_object_is_a_violation: h5,
    h6_nesting_overflows_no_stack: h6,
    h7_numbers_that_are_not_lossless_are_refused_with_their_path: h7,
}

const CALL: u8 = 2;
const LOG: u8 = 3;

fn h1() -> Row {
    const CAP: u32 = 1 << 20;
    let claims = |length| Script::send(Frame::new(CALL, 1, "").header(length));
    let frame = |text: &str| call(1, "inspect", &format!("\"{text}\""));
    let room = CAP as usize - (frame("").len() - 16);
    let whole = Script::of([Act::Send(frame(&"x".repeat(room))), Act::AwaitReply], Then::Return);
    Row::new("H1")
        .config(|config| config.max_frame_bytes(ByteSize::mib(1)))
        .script(
            "the longest length there is",
            claims(u32::MAX),
            Ends::Broken(&["4294967295 bytes", "limit of 1048576"]),
        )
        .script("one byte more than the cap", claims(CAP + 1), Ends::Broken(&["1048577 bytes", "limit of 1048576"]))
        .script("exactly the cap is accepted", whole, Ends::Value(format!("[[false,{}]]", room + 2).leak()))
        .calls([("inspect", Outcome::Succeeded)])
}

fn h2() -> Row {
    let broken = |change: fn(&mut Frame)| {
        let mut frame = Frame::new(LOG, 0, r#"{"source":"stdout","level":"log","text":"x"}"#);
        change(&mut frame);
        Script::send(frame.bytes())
    };
    Row::new("H2")
        .script("a length of 0", broken(|frame| frame.payload.clear()), Ends::Broken(&["log frame is not JSON"]))
        .script(
            "another magic",
            broken(|frame| frame.magic = *b"GET "),
            Ends::Broken(&["\"GET \" instead of \"DAYF\""]),
        )
        .script("another version", broken(|frame| frame.version = 2), Ends::Broken(&["protocol version 2, not 1"]))
        .script("an unknown kind", broken(|frame| frame.kind = 0x7f), Ends::Broken(&["no kind 0x7f"]))
        .script(
            "a kind of the host's",
            broken(|frame| frame.kind = 0x81),
            Ends::Broken(&["a start frame came from the worker"]),
        )
        .script(
            "a flag without a meaning",
            broken(|frame| frame.flags = 1),
            Ends::Broken(&["a log frame has the flags"]),
        )
        .script("an id where none belongs", broken(|frame| frame.id = 5), Ends::Broken(&["a log frame has the id 5"]))
        .script(
            "a second ready",
            Script::send(Frame::new(1, 0, r#"{"language":"python","version":"0"}"#).bytes()),
            Ends::Broken(&["a ready frame came while the program runs"]),
        )
        .script(
            "text of another protocol",
            Script::send(*b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
            Ends::Broken(&["\"GET \""]),
        )
}

fn h3() -> Row {
    let claims = Frame::new(CALL, 1, "").header(256 << 20);
    let slowly = |bytes: Vec<u8>| Script::of([Act::Trickle(bytes, Duration::from_millis(50))], Then::Sleep);
    Row::new("H3")
        .config(|config| config.wall(Duration::from_secs(2)))
        .neighbour()
        .script("a header that claims all that a frame may have, and silence", Script::send(claims.clone()), Ends::Wall)
        .script("the same and a byte now and then", slowly([claims, vec![b' '; 100]].concat()), Ends::Wall)
        .script("a log, byte by byte", slowly(log(&"x".repeat(100))), Ends::Wall)
}

fn h4() -> Row {
    let cut = |bytes: usize, code| {
        let whole = call(1, "echo", "\"a text of some length\"");
        Script::of([Act::Send(whole[..bytes].to_vec())], Then::Exit(code))
    };
    Row::new("H4")
        .script("in the middle of a header", cut(7, 3), Ends::Exit(3))
        .calls([])
        .script("between a header and its payload", cut(16, 0), Ends::Exit(0))
        .calls([])
        .script("in the middle of a payload", cut(40, 4), Ends::Exit(4))
        .calls([])
}

fn h5() -> Row {
    let payload = |kind, payload: &[u8]| Script::send(Frame::new(kind, u32::from(kind == CALL), payload).bytes());
    let twice = Frame::new(CALL, 1, r#"{"global":"x","global":"tools","name":"fail","name":"echo","args":1,"args":2}"#);
    Row::new("H5")
        .script(
            "a text that is not UTF-8",
            payload(LOG, b"{\"source\":\"stdout\",\"level\":\"log\",\"text\":\"\xff\xfe\"}"),
            Ends::Broken(&["log frame is not UTF-8 at byte 41"]),
        )
        .script(
            "JSON that breaks off",
            payload(CALL, br#"{"global":"tools","name""#),
            Ends::Broken(&["call frame is not JSON"]),
        )
        .script("something behind the JSON", payload(LOG, b"{} {}"), Ends::Broken(&["log frame is not JSON"]))
        .script("a list instead of an object", payload(CALL, b"[1]"), Ends::Broken(&["call frame is of type array"]))
        .script("null instead of a completion", payload(4, b"null"), Ends::Broken(&["done frame is of type null"]))
        .script(
            "a number instead of a text",
            payload(LOG, br#"{"source":"stdout","level":"log","text":7}"#),
            Ends::Broken(&["\"text\" of a log frame", "number"]),
        )
        .script(
            "a field that is missing",
            payload(CALL, br#"{"global":"tools"}"#),
            Ends::Broken(&["no field \"name\""]),
        )
        .script(
            "a value that is not among a field's",
            payload(LOG, b"{\"source\":\"\\u001b[2J\",\"level\":\"log\",\"text\":\"x\"}"),
            Ends::Broken(&["\"source\"", "\\u{1b}[2J"]),
        )
        .script(
            "of duplicate keys the last counts, in a call",
            Script::of([Act::Send(twice.bytes()), Act::AwaitReply], Then::Return),
            Ends::Value("[[false,2]]"),
        )
        .calls([("echo", Outcome::Succeeded)])
        .script(
            "of duplicate keys the last counts, in a completion",
            payload(4, br#"{"value":1,"value":2}"#),
            Ends::Value("2"),
        )
}

fn h6() -> Row {
    const LEVELS: usize = 100_000;
    let asked = |arguments: &str| {
        Script::of(
            [
                Act::Send(call(1, "inspect", arguments)),
                Act::AwaitReply,
                Act::Send(call(2, "ping", "{}")),
                Act::AwaitReply,
            ],
            Then::Return,
        )
    };
    let objects = r#"{"a":"#.repeat(LEVELS) + "1" + &"}".repeat(LEVELS);
    let log = format!(r#"{{"source":"stdout","level":"log","text":"x","more":{}}}"#, nested(LEVELS));
    let text = "deep = []\nfor i in range(100_000): deep = [deep]\n";
    let typescript = "let deep: unknown = [];\nfor (let i = 0; i < 100_000; i++) deep = [deep];\n";
    Row::new("H6")
        .script("lists in a call fail that call", asked(&nested(LEVELS)), Ends::Completed)
        .calls([("inspect", Outcome::Failed), ("ping", Outcome::Succeeded)])
        .script("objects in a call fail that call", asked(&objects), Ends::Completed)
        .calls([("inspect", Outcome::Failed), ("ping", Outcome::Succeeded)])
        .script(
            "as deep as may be is cloned, compared, printed and dropped",
            Script::of([Act::Send(call(1, "inspect", &nested(10_000))), Act::AwaitReply], Then::Return),
            Ends::Value("[[false,20000]]"),
        )
        .script("in a completion", Script::send(done(&nested(LEVELS))), Ends::Invalid("result[0][0]", "limit of 10000 levels"))
        .script("in a log", Script::send(Frame::new(LOG, 0, log).bytes()), Ends::Broken(&["log frame is refused", "10000 levels"]))
        .script("never closed", Script::send(done(&"[".repeat(LEVELS))), Ends::Broken(&["done frame is not JSON"]))
        .programs(
            "a program's own argument fails that call",
            &format!("{typescript}try {{ await tools.echo(deep) }} catch (e) {{ return [e instanceof ToolCallError, e.message.includes('levels')] }}"),
            &format!("{text}try:\n    await tools.echo(deep)\nexcept ToolCallError as e:\n    return [True, 'levels' in str(e)]"),
            Ends::Value("[true,true]"),
        )
        .programs(
            "a program's own completion",
            &format!("{typescript}return deep"),
            &format!("{text}return deep"),
            Ends::Invalid("result[0][0]", "levels"),
        )
        .programs(
            "a host function's answer fails that call",
            "try { await tools.abyss() } catch (e) { return [e instanceof ToolCallError, e.message.includes('levels')] }",
            "try:\n    await tools.abyss()\nexcept ToolCallError as e:\n    return [True, 'levels' in str(e)]",
            Ends::Value("[true,true]"),
        )
        .calls([("abyss", Outcome::Failed)])
}

fn h7() -> Row {
    let digits = "7".repeat(1_000_000);
    let asked = |number: &str| {
        Script::of([Act::Send(call(1, "echo", &format!(r#"{{"list":[0,{number}]}}"#))), Act::AwaitReply], Then::Return)
    };
    let refused = |row: Row, name: &'static str, number: &str| {
        row.script(name, asked(number), Ends::Completed).calls([("echo", Outcome::Failed)]).also(|seen| {
            let replies = seen.result.value.as_ref().map(ToString::to_string).unwrap_or_default();
            seen.must("the reply names the place", replies == "[]" || replies.contains("args.list[1]"))
        })
    };
    let row = refused(Row::new("H7"), "a number beyond all doubles in a call", "1e400");
    let row = refused(row, "a negative zero in a call", "-0");
    let row = refused(row, "a million digits in a call", &digits);
    row.script(
        "a number beyond all doubles in a completion",
        Script::send(done(r#"{"n":-1e400}"#)),
        Ends::Invalid("result.n", "double"),
    )
    .script("a negative zero in a completion", Script::send(done(r#"{"n":-0.0}"#)), Ends::Invalid("result.n", "zero"))
    .script("a million digits in a completion", Script::send(done(&digits)), Ends::Invalid("result", "digits"))
    .script(
        "an integer that no double holds, in a completion",
        Script::send(done("9007199254740993")),
        Ends::Value("9007199254740993"),
    )
    .script("an integer that no double holds, in a call", asked("9007199254740993"), Ends::Completed)
    .also(|seen| {
        let typescript = seen.peer == Peer::Program(Language::TypeScript);
        let wanted = if typescript { Outcome::Failed } else { Outcome::Succeeded };
        seen.must("it reaches Python alone", seen.result.receipts.calls[0].outcome == wanted)
    })
    .python_alone(
        "an integer that no double holds, from the language",
        "a number of TypeScript cannot hold it",
        "return (await tools.echo(n=2**53 + 1))['n']",
        Ends::Value("9007199254740993"),
    )
}
