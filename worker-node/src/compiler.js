// Run once for each interpreter, with the flags of a worker: says what it is, then gives the bootstrap on descriptor 4
// together with V8's code cache for it, as the loader takes them. An interpreter that is too old says so and stops.
var fs = require("fs");
fs.writeSync(1, "node " + process.versions.node + "\n");
var source = fs.readFileSync("/proc/self/fd/4");
var script = new (require("vm").Script)(source.toString("utf8"), { filename: "dayfly:bootstrap" });
script.runInThisContext();
var length = Buffer.alloc(4);
length.writeUInt32LE(source.length, 0);
var packed = Buffer.concat([length, source, script.createCachedData()]);
for (var at = 0; at < packed.length; ) at += fs.writeSync(1, packed, at);
