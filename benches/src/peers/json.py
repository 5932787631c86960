# The language's own way through JSON. `K N` on standard input prints the large value K and parses it again, N times; a
# line on standard output says that it is over.
import json
import sys

VALUES = {
    "text": lambda: {"text": "x" * (64 << 20)},
    "rows": lambda: [{"id": i, "name": f"row {i}", "tags": ["a", "b"], "ok": True} for i in range(64 * 1024 * 16)],
}
made = {}
for line in sys.stdin:
    kind, count = line.split()
    value = made.setdefault(kind, None) or made.__setitem__(kind, VALUES[kind]()) or made[kind]
    for _ in range(int(count)):
        json.loads(json.dumps(value))
    print(flush=True)
