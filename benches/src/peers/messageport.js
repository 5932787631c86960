// A worker thread that sends every message back. `K N` on standard input plays a round of kind K with N messages; a line on
// standard output says that it is over.
const { Worker, MessageChannel } = require("worker_threads");
const { port1, port2 } = new MessageChannel();
const echo = 'const port = require("worker_threads").workerData; port.on("message", (message) => port.postMessage(message))';
new Worker(echo, { eval: true, workerData: port2, transferList: [port2] });

let onMessage = null;
port1.on("message", (message) => onMessage(message));

const rounds = {
  // The round trip alone.
  bare(count) {
    return new Promise((resolve) => {
      let sent = 1;
      onMessage = ({ i }) => {
        if (sent === count) return resolve();
        sent += 1;
        port1.postMessage({ i: i + 1 });
      };
      port1.postMessage({ i: 0 });
    });
  },
  // A call as a bridge over it would make it: an id, and a promise that the reply resolves.
  async sequential(count) {
    listen();
    for (let i = 0; i < count; i++) await call({ i });
  },
  async parallel(count) {
    listen();
    await Promise.all(Array.from({ length: count }, (_, i) => call({ i })));
  },
};

let last = 0;
const waiting = new Map();
function listen() {
  onMessage = ({ id, args }) => {
    const resolve = waiting.get(id);
    waiting.delete(id);
    resolve(args);
  };
}
function call(args) {
  return new Promise((resolve) => {
    last += 1;
    waiting.set(last, resolve);
    port1.postMessage({ id: last, args });
  });
}

process.stdin.setEncoding("utf8").on("data", async (line) => {
  const [kind, count] = line.trim().split(" ");
  await rounds[kind](+count);
  process.stdout.write("\n");
});
process.stdin.on("end", () => process.exit());
