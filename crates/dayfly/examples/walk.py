# Walks the sources of this repository through its tools and returns a summary: one row for each package.
# The files themselves never leave the program; only what is printed and returned does.

import asyncio
import re

sources, manifests, tests = await asyncio.gather(
    tools.list_files(suffix=".rs"),
    tools.list_files(suffix="Cargo.toml"),
    tools.grep(pattern=r"^\s*#\[(tokio::)?test", suffix=".rs"),
)

# The longest folder first, so that a package inside another keeps its own files.
folders = [manifest["path"].removesuffix("Cargo.toml") for manifest in manifests]
folders = sorted(filter(None, folders), key=len, reverse=True)


def folder_of(path):
    return next((folder for folder in folders if path.startswith(folder)), None)


rows = []
for folder in sorted(folders):
    own = [file for file in sources if folder_of(file["path"]) == folder]
    roots = {folder + "src/lib.rs", folder + "src/main.rs"}
    root = next((file["path"] for file in own if file["path"] in roots), None)
    head = await tools.read_file(path=root, lines=5) if root else ""
    says = re.search(r"^//! (.+)$", head, re.MULTILINE)
    rows.append({
        "package": folder.rstrip("/"),
        "files": len(own),
        "kib": (sum(file["bytes"] for file in own) + 512) // 1024,
        "tests": sum(folder_of(match["path"]) == folder for match in tests),
        "says": says[1] if says else "",
    })

print(f"read {len(sources)} source files in {len(rows)} packages")
return rows
