// Everything the bootstrap uses once the program runs is taken here, before the program exists. What follows may use no
// iteration protocol, no spread, no method looked up on a prototype, no property descriptor with a prototype, and may
// write no index of an array that is not there yet: each of these is the program's to redefine.

const uncurry = Function.prototype.bind.bind(Function.prototype.call);

const { apply, ownKeys, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
const { create, defineProperty, setPrototypeOf, keys: enumerableKeys, getOwnPropertyNames, getOwnPropertySymbols } = Object;
const ObjectPrototype = Object.prototype;
const ArrayPrototype = Array.prototype;
const hasOwn = uncurry(ObjectPrototype.hasOwnProperty);
const lookupGetter = uncurry(ObjectPrototype.__lookupGetter__);
const { isArray } = Array;
const { is } = Object;
const { isFinite, MAX_SAFE_INTEGER } = Number;
const NativeBigInt = BigInt;
const { min, max, ceil } = Math;
const { parse, stringify } = JSON;

const indexOf = uncurry(String.prototype.indexOf);
const lastIndexOf = uncurry(String.prototype.lastIndexOf);
const slice = uncurry(String.prototype.slice);
const charCodeAt = uncurry(String.prototype.charCodeAt);
const toLowerCase = uncurry(String.prototype.toLowerCase);
const trimStart = uncurry(String.prototype.trimStart);
const match = uncurry(RegExp.prototype.exec);

const mapGet = uncurry(Map.prototype.get);
const mapForEach = uncurry(Map.prototype.forEach);
const mapSet = uncurry(Map.prototype.set);
const mapDelete = uncurry(Map.prototype.delete);
const mapSize = uncurry(getOwnPropertyDescriptor(Map.prototype, "size").get);
const setAdd = uncurry(Set.prototype.add);
const setHas = uncurry(Set.prototype.has);
const NativeMap = Map;
const NativeSet = Set;
const NativeUint8Array = Uint8Array;
const NativeUint16Array = Uint16Array;

const NativeError = Error;
const { captureStackTrace } = Error;
const NativePromise = Promise;
const then = uncurry(Promise.prototype.then);

const { byteLength, allocUnsafeSlow, from: bufferFrom } = Buffer;
const writeUtf8 = uncurry(Buffer.prototype.utf8Write);
const writeLatin1 = uncurry(Buffer.prototype.latin1Write);
const readUtf8 = uncurry(Buffer.prototype.utf8Slice);
const setBytes = uncurry(Uint8Array.prototype.set);

const { wait } = Atomics;
const { setTimeout: after, setImmediate: soon } = globalThis;

const util = require("util");
const { inspect } = util;
const types = { __proto__: null, ...util.types };
const { isProxy, isNativeError } = types;
const { Script } = require("vm");
const { builtinModules } = require("module");

const proc = process;
const listenerCount = uncurry(proc.listenerCount);
const { pid } = proc;
const nativeReallyExit = proc.reallyExit;
const nativeBinding = proc.binding;
const EnvironmentPrototype = getPrototypeOf(proc.env);

function define(object, key, value, enumerable) {
  defineProperty(object, key, { __proto__: null, value, enumerable, writable: true, configurable: true });
}

const resolved = NativePromise.resolve();
// Else `then` asks the prototype, which is the program's to redefine.
define(resolved, "constructor", undefined, false);

// Runs `job` when the code that is running has returned to the promise machinery.
function inMicrotask(job) {
  then(resolved, job);
}

// Memory of its own. Node's `fs` asks a buffer for `byteLength`, a getter of a prototype that the program can redefine.
function allocate(bytes) {
  const buffer = allocUnsafeSlow(bytes);
  define(buffer, "byteLength", bytes, false);
  return buffer;
}

// Reading and writing as `fs` does it, without `fs`: that keeps its errors in objects whose prototype the program can
// redefine. Each returns a count of bytes, or -1 with the error's name in `failure`.
let failure = "";
const { readSync, writeSync } = require("fs");
const raw = fsBinding();
// Node 18 hands `read` an object for the error; later ones let it throw.
const readTakesContext = indexOf(uncurry(Function.prototype.toString)(readSync), "undefined, ctx") !== -1;

function fsBinding() {
  try {
    const { read, writeBuffer } = apply(nativeBinding, proc, ["fs"]);
    return typeof read === "function" && typeof writeBuffer === "function" ? { __proto__: null, read, writeBuffer } : null;
  } catch {
    return null; // A Node that has taken its bindings away.
  }
}

function writeBytes(descriptor, buffer, offset, length) {
  if (raw !== null) {
    const context = { __proto__: null, errno: undefined };
    const written = raw.writeBuffer(descriptor, buffer, offset, length, null, undefined, context);
    return context.errno === undefined ? written : failedWith(context.errno);
  }
  try {
    return writeSync(descriptor, buffer, offset, length);
  } catch (error) {
    return failed(error);
  }
}

function readBytes(descriptor, buffer, offset, length) {
  try {
    if (raw === null) return readSync(descriptor, buffer, offset, length, null);
    if (!readTakesContext) return raw.read(descriptor, buffer, offset, length, -1);
    const context = { __proto__: null, errno: undefined };
    const count = raw.read(descriptor, buffer, offset, length, -1, undefined, context);
    return context.errno === undefined ? count : failedWith(context.errno);
  } catch (error) {
    return failed(error);
  }
}

// As libuv numbers them on Linux.
function failedWith(errno) {
  failure = errno === -11 ? "EAGAIN" : errno === -4 ? "EINTR" : "another";
  return -1;
}

// The name of an error stands in its message as well, which no setter of the program's can have caught.
function failed(error) {
  const message = ownValue(error, "message");
  failure = typeof message === "string" ? before(message, ":") : "";
  return -1;
}

// Listens to an event of the process. Node calls a listener through its `apply`, which the program can redefine for all
// functions that have none of their own.
function listen(event, listener) {
  define(listener, "apply", (self, values) => apply(listener, self, values), false);
  proc.on(event, listener);
}

// Ends the process at once, without another line of the program.
function leave(code) {
  apply(nativeReallyExit, proc, [code]);
}
