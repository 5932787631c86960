"use strict";
const test = require("node:test");
const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");
const { run, NODE } = require("./harness.js");

const logsOf = async (program) => {
  const { logs, failed, stdout, stderr } = await run(program);
  assert.equal(failed, undefined);
  assert.equal(stdout + stderr, "");
  return logs;
};

test("the console's output is Node's own, one entry a call", async () => {
  const program = `
console.log("plain", 1, { a: [1, { b: 2 }] }, "%d", 5);
console.log("%s is %d years and %j", "x", 42, { a: 1 });
console.log();
console.table([{ a: 1, b: "x" }, { a: 2, b: "y" }]);
console.dir({ deep: { er: { than: { two: {} } } } }, { depth: 0 });
console.group("outer");
console.log("in\\ntwo lines");
console.group();
console.log("deeper");
console.groupEnd();
console.groupEnd();
console.count();
console.count("x");
console.countReset();
console.count();
console.log(new Map([[1, { a: 2 }]]), [undefined, null], Symbol("s"), 10n);
console.log("two\\n");
console.dirxml({ a: 1 });
`;
  const logs = await logsOf(program);
  const expected = execFileSync(NODE, ["-e", program], { encoding: "utf8", env: {} });
  assert.equal(logs.map((log) => `${log.text}\n`).join(""), expected);
  assert.ok(logs.every((log) => log.source === "console" && log.level === "log"));
  assert.equal(logs.length, program.split("\n").filter((line) => /^console\.(?!groupEnd|countReset|group\(\))/.test(line)).length);
});

test("each method has its level", async () => {
  const program = `
    console.log("log"); console.info("info"); console.debug("debug"); console.warn("warn");
    console.error({ a: [1, { b: 2 }] }); console.assert(false, "assert"); console.assert(true, "silent");
    console.time("t"); console.timeEnd("t"); const { log } = console; log("detached"); require("node:console").warn("module")`;
  const logs = await logsOf(program);
  assert.deepEqual(logs.map((log) => log.level), ["log", "info", "debug", "warn", "error", "warn", "log", "log", "warn"]);
  assert.equal(logs[4].text, "{ a: [ 1, { b: 2 } ] }");
  assert.equal(logs[5].text, "Assertion failed: assert");
  assert.match(logs[6].text, /^t: [\d.]+m?s$/);
});

test("a printed stack shows the program and not the bootstrap", async () => {
  const logs = await logsOf('function here() { console.trace("x") }\nhere();\nconsole.error(new Error("y"));');
  assert.equal(logs[0].text, "Trace: x\n    at here (program.ts:1:27)\n    at program.ts:2:1");
  assert.equal(logs[1].text, "Error: y\n    at program.ts:3:15");
  assert.deepEqual(logs.map((log) => log.level), ["error", "error"]);
});

test("streams give whole lines, in order with the console", async () => {
  const program = `
    process.stdout.write("a");
    process.stdout.write("b\\nc\\nd");
    console.log("console");
    process.stderr.write("e1\\n");
    process.stdout.write("f");
    process.stderr.write("e2");
    process.stdout.write("g\\n\\n");
    process.stdout.write("last")`;
  const logs = await logsOf(program);
  assert.deepEqual(logs.map(({ source, level, text }) => [source, level, text]), [
    ["stdout", "log", "ab\nc"],
    ["stdout", "log", "d"],
    ["console", "log", "console"],
    ["stderr", "error", "e1"],
    ["stdout", "log", "f"],
    ["stderr", "error", "e2"],
    ["stdout", "log", "g\n"],
    ["stdout", "log", "last"],
  ]);
});

test("streams take buffers, encodings, split characters and callbacks, and can be piped to", async () => {
  const program = `
    process.stdout.write(Buffer.from("bytes\\n"));
    process.stdout.write("aGV4Cg==", "base64");
    const euro = Buffer.from("€\\n");
    process.stdout.write(euro.subarray(0, 1)); process.stdout.write(euro.subarray(1));
    const ok = await new Promise((resolve) => process.stdout.write("callback\\n", () => resolve(true)));
    const { Readable } = require("stream");
    await new Promise((resolve) => Readable.from(["piped\\n"]).on("end", resolve).pipe(process.stdout, { end: false }));
    const custom = new console.Console(process.stdout); custom.log("custom");
    console.log(ok, process.stdout.isTTY, process.stdout.columns, process.stdout.fd, process.stderr.fd, process.stdout === process.stdout)`;
  const logs = await logsOf(program);
  assert.deepEqual(logs.map((log) => log.text), ["bytes", "hex", "€", "callback", "piped", "custom", "true false undefined 1 2 true"]);
});

test("worker threads print through the same streams", async () => {
  const program = `
    const { Worker } = require("worker_threads");
    const worker = new Worker('console.log("from a thread")', { eval: true });
    await new Promise((resolve) => worker.on("exit", resolve))`;
  assert.deepEqual(await logsOf(program), [{ source: "stdout", level: "log", text: "from a thread" }]);
});

test("native writes go to the pipes", async () => {
  const { stdout, stderr, logs } = await run('require("fs").writeSync(1, "one"); require("fs").writeSync(2, "two")');
  assert.deepEqual([stdout, stderr, logs], ["one", "two", []]);
});

test("warnings are logs, and the bootstrap causes none", async () => {
  assert.deepEqual(await logsOf("await import('node:os'); require('fs'); await tools.echo(1); process.stdout.write('')"), []);
  const logs = await logsOf('process.emitWarning("careful", "CustomWarning"); new Buffer(1); await new Promise((r) => setTimeout(r, 1))');
  assert.deepEqual(logs.map(({ source, level, text }) => [source, level, text.split(":")[0]]), [
    ["console", "warn", "CustomWarning"],
    ["console", "warn", "DeprecationWarning"],
  ]);
});

test("ten thousand lines before a violent end are all there", async () => {
  for (const end of ["process.abort()", "process.kill(process.pid, 'SIGKILL')", "process.reallyExit(3)", "process.exit(3)"]) {
    const { logs, signal, code, done, failed } = await run(`for (let i = 0; i < 10000; i++) console.log(i); process.stdout.write("tail"); ${end}`);
    assert.equal(logs.length, 10001, end);
    assert.ok(logs.every((log, i) => log.text === (i < 10000 ? `${i}` : "tail")));
    assert.deepEqual([done, failed], [undefined, undefined]);
    assert.ok(signal !== null || code === 3);
  }
});

test("an entry longer than a frame may be arrives in pieces", async () => {
  const { logs, done } = await run('console.log("é".repeat(20000)); return 1', { maxValueBytes: 8192 });
  assert.equal(logs.map((log) => log.text).join(""), "é".repeat(20000));
  assert.equal(done.value, 1);
});

test("a stream without a line break does not grow without bound", async () => {
  const { logs } = await run('for (let i = 0; i < 40; i++) process.stdout.write("x".repeat(100000))');
  assert.ok(logs.length > 2);
  assert.equal(logs.reduce((sum, log) => sum + log.text.length, 0), 4000000);
});
