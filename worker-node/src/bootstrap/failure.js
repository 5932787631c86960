// What a model is told about an exception: the best printable text, the program's own line and frames, a hint.

const MESSAGE_LIMIT = 65536;
const STACK_LIMIT = 16384;
const CAUSES_SHOWN = 8;
const ERRORS_SHOWN = 10;

function describeException(thrown) {
  const error = isError(thrown);
  const name = error ? errorName(thrown) : "";
  let message = error ? withoutPaths(safeText(thrown, "message")) : printable(thrown);
  if (error && message === "") message = `${name} without a message`;
  if (error) message = calledAs(thrown, name, message) + message;
  const frames = programFrames(error ? safeText(thrown, "stack") : "");
  message += hint(name, message, placeOf(frames));
  if (error) message += related(thrown);
  return report(name, message, frames);
}

// { kind, message, name, line, column, stack } as the host reads it.
function report(name, message, stack) {
  const place = match(POSITION, stack);
  const text = cut(withoutPaths(message), MESSAGE_LIMIT);
  let payload = `{"kind":"exception","message":${stringify(text)},"name":${stringify(cut(name, 200))}`;
  if (place !== null) payload += `,"line":${+place[1]},"column":${+place[2]}`;
  return `${payload},"stack":${stringify(cut(withoutPaths(stack), STACK_LIMIT))}}`;
}

// `tools.fail failed: ` for the error of a failed call that itself says only why.
function calledAs(error, className, message) {
  for (let i = 0; i < startMessage.namespaces.length; i += 1) {
    const spec = startMessage.namespaces[i];
    if (spec.error === undefined || spec.error.class !== className) continue;
    const name = safeText(error, spec.error.property);
    for (let j = 0; j < spec.functions.length; j += 1) {
      if (spec.functions[j] !== name) continue;
      const label = spec.global + memberAccess(name);
      return indexOf(message, label) === 0 ? "" : `${label} failed: `;
    }
  }
  return "";
}

const POSITION = /program\.ts:(\d{1,9}):(\d{1,9})/;

function isError(value) {
  if (typeof value !== "object" || value === null) return false;
  if (isNativeError(value)) return true;
  try {
    return value instanceof NativeError;
  } catch {
    return false;
  }
}

function read(object, key) {
  try {
    return object[key];
  } catch {
    return undefined;
  }
}

function safeText(object, key) {
  const value = read(object, key);
  return typeof value === "string" ? value : "";
}

function errorName(error) {
  const name = safeText(error, "name") || "Error";
  if (name !== "Error") return name;
  const constructor = read(error, "constructor");
  return typeof constructor === "function" ? safeText(constructor, "name") || name : name;
}

// The text of something thrown that is no error.
function printable(value) {
  if (typeof value === "string" && value !== "") return value;
  if (typeof value === "string") return "the program threw an empty string instead of an Error";
  let text = "an object that cannot be printed";
  try {
    text = inspect(value, { __proto__: null, depth: 4, customInspect: false, breakLength: 100, maxStringLength: 10000 });
  } catch {
    // A proxy or a getter of the program threw.
  }
  return `the program threw ${text} instead of an Error`;
}

// The causes of an error and the members of an AggregateError, one a line.
function related(error) {
  let text = "";
  const errors = read(error, "errors");
  if (isArray(errors)) {
    for (let i = 0; i < errors.length && i < ERRORS_SHOWN; i += 1) text += `\n  ${i + 1}. ${summary(read(errors, i))}`;
    if (errors.length > ERRORS_SHOWN) text += `\n  and ${errors.length - ERRORS_SHOWN} more`;
  }
  const seen = new NativeSet();
  let current = error;
  for (let i = 0; i < CAUSES_SHOWN; i += 1) {
    setAdd(seen, current);
    const cause = typeof current === "object" && current !== null ? read(current, "cause") : undefined;
    if (cause === undefined || setHas(seen, cause)) break;
    text += `\ncaused by ${summary(cause)}`;
    current = cause;
  }
  return text;
}

function summary(value) {
  if (!isError(value)) return typeof value === "string" ? value : printable(value);
  const name = errorName(value);
  const message = withoutPaths(safeText(value, "message"));
  return message === "" ? name : `${name}: ${calledAs(value, name, message)}${message}`;
}

// Only the program's own frames, innermost first, one a line: `at load (program.ts:3:7)`.
function programFrames(stack) {
  let frames = "";
  let at = 0;
  while (at < stack.length) {
    const found = indexOf(stack, "\n", at);
    const end = found === -1 ? stack.length : found;
    const line = slice(stack, at, end);
    if (indexOf(line, "    at ") === 0 && indexOf(line, "program.ts:") !== -1 && !isBootstrapFrame(line)) {
      frames += frames === "" ? slice(line, 4) : `\n${slice(line, 4)}`;
    }
    at = end + 1;
  }
  return frames;
}

const UNDEFINED_NAME = /^([\w$]+) is not defined$/;
const NOT_A_FUNCTION = /^([A-Za-z_]\w*)\.([^]+) is not a function$/;
const NOT_FOUND = /^Cannot find (?:module|package) '([^']*)'/;

function hint(name, message, place) {
  if (name === "ReferenceError") {
    const found = match(UNDEFINED_NAME, message);
    return found === null ? "" : undefinedHint(found[1], place);
  }
  if (name === "TypeError") {
    const found = match(NOT_A_FUNCTION, message);
    return (found === null ? "" : memberHint(found[1], found[2])) || typeErrorHint(message, place);
  }
  if (name === "SyntaxError") return parsedTwiceHint(message);
  const missing = match(NOT_FOUND, message);
  if (missing === null) return "";
  const meant = meantByModule(missing[1]);
  if (meant !== null) return `. ${meant}`;
  return startMessage.modules === undefined ? `. ${NO_PACKAGES}` : "";
}

const NO_PACKAGES = 'Only Node\'s own modules can be imported here, as in await import("node:fs")';

// Words of Python that stand where JavaScript has another.
const PYTHON_WORDS = {
  __proto__: null,
  print: "console.log(…)",
  len: ".length",
  None: "null",
  True: "true",
  False: "false",
  str: "String(…)",
  range: "a for loop",
  elif: "else if",
};

// A global that the host gives, in a run to which it has given none.
function unboundHint(name) {
  if (startMessage.namespaces.length === 0) {
    return `. No tools are bound to this run, so there is no \`${name}\`: write the program without them`;
  }
  let bound = "";
  for (let i = 0; i < startMessage.namespaces.length; i += 1) {
    bound += `${i === 0 ? "" : ", "}\`${startMessage.namespaces[i].global}\``;
  }
  return `. The tools of this run are bound as ${bound}, and there is no \`${name}\``;
}

function undefinedHint(name, place) {
  const written = assignedHint(name, place) || bracketsHint(place);
  if (written !== "") return written;
  if (PYTHON_WORDS[name] !== undefined) return `. This program is TypeScript, not Python: use ${PYTHON_WORDS[name]}`;
  if (name === "tools" || name === "ToolCallError") return unboundHint(name);
  for (let i = 0; i < startMessage.namespaces.length; i += 1) {
    const { global, functions } = startMessage.namespaces[i];
    for (let j = 0; j < functions.length; j += 1) {
      if (functions[j] === name) return `. Call it as ${global}${memberAccess(name)}(…)`;
    }
  }
  const meant = meantByName(name);
  if (meant !== null && meant.sure) return `. ${meant.text}`;
  let text = meant === null ? "" : `. ${meant.text}`;
  for (let i = 0; i < builtinModules.length; i += 1) {
    if (builtinModules[i] === name) text += `. If Node's module is meant: const ${name} = await import("node:${name}")`;
  }
  for (let i = 0; i < startMessage.namespaces.length; i += 1) {
    const { error } = startMessage.namespaces[i];
    if (error !== undefined && nearest(name, [error.class]) !== null) text += `. Did you mean ${error.class}?`;
  }
  if (text !== "" && text[text.length - 1] === "?") return `${text} If not: every run starts fresh, so define it in this program`;
  return `${text}. Every run starts fresh: what an earlier run defined is gone, so define it in this program`;
}

function memberHint(global, wanted) {
  // A member of what a call gave, and no function of the namespace's.
  if (indexOf(wanted, "(...)") !== -1) return "";
  for (let i = 0; i < startMessage.namespaces.length; i += 1) {
    const spec = startMessage.namespaces[i];
    if (spec.global === global) return `. ${nearestText(global, wanted, spec.functions)}`;
  }
  return "";
}

// The text without the private working directory: it means nothing outside this process.
function withoutPaths(text) {
  let rest = text;
  if (indexOf(rest, "Cannot find ") === 0) {
    rest = before(before(rest, "\nRequire stack:"), " imported from ");
  }
  if (workingDirectory.length < 2) return rest;
  let clean = "";
  for (;;) {
    const found = indexOf(rest, workingDirectory);
    if (found === -1) return clean + rest;
    clean += `${slice(rest, 0, found)}.`;
    rest = slice(rest, found + workingDirectory.length);
  }
}

function before(text, mark) {
  const found = indexOf(text, mark);
  return found === -1 ? text : slice(text, 0, found);
}

// At most `limit` bytes of UTF-8, and never half a character.
function cut(text, limit) {
  const fit = wellFormed(text);
  const size = byteLength(fit);
  if (size <= limit) return fit;
  const bytes = bufferFrom(fit, "utf8");
  let end = limit;
  while ((bytes[end] & 0xc0) === 0x80) end -= 1;
  return `${readUtf8(bytes, 0, end)}… (${size - end} more bytes)`;
}
