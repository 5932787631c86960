// Strips programs with amaro, and compiles what Dayfly made of them, for comparison.
//
// In, per program: the length of the program, of Dayfly's result (-1: refused), a line end, then both texts.
// Out, per program: `ok` or the error's code, the length of amaro's text or message, `ok` or V8's message about Dayfly's
// result, its length, each on a line, then the two texts.
"use strict";

const { transformSync } = require(`${process.argv[2]}/amaro`);
const AsyncFunction = (async () => {}).constructor;

const HEAD = "async function __body() {\n";
const TAIL = "\n}";

function strip(program) {
  // `return` wants a function; a type-only import or export wants a module.
  try {
    const { code } = transformSync(HEAD + program + TAIL, { mode: "strip-only" });
    return ["ok", code.slice(HEAD.length, code.length - TAIL.length)];
  } catch (error) {
    const refusal = [error.code ?? error.name ?? "unknown", String(error.message ?? error)];
    if (!/^\s*(import|export)\b/m.test(program)) return refusal;
    try {
      return ["ok", transformSync(program, { mode: "strip-only" }).code];
    } catch {
      return refusal;
    }
  }
}

function compile(code) {
  try {
    new AsyncFunction('"use strict";\n' + code);
    return "ok";
  } catch (error) {
    return String(error);
  }
}

const input = require("node:fs").readFileSync(0);
const output = [];
for (let at = 0; at < input.length; ) {
  const end = input.indexOf(10, at);
  const [length, ours] = input.toString("latin1", at, end).split(" ").map(Number);
  const program = input.toString("utf8", end + 1, end + 1 + length);
  at = end + 1 + length + Math.max(ours, 0);
  const [state, text] = strip(program);
  const compiled = ours < 0 ? "" : compile(input.toString("utf8", at - ours, at));
  output.push(`${state} ${Buffer.byteLength(text)} ${Buffer.byteLength(compiled)}\n${text}${compiled}`);
}
require("node:fs").writeFileSync(1, output.join(""));
