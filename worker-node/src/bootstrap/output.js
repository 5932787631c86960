// What the program prints, as `log` frames. Each is in the socket before the printing call returns, so a program that
// dies the moment after loses nothing.

// A line without its end, per stream; it waits for the rest until something else is printed.
const partial = { __proto__: null, stdout: "", stderr: "" };
const PARTIAL_LIMIT = 1048576;
const STREAM_LEVEL = { __proto__: null, stdout: "log", stderr: "error" };

let settled = false;

function emitLog(source, level, text) {
  if (settled) return;
  const body = stringify(wellFormed(withoutBootstrap(text)));
  if (sendFrame(LOG, 0, `{"source":"${source}","level":"${level}","text":`, body, "}", DURABLE)) return;
  // Longer than any frame may be: in pieces, which the host's ledger counts all the same.
  const size = max(1, ceil(maxPayloadBytes / 8));
  if (text.length <= size) return;
  for (let at = 0; at < text.length; at += size) emitLog(source, level, slice(text, at, at + size));
}

function flushPartial(source) {
  const text = partial[source];
  if (text === "") return;
  partial[source] = "";
  emitLog(source, STREAM_LEVEL[source], text);
}

function flushPartials() {
  flushPartial("stdout");
  flushPartial("stderr");
}

function printConsole(level, text) {
  flushPartials();
  const end = text.length - 1;
  emitLog("console", level, charCodeAt(text, end) === 10 ? slice(text, 0, end) : text);
}

function printStream(source, text) {
  flushPartial(source === "stdout" ? "stderr" : "stdout");
  const end = lastIndexOf(text, "\n");
  if (end === -1) {
    partial[source] += text;
    if (partial[source].length > PARTIAL_LIMIT) flushPartial(source);
    return;
  }
  const whole = partial[source] + slice(text, 0, end);
  partial[source] = slice(text, end + 1);
  emitLog(source, STREAM_LEVEL[source], whole);
}

// Printed errors show the program's frames and Node's, never the bootstrap's.
function withoutBootstrap(text) {
  if (indexOf(text, "    at ") === -1) return text;
  let kept = "";
  let at = 0;
  while (at < text.length) {
    const found = indexOf(text, "\n", at);
    const end = found === -1 ? text.length : found;
    const line = slice(text, at, end);
    if (!isBootstrapFrame(line)) kept += at === 0 ? line : `\n${line}`;
    at = end + 1;
  }
  return kept;
}

// V8 prints a frame on line 0 without a position.
function isBootstrapFrame(line) {
  const frame = trimStart(line);
  return frame === "at program.ts" || (indexOf(frame, "at ") === 0 && indexOf(frame, "dayfly:bootstrap") !== -1);
}

const CONSOLE_LEVELS = {
  __proto__: null,
  log: "log",
  info: "info",
  debug: "debug",
  warn: "warn",
  error: "error",
  assert: "warn",
  trace: "error",
  dir: "log",
  dirxml: "log",
  table: "log",
  group: "log",
  groupCollapsed: "log",
  groupEnd: "log",
  count: "log",
  countReset: "log",
  time: "log",
  timeEnd: "log",
  timeLog: "log",
  clear: "log",
};

// Node's own console over a stream that knows the level of the method that is printing. The global object stays the one
// that `require("console")` gives.
function installConsole() {
  const { Console } = console;
  let level = "log";
  const sink = { __proto__: null, write: (text) => printConsole(level, text) };
  const inner = new Console({ __proto__: null, stdout: sink, stderr: sink, ignoreErrors: false, colorMode: false });
  for (const name of enumerableKeys(CONSOLE_LEVELS)) {
    const print = inner[name];
    const own = CONSOLE_LEVELS[name];
    const method = {
      [name](...values) {
        const outer = level;
        level = own;
        try {
          return apply(print, inner, values);
        } finally {
          level = outer;
        }
      },
    }[name];
    define(console, name, method, true);
  }
}

function installStreams() {
  for (const source of enumerableKeys(partial)) {
    let made = null;
    const get = () => (made === null ? (made = makeStream(source)) : made);
    defineProperty(proc, source, { __proto__: null, get, enumerable: true, configurable: true });
  }
}

// A real Writable, so that `pipe`, `pipeline` and worker threads can use it. Made when it is first asked for.
function makeStream(source) {
  const { Writable } = require("stream");
  let decoder = null;
  const stream = new Writable({
    __proto__: null,
    decodeStrings: false,
    write(chunk, encoding, done) {
      if (typeof chunk === "string" && (encoding === "utf8" || encoding === "utf-8")) printStream(source, chunk);
      else {
        if (decoder === null) decoder = new (require("string_decoder").StringDecoder)("utf8");
        printStream(source, decoder.write(typeof chunk === "string" ? bufferFrom(chunk, encoding) : chunk));
      }
      done();
    },
  });
  define(stream, "fd", source === "stdout" ? 1 : 2, true);
  define(stream, "isTTY", false, true);
  define(stream, "_isStdio", true, true);
  return stream;
}

function installWarnings() {
  listen("warning", (warning) => {
    printConsole("warn", `${safeText(warning, "name") || "Warning"}: ${safeText(warning, "message")}`);
  });
}
