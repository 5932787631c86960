// One run: handshake, set-up, program, one ending.

let startMessage = null;
let workingDirectory = "";
// True once the program itself asked to exit: what then ends the process is no dead event loop.
let exiting = false;

function finish(kind, front, value = "", end = "") {
  if (settled) return;
  flushPartials();
  settled = true;
  if (sendFrame(kind, 0, front, value, end, DURABLE)) leave(0);
  // Only where the host's cap is smaller than a message may be.
  sendFrame(FAILED, 0, '{"kind":"output-limit","message":"the result is larger than the configured limit"}', "", "", DURABLE);
  leave(0);
}

function failWith(thrown) {
  if (!settled) finish(FAILED, describeException(thrown));
}

function complete(value) {
  if (settled) return;
  if (value === undefined) {
    finish(DONE, "{}");
    return;
  }
  const text = encode(value, "result");
  if (typeof text !== "string") {
    const kind = text.tooLarge ? "output-limit" : "invalid-output";
    const message = stringify(cut(`${text.path} ${text.reason}`, MESSAGE_LIMIT));
    finish(FAILED, `{"kind":"${kind}","message":${message},"path":${stringify(wellFormed(text.path))}}`);
    return;
  }
  // `{"value":` and `}` stand around it.
  if (10 + byteLength(text) > maxPayloadBytes) {
    const { reason, fix } = tooLarge();
    finish(FAILED, `{"kind":"output-limit","message":${stringify(`result ${reason}; ${fix}`)},"path":"result"}`);
  } else finish(DONE, '{"value":', text, "}");
}

// Whatever way the process ends, a line without its end is not lost.
function installExits() {
  const { kill } = proc;
  // Node's own abort prints the native stack first, with the interpreter's path and the bootstrap's frames in it.
  const abort = () => {
    apply(kill, proc, [proc.pid, "SIGABRT"]);
    // The signal may be another thread's to take.
    for (;;);
  };
  for (const name of ["exit", "reallyExit", "abort", "kill"]) {
    const native = name === "abort" ? abort : proc[name];
    const method = {
      [name](...values) {
        if (name !== "kill") exiting = true;
        flushPartials();
        sendGathered(true);
        return apply(native, proc, values);
      },
    }[name];
    define(proc, name, method, true);
  }
  listen("uncaughtException", (error) => {
    if (listenerCount(proc, "uncaughtException") === 1) failWith(error);
  });
  listen("unhandledRejection", (reason) => {
    if (listenerCount(proc, "unhandledRejection") === 1) failWith(reason);
  });
  // Node is about to end although the program has not: its event loop is empty.
  listen("exit", () => {
    if (!exiting) finish(FAILED, report("Error", DEAD_LOOP, ""));
  });
}

const DEAD_LOOP =
  "the program waits for something that can never happen: it awaits a promise that nobody resolves, and no timer, call " +
  "or stream is left that could. Make sure that every promise you await is resolved or rejected";

// With `-e` Node makes every built-in module a global: a forgotten import would work by chance, and a name of an earlier
// run would be a module. These are what Node has in any program; `crypto` is the module, which holds all of WebCrypto.
const REAL_GLOBALS = { __proto__: null, console: true, process: true, crypto: true, module: true };

function removeTraces() {
  for (const name of builtinModules) {
    if (!(name in REAL_GLOBALS)) delete globalThis[name];
  }
  delete globalThis.__filename;
  delete globalThis.__dirname;
  delete proc._eval;
  proc.execArgv = [];
}

// A frame of its own line: the program begins on line 1, column 1, and what is on line 0 is never shown.
const PREFIX = '((body)=>(completion)=>()=>{completion(body())})(async()=>{"use strict";\n';
const SUFFIX = "\n})";

// Node 18.20 and later want a flag for an importing function; the constant that needs none came with 20.12 and warns.
function compile(program) {
  const importModuleDynamically = (specifier, script, attributes) => importModule(specifier, attributes);
  const options = { __proto__: null, filename: "program.ts", lineOffset: -1, importModuleDynamically };
  return new Script(PREFIX + program + SUFFIX, options).runInThisContext()(awaitCompletion);
}

// `then` asks its promise for a constructor, which is the program's to redefine, unless it has one of its own.
function awaitCompletion(promise) {
  define(promise, "constructor", undefined, false);
  // A rejection that nobody handles is known only after the microtasks; one that is there already counts.
  const returned = (value) => {
    // Now, because a reply may come before the end does.
    noteUnfinished();
    soon(() => complete(value));
  };
  then(promise, returned, failWith);
}

// A program that does not parse has no frames; Node puts the line and a caret under the column into the stack.
function describeSyntaxError(error) {
  const stack = safeText(error, "stack");
  const place = match(/^program\.ts:(\d+)\n([^]*?)\n( *)\^/, stack);
  if (place === null) return describeException(error);
  const line = +place[1];
  return report("SyntaxError", error.message, `at program.ts:${line}:${place[3].length + 1}`);
}

// `if (require.main === module) main()` is common in programs. Node puts something else into the global `module` when the
// text of `-e` has run, so this comes after.
function installModule() {
  require.main = module;
  define(globalThis, "module", module, true);
}

function main() {
  const version = stringify(proc.versions.node);
  sendFrame(READY, 0, `{"language":"typescript","version":${version}}`, "", "", DURABLE);
  awaitFirstFrame();
  maxPayloadBytes = startMessage.max_value_bytes;
  maxDepth = startMessage.max_depth;
  workingDirectory = proc.cwd();
  removeTraces();
  installConsole();
  installStreams();
  installWarnings();
  installExits();
  installNamespaces(startMessage.namespaces);
  let start;
  try {
    start = compile(startMessage.program);
  } catch (error) {
    finish(FAILED, describeSyntaxError(error));
  }
  if (startMessage.namespaces.length > 0) openStream();
  // Called by the promise machinery, the program has nothing of the bootstrap below it on the stack.
  then(then(resolved, installModule), start);
}

main();
