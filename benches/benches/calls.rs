//! What a call costs: beside a `MessagePort` of the same Node, beside a host that does nothing but echo, and, for large
//! values, beside the language's own JSON.
//!
//! Programs and peers last as long as the bench and play rounds in turns: starting them is in no figure, all of them are
//! warm, and the drift of the machine meets them alike. What is compared are medians of the same rounds.

use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use dayfly::{Language, ProcessConfig};
use dayfly_benches::{Contest, EchoedPlayer, Host, Peer, PeerScript, Player, Standing};

/// Calls of a round, so that a round's milliseconds are a call's microseconds.
const CALLS: usize = 1_000;
const WARM_UP: usize = 10;
const ROUNDS: usize = 60;
const LARGE_WARM_UP: usize = 1;
const LARGE_ROUNDS: usize = 7;

/// A call from Node costs at most this many round trips of a `MessagePort`.
const PORTS: f64 = 1.5;
/// A call from CPython costs at most this.
const PYTHON: Duration = Duration::from_micros(45);
/// A large value crosses a call at no less than half the speed of the language's own printing and parsing.
const PRINTS: f64 = 2.0;

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout();
    let hour = Duration::from_secs(3_600);
    let config = ProcessConfig::default().compute(hour).wall(hour).max_receipts(0);
    let host = Host::new(config.clone());
    let (node, node_version) = host.interpreter(Language::TypeScript);
    let (python, python_version) = host.interpreter(Language::Python);
    writeln!(out, "node {node_version}, python {python_version}; medians (10th – 90th percentile)")?;
    // `cargo bench` says `--bench`; any other word is a part to play alone.
    let asked: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let plays = |part: &str| asked.is_empty() || asked.iter().any(|asked| asked == part);
    if plays("sequential") {
        sequential(&mut out, &host, &Host::on_one_thread(config), &node, &python)?;
    }
    if plays("parallel") {
        parallel(&mut out, &host, &node, &python)?;
    }
    for kind in ["text", "rows"].into_iter().filter(|kind| plays(kind)) {
        large(&mut out, &host, Language::TypeScript, &node, kind)?;
        large(&mut out, &host, Language::Python, &python, kind)?;
    }
    Ok(())
}

fn sequential(
    out: &mut impl std::io::Write,
    host: &Host,
    single: &Host,
    node: &Path,
    python: &Path,
) -> std::io::Result<()> {
    const TYPESCRIPT: &str = "for (let i = 0; i < count; i++) await tools.echo({ i });";
    const PYTHON_TEXT: &str = "for i in range(count): await tools.echo(i=i)";
    let mut port = Peer::start(node, PeerScript::MessagePort);
    let mut promised = Peer::start(node, PeerScript::MessagePort);
    let from_node = Player::start(host, Language::TypeScript, "", TYPESCRIPT);
    let node_single = Player::start(single, Language::TypeScript, "", TYPESCRIPT);
    let python_single = Player::start(single, Language::Python, "", PYTHON_TEXT);
    let node_echo = EchoedPlayer::start(node, Language::TypeScript, "", TYPESCRIPT);
    let from_python = Player::start(host, Language::Python, "", PYTHON_TEXT);
    let python_echo = EchoedPlayer::start(python, Language::Python, "", PYTHON_TEXT);
    let standings = Contest::new()
        .contender("MessagePort, bare", || port.round("bare", CALLS))
        .contender("MessagePort, with an id and a promise each", || promised.round("sequential", CALLS))
        .contender("dayfly from Node", || from_node.round(CALLS))
        .contender("the worker alone, a thread that echoes", || node_echo.round(CALLS))
        .contender("dayfly from CPython", || from_python.round(CALLS))
        .contender("the worker alone, a thread that echoes", || python_echo.round(CALLS))
        .contender("dayfly from Node, host on one thread", || node_single.round(CALLS))
        .contender("dayfly from CPython, host on one thread", || python_single.round(CALLS))
        .run(WARM_UP, ROUNDS);
    print(out, "calls one after the other, per 1,000", &standings)?;
    let [_, _, from_node, _, from_python, _, ..] = standings.as_slice() else { return Ok(()) };
    verdict(out, "Node, round trips of a MessagePort", from_node.ratio, PORTS)?;
    let per_call = from_python.median.as_secs_f64() * 1e6 / 1e3;
    verdict(out, "CPython, microseconds", per_call, PYTHON.as_secs_f64() * 1e6)
}

fn parallel(out: &mut impl std::io::Write, host: &Host, node: &Path, python: &Path) -> std::io::Result<()> {
    const TYPESCRIPT: &str = "await Promise.all(Array.from({ length: count }, (_, i) => tools.echo({ i })));";
    const PYTHON_TEXT: &str = "await asyncio.gather(*[tools.echo(i=i) for i in range(count)])";
    let mut port = Peer::start(node, PeerScript::MessagePort);
    let from_node = Player::start(host, Language::TypeScript, "", TYPESCRIPT);
    let node_echo = EchoedPlayer::start(node, Language::TypeScript, "", TYPESCRIPT);
    let from_python = Player::start(host, Language::Python, "", PYTHON_TEXT);
    let python_echo = EchoedPlayer::start(python, Language::Python, "", PYTHON_TEXT);
    let standings = Contest::new()
        .contender("MessagePort, under one Promise.all", || port.round("parallel", CALLS))
        .contender("dayfly from Node", || from_node.round(CALLS))
        .contender("the worker alone, a thread that echoes", || node_echo.round(CALLS))
        .contender("dayfly from CPython", || from_python.round(CALLS))
        .contender("the worker alone, a thread that echoes", || python_echo.round(CALLS))
        .run(WARM_UP, ROUNDS);
    print(out, "1,000 calls at once", &standings)?;
    let [_, from_node, ..] = standings.as_slice() else { return Ok(()) };
    verdict(out, "Node, times a MessagePort", from_node.ratio, PORTS)
}

/// 64 MiB there and back: one text, or a million small objects.
fn large(
    out: &mut impl std::io::Write,
    host: &Host,
    language: Language,
    path: &Path,
    kind: &str,
) -> std::io::Result<()> {
    let (script, before, round) = if language == Language::Python {
        let value = if kind == "text" {
            "{'text': 'x' * (64 << 20)}"
        } else {
            "[{'id': i, 'name': f'row {i}', 'tags': ['a', 'b'], 'ok': True} for i in range(64 * 1024 * 16)]"
        };
        (PeerScript::PythonJson, format!("value = {value}"), "for i in range(count): await tools.echo(value)")
    } else {
        let value = if kind == "text" {
            "{ text: 'x'.repeat(64 << 20) }"
        } else {
            "Array.from({ length: 64 * 1024 * 16 }, (_, id) => ({ id, name: `row ${id}`, tags: ['a', 'b'], ok: true }))"
        };
        let round = "for (let i = 0; i < count; i++) await tools.echo(value);";
        (PeerScript::NodeJson, format!("const value = {value};"), round)
    };
    let mut own = Peer::start(path, script);
    let player = Player::start(host, language, &before, round);
    let standings = Contest::new()
        .contender(format!("{language}: its own print and parse"), || own.round(kind, 1))
        .contender(format!("{language}: through a call"), || player.round(1))
        .run(LARGE_WARM_UP, LARGE_ROUNDS);
    print(out, &format!("64 MiB of {kind} there and back, from {language}"), &standings)?;
    let [_, call] = standings.as_slice() else { return Ok(()) };
    verdict(out, "times the language's own print and parse", call.ratio, PRINTS)
}

fn print(out: &mut impl std::io::Write, title: &str, standings: &[Standing]) -> std::io::Result<()> {
    writeln!(out, "\n{title}")?;
    standings.iter().try_for_each(|standing| writeln!(out, "  {standing}"))
}

fn verdict(out: &mut impl std::io::Write, what: &str, found: f64, most: f64) -> std::io::Result<()> {
    let holds = if found <= most { "holds" } else { "DOES NOT HOLD" };
    writeln!(out, "  {what}: {found:.3}, at most {most}: {holds}")
}
