//! Programs that do what programs do.

use dayfly::{FailureKind, Json, Language, RunRequest, RunResult};
use dayfly_tests::{Both, Host, tools};

/// Programs with what they return, as JSON.
const PROGRAMS: [(Both<&str>, &str); 6] = [
    (Both::new("return 1 + 1", "return 1 + 1"), "2"),
    (
        Both::new(
            "for (let i = 0; i < 20; i++) console.log('line', i);\nreturn (await tools.echo({ a: [1, 2] })).a.length",
            "for i in range(20): print('line', i)\nreturn len((await tools.echo(a=[1, 2]))['a'])",
        ),
        "2",
    ),
    (
        Both::new(
            "return (await Promise.all(Array.from({ length: 50 }, (_, i) => tools.echo({ i })))).length",
            "import asyncio\nreturn len(await asyncio.gather(*[tools.echo(i=i) for i in range(50)]))",
        ),
        "50",
    ),
    (
        Both::new(
            "const text = 'x'.repeat(300_000);\nreturn (await tools.echo({ text })).text.length",
            "text = 'x' * 300_000\nreturn len((await tools.echo(text=text))['text'])",
        ),
        "300000",
    ),
    (
        Both::new(
            "let failed = 0;\nfor (const name of ['fail', 'crash', 'absent']) try { await tools[name]() } catch { failed++ }\nreturn failed",
            "failed = 0\nfor name in ['fail', 'crash', 'absent']:\n    try: await tools[name]()\n    except Exception: failed += 1\nreturn failed",
        ),
        "3",
    ),
    (
        Both::new(
            "require('node:fs').writeFileSync('kept', 'x'.repeat(10_000));\nreturn require('node:fs').readFileSync('kept').length",
            "open('kept', 'w').write('x' * 10_000)\nreturn len(open('kept').read())",
        ),
        "10000",
    ),
];

/// How often a run is tried whose budget is what ended it: that is small for the sake of those that spin, and on some
/// machines a moment in which everything stands still counts as work of whoever was at it.
pub(crate) const TRIES: usize = 3;

pub(crate) fn is_timeout(result: &RunResult) -> bool {
    result.failure.as_ref().is_some_and(|failure| failure.kind() == FailureKind::Timeout)
}

/// Runs what `request` makes, and again as long as its budget ends it.
pub(crate) async fn in_its_budget(host: &Host, language: Language, request: impl Fn() -> RunRequest) -> RunResult {
    let mut result = host.run(language, request()).await;
    for _ in 1..TRIES {
        if !is_timeout(&result) {
            break;
        }
        result = host.run(language, request()).await;
    }
    result
}

/// Does the run of this number.
pub(crate) async fn run(host: &Host, language: Language, number: usize) {
    let (program, value) = PROGRAMS[number % PROGRAMS.len()];
    let request = || RunRequest::new(*program.of(language)).bind(tools());
    let result = in_its_budget(host, language, request).await;
    assert_eq!(result.failure, None, "{language}: {}", program.of(language));
    assert_eq!(result.value, Some(Json::parse(value).unwrap()), "{language}: {}", program.of(language));
}
