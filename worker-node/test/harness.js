"use strict";
// A small host in JavaScript: starts the interpreter under test (DAYFLY_NODE, or the one that runs this) as the real
// host does, speaks the protocol, and gives back what the worker said.

const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

const NODE = process.env.DAYFLY_NODE || process.execPath;
const SOURCE = path.join(__dirname, "..", "src");

// The order of the parts is lib.rs's alone.
function bootstrapText() {
  const rust = fs.readFileSync(path.join(SOURCE, "lib.rs"), "utf8");
  const body = /BOOTSTRAP: &str = concat!\(([^]*?)\n\);/.exec(rust)[1];
  let text = "";
  for (const [, included, literal] of body.matchAll(/include_str!\("([^"]+)"\)|("(?:[^"\\]|\\.)*")/g)) {
    text += included ? fs.readFileSync(path.join(SOURCE, included), "utf8") : JSON.parse(literal);
  }
  return text;
}

function nodeArguments() {
  const rust = fs.readFileSync(path.join(SOURCE, "lib.rs"), "utf8");
  const body = /vec!\[([^]*?)\n {4}\]/.exec(rust)[1];
  const found = [...body.matchAll(/^ *(?:format!\()?"(--[^"]+)"/gm)].map(([, text]) => text.replace("{old_space_mib}", "512"));
  return [...found, "-e", fs.readFileSync(path.join(SOURCE, "loader.js"), "utf8")];
}

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "dayfly-worker-node-"));
process.on("exit", () => fs.rmSync(scratch, { recursive: true, force: true }));
const bootstrapFile = path.join(scratch, "bootstrap.js");
fs.writeFileSync(bootstrapFile, bootstrapText());

const KINDS = { 1: "ready", 2: "call", 3: "log", 4: "done", 5: "failed" };

function frame(kind, id, payload, flags = 0) {
  const body = Buffer.from(payload);
  const header = Buffer.alloc(16);
  header.write("DAYF", 0, "latin1");
  header.writeUInt16LE(1, 4);
  header[6] = kind;
  header[7] = flags;
  header.writeUInt32LE(id, 8);
  header.writeUInt32LE(body.length, 12);
  return Buffer.concat([header, body]);
}

const TOOLS = {
  global: "tools",
  functions: ["add", "echo", "fail", "hang"],
  error: { class: "ToolCallError", property: "toolName" },
};

// Starts a worker. `onFrame({ kind, id, text })` hears each frame.
function startWorker(onFrame, { cwd, before } = {}) {
  const directory = cwd || fs.mkdtempSync(path.join(scratch, "run-"));
  let file = bootstrapFile;
  if (before) {
    // What the interpreter might lack: taken away in front of the bootstrap.
    file = path.join(fs.mkdtempSync(path.join(scratch, "altered-")), "bootstrap.js");
    fs.writeFileSync(file, bootstrapText().replace('"use strict";\n', `"use strict";\n${before}\n`));
  }
  const source = fs.openSync(file, "r");
  const child = spawn(NODE, nodeArguments(), { cwd: directory, env: {}, stdio: ["ignore", "pipe", "pipe", "pipe", source] });
  fs.closeSync(source);
  const socket = child.stdio[3];
  let chunks = [];
  let size = 0;
  let need = 16;
  socket.on("data", (chunk) => {
    chunks.push(chunk);
    size += chunk.length;
    while (size >= need) {
      const bytes = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
      chunks = [bytes];
      if (bytes.length < 16 || bytes.readUInt32LE(12) + 16 > bytes.length) {
        need = bytes.length < 16 ? 16 : bytes.readUInt32LE(12) + 16;
        break;
      }
      const end = 16 + bytes.readUInt32LE(12);
      const header = { magic: bytes.toString("latin1", 0, 4), version: bytes.readUInt16LE(4), flags: bytes[7] };
      const message = { ...header, kind: KINDS[bytes[6]], id: bytes.readUInt32LE(8), text: bytes.toString("utf8", 16, end) };
      chunks = [bytes.subarray(end)];
      size -= end;
      need = 16;
      onFrame(message);
    }
  });
  socket.on("error", () => {});
  const out = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"]) child[name].setEncoding("utf8").on("data", (text) => (out[name] += text));
  const ended = new Promise((resolve) => child.on("close", (code, signal) => resolve({ code, signal, ...out })));
  return { child, socket, directory, ended };
}

// Runs one program to its end: { ready, done?, failed?, logs, calls, frames, code, signal, stdout, stderr, directory }.
async function run(program, options = {}) {
  const { namespaces = [TOOLS], maxValueBytes = 268435456, maxDepth = 10000, modules, onCall = answer } = options;
  const result = { logs: [], calls: [], frames: [] };
  const worker = startWorker((message) => {
    const { kind, id, text } = message;
    const content = JSON.parse(text);
    result.frames.push(message);
    if (kind === "ready") result.ready = content;
    if (kind === "log") result.logs.push(content);
    if (kind === "done") result.done = content;
    if (kind === "failed") result.failed = content;
    if (kind !== "call") return;
    result.calls.push({ id, ...content });
    onCall({ id, ...content, text }, {
      succeed: (value) => worker.socket.write(frame(0x82, id, JSON.stringify(value))),
      raw: (json) => worker.socket.write(frame(0x82, id, json)),
      fail: (message) => worker.socket.write(frame(0x82, id, JSON.stringify({ message }), 1)),
      worker,
    });
  }, options);
  const start = { program, namespaces, max_value_bytes: maxValueBytes, max_depth: maxDepth };
  if (modules) start.modules = modules;
  worker.socket.write(frame(0x81, 0, JSON.stringify(start)));
  const timer = options.killAfter && setTimeout(() => worker.child.kill("SIGKILL"), options.killAfter);
  const ended = await worker.ended;
  clearTimeout(timer);
  return { ...result, ...ended, directory: worker.directory };
}

function answer(call, reply) {
  if (call.name === "add") reply.succeed(call.args.a + call.args.b);
  // As text: JSON.stringify could neither print what is deep nor every integer exactly.
  else if (call.name === "echo") reply.raw(call.text.slice(call.text.indexOf(',"args":') + 8, -1));
  else if (call.name === "fail") reply.fail("the disk is full");
}

module.exports = { NODE, run, startWorker, frame, bootstrapText, nodeArguments, bootstrapFile, TOOLS, scratch };
