// Lossless JSON out of the program: a value crosses exactly or is refused with its path. No code of the program runs
// while it is read (getters, `toJSON`, proxies).

let maxDepth = 10000;

// `JSON.stringify` recurses and gives up between 3,000 and 7,000 levels; with much of the stack in use, earlier.
const NATIVE_DEPTH = 1000;

// Returns the text, or { path, reason, tooLarge } where the value cannot cross.
function encode(value, root) {
  const survey = inspectValue(value, root);
  if (survey.refusal !== null) return survey.refusal;
  const native = survey.depth <= NATIVE_DEPTH && !survey.longInteger && !hasForeignToJson();
  const text = native ? encodeNative(value) : encodeDeep(value);
  if (text === null) return refuse(root, null, `is larger than the limit of ${maxPayloadBytes} bytes`, "send less, or in parts", true);
  // A lone surrogate is the only thing that is written as \ud800 to \udfff.
  if (indexOf(text, "\\ud") !== -1) {
    const refusal = inspectValue(value, root, true).refusal;
    if (refusal !== null) return refusal;
  }
  return text;
}

function encodeNative(value) {
  try {
    return stringify(value);
  } catch {
    return encodeDeep(value);
  }
}

function hasForeignToJson() {
  return "toJSON" in ArrayPrototype || "toJSON" in ObjectPrototype;
}

// An array or object that is being walked, and the member it stands at.
class Frame {
  constructor(container, parent) {
    this.container = container;
    this.list = isArray(container);
    this.names = this.list ? null : namesOf(container);
    this.length = this.list ? container.length : this.names.length;
    this.index = -1;
    this.depth = parent === null ? 1 : parent.depth + 1;
    this.parent = parent;
  }
}
// A literal without a prototype would be safe as well, and several times slower.
setPrototypeOf(Frame.prototype, null);

// All names, hidden ones as well: V8 keeps them at hand, where it gathers `ownKeys` anew and takes ten times as long.
function namesOf(object) {
  return getOwnPropertySymbols(object).length === 0 ? getOwnPropertyNames(object) : ownKeys(object);
}

// Walks the value without recursion. `survey.refusal` says what is wrong with it, `survey.depth` how deep it is.
function inspectValue(value, root, surrogates) {
  const survey = { __proto__: null, refusal: null, depth: 0, longInteger: false };
  let frame = null;
  let current = value;
  let bytes = 0;
  let deepest = 0;
  for (;;) {
    let fault = null;
    if (typeof current === "object" && current !== null) {
      fault = containerFault(current);
      if (fault === null) {
        frame = new Frame(current, frame);
        bytes += 2;
        if (frame.depth > deepest) {
          deepest = frame.depth;
          if (deepest > maxDepth || isCheckpoint(deepest)) {
            const again = findCycle(frame);
            if (again !== null) fault = CYCLE;
            else if (deepest > maxDepth) fault = TOO_DEEP;
            if (fault !== null) frame = (again === null ? frame : again).parent;
          }
        }
      }
    } else {
      fault = scalarFault(current);
      if (typeof current === "string") {
        bytes += current.length + 2;
        if (surrogates && fault === null) fault = surrogateFault(current);
      } else {
        bytes += 1;
        if (isLongInteger(current)) survey.longInteger = true;
      }
    }
    if (fault === null && bytes > maxPayloadBytes) fault = tooLarge();
    // On to the next value: the next member of the innermost container, leaving those that are through.
    if (fault === null) {
      while (frame !== null && (frame.index += 1) >= frame.length) frame = frame.parent;
      if (frame === null) {
        survey.depth = deepest;
        return survey;
      }
      bytes += 1;
      if (frame.list) {
        fault = elementFault(frame.container, frame.index);
        if (fault === null) current = frame.container[frame.index];
      } else {
        const name = frame.names[frame.index];
        fault = memberFault(frame.container, name, surrogates);
        if (fault === null) {
          bytes += name.length + 3;
          current = frame.container[name];
        }
      }
    }
    if (fault !== null) {
      survey.refusal = refuse(root, frame, fault.reason, fault.fix, fault.tooLarge);
      return survey;
    }
  }
}

// A cycle is a value that gets ever deeper: it is looked for now and then, and costs other values nothing.
function isCheckpoint(depth) {
  return depth >= 32 && (depth & (depth - 1)) === 0;
}

// The outermost frame whose container is also further out, or null.
function findCycle(innermost) {
  const seen = new NativeMap();
  let found = null;
  for (let frame = innermost; frame !== null; frame = frame.parent) {
    const inner = mapGet(seen, frame.container);
    if (inner !== undefined && (found === null || inner.depth < found.depth)) found = inner;
    mapSet(seen, frame.container, frame);
  }
  return found;
}

function elementFault(list, index) {
  if (!hasOwn(list, index)) return HOLE;
  return lookupGetter(list, index) === undefined ? null : ACCESSOR;
}

function memberFault(object, name, surrogates) {
  if (typeof name === "symbol") return SYMBOL_KEY;
  const descriptor = getOwnPropertyDescriptor(object, name);
  if (!hasOwn(descriptor, "value")) return ACCESSOR;
  if (!descriptor.enumerable) return HIDDEN_KEY;
  return surrogates ? surrogateFault(name) : null;
}

// The text of a value that `inspectValue` has accepted, without recursion; null when no string can hold it.
function encodeDeep(value) {
  let frame = null;
  let current = value;
  let text = "";
  try {
    for (;;) {
      if (typeof current === "object" && current !== null) {
        frame = new Frame(current, frame);
        text += frame.list ? "[" : "{";
      } else text += isLongInteger(current) ? `${NativeBigInt(current)}` : stringify(current);
      for (;;) {
        if (frame === null) return text;
        frame.index += 1;
        if (frame.index < frame.length) break;
        text += frame.list ? "]" : "}";
        frame = frame.parent;
      }
      if (frame.index > 0) text += ",";
      if (frame.list) current = frame.container[frame.index];
      else {
        const name = frame.names[frame.index];
        text += `${stringify(name)}:`;
        current = frame.container[name];
      }
    }
  } catch {
    return null;
  }
}

// JavaScript prints 2 ** 60 as 1152921504606847000, which is another number. From 1e21 on it prints an exponent.
function isLongInteger(value) {
  return typeof value === "number" && (value > MAX_SAFE_INTEGER || value < -MAX_SAFE_INTEGER) && value < 1e21 && value > -1e21;
}

function refuse(root, frame, reason, fix, large) {
  return { __proto__: null, path: pathOf(root, frame), reason: `${reason}; ${fix}`, tooLarge: large };
}

// `args.items[3]["odd key"]`: the way to the member that `frame` stands at.
function pathOf(root, frame) {
  let path = "";
  for (let step = frame; step !== null; step = step.parent) {
    if (step.index < 0) continue;
    path = (step.list ? `[${step.index}]` : memberAccess(step.names[step.index])) + path;
    if (path.length > 4096) path = `…${slice(path, -2048)}`;
  }
  path = root + path;
  return path.length <= 300 ? path : `${slice(path, 0, 140)} … ${slice(path, -140)}`;
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

function memberAccess(name) {
  if (typeof name === "symbol") return "[a symbol]";
  return match(IDENTIFIER, name) === null ? `[${stringify(name)}]` : `.${name}`;
}
