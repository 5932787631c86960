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

// Walks the value without recursion. `survey.refusal` says what is wrong with it, `survey.depth` how deep it is.
function inspectValue(value, root, surrogates) {
  const survey = { __proto__: null, refusal: null, depth: 0, longInteger: false };
  const open = new NativeSet();
  let frame = null;
  let current = value;
  let bytes = 0;
  for (;;) {
    let fault = null;
    if (typeof current === "object" && current !== null) {
      fault = setHas(open, current) ? CYCLE : containerFault(current);
      if (fault === null) {
        const list = isArray(current);
        const names = list ? null : ownKeys(current);
        const depth = frame === null ? 1 : frame.depth + 1;
        if (depth > maxDepth) fault = TOO_DEEP;
        if (depth > survey.depth) survey.depth = depth;
        setAdd(open, current);
        frame = { __proto__: null, container: current, list, names, index: -1, depth, parent: frame };
        bytes += 2;
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
    if (fault !== null) {
      survey.refusal = refuse(root, frame, fault.reason, fault.fix, fault.tooLarge === true);
      return survey;
    }
    // On to the next value: the next member of the innermost open container, closing those that are through.
    for (;;) {
      if (frame === null) return survey;
      frame.index += 1;
      const length = frame.list ? frame.container.length : frame.names.length;
      if (frame.index < length) break;
      setDelete(open, frame.container);
      frame = frame.parent;
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
    if (fault !== null) {
      survey.refusal = refuse(root, frame, fault.reason, fault.fix, false);
      return survey;
    }
  }
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
        const list = isArray(current);
        frame = { __proto__: null, container: current, list, names: list ? null : ownKeys(current), index: -1, parent: frame };
        text += list ? "[" : "{";
      } else text += isLongInteger(current) ? `${NativeBigInt(current)}` : stringify(current);
      for (;;) {
        if (frame === null) return text;
        frame.index += 1;
        if (frame.index < (frame.list ? frame.container.length : frame.names.length)) break;
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
