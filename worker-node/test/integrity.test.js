"use strict";
const test = require("node:test");
const assert = require("node:assert/strict");
const { run, TOOLS } = require("./harness.js");
const { WAYS, rewriting, sabotage, several } = require("./sabotage.js");

// Rewrites all that a program can rewrite of the language; what it needs itself it takes first.
const SABOTAGE = `
  const boom = () => { throw new Error("sabotaged"); };
  const { defineProperty } = Object;
  const trap = { __proto__: null, configurable: true, get: boom, set: boom };
  const bomb = { __proto__: null, configurable: true, writable: true, value: boom };
  const objectNames = ["get", "set", "value", "toJSON", "kind", "path", "args", "next", "done", "code", "fd", "refusal", "resolve", "enumerable", "writable"];
  const globals = ["JSON", "Reflect", "Promise", "Map", "Set", "Buffer", "Uint8Array", "setTimeout", "setImmediate", "BigInt", "Object", "Array", "String", "Number", "RegExp", "Math", "Atomics", "Symbol"];
  const targets = [
    Array.prototype, String.prototype, Map.prototype, Set.prototype, RegExp.prototype, Function.prototype, Number.prototype,
    Promise.prototype, Buffer.prototype, Buffer, JSON, Reflect, Object, Array, Number, Math, Promise, Atomics, Proxy, Symbol,
    Object.getPrototypeOf(Uint8Array.prototype), Object.getPrototypeOf([][Symbol.iterator]()),
    Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())), String, BigInt, Object.prototype,
  ];
  // Node's own event loop asks typed arrays for their length.
  const spared = ["constructor", "prototype", "__proto__", "length"];
  const all = targets.flatMap((target) => Reflect.ownKeys(target)
    .filter((key) => !spared.includes(key) && Object.getOwnPropertyDescriptor(target, key).configurable)
    .map((key) => ({ __proto__: null, target, key })));
  const [names, count, many] = [objectNames.length, all.length, globals.length];
  for (let i = 0; i < count; i++) defineProperty(all[i].target, all[i].key, bomb);
  for (let i = 0; i < many; i++) globalThis[globals[i]] = undefined;
  for (let i = 0; i < names; i++) defineProperty({}.__proto__, objectNames[i], trap);
`;

test("a program that rewrites the language hurts only itself: calls, values and logs still cross", async () => {
  const program = `${SABOTAGE}
    console.log("still here");
    const sum = await tools.add({ a: 1, b: 2 });
    let text = "";
    try { await tools.fail({}) } catch (error) { text = error.message + error.toolName }
    let refused = "";
    try { await tools.echo({ x: undefined }) } catch (error) { refused = error.message }
    return { sum, text, refused, deep: { list: sum } };`;
  const { done, failed, logs, stderr } = await run(program);
  assert.deepEqual([failed, stderr], [undefined, ""]);
  assert.deepEqual(done.value, {
    sum: 3,
    text: "the disk is fullfail",
    refused: "tools.echo: args.x is undefined, which JSON does not have; leave the key out or use null",
    deep: { list: 3 },
  });
  assert.deepEqual(logs.map((log) => log.text), ["still here"]);
});

test("with the language rewritten, a failure is still told", async () => {
  const { failed } = await run(`${SABOTAGE}\nnull.x`);
  assert.equal(failed.kind, "exception");
  assert.match(failed.message, /Cannot read properties of null/);
});

test("with the language rewritten, what was meant is still told", async () => {
  const told = async (program) => (await run(`${SABOTAGE}\n${program}`)).failed?.message;
  assert.equal(await told("await tools.ehco()"), "tools.ehco is not a function. Did you mean tools.echo? tools has add, echo, fail, hang");
  assert.match(await told("await functions.echo()"), /^functions is not defined\. If tools are meant, they are called as `await tools\.name\(…\)`/);
  assert.match(await told("await run_code()"), /^run_code is not defined\. A program cannot run another one/);
  const wrapped = "let cause; try { await tools.fail() } catch (error) { cause = error }\nconst outer = new RangeError('outer'); outer.cause = cause; throw outer";
  assert.equal(await told(wrapped), "outer\ncaused by ToolCallError: tools.fail failed: the disk is full");
});

test("with the language rewritten, an exit still keeps its code and the output before it", async () => {
  const { code, logs, done, failed } = await run(`${SABOTAGE}\nconsole.log("last"); process.exit(6)`);
  assert.deepEqual([code, logs.map((log) => log.text), done, failed], [6, ["last"], undefined, undefined]);
});

test("what breaks Node itself ends the run as an exception of its own", async () => {
  const length = "Object.defineProperty(Object.getPrototypeOf(Uint8Array.prototype), 'length', { get() { throw new Error('sabotaged') } }); return 1";
  assert.equal((await run(length, { killAfter: 60000 })).failed?.message, "sabotaged");
  const trap = "{ __proto__: null, configurable: true, get() {}, set() { throw new Error('sabotaged') } }";
  const program = `for (let i = 0; i < 5; i++) Object.defineProperty(Array.prototype, i, ${trap}); return await tools.add({ a: 1, b: 2 })`;
  const { done, failed } = await run(program, { killAfter: 60000 });
  assert.ok(done?.value === 3 || failed?.message === "sabotaged");
});

test("a process object taken apart does not change how a run ends", async () => {
  const program = `
    process.exit = process.reallyExit = process.abort = process.kill = () => {};
    process.on = process.emit = process.removeListener = () => {};
    delete process.stdout; process.nextTick = () => {};
    require("fs").writeSync = require("fs").readSync = () => { throw 1 };
    require("net").Socket.prototype.ref = () => { throw 1 };
    console.log("x");
    return await tools.add({ a: 1, b: 2 });`;
  const { done, logs, failed } = await run(program);
  assert.deepEqual([failed, done, logs.length], [undefined, { value: 3 }, 1]);
});

test("a toJSON of the program's is not asked", async () => {
  const program = `
    Object.prototype.toJSON = () => "forged"; Array.prototype.toJSON = () => "forged";
    String.prototype.toJSON = () => "forged"; BigInt.prototype.toJSON = () => "forged";
    return [{ a: ["x"] }, await tools.echo({ b: 1 })]`;
  const { frames } = await run(program.replace("return", "const value =").replace(/$/, "; return value"));
  assert.equal(frames.at(-1).text, '{"value":[{"a":["x"]},{"b":1}]}');
});

test("a forged stack or prepareStackTrace cannot hide the message", async () => {
  const { failed } = await run('Error.prepareStackTrace = () => { throw 1 }; Error.stackTraceLimit = 0; throw new Error("seen")');
  assert.equal(failed.message, "seen");
  for (const prepare of ["() => 5", "() => { throw 1 }"]) {
    const call = await run(`Error.prepareStackTrace = ${prepare}; return await tools.fail()`);
    assert.equal(call.failed.message, "tools.fail failed: the disk is full");
  }
});

test("whatever a program rewrites, what crosses is exact and the ending is its own", async () => {
  const listed = await run(`return [Object.getOwnPropertyNames(globalThis), require("module").builtinModules, process.versions.node]`);
  const [globals, modules, version] = listed.done.value;
  const spared = ["tools", TOOLS.error.class, "globalThis", "global"];
  const roots = [
    ...globals.filter((name) => !spared.includes(name)).map((name) => [name, `walk(globalThis[${JSON.stringify(name)}], 0);`]),
    ...modules.map((name) => [`require ${name}`, `walk(require(${JSON.stringify(name)}), 1);`]),
  ];
  assert.ok(roots.length > 120, `${roots.length}`);
  const ways = Object.keys(WAYS);
  const jobs = roots.flatMap(([name, root], index) => {
    // Each in one of the ways, and another on another Node; in all of them when there is time.
    const turn = process.env.DAYFLY_EXHAUSTIVE ? ways : [ways[(index + parseInt(version)) % ways.length]];
    return turn.map((way) => [`${name}, ${way}`, rewriting(root, way)]);
  });
  const endings = await sabotaged(jobs);
  assert.ok(endings.done.length > jobs.length / 2, JSON.stringify(endings));
});

test("whatever a program puts on the roots of all objects, lists and functions, what crosses is exact and the ending is its own", async () => {
  const names = NAMES.split(" ");
  const throwing = '{ __proto__: null, configurable: true, get() { throw new Error("sabotaged") }, set() { throw new Error("sabotaged") } }';
  const swallowing = "{ __proto__: null, configurable: true, get() {}, set() {} }";
  const constant = "{ __proto__: null, configurable: true, writable: true, value: 5 }";
  const calling = '{ __proto__: null, configurable: true, writable: true, value: () => { throw new Error("sabotaged") } }';
  const ways = [throwing, swallowing, constant, calling];
  const jobs = ["Object", "Array", "Function"].flatMap((root, shift) =>
    names.flatMap((name, index) => {
      const turn = process.env.DAYFLY_EXHAUSTIVE ? ways : [ways[(index + shift) % ways.length]];
      return turn.map((way) => [`${root}.prototype.${name} = ${way}`, `Object.defineProperty(${root}.prototype, ${JSON.stringify(name)}, ${way});`]);
    }),
  );
  const endings = await sabotaged(jobs);
  assert.ok(endings.done.length > jobs.length / 2, JSON.stringify(endings));
});

// What the bootstrap and Node look up in objects that they make.
const NAMES =
  "then value get set toJSON enumerable configurable writable 0 1 length errno code message name stack cause error errors path " +
  "syscall dest fd kind args next done refusal resolve reject noted member prefix label property ErrorClass className modules " +
  "namespaces functions global class depth parent container list names index buffer offset end flags id text constructor call " +
  "apply bind encoding position callback onread ref unref domain signal detail type listener once _events _handle";

// Runs each program; gives the names of the jobs by their ending.
async function sabotaged(jobs) {
  const endings = {};
  await several(jobs, async ([what, prelude]) => {
    const found = await sabotage(prelude, what);
    // A program may take its own process apart; then its own words say so.
    assert.ok(!found.startsWith("exit") || found.includes("sabotaged"), `${what}: ${found}`);
    (endings[found.startsWith("exit") ? "exit" : found] ??= []).push(what);
  });
  return endings;
}
