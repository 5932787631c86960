"use strict";
const test = require("node:test");
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { run, startWorker, frame, TOOLS } = require("./harness.js");

const { frames: VECTORS } = JSON.parse(fs.readFileSync(path.join(__dirname, "../../tests/vectors/frames.json"), "utf8"));
const mine = VECTORS.filter((vector) => vector.expect === "message" && (vector.only === undefined || vector.only === "typescript"));

// The program that makes a worker say what a golden frame says.
function programFor({ kind, message }) {
  const json = (value) => `JSON.parse(${JSON.stringify(JSON.stringify(value))})`;
  if (kind === "call") return `void tools[${JSON.stringify(message.name)}](${json(message.args)})`;
  if (kind === "done") return "value" in message ? `return ${json(message.value)}` : "";
  if (kind !== "log") return null;
  if (message.source === "console") return `console.${message.level}(${JSON.stringify(message.text)})`;
  return `process.${message.source}.write(${JSON.stringify(message.text)})`;
}

test("what a program says is, byte for byte, the golden frame", async () => {
  const golden = mine.filter((vector) => vector.from === "worker" && vector.canonical && programFor(vector) !== null);
  assert.ok(golden.length >= 15);
  for (const vector of golden) {
    const { name = "f", global = "tools" } = vector.message;
    const namespaces = [{ ...TOOLS, global, functions: [name] }];
    const { frames } = await run(programFor(vector), { namespaces, onCall() {} });
    const said = frames.find((candidate) => candidate.kind === vector.kind);
    assert.equal(said?.text, vector.payload, vector.name);
    assert.deepEqual([said.magic, said.version, said.flags], ["DAYF", 1, 0]);
    assert.equal(said.id, vector.kind === "call" ? 1 : 0);
  }
});

test("ready comes first, with the language and the version", async () => {
  const { frames, ready } = await run("return 1");
  assert.equal(frames[0].kind, "ready");
  assert.deepEqual(Object.keys(ready), ["language", "version"]);
  assert.equal(ready.language, "typescript");
  assert.match(ready.version, /^\d+\.\d+\.\d+$/);
});

test("golden replies reach the program", async () => {
  const replies = mine.filter((vector) => vector.from === "host" && vector.kind === "reply");
  assert.ok(replies.length >= 5);
  for (const vector of replies) {
    const onCall = (call, { worker }) => {
      const bytes = Buffer.from(vector.hex, "hex");
      bytes.writeUInt32LE(call.id, 8);
      worker.socket.write(bytes);
    };
    const { done } = await run("try { return { value: JSON.stringify(await tools.echo()) } } catch (e) { return { error: e.message } }", { onCall });
    const failed = (vector.flags & 1) === 1;
    assert.deepEqual(done.value, failed ? { error: vector.message.error } : { value: JSON.stringify(JSON.parse(vector.payload)) }, vector.name);
  }
});

// Sends these bytes instead of `start` and waits for the end.
async function end(bytes) {
  const seen = [];
  const worker = startWorker((message) => seen.push(message.kind));
  worker.socket.write(bytes);
  return { ...(await worker.ended), seen };
}

test("another magic, another version and another kind are refused by name", async () => {
  for (const [at, value, complaint] of [[0, 0x45, /not a frame/], [4, 2, /speaks version 2 .* version 1/], [6, 1, /frame of kind 1/]]) {
    const bytes = frame(0x81, 0, "{}");
    bytes[at] = value;
    const { code, stderr, seen } = await end(bytes);
    assert.equal(code, 1);
    assert.match(stderr, complaint);
    assert.deepEqual(seen, ["ready"]);
  }
});

test("a worker whose host goes away ends", async () => {
  for (const start of [null, "await tools.hang()", "await new Promise((r) => setTimeout(r, 1e8)); ", "for (;;) console.log('x')"]) {
    const worker = startWorker((message) => {
      if (message.kind === "ready" && start === null) worker.socket.destroy();
      if (message.kind === "call" || message.kind === "log") worker.socket.destroy();
    });
    const program = `${start?.startsWith("await new") ? "void tools.hang();" : ""}${start}`;
    if (start !== null) worker.socket.write(frame(0x81, 0, JSON.stringify({ program, namespaces: [TOOLS], max_value_bytes: 1e6, max_depth: 100 })));
    const { signal } = await worker.ended;
    assert.equal(signal, null);
  }
});

test("start and replies may arrive in pieces of any size", async () => {
  for (const size of [1, 7, 16, 17]) {
    let feed;
    const worker = startWorker(({ kind, id, text }) => {
      if (kind === "call") feed(Buffer.concat([frame(0x82, id, text.slice(text.indexOf('"args":') + 7, -1))]));
      if (kind === "done") worker.done = text;
    });
    feed = async (bytes) => {
      for (let at = 0; at < bytes.length; at += size) {
        worker.socket.write(bytes.subarray(at, at + size));
        if (at % 64 < size) await new Promise(setImmediate);
      }
    };
    const program = 'return [await tools.echo("é".repeat(50)), await tools.echo([1])]';
    await feed(frame(0x81, 0, JSON.stringify({ program, namespaces: [TOOLS], max_value_bytes: 1e6, max_depth: 100 })));
    await worker.ended;
    assert.equal(worker.done, JSON.stringify({ value: ["é".repeat(50), [1]] }));
  }
});

test("many replies in one write all arrive", async () => {
  const replies = [];
  const onCall = (call, { worker }) => {
    replies.push(frame(0x82, call.id, `${call.args}`));
    if (replies.length === 1000) worker.socket.write(Buffer.concat(replies));
  };
  const { done } = await run("const all = await Promise.all(Array.from({ length: 1000 }, (_, i) => tools.echo(i))); return all.length + all[999]", { onCall });
  assert.deepEqual(done, { value: 1999 });
});

test("a host that stops reading delays the program's calls and not its timers, and loses nothing", async () => {
  const onCall = (call, { succeed, worker }) => {
    if (call.id === 1) {
      // Reads nothing until the worker's timers have run: it says so in a pipe of its own. The socket was full before the first.
      worker.socket.pause();
      let ticks = 0;
      worker.child.stdout.on("data", (text) => {
        ticks += text.length;
        if (ticks > 10) worker.socket.resume();
      });
    }
    succeed(call.args.n);
  };
  const program = `
    const { writeSync } = require("fs");
    const calls = Array.from({ length: 2000 }, (_, n) => tools.echo({ n, pad: "x".repeat(1000) }));
    const timer = setInterval(() => writeSync(1, "."), 1);
    const sum = (await Promise.all(calls)).reduce((a, b) => a + b);
    clearInterval(timer);
    return sum;`;
  const { done, calls, stdout } = await run(program, { onCall, killAfter: 60000 });
  assert.deepEqual(done, { value: 1999000 });
  assert.match(stdout, /^\.{11,}$/);
  assert.deepEqual(calls.map((call) => call.id), Array.from({ length: 2000 }, (_, n) => n + 1));
});

test("a Node without bindings is spoken to through net", async () => {
  const before = "process.binding = () => { throw new Error('gone') };";
  const program = "let sum = 0; for (let i = 0; i < 100; i++) sum = await tools.add({ a: sum, b: i }); return sum";
  const { done } = await run(program, { before });
  assert.deepEqual(done, { value: 4950 });
  const waiting = await run("await new Promise(() => {})", { before });
  assert.match(waiting.failed.message, /never happen/);
});

test("both sides full at once do not block each other", async () => {
  // The host answers with more than the socket holds while the worker prints more than the socket holds, and reads
  // nothing until its own writes are through.
  const big = JSON.stringify("r".repeat(3000000));
  const onCall = (call, { worker }) => {
    worker.socket.pause();
    worker.socket.write(frame(0x82, call.id, big), () => worker.socket.resume());
  };
  const program = `
    const reply = tools.echo();
    const until = Date.now() + 50; while (Date.now() < until);
    console.log("l".repeat(3000000));
    return (await reply).length;`;
  const { done, logs } = await run(program, { onCall, killAfter: 60000 });
  assert.deepEqual(done, { value: 3000000 });
  assert.equal(logs[0].text.length, 3000000);
});
