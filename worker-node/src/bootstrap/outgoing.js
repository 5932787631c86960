// Frames to the host on descriptor 3 (PROTOCOL.md gives the layout).
//
// The descriptor arrives blocking. It does not block once replies are waited for (`openStream`), and then `sendFrame` has
// to cope with a host that does not read.

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

function putUint32(bytes, at, value) {
  bytes[at] = value & 0xff;
  bytes[at + 1] = (value >>> 8) & 0xff;
  bytes[at + 2] = (value >>> 16) & 0xff;
  bytes[at + 3] = value >>> 24;
}

function getUint32(bytes, at) {
  return (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> 0;
}
