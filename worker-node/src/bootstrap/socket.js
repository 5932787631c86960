// Frames to and from the host on descriptor 3 (PROTOCOL.md gives the layout).
//
// The descriptor arrives blocking and stays so until the first call: a program that calls nothing never pays for `net`.
// From then on it does not block, and `sendFrame` has to cope with a host that does not read.

const HEADER_BYTES = 16;
const READY = 0x01;
const CALL = 0x02;
const LOG = 0x03;
const DONE = 0x04;
const FAILED = 0x05;
const START = 0x81;
const REPLY = 0x82;

// The host's cap on a payload; `start` brings the configured one.
let maxPayloadBytes = 268435456;

// Sizes are kept apart from the buffers: `length` of a typed array is a getter that the program can redefine.
const CHUNK_BYTES = 65536;
const outgoing = allocate(CHUNK_BYTES);
const incoming = allocate(CHUNK_BYTES);
const incomingMemory = incoming.buffer;
const sleepCell = new Int32Array(new SharedArrayBuffer(4));

// Frames that the socket had no room for, oldest first: { buffer, offset, end, next }.
let firstQueued = null;
let lastQueued = null;
let retryPlanned = false;

// Sends one frame and says whether it fits the host's cap; one that does not is not sent.
//
// A `durable` frame, and all before it, is in the socket when this returns. Any other may wait in the queue.
function sendFrame(kind, id, payload, durable) {
  const length = byteLength(payload);
  if (length > maxPayloadBytes) return false;
  const end = HEADER_BYTES + length;
  const scratch = firstQueued === null && end <= CHUNK_BYTES;
  const buffer = scratch ? outgoing : allocate(end);
  buffer[0] = 0x44;
  buffer[1] = 0x41;
  buffer[2] = 0x59;
  buffer[3] = 0x46;
  buffer[4] = 1;
  buffer[5] = 0;
  buffer[6] = kind;
  buffer[7] = 0;
  putUint32(buffer, 8, id);
  putUint32(buffer, 12, length);
  writeUtf8(buffer, payload, HEADER_BYTES, length);
  const offset = firstQueued === null ? writeSome(buffer, 0, end) : 0;
  if (offset < end) {
    enqueue(buffer, offset, end, scratch);
    if (durable || !retryPlanned) flush(durable, true);
  }
  return true;
}

function enqueue(buffer, offset, end, copied) {
  let kept = buffer;
  if (copied) {
    kept = allocate(end - offset);
    for (let i = offset; i < end; i += 1) kept[i - offset] = buffer[i];
  }
  const entry = { __proto__: null, buffer: kept, offset: copied ? 0 : offset, end: copied ? end - offset : end, next: null };
  if (firstQueued === null) firstQueued = entry;
  else lastQueued.next = entry;
  lastQueued = entry;
}

// Writes what is queued. Unless `patient`, it waits for a host that is reading, a few milliseconds at a time, and leaves
// the rest to a timer as soon as nothing moves. `hopeful` says to wait before anything has moved.
function flush(patient, hopeful) {
  let moves = hopeful;
  let pause = 0.1;
  while (firstQueued !== null) {
    const entry = firstQueued;
    const offset = writeSome(entry.buffer, entry.offset, entry.end);
    if (offset !== entry.offset) {
      moves = true;
      pause = 0.1;
    }
    entry.offset = offset;
    if (offset === entry.end) {
      firstQueued = entry.next;
      continue;
    }
    if (!patient && (!moves || pause > 1)) {
      planRetry();
      return;
    }
    // The host may itself be blocked on writing to us: without reading, both would wait for ever.
    if (patient) drainIncoming();
    wait(sleepCell, 0, 0, pause);
    pause = min(pause * 2, 4);
  }
}

function planRetry() {
  if (retryPlanned) return;
  retryPlanned = true;
  after(() => {
    retryPlanned = false;
    flush(false, false);
  }, 1);
}

// Writes until `end` or until the socket is full; returns how far it came.
function writeSome(buffer, start, end) {
  let offset = start;
  while (offset < end) {
    try {
      offset += writeSync(3, buffer, offset, end - offset);
    } catch (error) {
      const code = ownValue(error, "code");
      if (code === "EAGAIN") return offset;
      if (code !== "EINTR") leave(1); // The host is gone.
    }
  }
  return offset;
}

// Reads what has arrived, at most one buffer; returns the number of bytes, or -1 when there is nothing yet.
function readSome() {
  for (;;) {
    try {
      return readSync(3, incoming, 0, CHUNK_BYTES, null);
    } catch (error) {
      const code = ownValue(error, "code");
      if (code === "EAGAIN") return -1;
      if (code !== "EINTR") leave(1);
    }
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

let stream = null;
// Whether the stream keeps the event loop alive: only while calls are in flight.
let keepAlive = null;
let letGo = null;

// From here on replies arrive through the event loop, and the descriptor does not block.
function openStream() {
  if (stream !== null) return;
  const { Socket } = require("net");
  const onread = { __proto__: null, buffer: incoming, callback: parseBytes };
  stream = new Socket({ __proto__: null, fd: 3, readable: true, writable: false, onread });
  const gone = () => leave(1);
  stream.on("error", gone);
  stream.on("close", gone);
  const { ref, unref } = Socket.prototype;
  keepAlive = () => apply(ref, stream, []);
  letGo = () => apply(unref, stream, []);
  letGo();
}

function putUint32(bytes, at, value) {
  bytes[at] = value & 0xff;
  bytes[at + 1] = (value >>> 8) & 0xff;
  bytes[at + 2] = (value >>> 16) & 0xff;
  bytes[at + 3] = value >>> 24;
}

function getUint32(bytes, at) {
  return (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> 0;
}
