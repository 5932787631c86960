// The host's functions as the program sees them, and the replies to their calls.

const inFlight = new NativeMap();
let lastId = 0;

// A call that waits for its reply.
class Pending {
  constructor(member, resolve, reject) {
    this.member = member;
    this.resolve = resolve;
    this.reject = reject;
  }
}
setPrototypeOf(Pending.prototype, null);

// Calls the host function `member`: { label, prefix, name, ErrorClass, className, property }.
function call(member, args, entry) {
  return new NativePromise((resolve, reject) => {
    const pending = new Pending(member, resolve, reject);
    noteStack(pending, entry);
    const refusal = send(member, args, pending);
    // Not at once: nobody has had the time to await it, and Node would take it for an unhandled rejection.
    if (refusal !== null) inMicrotask(() => reject(failedCall(pending, `${member.label}: ${refusal}`)));
  });
}

// V8 notes the stack now and formats it only when it is asked for; a reply arrives with no program on the stack.
function noteStack(pending, entry) {
  try {
    captureStackTrace(pending, entry);
  } catch {
    // A `prepareStackTrace` of the program's may be asked at once, and threw.
  }
}

// Sends the call, or says why it cannot be sent.
function send(member, args, pending) {
  const text = args === undefined ? "{}" : encode(args, "args");
  if (typeof text !== "string") return `${text.path} ${text.reason}`;
  const id = lastId + 1;
  if (!sendFrame(CALL, id, `${member.prefix}${text}}`, false)) {
    const { reason, fix } = tooLarge();
    return `args ${reason}; ${fix}`;
  }
  lastId = id;
  if (mapSize(inFlight) === 0) keepAlive();
  mapSet(inFlight, id, pending);
  return null;
}

function receive(kind, flags, id, text) {
  if (kind === START) {
    startMessage = parse(text);
    return;
  }
  if (kind !== REPLY) complain(`the host sent a frame of kind ${kind}, which is not for a worker`);
  const pending = mapGet(inFlight, id);
  if (pending === undefined) return;
  mapDelete(inFlight, id);
  if (mapSize(inFlight) === 0) letGo();
  const value = parse(text);
  if (flags === 0) pending.resolve(value);
  else pending.reject(failedCall(pending, value.message));
}

// The error of a failed call, with the stack of the line that made the call.
function failedCall(pending, message) {
  const { ErrorClass, className, property, name } = pending.member;
  const error = new ErrorClass(message);
  if (property !== null) define(error, property, name, true);
  const stack = safeText(pending, "stack");
  const frames = indexOf(stack, "\n    at ");
  try {
    define(error, "stack", `${className}: ${message}${frames === -1 ? "" : slice(stack, frames)}`, false);
  } catch {
    // Before Node 22 a `prepareStackTrace` of the program's is asked for what is replaced, and this one threw.
  }
  return error;
}

// Makes the namespaces of `start` global. A program may shadow them.
function installNamespaces(namespaces) {
  for (const spec of namespaces) {
    let ErrorClass = NativeError;
    let property = null;
    if (spec.error !== undefined) {
      ErrorClass = makeErrorClass(spec.error.class);
      property = spec.error.property;
      define(globalThis, spec.error.class, ErrorClass, false);
    }
    const namespace = create(null);
    for (const name of spec.functions) {
      const member = {
        __proto__: null,
        label: spec.global + memberAccess(name),
        prefix: `{"global":${stringify(spec.global)},"name":${stringify(name)},"args":`,
        name,
        ErrorClass,
        className: spec.error === undefined ? "Error" : spec.error.class,
        property,
      };
      const entry = {
        [name](args) {
          return call(member, args, entry);
        },
      }[name];
      define(namespace, name, entry, true);
    }
    define(globalThis, spec.global, namespace, false);
  }
}

function makeErrorClass(name) {
  const ErrorClass = class extends NativeError {
    constructor(message, options) {
      super(message, options);
    }
  };
  define(ErrorClass, "name", name, false);
  define(ErrorClass.prototype, "name", name, false);
  return ErrorClass;
}
