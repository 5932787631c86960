//! P8, P12 and P24: how a run ends that does not end by its last line.

use std::time::Duration;

use dayfly::Outcome;

use super::{Case, Ends, Prints, none, text};

pub(super) fn cases() -> Vec<Case> {
    [walls(), unheard(), exits()].concat()
}

fn walls() -> Vec<Case> {
    vec![
        Case::new(
            "P8",
            "a thread that sleeps ends at the wall, and what it printed is kept",
            text("console.log('before');\nAtomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300_000);\nreturn 1")
                ,
            text("import time\nprint('before')\ntime.sleep(300)\nreturn 1"),
            Ends::Wall,
        )
        .prints(Prints::Exactly("before"))
        .config(|config| config.wall(Duration::from_secs(1))),
        Case::new(
            "P8",
            "a loop that sleeps ends at the wall",
            text("await new Promise(resolve => setTimeout(resolve, 300_000));\nreturn 1"),
            text("import asyncio\nawait asyncio.sleep(300)\nreturn 1"),
            Ends::Wall,
        )
        .config(|config| config.wall(Duration::from_secs(1))),
        Case::new(
            "P8",
            "a program that waits for a tool ends at the wall, and the receipt says so",
            text("return await tools.slow({})"),
            text("return await tools.slow()"),
            Ends::Wall,
        )
        .calls([("slow", Outcome::Cancelled)])
        .config(|config| config.wall(Duration::from_secs(1))),
    ]
}

fn unheard() -> Vec<Case> {
    vec![
        Case::new(
            "P12",
            "a rejection that nobody awaits is an exception",
            text("const lost = async () => { throw new Error('lost') };\nvoid lost();\nawait new Promise(resolve => setTimeout(resolve, 100_000));\nreturn 1")
                .class("Error")
                .says(["lost"])
                .line(1),
            text("import asyncio\nasync def lost(): raise ValueError('lost')\ntask = asyncio.create_task(lost())\nawait asyncio.sleep(0.05)\nreturn 1")
                .class("ValueError")
                .says(["lost"])
                .line(2),
            Ends::Exception,
        ),
        Case::new(
            "P12",
            "a rejection that nobody awaits is an exception though the program returns at once",
            text("const lost = async () => { throw new Error('lost') };\nvoid lost();\nreturn 1").class("Error").says(["lost"]),
            text("import asyncio\nasync def lost(): raise ValueError('lost')\ntask = asyncio.create_task(lost())\nawait asyncio.sleep(0)\nreturn 1")
                .class("ValueError")
                .says(["lost"]),
            Ends::Exception,
        ),
        Case::new(
            "P12",
            "an exception in the callback of a timer is an exception",
            text("setTimeout(() => {\n  throw new Error('in a timer');\n}, 1);\nawait new Promise(resolve => setTimeout(resolve, 100_000));\nreturn 1")
                .class("Error")
                .says(["in a timer"])
                .line(2),
            text("import asyncio\ndef late():\n    raise ValueError('in a timer')\nasyncio.get_running_loop().call_later(0.001, late)\nawait asyncio.sleep(0.05)\nreturn 1")
                .class("ValueError")
                .says(["in a timer"])
                .line(3),
            Ends::Exception,
        ),
        Case::new(
            "P12",
            "a rejection that is handled late enough to be seen, but handled, is no exception",
            text("const p = Promise.reject(new Error('caught'));\ntry { await p } catch (e) { return (e as Error).message }"),
            text("import asyncio\nasync def p(): raise ValueError('caught')\ntask = asyncio.create_task(p())\ntry:\n    await task\nexcept ValueError as e:\n    return str(e)"),
            Ends::Value(r#""caught""#),
        ),
        Case::new(
            "P12",
            "a failed call that nobody awaits is an exception that names the tool",
            text("void tools.fail({});\nawait new Promise(resolve => setTimeout(resolve, 100_000));\nreturn 1")
                .class("ToolCallError")
                .says(["the disk is full"]),
            text("import asyncio\ntask = asyncio.ensure_future(tools.fail())\nwhile not task.done(): await asyncio.sleep(0.001)\nreturn 1")
                .class("ToolCallError")
                .says(["the disk is full"]),
            Ends::Exception,
        )
        .calls([("fail", Outcome::Failed)]),
    ]
}

fn exits() -> Vec<Case> {
    let half_way = |name, typescript: &str, python: &str, ends| {
        Case::new(
            "P24",
            name,
            text(format!(
                "console.log('before');\nawait tools.ping();\n{typescript};\nconsole.log('after');\nreturn 1"
            )),
            text(format!("import os, sys\nprint('before')\nawait tools.ping()\n{python}\nprint('after')\nreturn 1")),
            ends,
        )
        .prints(Prints::Exactly("before"))
        .calls([("ping", Outcome::Succeeded)])
    };
    let says_code = |mut case: Case, says: &'static [&'static str]| {
        case.sides.typescript = case.sides.typescript.says(says);
        case.sides.python = case.sides.python.says(says);
        case
    };
    vec![
        says_code(
            half_way("an exit with zero half way is not a success", "process.exit(0)", "sys.exit(0)", Ends::Exit(0)),
            &["0"],
        ),
        says_code(half_way("an exit with a code says the code", "process.exit(3)", "os._exit(3)", Ends::Exit(3)), &["3"]),
        says_code(half_way("an exit by default is an exit with zero", "process.exit()", "sys.exit()", Ends::Exit(0)), &["0"]),
        half_way("a code that was set before is the exit's", "process.exitCode = 7; process.exit()", "raise SystemExit(7)", Ends::Exit(7)),
        half_way("an exit without the language's consent says its code", "process.reallyExit(9)", "os._exit(9)", Ends::Exit(9)),
        half_way("an abort says its signal", "process.abort()", "os.abort()", Ends::Signal(6)),
        half_way(
            "a signal to oneself is said",
            "process.kill(process.pid, 'SIGKILL'); await new Promise(() => setTimeout(() => {}, 100_000))",
            "os.kill(os.getpid(), 9)",
            Ends::Signal(9),
        ),
        Case::new(
            "P24",
            "an exit inside a function that nobody awaits is an exit all the same",
            text("console.log('before');\nsetTimeout(() => process.exit(4), 1);\nawait new Promise(resolve => setTimeout(resolve, 100_000));")
                .says(["4"]),
            text("import asyncio, sys\nprint('before')\nasyncio.get_running_loop().call_later(0.001, sys.exit, 4)\nawait asyncio.sleep(0.05)")
                .says(["4"]),
            Ends::Exit(4),
        )
        .prints(Prints::Exactly("before")),
        Case::new(
            "P24",
            "an exit with a text is an exit with one, and the text is kept",
            none("process.exit takes a number"),
            text("import sys\nsys.exit('no such table')").says(["1"]),
            Ends::Exit(1),
        )
        .prints(Prints::Exactly("no such table")),
    ]
}
