// What cannot cross, and what to write instead.

const fault = (reason, fix) => ({ __proto__: null, reason, fix, tooLarge: false });

const CYCLE = fault("refers back to an object that contains it", "copy only the fields that are needed");
const HOLE = fault("is a hole in a sparse array", "fill it with null, as in Array.from(list, (x) => x ?? null)");
const ACCESSOR = fault("is a getter or setter", "copy its value into a plain object");
const SYMBOL_KEY = fault("is a symbol key", "use a string key");
const HIDDEN_KEY = fault("is not enumerable and would be lost", "copy the fields into a plain object");
const EXTRA_KEY = fault("is an array with named properties, which would be lost", "copy it with Array.from(list)");
const TOO_DEEP = {
  __proto__: null,
  get reason() {
    return `is nested deeper than the limit of ${maxDepth} levels`;
  },
  fix: "flatten it",
  tooLarge: false,
};
const PROXY = fault("is a Proxy", "copy what it shows into a plain object");
const MODULE = fault("is a module", "name the exports that are needed");
const UNDEFINED = fault("is undefined, which JSON does not have", "leave the key out or use null");
const FUNCTION = fault("is a function", "call it and pass its result");
const SYMBOL = fault("is a symbol", "use a string");
const BIGINT = fault("is a BigInt", "convert it with String(value), or Number(value) where it is small enough");
const NEGATIVE_ZERO = fault("is -0, whose sign JSON readers lose", "use 0, as in value + 0");
const NOT_FINITE = {
  __proto__: null,
  NaN: fault("is NaN, which JSON does not have", "use null or a string"),
  Infinity: fault("is Infinity, which JSON does not have", "use null or a string"),
  "-Infinity": fault("is -Infinity, which JSON does not have", "use null or a string"),
};
const SURROGATE = fault(
  "holds half of a surrogate pair, which UTF-8 does not have",
  "cut strings between whole characters, as with Array.from(text)",
);

const tooLarge = () => ({
  __proto__: null,
  reason: `makes the value larger than the limit of ${maxPayloadBytes} bytes`,
  fix: "send less, or in parts",
  tooLarge: true,
});

function scalarFault(value) {
  switch (typeof value) {
    case "number":
      if (!isFinite(value)) return NOT_FINITE[`${value}`];
      return value === 0 && is(value, -0) ? NEGATIVE_ZERO : null;
    case "undefined":
      return UNDEFINED;
    case "function":
      return FUNCTION;
    case "symbol":
      return SYMBOL;
    case "bigint":
      return BIGINT;
    default:
      return null;
  }
}

// Only plain objects and plain arrays are JSON; anything else is named, with its way out.
function containerFault(value) {
  if (isProxy(value)) return PROXY;
  const prototype = getPrototypeOf(value);
  if (isArray(value)) {
    if (prototype !== ArrayPrototype) return instanceFault(value, prototype);
    // A hole in front of an extra key keeps the count, but not the walk over the elements.
    if (enumerableKeys(value).length > value.length || getOwnPropertySymbols(value).length > 0) return EXTRA_KEY;
    return null;
  }
  if (prototype === ObjectPrototype || prototype === null || prototype === EnvironmentPrototype) {
    return prototype === null && types.isModuleNamespaceObject(value) ? MODULE : null;
  }
  return instanceFault(value, prototype);
}

const COPY_LIST = "use Array.from(value)";
const COPY_TEXT = "use String(value)";

function instanceFault(value, prototype) {
  if (types.isMap(value)) return fault("is a Map", "use Object.fromEntries(map), or Array.from(map)");
  if (types.isSet(value)) return fault("is a Set", COPY_LIST);
  if (types.isDate(value)) return fault("is a Date", "use value.toISOString()");
  if (types.isPromise(value)) return fault("is a Promise", "await it first");
  if (types.isRegExp(value)) return fault("is a RegExp", COPY_TEXT);
  if (isNativeError(value)) return fault("is an Error", "use String(error), or { name, message }");
  if (types.isBoxedPrimitive(value)) return fault("is a boxed primitive", "use value.valueOf()");
  const name = className(prototype);
  if (name === "Buffer") return fault("is a Buffer", 'use value.toString("utf8"), or "base64" for bytes');
  if (types.isTypedArray(value)) return fault(`is a ${name}`, COPY_LIST);
  if (types.isAnyArrayBuffer(value)) return fault("is an ArrayBuffer", "use Array.from(new Uint8Array(value))");
  if (types.isGeneratorObject(value)) return fault("is a generator", COPY_LIST);
  if (name === "URL") return fault("is a URL", COPY_TEXT);
  if (name === "Response") return fault("is a Response", "use await response.json() or await response.text()");
  if (isArray(value)) return fault(`is an instance of ${name}`, COPY_LIST);
  return fault(`is an instance of ${name}`, "copy its fields into a plain object, as in { ...value }");
}

// The name of a class, read without running anything of the program.
function className(prototype) {
  for (let at = prototype; at !== null && !isProxy(at); at = getPrototypeOf(at)) {
    const constructor = ownValue(at, "constructor");
    if (typeof constructor !== "function" || isProxy(constructor)) continue;
    const name = ownValue(constructor, "name");
    if (typeof name === "string" && name !== "") return slice(name, 0, 100);
  }
  return "a class";
}

function ownValue(object, key) {
  const descriptor = getOwnPropertyDescriptor(object, key);
  return descriptor !== undefined && hasOwn(descriptor, "value") ? descriptor.value : undefined;
}

function surrogateFault(text) {
  return isWellFormed(text) ? null : SURROGATE;
}

const LONE_SURROGATE = /\p{Surrogate}/u;

// `String.prototype.isWellFormed` came with Node 20.
function isWellFormed(text) {
  return match(LONE_SURROGATE, text) === null;
}

// The text with U+FFFD for every half of a surrogate pair.
function wellFormed(text) {
  if (isWellFormed(text)) return text;
  const bytes = bufferFrom(text, "utf8");
  return readUtf8(bytes, 0, byteLength(text));
}
