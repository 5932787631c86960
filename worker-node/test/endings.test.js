"use strict";
const test = require("node:test");
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { run, scratch } = require("./harness.js");

const failure = async (program, options) => {
  const result = await run(program, options);
  assert.deepEqual(result.done, undefined);
  assert.equal(result.failed?.kind, "exception", program);
  assert.doesNotMatch(JSON.stringify(result.failed), /dayfly|node:internal|\/tmp\//);
  assert.equal(result.stderr, "");
  return result.failed;
};

test("an exception carries name, message, line, column and the program's frames", async () => {
  const failed = await failure("function f(x: number) {\n  null.x;\n}\nawait 1;\n  f(2);".replace(": number", "        "));
  assert.equal(failed.name, "TypeError");
  assert.match(failed.message, /^Cannot read properties of null/);
  assert.deepEqual([failed.line, failed.column], [2, 8]);
  assert.equal(failed.stack, "at f (program.ts:2:8)\nat program.ts:5:3");
});

test("columns of the first line are the program's own", async () => {
  const { line, column } = await failure("throw new Error('x')");
  assert.deepEqual([line, column], [1, 7]);
});

test("a comment on the last line, a directive and a shebang-free first line are no trouble", async () => {
  for (const [program, value] of [["return 1 // one", 1], ['"use strict"; return 2 /* two */', 2], ["return 3\n// three", 3]]) {
    assert.deepEqual((await run(program)).done, { value });
  }
});

test("a syntax error has its line and column", async () => {
  const first = await failure("let a = ;");
  assert.deepEqual([first.name, first.line, first.column], ["SyntaxError", 1, 9]);
  const later = await failure("let a = 1;\n\tlet b = 2;\n  let a = 3;");
  assert.deepEqual([later.name, later.line, later.column], ["SyntaxError", 3, 7]);
  assert.match(later.message, /already been declared/);
  const open = await failure("if (true) {");
  assert.equal(open.name, "SyntaxError");
});

test("the body is strict, its `this` is no window to the bootstrap and `arguments` is not there", async () => {
  const { failed } = await run("undeclared = 1");
  assert.match(failed.message, /undeclared is not defined/);
  assert.match((await run("return arguments.length")).failed.message, /arguments is not defined/);
});

const THROWN = [
  ["null", "", "the program threw null instead of an Error"],
  ["undefined", "", "the program threw undefined instead of an Error"],
  ['"plain text"', "", "plain text"],
  ['""', "", "the program threw an empty string instead of an Error"],
  ["42", "", "the program threw 42 instead of an Error"],
  ["{ code: 7 }", "", "the program threw { code: 7 } instead of an Error"],
  ["Symbol('s')", "", "the program threw Symbol(s) instead of an Error"],
  ["Object.defineProperty({}, 'message', { enumerable: true, get() { throw 1 } })", "", /^the program threw \{ message: \[Getter\] \}/],
  ["new Proxy({}, { get() { throw 1 }, ownKeys() { throw 2 }, getPrototypeOf() { throw 3 } })", "", /^the program threw/],
  ["Object.defineProperty(new RangeError('x'), 'message', { get() { throw 1 } })", "RangeError", "RangeError without a message"],
  ["Object.assign(new Error('x'), { name: 5, stack: 7 })", "Error", "x"],
  ["new (class Custom extends Error {})('mine')", "Custom", "mine"],
  ["new Error('outer', { cause: new TypeError('inner', { cause: 'deep' }) })", "Error", "outer\ncaused by TypeError: inner\ncaused by deep"],
  ["(() => { const e = new Error('round'); e.cause = e; return e })()", "Error", "round"],
  ["new AggregateError([new Error('a'), 'b'], 'many')", "AggregateError", "many\n  1. Error: a\n  2. b"],
];

test("whatever is thrown is told in the best printable text", async () => {
  for (const [expression, name, message] of THROWN) {
    const failed = await failure(`throw ${expression}`);
    assert.equal(failed.name, name, expression);
    if (message instanceof RegExp) assert.match(failed.message, message);
    else assert.equal(failed.message, message);
  }
});

test("messages and stacks are capped", async () => {
  const failed = await failure("throw new Error('é'.repeat(1e6))");
  assert.ok(Buffer.byteLength(failed.message) < 66000);
  assert.match(failed.message, /… \(\d+ more bytes\)$/);
});

test("a rejection nobody awaits and an exception in a timer are failures", async () => {
  const rejected = await failure("Promise.reject(new RangeError('lost'));\nawait new Promise((r) => setTimeout(r, 1000));");
  assert.deepEqual([rejected.name, rejected.message, rejected.line], ["RangeError", "lost", 1]);
  const returned = await failure("(async () => { throw new Error('background') })();\nreturn 5");
  assert.equal(returned.message, "background");
  const timer = await failure("setTimeout(() => { throw new TypeError('late') }, 1);\nawait new Promise(() => {});");
  assert.deepEqual([timer.name, timer.message, timer.line, timer.column], ["TypeError", "late", 1, 26]);
  const none = await failure("Promise.reject(null); await new Promise((r) => setTimeout(r, 1000))");
  assert.equal(none.message, "the program threw null instead of an Error");
});

test("a program that handles its own rejections and exceptions goes on", async () => {
  const program = `process.on("unhandledRejection", () => console.log("seen"));
    Promise.reject(1); await new Promise((r) => setTimeout(r, 5)); return 1`;
  const { done, logs } = await run(program);
  assert.deepEqual([done, logs.map((log) => log.text)], [{ value: 1 }, ["seen"]]);
});

test("a dead event loop is told as such", async () => {
  for (const program of ["await new Promise(() => {})", "await tools.echo(1); await new Promise(() => {})", "process.exitCode = 4; await new Promise(() => {})"]) {
    const failed = await failure(program);
    assert.match(failed.message, /waits for something that can never happen.*nobody resolves/);
  }
});

test("work that a beforeExit listener schedules still counts", async () => {
  const { done } = await run("return await new Promise((resolve) => process.once('beforeExit', () => setTimeout(resolve, 1, 7)))");
  assert.deepEqual(done, { value: 7 });
});

test("timers and servers that stay open do not delay the end", async () => {
  const program = "setInterval(() => {}, 10); require('net').createServer().listen(0, '127.0.0.1'); return 1";
  const { done, code } = await run(program, { killAfter: 60000 });
  assert.deepEqual([done, code], [{ value: 1 }, 0]);
});

test("an exit of the program's own is an exit with its code", async () => {
  for (const [program, code] of [["process.exit(0)", 0], ["process.exit(3)", 3], ["process.reallyExit(5)", 5], ["process.exitCode = 9; process.exit()", 9]]) {
    const result = await run(`console.log("before"); ${program}; return 1`);
    assert.deepEqual([result.done, result.failed, result.code], [undefined, undefined, code], program);
    assert.deepEqual(result.logs.map((log) => log.text), ["before"]);
  }
  const aborted = await run("process.abort()");
  assert.equal(aborted.signal, "SIGABRT");
});

test("a variable of an earlier run is told to be gone, and a forgotten import is named", async () => {
  assert.match((await failure("return rows.length")).message, /^rows is not defined\. Every run starts fresh/);
  for (const name of ["ToolError", "ToolCallEror"]) {
    const { message } = await failure(`try { throw new Error("x") } catch (e) { return e instanceof ${name} }`);
    assert.equal(message, `${name} is not defined. Did you mean ToolCallError? If not: every run starts fresh, so define it in this program`);
  }
  assert.match((await failure("print(1)")).message, /^print is not defined\. This program is TypeScript, not Python: use console\.log/);
  assert.match((await failure("return fs.readFileSync('x')")).message, /const fs = await import\("node:fs"\).*starts fresh/);
});

test("another word for the tools, a type, a program within a program and an import of the tools are told what to write", async () => {
  for (const name of ["tool", "Tools", "functions", "default_api"]) {
    assert.equal(
      (await failure(`return await ${name}.add()`)).message,
      `${name} is not defined. If tools are meant, they are called as \`await tools.name(…)\`. Every run starts fresh: what an earlier run defined is gone, so define it in this program`,
    );
  }
  const alone = ". A program cannot run another one, so write what that one would do into this one";
  assert.equal((await failure("await run_code({})")).message, `run_code is not defined${alone}`);
  assert.equal((await failure("await tools.run_code({})")).message, `tools.run_code is not a function${alone}`);
  const own = [{ global: "tools", functions: ["run_code"] }];
  assert.match((await failure("await run_code({})", { namespaces: own })).message, /Call it as tools\.run_code\(…\)$/);
  assert.match((await failure("return new ToolArgsMap()")).message, /`ToolArgsMap` is a type: it is gone when the program runs/);
  for (const use of ["require('tools')", "await import('tools')", "require('tools/add')"]) {
    const { message } = await failure(`const { add } = ${use}`);
    assert.match(message, /^Cannot find (module|package) 'tools(\/add)?'\. `tools` needs no import: leave that line out and write `await tools\.name\(…\)`$/);
  }
  assert.doesNotMatch((await failure("return total", {})).message, /tools/);
});

test("infinite recursion is an exception", async () => {
  const failed = await failure("function f() { return f() + 1 }\nf()");
  assert.equal(failed.name, "RangeError");
  assert.equal(failed.line, 1);
});

test("built-in modules come by import and by require", async () => {
  const program = `
    const os = await import("node:os"); const fs = await import("fs");
    const { readFileSync } = require("fs"); const path = require("node:path");
    return [typeof os.cpus, fs.readFileSync === readFileSync, path.join("a", "b"), require.main === module]`;
  assert.deepEqual((await run(program)).done.value, ["function", true, "a/b", true]);
});

test("a package is found in the working directory's node_modules, by import and by require, and else is named", async () => {
  const packages = fs.mkdtempSync(path.join(scratch, "packages-"));
  for (const [name, type, text] of [["old-style", "commonjs", "module.exports = { kind: 'cjs' }"], ["new-style", "module", "export const kind = 'esm'"]]) {
    fs.mkdirSync(path.join(packages, name));
    fs.writeFileSync(path.join(packages, name, "package.json"), JSON.stringify({ name, type, main: "index.js" }));
    fs.writeFileSync(path.join(packages, name, "index.js"), text);
  }
  const cwd = fs.mkdtempSync(path.join(scratch, "with-packages-"));
  fs.symlinkSync(packages, path.join(cwd, "node_modules"));
  const program = `const { kind } = await import("new-style"); return [kind, require("old-style").kind, (await import("old-style")).default.kind]`;
  assert.deepEqual((await run(program, { cwd, modules: packages })).done.value, ["esm", "cjs", "cjs"]);
  const missing = await failure("return require('left-pad')", { cwd, modules: packages });
  assert.equal(missing.message, "Cannot find module 'left-pad'");
  for (const use of ["require('left-pad')", "await import('left-pad')"]) {
    assert.match((await failure(`return ${use}`)).message, /^Cannot find (module|package) 'left-pad'\. Only Node's own modules/);
  }
});

test("the environment is empty, the directory private, and nothing of the start remains", async () => {
  const program = `
    const fs = require("fs");
    const open = fs.readdirSync("/proc/self/fd").map(Number).filter((fd) => { try { fs.fstatSync(fd); return true } catch { return false } });
    const foreign = open.filter((fd) => fd > 3).map((fd) => { try { return fs.readlinkSync("/proc/self/fd/" + fd) } catch { return "" } });
    return [process.env, fs.readdirSync("."), process.execArgv, typeof process._eval, typeof __filename, foreign]`;
  const { done } = await run(program);
  const [env, files, execArgv, evalText, filename, foreign] = done.value;
  assert.deepEqual([env, files, execArgv, evalText, filename], [{}, [], [], "undefined", "undefined"]);
  for (const target of foreign) assert.match(target, /^(anon_inode:|pipe:|\/dev\/null|\/proc\/)|^$/);
});

test("a run without tools says that it has none", async () => {
  for (const name of ["tools", "ToolCallError"]) {
    assert.equal(
      (await failure(`return ${name}.read_file`, { namespaces: [] })).message,
      `${name} is not defined. No tools are bound to this run, so there is no \`${name}\`: write the program without them`,
    );
  }
  const namespaces = [{ global: "files", functions: ["read"] }, { global: "web", functions: [] }];
  assert.equal(
    (await failure("await tools.read()", { namespaces })).message,
    "tools is not defined. The tools of this run are bound as `files`, `web`, and there is no `tools`",
  );
  assert.match((await failure("return rows", { namespaces: [] })).message, /define it in this program$/);
});

test("what the failing line shows of a common mistake is told with what to write", async () => {
  const namespaces = [{ global: "tools", functions: ["add", "send-mail"], error: { class: "ToolCallError", property: "toolName" } }];
  for (const [program, told] of [
    ["return JSON.parse({ a: 1 })", "needs no parsing: leave JSON.parse out"],
    ["return await tools.add(first=1)", "first is not defined. Named arguments are given in one object: write `{ first: … }`"],
    ["await tools.add(\n  first = 1,\n  second = 2,\n)", "Named arguments are given in one object: write `{ first: … }`"],
    ["await tools.add([1, (2)], last = 1)", "Named arguments are given in one object: write `{ last: … }`"],
    ["await tools['add'](first = 1)", "Named arguments are given in one object: write `{ first: … }`"],
    ["for (i = 0; i < 3; i += 1) {}", "i is not defined. Declare a variable where it is first set: `let i = …`"],
    ["while ((found = /a/.exec('a')) !== null) {}", "found is not defined. Declare a variable"],
    ["if ((found = 1) > 0) {}", "found is not defined. Declare a variable"],
    ["[1].forEach((n) => { const x = [n, n], y = 1; last = n })", "last is not defined. Declare a variable"],
    ["for (const n of [1]) {\n  last = n\n}", "last is not defined. Declare a variable"],
    ["total = 0;\nreturn total", "total is not defined. Declare a variable where it is first set: `let total = …`"],
    ['return await tools.send-mail({ to: "a" })', 'mail is not defined. This name is written in brackets: `await tools["send-mail"](…)`'],
    ['return await tools("add", { a: 1 })', "tools is not a function. Each tool is a function of its own: write `await tools.name({ key: value })`"],
    ['return await tools.call("add", {})', "tools.call is not a function. Each tool is a function of its own: tools has add, send-mail"],
    ['return await callTool("add", {})', "callTool is not defined. If tools are meant, they are called as `await tools.name(…)`"],
    ["return new Error() instanceof tools.ToolCallError", "`ToolCallError` is a name of its own: write it without `tools.`"],
    ["throw new tools.ToolCallError('x')", "`ToolCallError` is a name of its own: write it without `tools.`"],
    ["const [a, b] = await Promise.all(1, 2);", "It takes one list: write `await Promise.all([a, b])`"],
  ]) {
    const { message } = await failure(program, { namespaces });
    assert.ok(message.includes(told), `${program}: ${message}`);
  }
  for (const program of ["if (total == 1) {}", "const f = { add: total => 1, x: total }", "return call(1)", "return [...total]"]) {
    const { message } = await failure(program, { namespaces });
    assert.match(message, /^(total|call) is not defined\. Every run starts fresh/, program);
  }
  assert.equal((await failure("const [a] = await tools.add({ a: 2, b: 3 })")).message.includes("It takes one list"), false);
  assert.equal((await failure("JSON.parse('{')")).message.includes("needs no parsing"), false);
});

test("a list that is gone through with async functions is told why nobody waits for them", async () => {
  const note = async (program) => (await run(program)).logs.map((log) => log.text).join("\n");
  assert.match(await note("[1, 2].forEach(async (n) => { await tools.hang({ n }) })"), /before returning; `forEach` waits for no async function: use `for /);
  assert.match(await note("void [1, 2].map(async (n) => { await tools.hang({ n }) })"), /before returning; `map` with an async function gives a list of promises: write `await Promise\.all\(/);
  assert.match(await note("void tools.hang({})"), /await every call before returning$/);
});
