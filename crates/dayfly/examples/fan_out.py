# Reads every crate's `lib.rs` at the same time and returns the longest ones: all of it goes in, three lines come out.

import asyncio
import re

files = await tools.list_files(under="crates", suffix="src/lib.rs")

texts = await asyncio.gather(*(tools.read_file(path=file["path"]) for file in files))

counted = [
    {
        "path": file["path"],
        "lines": text.count("\n"),
        "exports": len(re.findall(r"^pub (?:use|mod) ", text, re.MULTILINE)),
    }
    for file, text in zip(files, texts)
]
counted.sort(key=lambda row: (-row["lines"], row["path"]))

print(f"{len(files)} files read at once")
return counted[:3]
