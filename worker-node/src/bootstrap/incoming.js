// Frames from the host: read, put together, handed to `receive`.

// More than a socket holds by default: what has arrived of a large frame is one read.
const INCOMING_BYTES = 262144;
const incoming = allocate(INCOMING_BYTES);
const incomingMemory = incoming.buffer;

// Reads what has arrived, at most one buffer; returns the number of bytes, or -1 when there is nothing yet.
function readSome() {
  for (;;) {
    const count = readBytes(3, incoming, 0, INCOMING_BYTES);
    if (count >= 0) return count;
    if (failure === "EAGAIN") return -1;
    if (failure !== "EINTR") leave(1);
  }
}

// While the program is blocked in a write, replies are only kept: settling a promise could run code of the program.
let backlogFirst = null;
let backlogLast = null;
let keepReplies = false;

function drainIncoming() {
  keepReplies = true;
  let count = readSome();
  while (count > 0) {
    parseBytes(count);
    count = readSome();
  }
  keepReplies = false;
  if (count === 0) leave(1);
}

function deliver(kind, flags, id, text) {
  if (!keepReplies) {
    receive(kind, flags, id, text);
    return;
  }
  const entry = { __proto__: null, kind, flags, id, text, next: null };
  if (backlogFirst === null) {
    backlogFirst = entry;
    soon(deliverBacklog);
  } else backlogLast.next = entry;
  backlogLast = entry;
}

function deliverBacklog() {
  while (backlogFirst !== null) {
    const entry = backlogFirst;
    backlogFirst = entry.next;
    receive(entry.kind, entry.flags, entry.id, entry.text);
  }
}

// The frame that is arriving: its header so far, then its payload so far.
const header = allocate(HEADER_BYTES);
let headerFilled = 0;
let payload = null;
let payloadBytes = 0;
let payloadFilled = 0;

// Takes `count` bytes of `incoming` apart.
function parseBytes(count) {
  let at = 0;
  while (at < count) {
    if (payload === null) {
      while (headerFilled < HEADER_BYTES && at < count) {
        header[headerFilled] = incoming[at];
        headerFilled += 1;
        at += 1;
      }
      if (headerFilled < HEADER_BYTES) return;
      checkHeader();
      const length = getUint32(header, 12);
      if (length <= count - at) {
        finishFrame(readUtf8(incoming, at, at + length));
        at += length;
        continue;
      }
      payload = allocate(length);
      payloadBytes = length;
      payloadFilled = 0;
    }
    const taken = min(payloadBytes - payloadFilled, count - at);
    if (taken > 0) setBytes(payload, new NativeUint8Array(incomingMemory, at, taken), payloadFilled);
    payloadFilled += taken;
    at += taken;
    if (payloadFilled === payloadBytes) {
      const whole = payload;
      payload = null;
      finishFrame(readUtf8(whole, 0, payloadBytes));
    }
  }
}

function checkHeader() {
  if (getUint32(header, 0) !== 0x46594144) complain("the host sent something that is not a frame");
  const version = header[4] | (header[5] << 8);
  if (version !== 1) complain(`the host speaks version ${version} of the worker protocol and this worker version 1`);
}

// For the host's eyes only: the last words on standard error are part of its report.
function complain(text) {
  writeSync(2, `dayfly: ${text}\n`);
  leave(1);
}

function finishFrame(text) {
  headerFilled = 0;
  deliver(header[6], header[7], getUint32(header, 8), text);
}

// Waits for the host's first frame, without an event loop.
function awaitFirstFrame() {
  while (startMessage === null) {
    const count = readSome();
    if (count === 0) leave(0); // A worker that was never needed.
    if (count < 0) wait(sleepCell, 0, 0, 1);
    else parseBytes(count);
  }
}

// What keeps the event loop alive while calls are in flight, and lets it end while there are none.
let keepAlive = null;
let letGo = null;

// From here on replies arrive through the event loop, and the descriptor does not block.
function openStream() {
  if (keepAlive === null && !openPipe()) openSocket();
}

// `net` takes 1 to 4 ms to load, a tenth of Node's own start; what it wraps takes 0.1.
function openPipe() {
  let pipes;
  let streams;
  try {
    pipes = apply(nativeBinding, proc, ["pipe_wrap"]);
    streams = apply(nativeBinding, proc, ["stream_wrap"]);
  } catch {
    return false; // A Node that has taken its bindings away.
  }
  const { streamBaseState: state, kReadBytesOrError } = streams;
  const pipe = new pipes.Pipe(pipes.constants.SOCKET);
  pipe.onread = () => {
    const count = state[kReadBytesOrError];
    if (count < 0) leave(1);
    parseBytes(count);
  };
  const { ref, unref } = pipe;
  keepAlive = () => apply(ref, pipe, []);
  letGo = () => apply(unref, pipe, []);
  pipe.useUserBuffer(incoming);
  pipe.open(3);
  pipe.readStart();
  letGo();
  return true;
}

function openSocket() {
  const { Socket } = require("net");
  const onread = { __proto__: null, buffer: incoming, callback: parseBytes };
  const socket = new Socket({ __proto__: null, fd: 3, readable: true, writable: false, onread });
  const { ref, unref } = Socket.prototype;
  keepAlive = () => apply(ref, socket, []);
  letGo = () => apply(unref, socket, []);
  const gone = () => leave(1);
  socket.on("error", gone);
  socket.on("close", gone);
  letGo();
}
