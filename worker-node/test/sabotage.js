"use strict";
// Programs that rewrite one thing after another of what they can reach: the globals, what hangs from them, the built-in
// modules. The list is made by the interpreter under test, from what it has.

const { run } = require("./harness.js");

// What becomes of each function, accessor and value.
const WAYS = {
  __proto__: null,
  throwing: '() => { throw new Error("sabotaged") }',
  garbage: '() => "garbage"',
  recording: "function (...given) { seen[seen.length] = given; return given[0] }",
};

// Takes first what it needs, walks from `root` to the objects that hang from it, and rewrites every property that can be.
const rewriting = (root, way) => `
  const seen = [];
  const hostile = ${WAYS[way]};
  {
    const { defineProperty, getOwnPropertyDescriptors: describe, getPrototypeOf } = Object;
    const { ownKeys } = Reflect;
    const { add, has } = Set.prototype;
    const apply = Reflect.apply;
    const visited = new Set([globalThis, tools]);
    const found = [];
    const holds = (value) => (typeof value === "object" && value !== null) || typeof value === "function";
    const walk = (object, depth) => {
      if (!holds(object) || apply(has, visited, [object]) || depth > 4) return;
      apply(add, visited, [object]);
      found.push(object);
      let all;
      try { all = describe(object); walk(getPrototypeOf(object), depth + 1); } catch { return }
      for (const key of ownKeys(all)) {
        walk(all[key].value, depth + 1);
        walk(all[key].get, depth + 1);
        walk(all[key].set, depth + 1);
      }
    };
    ${root}
    const all = [];
    for (const object of found) {
      try { for (const key of ownKeys(object)) all.push({ __proto__: null, object, key, was: Object.getOwnPropertyDescriptor(object, key) }); } catch {}
    }
    const count = all.length;
    for (let i = 0; i < count; i++) {
      const { object, key, was } = all[i];
      const now = "value" in was
        ? { __proto__: null, value: hostile, enumerable: was.enumerable, writable: true, configurable: true }
        : { __proto__: null, get: hostile, set: hostile, enumerable: was.enumerable, configurable: true };
      try { defineProperty(object, key, now); } catch { try { object[key] = hostile; } catch {} }
    }
  }`;

const VALUE = `{ none: null, yes: true, numbers: [0, 1, -1, 0.1, 1e300, 9007199254740991], text: "é\\u0000\\n 工具 😀", list: [[], {}, [[1]]], empty: "", "odd key": { "": 1 } }`;
const VALUE_TEXT = JSON.stringify(eval(`(${VALUE})`));

// Uses syntax alone, which nobody can rewrite.
const WORKING = `
  const value = ${VALUE};
  const back = await tools.echo(value);
  console.log("still here");
  const both = [await tools.echo(back), await tools.echo("a text")];
  let told = "";
  try { await tools.fail() } catch (error) { told = error.message }
  let refused = "";
  try { await tools.echo({ x: undefined }) } catch (error) { refused = error.message }
  return { both, told, refused };`;

const DONE = `{"value":{"both":[${VALUE_TEXT},"a text"],"told":"the disk is full","refused":"tools.echo: args.x is undefined, which JSON does not have; leave the key out or use null"}}`;

// What a host may see of such a program: nothing that is not exact, and an ending that says what happened. Gives the
// ending's name.
function ending({ frames, calls, failed, code, signal, stderr }, what) {
  const fault = (text) => {
    throw new Error(`${what}: ${text}`);
  };
  if (stderr.includes("dayfly:")) fault(`the worker complained: ${stderr}`);
  for (const call of calls) {
    const args = JSON.stringify(call.args);
    if (call.global !== "tools") fault(`a call of ${call.global}`);
    const wanted = call.name === "fail" ? ["{}"] : [VALUE_TEXT, '"a text"'];
    if (!wanted.includes(args)) fault(`tools.${call.name} was called with ${args}`);
  }
  const last = frames.at(-1);
  if (last.kind === "done") {
    if (last.text !== DONE) fault(`it returned ${last.text}`);
    return "done";
  }
  if (last.kind === "failed") {
    const own = ["sabotaged", "waits for something that can never happen"];
    // It fails in rewriting.
    if (what.startsWith("Array.prototype.length = ")) own.push("Invalid array length");
    if (failed.kind !== "exception" || !own.some((words) => failed.message.includes(words))) fault(last.text);
    return "exception";
  }
  if (signal === "SIGKILL") fault("it hung");
  return `exit ${signal ?? code}: ${stderr.slice(0, 300)}`;
}

async function sabotage(prelude, what, options) {
  return ending(await run(`${prelude}\n${WORKING}`, { killAfter: 60000, ...options }), what);
}

// Runs every job, a few at a time.
async function several(jobs, work) {
  const queue = [...jobs];
  const worker = async () => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) await work(job);
  };
  await Promise.all([worker(), worker(), worker()]);
}

module.exports = { WAYS, rewriting, sabotage, several };
