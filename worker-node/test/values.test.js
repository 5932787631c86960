"use strict";
const test = require("node:test");
const assert = require("node:assert/strict");
const { run } = require("./harness.js");
const { several } = require("./sabotage.js");

const value = async (program, options) => {
  const result = await run(program, options);
  assert.equal(result.failed, undefined);
  return result.done;
};

test("a completion crosses exactly", async () => {
  const exact = {
    text: "é 工具 😀 \u0000 \u2028 \" \\",
    numbers: [0, 1, -1, 0.1, 1.5e300, 5e-324, 9007199254740991, 1e21],
    nested: { a: [[], {}, null, true, false] },
    "": "empty key",
  };
  assert.deepEqual(await value(`return ${JSON.stringify(exact)}`), { value: exact });
});

test("nothing, undefined and null are told apart", async () => {
  assert.deepEqual(await value(""), {});
  assert.deepEqual(await value("return undefined"), {});
  assert.deepEqual(await value("return null"), { value: null });
});

test("an integer beyond 2^53 is printed with all its digits", async () => {
  const { frames } = await run("return [2 ** 60, -(2 ** 60), 1e21]");
  assert.equal(frames.at(-1).text, '{"value":[1152921504606846976,-1152921504606846976,1e+21]}');
});

test("shared objects are no cycle", async () => {
  assert.deepEqual(await value("const a = {x: 1}; return [a, a, {a}]"), { value: [{ x: 1 }, { x: 1 }, { a: { x: 1 } }] });
});

test("null-prototype objects, __proto__ keys and process.env are plain", async () => {
  const program = 'const o = Object.create(null); o.a = 1; return [o, JSON.parse(\'{"__proto__":{"x":1}}\'), process.env]';
  const { frames } = await run(program);
  assert.equal(frames.at(-1).text, '{"value":[{"a":1},{"__proto__":{"x":1}},{}]}');
});

const REFUSED = [
  ["{ when: new Date(0) }", "result.when", /is a Date.*toISOString/],
  ["new Map([[1, 2]])", "result", /is a Map.*Object\.fromEntries/],
  ["[new Set()]", "result[0]", /is a Set.*Array\.from/],
  ["{ a: [0, 1n] }", "result.a[1]", /is a BigInt.*String\(value\)/],
  ["NaN", "result", /is NaN.*null/],
  ["[Infinity]", "result[0]", /is Infinity/],
  ["[-Infinity]", "result[0]", /is -Infinity/],
  ["{ x: -0 }", "result.x", /-0.*value \+ 0/],
  ["{ a: undefined }", "result.a", /undefined.*leave the key out/],
  ["[1, undefined]", "result[1]", /undefined/],
  ["[1, , 3]", "result[1]", /hole.*null/],
  ["{ f() {} }", "result.f", /function.*call it/],
  ["Symbol('x')", "result", /symbol/],
  ["{ [Symbol('x')]: 1 }", "result[a symbol]", /symbol key/],
  ["{ get x() { console.log('invoked'); return 1; } }", "result.x", /getter/],
  ["Object.defineProperty([1], 0, { get() { console.log('invoked'); return 1; } })", "result[0]", /getter/],
  ["Object.defineProperty({}, 'x', { value: 1 })", "result.x", /not enumerable/],
  ["'abc'.match(/b/)", "result", /named properties.*Array\.from/],
  ["new (class Point { x = 1 })()", "result", /instance of Point.*\.\.\.value/],
  ["new (class List extends Array {})()", "result", /instance of List/],
  ["new Proxy({}, { ownKeys() { console.log('invoked'); return []; } })", "result", /Proxy/],
  ["new Uint8Array(2)", "result", /Uint8Array.*Array\.from/],
  ["Buffer.from('x')", "result", /Buffer.*toString/],
  ["new ArrayBuffer(2)", "result", /ArrayBuffer/],
  ["new Error('x')", "result", /is an Error/],
  ["/x/", "result", /RegExp/],
  ["[Promise.resolve(1)]", "result[0]", /Promise.*await/],
  ["Object('x')", "result", /boxed/],
  ["new URL('http://x')", "result", /URL.*String/],
  ["(function* () {})()", "result", /generator/],
  ["await import('node:os')", "result", /module/],
  ["{ 'odd key': { \"it's\": ['\\ud800'] } }", 'result["odd key"]["it\'s"][0]', /surrogate/],
  ["{ ['\\udc00']: 1 }", 'result["\\udc00"]', /surrogate/],
  ["(() => { const a = { list: [] }; a.list.push({ a }); return a; })()", "result.list[0].a", /refers back/],
];

test("whatever is not lossless is refused with its path and a way out, and no code of it runs", async () => {
  await several(REFUSED, async ([expression, path, message]) => {
    const { failed, logs } = await run(`return (${expression})`);
    assert.equal(failed?.kind, "invalid-output", expression);
    assert.match(failed.message, message);
    if (!path.includes("\\ud")) assert.equal(failed.path, path);
    assert.ok(failed.message.startsWith(path.split('["\\ud')[0]), failed.message);
    assert.deepEqual(logs, []);
  });
});

test("a refused argument fails that call alone and sends nothing", async () => {
  const program = `
    const errors = [];
    for (const items of [[1, 2, 3, undefined], [new Date()]]) {
      try { await tools.echo({ items }); } catch (error) {
        errors.push([error instanceof ToolCallError, error.toolName, error.message]);
      }
    }
    return [errors, await tools.add({ a: 1, b: 2 })];`;
  const { done, calls } = await run(program);
  const [errors, sum] = done.value;
  assert.equal(sum, 3);
  assert.deepEqual(calls.map(({ id, name }) => [id, name]), [[1, "add"]]);
  assert.deepEqual(errors.map(([real, name]) => [real, name]), [[true, "echo"], [true, "echo"]]);
  assert.match(errors[0][2], /^tools\.echo: args\.items\[3\] is undefined/);
  assert.match(errors[1][2], /^tools\.echo: args\.items\[0\] is a Date/);
});

test("ten thousand levels cross both ways, one more is refused", async () => {
  const program = (levels) => `
    let value = [];
    for (let i = 1; i < ${levels}; i++) value = i % 2 ? { v: value } : [value];
    let back = await tools.echo(value);
    let depth = 1;
    while (Object.keys(back).length) { back = back.v ?? back[0]; depth++; }
    console.log(depth);
    return value;`;
  const fits = await run(program(10000));
  assert.deepEqual(fits.logs.map((log) => log.text), ["10000"]);
  assert.equal(fits.frames.at(-1).kind, "done");
  const deeper = await run(`${program(10001).replace("await tools.echo(value)", "[]")}`);
  assert.equal(deeper.failed.kind, "invalid-output");
  assert.match(deeper.failed.message, /deeper than the limit of 10000 levels/);
  const refused = await run(program(10001));
  assert.match(refused.failed.message, /^tools\.echo: args.* deeper than the limit of 10000/);
  assert.deepEqual(refused.calls, []);
});

test("a value of the configured size crosses, one byte more is refused", async () => {
  const text = (bytes) => `return "x".repeat(${bytes})`;
  const overhead = '{"value":""}'.length;
  assert.equal((await value(text(5000 - overhead), { maxValueBytes: 5000 })).value.length, 5000 - overhead);
  const { failed } = await run(text(5001 - overhead), { maxValueBytes: 5000 });
  assert.equal(failed.kind, "output-limit");
  assert.match(failed.message, /limit of 5000 bytes/);
  const call = await run('try { await tools.echo("é".repeat(3000)) } catch (e) { return e.message }', { maxValueBytes: 5000 });
  assert.match(call.done.value, /larger than the limit of 5000 bytes/);
});

test("a small graph with a huge tree in it is refused by size, not walked for ever", async () => {
  const program = "let a = [1]; for (let i = 0; i < 60; i++) a = [a, a]; return a";
  const { failed } = await run(program, { maxValueBytes: 1048576 });
  assert.equal(failed.kind, "output-limit");
});

test("sixty-four mebibytes cross in a reply, an argument and a completion", async () => {
  const size = 64 * 1048576;
  const { frames, done, failed } = await run(`const text = await tools.echo("é".repeat(${size / 2})); return [text.length, text]`);
  assert.equal(failed, undefined);
  assert.equal(done.value[0], size / 2);
  assert.equal(frames.at(-1).text.length, `{"value":[${size / 2},""]}`.length + size / 2);
});

test("a long text crosses as it is, whatever alphabet it is in", async () => {
  for (const letter of ["x", "\x7f", "\x80", "é", "ж", "😀", "\\"]) {
    const [text, end] = [letter.repeat(100000), "xé"];
    for (const value of [text, text + end, end + text]) {
      const { frames, done } = await run(`return await tools.echo(${JSON.stringify(value)})`);
      assert.equal(JSON.parse(frames.find((frame) => frame.kind === "call").text).args, value);
      assert.equal(done.value, value);
    }
  }
});

test("an error whose text holds half a surrogate pair still arrives", async () => {
  const { failed, logs } = await run("console.log('a\\ud800b'); throw new Error('x\\udc00')");
  assert.equal(failed.message, "x\ufffd");
  assert.equal(logs[0].text, "a\ufffdb");
});
