//! P18–P20, P22 and P23: what a program calls, what it imports, and what it does not wait for.

use dayfly::Outcome::{Abandoned, Cancelled, Failed, Succeeded};

use super::{Case, Ends, Prints, none, text};

pub(super) fn cases() -> Vec<Case> {
    [no_arguments(), awkward_arguments(), failures(), shadows(), unawaited()].concat()
}

fn no_arguments() -> Vec<Case> {
    vec![
        Case::new(
            "P18",
            "a tool without parameters is called without an argument",
            text("return await tools.ping()"),
            text("return await tools.ping()"),
            Ends::Value(r#""pong""#),
        )
        .calls([("ping", Succeeded)]),
        Case::new(
            "P18",
            "an empty argument is no argument",
            text("return [await tools.ping({}), await tools['ping'](undefined)]"),
            text("return [await tools.ping({}), await tools['ping'](**{})]"),
            Ends::Value(r#"["pong","pong"]"#),
        )
        .calls([("ping", Succeeded), ("ping", Succeeded)]),
        Case::new(
            "P18",
            "a tool whose parameters are all optional is called without an argument",
            text("return await tools.echo()"),
            text("return await tools.echo()"),
            Ends::Value("{}"),
        )
        .calls([("echo", Succeeded)]),
    ]
}

fn awkward_arguments() -> Vec<Case> {
    const FIELDS: &str = r#"{"method":1,"self":2,"args":3,"name":4,"default":5,"kwargs":6,"cls":7,"this":8,"arguments":9,"tool_name":10,"toolName":11}"#;
    vec![
        Case::new(
            "P19",
            "fields with the names of parameters reach the tool",
            text(format!("return await tools.echo({FIELDS})")),
            text("return await tools.echo(method=1, self=2, args=3, name=4, default=5, kwargs=6, cls=7, this=8, arguments=9, tool_name=10, toolName=11)"),
            Ends::Value(FIELDS),
        )
        .calls([("echo", Succeeded)]),
        Case::new(
            "P19",
            "in a mapping as well, and by a name that is no identifier",
            text(format!("return await tools['odd-name']({FIELDS})")),
            text(format!("return await tools['odd-name']({FIELDS})")),
            Ends::Value(FIELDS),
        )
        .calls([("odd-name", Succeeded)]),
        Case::new(
            "P19",
            "fields with the names of the language's own parts reach the tool",
            text(r#"return await tools.echo(JSON.parse('{"__proto__":{"a":1},"constructor":2,"toJSON":3,"then":4,"class":5}'))"#),
            text(r#"return await tools.echo({"__proto__":{"a":1},"constructor":2,"toJSON":3,"then":4,"class":5})"#),
            Ends::Value(r#"{"__proto__":{"a":1},"constructor":2,"toJSON":3,"then":4,"class":5}"#),
        )
        .calls([("echo", Succeeded)]),
    ]
}

fn failures() -> Vec<Case> {
    let caught = |name, tool: &'static str, seen| {
        Case::new(
            "P20",
            name,
            text(format!("try {{\n  await tools.{tool}({{ n: 'x' }});\n}} catch (e) {{\n  return [e instanceof ToolCallError, e instanceof Error, e.toolName, e.message];\n}}")),
            text(format!("try:\n    await tools.{tool}(n='x')\nexcept ToolCallError as e:\n    return [isinstance(e, ToolCallError), isinstance(e, Exception), e.toolName, str(e)]")),
            Ends::Value(seen),
        )
        .calls([(tool, Failed)])
    };
    vec![
        caught(
            "a failed call is caught with the tool's name and its text",
            "fail",
            r#"[true,true,"fail","the disk is full; delete something and call again"]"#,
        ),
        caught(
            "a refused argument is caught with the tool's name and its text",
            "check",
            r#"[true,true,"check","arguments are not valid: /n must be a number, and is a string"]"#,
        ),
        Case::new(
            "P20",
            "a tool that breaks fails that call alone",
            text("try { await tools.crash() } catch (e) { return [e.toolName, await tools.ping()] }"),
            text("try:\n    await tools.crash()\nexcept ToolCallError as e:\n    return [e.tool_name, await tools.ping()]"),
            Ends::Value(r#"["crash","pong"]"#),
        )
        .calls([("crash", Failed), ("ping", Succeeded)]),
        Case::new(
            "P20",
            "a failed call that is not caught is the run's exception",
            text("const n: number = 1;\nawait tools.fail({ n });").class("ToolCallError").says(["the disk is full", "fail"]).line(2),
            text("n: int = 1\nawait tools.fail(n=n)").class("ToolCallError").says(["the disk is full", "fail"]).line(2),
            Ends::Exception,
        )
        .calls([("fail", Failed)]),
        Case::new(
            "P20",
            "an argument that is no lossless JSON fails that call alone, with the path",
            text("try { await tools.echo({ list: [1, new Map()] }) } catch (e) { return [e instanceof ToolCallError, e.toolName, /list\\[1\\]/.test(e.message), /Map/.test(e.message)] }"),
            text("import re\ntry:\n    await tools.echo(list=[1, {2}])\nexcept ToolCallError as e:\n    return [True, e.toolName, bool(re.search(r'list\\[1\\]', str(e))), 'set' in str(e)]"),
            Ends::Value(r#"[true,"echo",true,true]"#),
        ),
        Case::new(
            "P20",
            "a mistyped name that is not caught is the run's exception with the nearest real names",
            text("const a = 1;\nreturn await tools.oddname({ a })").says(["oddname", "odd-name"]).line(2),
            text("a = 1\nreturn await tools.oddname(a=a)").says(["oddname", "odd-name"]).line(2),
            Ends::Exception,
        ),
    ]
}

fn shadows() -> Vec<Case> {
    vec![
        Case::new(
            "P22",
            "files in the working directory never shadow the standard library",
            text(
                r#"const fs = await import("node:fs");
for (const name of ["util", "zlib", "code", "json"]) {
  fs.writeFileSync(`${name}.js`, "throw new Error('shadowed')");
  fs.mkdirSync(`node_modules/${name}`, { recursive: true });
  fs.writeFileSync(`node_modules/${name}/index.js`, "throw new Error('shadowed')");
}
const zlib = await import("zlib");
const { inspect } = require("util");
return [typeof zlib.gzipSync, inspect([1]), JSON.stringify([1])]"#,
            ),
            text(
                r#"for name in ["code", "json", "asyncio", "colorsys", "statistics"]:
    with open(name + ".py", "w") as file:
        file.write("raise SystemExit('shadowed')")
import sys
for name in ["code", "colorsys", "statistics"]:
    sys.modules.pop(name, None)
import code, json, asyncio, colorsys, statistics
return ["function" if callable(colorsys.rgb_to_hsv) else "", "[ 1 ]" if code.InteractiveConsole else "", json.dumps([1])]"#,
            ),
            Ends::Value(r#"["function","[ 1 ]","[1]"]"#),
        ),
        Case::new(
            "P22",
            "the working directory is empty, private and writable",
            text(
                "const fs = require('node:fs');\nfs.writeFileSync('a.txt', 'kept here');\nreturn [fs.readdirSync('.').length, fs.readFileSync('a.txt', 'utf8')]",
            ),
            text(
                "import os\nopen('a.txt', 'w').write('kept here')\nreturn [len(os.listdir('.')), open('a.txt').read()]",
            ),
            Ends::Value(r#"[1,"kept here"]"#),
        ),
    ]
}

fn unawaited() -> Vec<Case> {
    vec![
        Case::new(
            "P23",
            "a call that the program does not wait for is cancelled and named",
            // What is awaited is called first: the answers to a program are in the order of its calls when a registry gives them.
            text("const begun = tools.begun({ calls: 1 });\nvoid tools.slow({});\nreturn await begun")
                .says(["without waiting", "tools.slow", "await"]),
            text("import asyncio\nbegun = asyncio.ensure_future(tools.begun(calls=1))\nleft = asyncio.ensure_future(tools.slow())\nreturn await begun")
                .says(["without waiting", "tools.slow", "await"]),
            Ends::Value(r#""begun""#),
        )
        .prints(Prints::Note)
        .calls([("begun", Succeeded), ("slow", Cancelled)]),
        Case::new(
            "P23",
            "several are counted, and one that ignores its cancel is abandoned",
            text("const begun = tools.begun({ calls: 3 });\nvoid tools.slow({});\nvoid tools.stuck({});\nvoid tools.slow({});\nreturn await begun")
                .says(["tools.slow (2)", "tools.stuck"]),
            text("import asyncio\nbegun, *left = [asyncio.ensure_future(call) for call in [tools.begun(calls=3), tools.slow(), tools.stuck(), tools.slow()]]\nreturn await begun")
                .says(["tools.slow (2)", "tools.stuck"]),
            Ends::Value(r#""begun""#),
        )
        .prints(Prints::Note)
        // Long enough for those that listen to their cancel, on a machine that stands still for a moment.
        .config(|config| config.drain_grace(std::time::Duration::from_secs(3)))
        .calls([("begun", Succeeded), ("slow", Cancelled), ("stuck", Abandoned), ("slow", Cancelled)]),
        Case::new(
            "P23",
            "a call that was only written never leaves, and is named",
            none("a call of TypeScript's leaves when it is made"),
            text("tools.slow()\nreturn 'done'").says(["tools.slow", "never awaited", "not made"]),
            Ends::Value(r#""done""#),
        )
        .prints(Prints::Note),
    ]
}
