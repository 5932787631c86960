// The language's own way through JSON. `K N` on standard input prints the large value K and parses it again, N times; a
// line on standard output says that it is over.
const MIB = 1 << 20;
const values = {
  text: () => ({ text: "x".repeat(64 * MIB) }),
  rows: () => Array.from({ length: 64 * 1024 * 16 }, (_, id) => ({ id, name: `row ${id}`, tags: ["a", "b"], ok: true })),
};
const made = {};
process.stdin.setEncoding("utf8").on("data", (line) => {
  const [kind, count] = line.trim().split(" ");
  const value = (made[kind] ??= values[kind]());
  for (let i = 0; i < +count; i++) JSON.parse(JSON.stringify(value));
  process.stdout.write("\n");
});
