//! Programs that do what programs do.

use dayfly::{Json, Language, RunRequest};
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

/// Does the run of this number.
pub(crate) async fn run(host: &Host, language: Language, number: usize) {
    let (program, value) = PROGRAMS[number % PROGRAMS.len()];
    let result = host.run(language, RunRequest::new(*program.of(language)).bind(tools())).await;
    assert_eq!(result.failure, None, "{language}: {}", program.of(language));
    assert_eq!(result.value, Some(Json::parse(value).unwrap()), "{language}: {}", program.of(language));
}
