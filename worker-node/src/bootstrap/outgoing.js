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

// Bytes at the front of `outgoing`: whole frames that wait to leave together.
let gathered = 0;

// Frames that the socket had no room for, oldest first: { buffer, offset, end, next }.
let firstQueued = null;
let lastQueued = null;
let retryPlanned = false;

// When a frame must have left.
const DURABLE = 0; // It, and all before it, is in the socket when `sendFrame` returns.
const PROMPT = 1; // At once, unless the socket is full: then it may wait in the queue.
const GATHERED = 2; // With those that follow it, at the latest by the next `sendGathered`.

// Sends one frame and says whether it fits the host's cap; one that does not is not sent. The payload comes in two parts,
// so that a large value is not copied only to stand behind its prefix, and `end` is one ASCII character or none.
function sendFrame(kind, id, front, value, end, when) {
  // No character takes more than three bytes; what may be too long for the buffer is measured.
  const most = HEADER_BYTES + 3 * (front.length + value.length) + end.length;
  if (gathered + most > CHUNK_BYTES) return sendMeasured(kind, id, front, value, end, when);
  const start = gathered;
  let at = start + HEADER_BYTES;
  at += writeUtf8(outgoing, front, at, CHUNK_BYTES - at);
  if (value !== "") at += writeUtf8(outgoing, value, at, CHUNK_BYTES - at);
  if (end !== "") {
    outgoing[at] = charCodeAt(end, 0);
    at += 1;
  }
  const length = at - start - HEADER_BYTES;
  if (length > maxPayloadBytes) return false;
  writeHeader(outgoing, start, kind, id, length);
  gathered = at;
  if (when !== GATHERED) sendGathered(when === DURABLE);
  return true;
}

function sendMeasured(kind, id, front, value, end, when) {
  const frontBytes = byteLength(front);
  const valueBytes = byteLength(value);
  const length = frontBytes + valueBytes + end.length;
  if (length > maxPayloadBytes) return false;
  sendGathered(false);
  const buffer = allocate(HEADER_BYTES + length);
  writeHeader(buffer, 0, kind, id, length);
  writeUtf8(buffer, front, HEADER_BYTES, frontBytes);
  // As many bytes as characters: it is ASCII, which is copied and not encoded.
  const write = valueBytes === value.length ? writeLatin1 : writeUtf8;
  write(buffer, value, HEADER_BYTES + frontBytes, valueBytes);
  if (end !== "") buffer[HEADER_BYTES + length - 1] = charCodeAt(end, 0);
  sendBytes(buffer, HEADER_BYTES + length, false, when === DURABLE);
  return true;
}

function sendGathered(durable) {
  if (gathered === 0) return;
  const end = gathered;
  gathered = 0;
  sendBytes(outgoing, end, true, durable);
}

// Sends whole frames; `reused` says that the buffer will soon hold others.
function sendBytes(buffer, end, reused, durable) {
  const offset = firstQueued === null ? writeSome(buffer, 0, end) : 0;
  if (offset < end) {
    enqueue(buffer, offset, end, reused);
    if (durable || !retryPlanned) flush(durable, true);
  }
}

function writeHeader(buffer, at, kind, id, length) {
  buffer[at] = 0x44;
  buffer[at + 1] = 0x41;
  buffer[at + 2] = 0x59;
  buffer[at + 3] = 0x46;
  buffer[at + 4] = 1;
  buffer[at + 5] = 0;
  buffer[at + 6] = kind;
  buffer[at + 7] = 0;
  putUint32(buffer, at + 8, id);
  putUint32(buffer, at + 12, length);
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

// Milliseconds: about what a host needs to empty a full socket.
const SHORTEST_PAUSE = 0.02;

// Writes what is queued. Unless `patient`, it waits for a host that is reading, a few milliseconds at a time, and leaves
// the rest to a timer as soon as nothing moves. `hopeful` says to wait before anything has moved.
function flush(patient, hopeful) {
  let moves = hopeful;
  let pause = SHORTEST_PAUSE;
  while (firstQueued !== null) {
    const entry = firstQueued;
    const offset = writeSome(entry.buffer, entry.offset, entry.end);
    if (offset !== entry.offset) {
      moves = true;
      pause = SHORTEST_PAUSE;
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
    const written = writeBytes(3, buffer, offset, end - offset);
    if (written >= 0) offset += written;
    else if (failure === "EAGAIN") return offset;
    else if (failure !== "EINTR") leave(1); // The host is gone.
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
