// The host's functions as the program sees them, and the replies to their calls.

const inFlight = new NativeMap();
let lastId = 0;

// The first calls of a turn leave at once, so that the host works on them while the program goes on. Those after them
// leave together when the turn ends, or when they fill a buffer.
const PROMPT_CALLS = 8;
let callsOfTurn = 0;

// A call that waits for its reply.
class Pending {
  constructor(member) {
    this.member = member;
    this.resolve = null;
    this.reject = null;
    this.noted = false;
  }
}
setPrototypeOf(Pending.prototype, null);

// Calls the host function `member`: { label, prefix, name, ErrorClass, className, property }.
function call(member, args, entry) {
  const prompt = callsOfTurn < PROMPT_CALLS;
  const refusal = send(member, args, prompt ? PROMPT : GATHERED);
  const id = lastId;
  // From here on the host is at work: what only this side needs costs no time of the call.
  const pending = new Pending(member);
  const promise = new NativePromise((resolve, reject) => {
    pending.resolve = resolve;
    pending.reject = reject;
  });
  if (refusal === null) {
    if (mapSize(inFlight) === 0) keepAlive();
    mapSet(inFlight, id, pending);
    if (callsOfTurn === 0) inMicrotask(endTurn);
    callsOfTurn += 1;
    if (prompt) noteStack(pending, entry);
  } else {
    noteStack(pending, entry);
    // Not at once: nobody has had the time to await it, and Node would take it for an unhandled rejection.
    inMicrotask(() => pending.reject(failedCall(pending, `${member.label}: ${refusal}`)));
  }
  return promise;
}

// Names that a note lists.
const MOST_LISTED = 10;

// Says which calls the program has not waited for. Only this side knows: the host may have answered them by now.
function noteUnfinished() {
  if (settled || mapSize(inFlight) === 0) return;
  flushPartials();
  const counts = new NativeMap();
  mapForEach(inFlight, ({ member: { label } }) => {
    const count = mapGet(counts, label);
    if (count !== undefined) mapSet(counts, label, count + 1);
    else if (mapSize(counts) < MOST_LISTED) mapSet(counts, label, 1);
  });
  let names = "";
  mapForEach(counts, (count, label) => {
    names += (names === "" ? "" : ", ") + label + (count === 1 ? "" : ` (${count})`);
  });
  const note =
    `note: the program returned without waiting for calls that it had made: ${names}; ` +
    `await every call before returning${unawaitedListHint()}`;
  emitLog("console", "warn", note);
}

function endTurn() {
  callsOfTurn = 0;
  sendGathered(false);
}

// V8 notes the stack now and formats it only when it is asked for; a reply arrives with no program on the stack. It costs
// as much as all the rest of a call, so of many calls in one turn only the first have it.
function noteStack(pending, entry) {
  pending.noted = true;
  try {
    captureStackTrace(pending, entry);
  } catch {
    // A `prepareStackTrace` of the program's may be asked at once, and threw.
  }
}

// Sends the call, or says why it cannot be sent.
function send(member, args, when) {
  const text = args === undefined ? "{}" : encode(args, "args");
  if (typeof text !== "string") return `${text.path} ${text.reason}`;
  if (!sendFrame(CALL, lastId + 1, member.prefix, text, "}", when)) {
    const { reason, fix } = tooLarge();
    return `args ${reason}; ${fix}`;
  }
  lastId += 1;
  return null;
}

function receive(kind, flags, id, text) {
  if (kind === START) {
    startMessage = parseStart(text);
    return;
  }
  if (kind !== REPLY) complain(`the host sent a frame of kind ${kind}, which is not for a worker`);
  const pending = mapGet(inFlight, id);
  if (pending === undefined) return;
  mapDelete(inFlight, id);
  if (mapSize(inFlight) === 0) letGo();
  const value = parse(text);
  if (flags === 0) pending.resolve(value);
  else fail(pending, value.message);
}

function fail(pending, message) {
  if (pending.noted) {
    pending.reject(failedCall(pending, message));
    return;
  }
  // V8 knows who awaits a promise while it runs a reaction that settles it: the awaiting lines are noted instead.
  const failing = () => {
    noteStack(pending, failing);
    throw failedCall(pending, message);
  };
  const thrown = then(resolved, failing);
  define(thrown, "constructor", undefined, false);
  then(thrown, pending.resolve, pending.reject);
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

// Without prototypes: what is absent must not be looked up in what the program has made of them.
function parseStart(text) {
  const start = parse(text);
  setPrototypeOf(start, null);
  for (const spec of start.namespaces) {
    setPrototypeOf(spec, null);
    if (spec.error !== undefined) setPrototypeOf(spec.error, null);
  }
  return start;
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
