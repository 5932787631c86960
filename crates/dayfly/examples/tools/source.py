"""The tools of the example programs, one a subcommand.

Arguments are one JSON object on standard input, the result is JSON on standard output, and a failure is a sentence on
standard error with another exit code than 0.
"""

import json
import os
import re
import sys

ROOT = os.path.realpath(os.curdir)
SKIPPED = {"target", "node_modules", "__pycache__"}


def walk(under, suffix):
    """Paths of files from ROOT, in order, without what is built or hidden."""
    start = inside(under)
    if not os.path.isdir(start):
        sys.exit(f"no such folder: {under}")
    found = []
    for folder, folders, files in os.walk(start):
        folders[:] = [name for name in folders if name not in SKIPPED and not name.startswith(".")]
        for name in files:
            path = os.path.relpath(os.path.join(folder, name), ROOT)
            if path.endswith(suffix) and not name.startswith("."):
                found.append(path)
    return sorted(found)


def inside(path):
    """The real path of a file below ROOT."""
    real = os.path.realpath(os.path.join(ROOT, path))
    if os.path.commonpath([ROOT, real]) != ROOT:
        sys.exit(f"not in this repository: {path}")
    return real


def text_of(path):
    try:
        with open(inside(path), encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        sys.exit(f"no such file: {path}")
    except IsADirectoryError:
        sys.exit(f"a folder and not a file: {path}")
    except UnicodeDecodeError:
        sys.exit(f"not a text in UTF-8: {path}")


def list_files(under="", suffix=""):
    return [{"path": path, "bytes": os.path.getsize(inside(path))} for path in walk(under, suffix)]


def read_file(path, lines=None):
    text = text_of(path)
    return text if lines is None else "".join(text.splitlines(keepends=True)[:lines])


def grep(pattern, under="", suffix=""):
    try:
        wanted = re.compile(pattern)
    except re.error as error:
        sys.exit(f"not a regular expression: {error}")
    return [
        {"path": path, "line": number, "text": line}
        for path in walk(under, suffix)
        for number, line in enumerate(text_of(path).splitlines(), 1)
        if wanted.search(line)
    ]


TOOLS = {"list_files": list_files, "read_file": read_file, "grep": grep}

if __name__ == "__main__":
    json.dump(TOOLS[sys.argv[1]](**json.load(sys.stdin)), sys.stdout)
