"use strict";
const test = require("node:test");
const assert = require("node:assert/strict");
const { run, TOOLS } = require("./harness.js");

const namespaceOf = (...functions) => [{ ...TOOLS, functions }];

test("a call resolves with the host's value", async () => {
  const { done, calls } = await run("return await tools.add({ a: 1, b: 2 })");
  assert.deepEqual(done, { value: 3 });
  assert.deepEqual(calls, [{ id: 1, global: "tools", name: "add", args: { a: 1, b: 2 } }]);
});

test("a call without an argument sends an empty object", async () => {
  const { done } = await run("return [await tools.echo(), await tools.echo(undefined), await tools.echo(null)]");
  assert.deepEqual(done.value, [{}, {}, null]);
});

test("a failed call rejects with the declared class, its property, its message and the calling line", async () => {
  const program = `
try {
  await tools.fail({});
} catch (error) {
  return [error instanceof ToolCallError, error instanceof Error, Object.keys(error), error.toolName, error.name, error.message, error.stack];
}`;
  const { done } = await run(program);
  const [declared, real, keys, toolName, name, message, stack] = done.value;
  assert.deepEqual([declared, real, keys, toolName, name, message], [true, true, ["toolName"], "fail", "ToolCallError", "the disk is full"]);
  assert.equal(stack.split("\n")[0], "ToolCallError: the disk is full");
  assert.match(stack.split("\n")[1], /^ {4}at program\.ts:3:15$/);
  assert.doesNotMatch(stack, /dayfly/);
});

test("a failed call that nobody catches fails the run with its own line", async () => {
  const { failed } = await run("async function load() {\n  return await tools.fail({});\n}\nreturn await load();");
  assert.deepEqual(failed, {
    kind: "exception",
    message: "tools.fail failed: the disk is full",
    name: "ToolCallError",
    line: 2,
    column: 22,
    stack: "at load (program.ts:2:22)\nat program.ts:4:14",
  });
});

test("a failed call is named wherever it stands in another error", async () => {
  const wrapped = "try { await tools.fail() } catch (cause) { throw new Error('wrapped', { cause }) }";
  assert.equal((await run(wrapped)).failed.message, "wrapped\ncaused by ToolCallError: tools.fail failed: the disk is full");
  const { failed } = await run("return await Promise.any([tools.fail(), Promise.reject(new RangeError())])");
  assert.equal(failed.message, "All promises were rejected\n  1. ToolCallError: tools.fail failed: the disk is full\n  2. RangeError");
});

test("of a thousand calls in one turn, each that fails tells a line of the program", async () => {
  const program = `
const all = Array.from({ length: 1000 }, async (_, i) => {
  try { await tools.fail(i) } catch (error) { return error instanceof ToolCallError && !error.stack.includes("dayfly") && /program.ts:3:/.test(error.stack) }
});
return (await Promise.all(all)).filter(Boolean).length`;
  assert.deepEqual((await run(program)).done, { value: 1000 });
  const together = "const calls = Array.from({ length: 100 }, (_, i) => i === 99 ? tools.fail() : tools.echo(i));\nreturn await Promise.all(calls)";
  const { failed } = await run(together);
  assert.deepEqual([failed.name, failed.message, failed.line], ["ToolCallError", "tools.fail failed: the disk is full", 2]);
  assert.doesNotMatch(failed.stack, /dayfly/);
});

test("a failed call that nobody awaits fails the run, however many calls its turn made", async () => {
  const { failed } = await run("for (let i = 0; i < 100; i++) void tools.echo(i); void tools.fail(); await tools.hang()");
  assert.deepEqual([failed.name, failed.message], ["ToolCallError", "tools.fail failed: the disk is full"]);
});

test("the first calls of a turn leave while the program goes on, and all of them before it exits", async () => {
  const calling = "for (let i = 0; i < 20; i++) void tools.hang(i);";
  const arrived = [];
  const spinning = await run(`${calling} for (;;);`, {
    onCall({ args }, { worker }) {
      arrived.push(args);
      if (arrived.length === 8) worker.child.kill("SIGKILL");
    },
  });
  assert.deepEqual([spinning.signal, arrived], ["SIGKILL", [0, 1, 2, 3, 4, 5, 6, 7]]);
  for (const end of ["process.exit(3)", "process.abort()", "process.kill(process.pid, 'SIGKILL')", "return 1", "console.log(1); process.reallyExit(1)"]) {
    const { calls } = await run(`${calling} ${end}`);
    assert.equal(calls.length, 20, end);
  }
});

test("calls and output keep their order, however many calls a turn makes", async () => {
  const program = "for (let i = 0; i < 30; i++) { void tools.hang(i); if (i % 10 === 9) console.log(i) } return 1";
  const { frames } = await run(program);
  const said = frames.filter(({ kind }) => kind === "call" || kind === "log").map(({ kind, text }) => (kind === "log" ? JSON.parse(text).text : JSON.parse(text).args));
  const wanted = Array.from({ length: 30 }, (_, i) => (i % 10 === 9 ? [i, `${i}`] : [i])).flat();
  const note = "note: the program returned without waiting for calls that it had made: tools.hang (30); await every call before returning";
  assert.deepEqual(said, [...wanted, note]);
});

test("calls that nobody waited for are named, ten of them, whatever the program has rewritten", async () => {
  const names = Array.from({ length: 12 }, (_, i) => `tool${i}`);
  const program = `for (const name of ${JSON.stringify(names)}) tools[name]();
    Map.prototype.forEach = Map.prototype.get = Map.prototype.set = () => { throw 1 };
    Object.defineProperty(Object.prototype, "0", { set() { throw 1 } });
    return 1`;
  const { frames, done } = await run(program, { namespaces: namespaceOf(...names) });
  const notes = frames.filter(({ kind }) => kind === "log").map(({ text }) => JSON.parse(text).text);
  const listed = names.slice(0, 10).map((name) => `tools.${name}`).join(", ");
  assert.deepEqual(notes, [`note: the program returned without waiting for calls that it had made: ${listed}; await every call before returning`]);
  assert.equal(done.value, 1);
});

test("a namespace without a class rejects with a plain Error", async () => {
  const namespaces = [{ global: "host", functions: ["fail"] }];
  const { done } = await run("try { await host.fail() } catch (e) { return [e.constructor === Error, e.message, Object.keys(e)] }", { namespaces });
  assert.deepEqual(done.value, [true, "the disk is full", []]);
});

test("every exact name is reachable and none is merged", async () => {
  const names = ["get-stock", "get_stock", "class", "constructor", "__proto__", "toString", "then", "工具", "n".repeat(200), 'a"b\nc', ""];
  const program = `const out = []; for (const name of ${JSON.stringify(names)}) out.push(await tools[name]({ name }));
    return [out, Object.keys(tools), tools.hasOwnProperty, tools.name, tools.get_stock.name]`;
  const onCall = (call, reply) => reply.succeed([call.name, call.args.name]);
  const { done, failed } = await run(program.replace("tools.hasOwnProperty, tools.name", "typeof tools.hasOwnProperty, typeof tools.name"), {
    namespaces: namespaceOf(...names),
    onCall,
  });
  assert.equal(failed, undefined);
  assert.deepEqual(done.value, [names.map((name) => [name, name]), names, "undefined", "undefined", "get_stock"]);
});

test("undeclared names of Object.prototype are undefined", async () => {
  const { done } = await run("return [typeof tools.constructor, typeof tools.__proto__, typeof tools.toString, Object.getPrototypeOf(tools)]");
  assert.deepEqual(done.value, ["undefined", "undefined", "undefined", null]);
});

test("a mistyped name fails with the nearest one and the list", async () => {
  const { failed } = await run("return await tools.readfile({})", { namespaces: namespaceOf("read_file", "write_file", "odd-name") });
  assert.equal(
    failed.message,
    "tools.readfile is not a function. Did you mean tools.read_file? tools has read_file, write_file, odd-name",
  );
  const odd = await run('return await tools["odd_name"]({})', { namespaces: namespaceOf("read_file", "odd-name") });
  assert.match(odd.failed.message, /Did you mean tools\["odd-name"\]\?/);
});

test("of names that differ by separators the one with the same comes first, and three are shown", async () => {
  const namespaces = namespaceOf("get-stock", "get_stock", "put_stock", "pet_stock", "n".repeat(300));
  const told = async (program) => (await run(program, { namespaces })).failed.message;
  assert.match(await told("tools.get_stok()"), /Did you mean tools\.get_stock or tools\["get-stock"\] or tools\.pet_stock\? tools has get-stock, /);
  assert.match(await told('tools["get-stok"]()'), /Did you mean tools\["get-stock"\] or tools\.get_stock or tools\.pet_stock\?/);
  assert.doesNotMatch(await told(`tools["${"n".repeat(299)}"]()`), /Did you mean/);
});

test("a member of what a call gave is not taken for a misspelt name", async () => {
  assert.equal((await run("return await tools.echo([]).map(String)")).failed.message, "tools.echo(...).map is not a function");
});

test("a tool that the program has replaced is not offered in its own place", async () => {
  const { failed } = await run("tools.read_file = 3; return await tools.read_file({})", { namespaces: namespaceOf("read_file", "write_file") });
  assert.equal(failed.message, "tools.read_file is not a function. tools has read_file, write_file");
});

test("a tool called without its namespace is named", async () => {
  const { failed } = await run("return await add({})");
  assert.match(failed.message, /^add is not defined\. Call it as tools\.add\(/);
});

test("a program may shadow a namespace and its error class", async () => {
  const { done } = await run("const tools = { x: 1 }; class ToolCallError {} ; return [tools.x, globalThis.tools !== tools]");
  assert.deepEqual(done.value, [1, true]);
});

test("ids strictly increase from 1 and replies may come in any order", async () => {
  const waiting = [];
  const onCall = (call, reply) => {
    waiting.push([call, reply]);
    if (waiting.length === 23) for (const [c, r] of waiting.reverse()) r.succeed(c.args.n);
  };
  const { done, calls } = await run("return await Promise.all(Array.from({ length: 23 }, (_, n) => tools.echo({ n })))", { onCall });
  assert.deepEqual(done.value, [...Array(23).keys()]);
  assert.deepEqual(calls.map((call) => call.id), [...Array(23).keys()].map((n) => n + 1));
});

test("a reply may hold a key named then, __proto__ or constructor", async () => {
  const onCall = (_, reply) => reply.raw('{"then":1,"__proto__":{"x":1},"constructor":2,"k":1,"k":2}');
  const { done } = await run("const r = await tools.echo(); return [JSON.stringify(r), r.x ?? null]", { onCall });
  assert.deepEqual(done.value, ['{"then":1,"__proto__":{"x":1},"constructor":2,"k":2}', null]);
});

test("calls keep working from timers and after long waits, and the loop stays alive for them", async () => {
  const onCall = (call, reply) => setTimeout(() => reply.succeed(call.args), 50);
  const { done } = await run("const a = await tools.echo(1); await new Promise((r) => setTimeout(r, 20)); return [a, await tools.echo(2)]", { onCall });
  assert.deepEqual(done.value, [1, 2]);
});

test("a program that returns with calls in flight is done", async () => {
  const { done, calls } = await run("void tools.hang({}); return 1");
  assert.deepEqual(done, { value: 1 });
  assert.equal(calls.length, 1);
});

test("arguments with fields named like JavaScript's own cross", async () => {
  const { done } = await run("return await tools.echo({ method: 1, self: 2, args: 3, name: 4, default: 5, id: 6, then: 7 })");
  assert.deepEqual(done.value, { method: 1, self: 2, args: 3, name: 4, default: 5, id: 6, then: 7 });
});
