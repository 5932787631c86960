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
  const script = new (require("vm").Script)(text.toString("utf8", 0, at), { filename: "dayfly:bootstrap" });
  const importModule = (specifier, attributes) => import(specifier, { with: attributes, assert: attributes });
  script.runInThisContext()(require, module, importModule);
}
