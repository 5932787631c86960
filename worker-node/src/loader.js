// Handed to the interpreter with `-e`. Descriptor 4 holds the bootstrap: a sealed memory file that many workers share, so
// it is read by position, never by the shared offset.
{
  const fs = require("fs");
  const { size } = fs.fstatSync(4);
  const text = Buffer.allocUnsafe(size);
  let at = 0;
  while (at < size) {
    const count = fs.readSync(4, text, at, size - at, at);
    if (count === 0) break;
    at += count;
  }
  fs.closeSync(4);
  // Plain source begins with a parenthesis. Else the source's length stands before it, and V8's code cache behind it: a
  // cache that does not fit this V8 is left aside by V8 itself.
  const plain = text[0] === 0x28;
  const end = plain ? at : 4 + text.readUInt32LE(0);
  const script = new (require("vm").Script)(text.toString("utf8", plain ? 0 : 4, end), {
    filename: "dayfly:bootstrap",
    cachedData: plain ? undefined : text.subarray(end, at),
  });
  const importModule = (specifier, attributes) => import(specifier, { with: attributes, assert: attributes });
  script.runInThisContext()(require, module, importModule);
}
