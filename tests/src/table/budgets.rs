//! P7 and P10: programs that compute without end, and tools that never answer.

use std::time::Duration;

use dayfly::{Outcome, ProcessConfig};

use super::{Case, Ends, Prints, text};

pub(super) fn cases() -> Vec<Case> {
    [loops(), silence()].concat()
}

fn loops() -> Vec<Case> {
    let endless = |name, typescript: &str, python: &str| {
        Case::new(
            "P7",
            name,
            text(format!("console.log('before');\n{typescript}\nconsole.log('after');")),
            text(format!("import asyncio, re\nprint('before')\n{python}\nprint('after')")),
            Ends::Compute,
        )
        .prints(Prints::Exactly("before"))
        .config(|config| config.compute(Duration::from_millis(300)))
    };
    vec![
        endless("a loop that does nothing", "while (true) {}", "while True: pass"),
        endless(
            "a chain of microtasks, or of turns of the loop",
            "const next = (): Promise<void> => Promise.resolve().then(next);\nawait next();",
            "while True: await asyncio.sleep(0)",
        ),
        endless(
            "a regular expression that tries everything",
            "/^(a+)+$/.test('a'.repeat(60) + 'b');",
            "re.match(r'^(a+)+$', 'a' * 60 + 'b')",
        ),
        endless(
            "a sum of a million millions",
            "let sum = 0n;\nfor (let i = 0n; i < 10n ** 12n; i++) sum += i;",
            "sum(range(10**12))",
        ),
    ]
}

fn silence() -> Vec<Case> {
    let wall = |config: ProcessConfig| config.wall(Duration::from_secs(1)).drain_grace(Duration::from_millis(100));
    vec![
        Case::new(
            "P10",
            "a tool that never answers ends at the wall, the receipt names it, and run returns without it",
            text("console.log('before');\nreturn await tools.stuck({})"),
            text("print('before')\nreturn await tools.stuck()"),
            Ends::Wall,
        )
        .prints(Prints::Exactly("before"))
        .calls([("stuck", Outcome::Abandoned)])
        .config(wall),
        Case::new(
            "P10",
            "a tool that has a deadline fails at it, and the program goes on",
            text("try { await tools.late({}) } catch (e) { return [e.toolName, e.message, await tools.ping()] }"),
            text("try:\n    await tools.late()\nexcept ToolCallError as e:\n    return [e.tool_name, str(e), await tools.ping()]"),
            Ends::Value(r#"["late","nothing came within 50 ms; ask for less","pong"]"#),
        )
        .calls([("late", Outcome::Failed), ("ping", Outcome::Succeeded)]),
        Case::new(
            "P10",
            "a deadline that nobody catches is the run's exception",
            text("const n = 1;\nawait tools.late({ n })").class("ToolCallError").says(["late", "within 50 ms"]).line(2),
            text("n = 1\nawait tools.late(n=n)").class("ToolCallError").says(["late", "within 50 ms"]).line(2),
            Ends::Exception,
        )
        .calls([("late", Outcome::Failed)]),
    ]
}
