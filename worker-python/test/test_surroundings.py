"""Environment, descriptors, modules, and a program that rewrites all of it."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from harness import SOURCES, arguments, bootstrap, interpreter, memfd, run

TOOLS = {"echo": lambda arguments: arguments}


class Surroundings(unittest.TestCase):
    def gives(self, program, wanted, **options):
        outcome = run(program, TOOLS, **options)
        self.assertIsNone(outcome.failure, outcome)
        self.assertEqual(outcome.value, wanted, outcome)
        return outcome

    def test_the_worker_says_its_language_and_version(self):
        version = subprocess.run([interpreter(), "-c", "import platform; print(platform.python_version())"], capture_output=True, check=True).stdout.decode().strip()
        self.assertEqual(run("").version, {"language": "python", "version": version})

    def test_the_environment_is_empty(self):
        self.gives("import os, subprocess\nreturn [dict(os.environ), open('/proc/self/environ').read(), subprocess.run(['/usr/bin/env'], capture_output=True).stdout.decode()]", [{}, "", ""])

    def test_no_descriptor_is_open_but_the_contracts_and_the_loops_own(self):
        program = (
            "import os\ndef link(fd):\n    try: return os.readlink(f'/proc/self/fd/{fd}')\n    except OSError: return ''\n"
            "return {fd: link(fd).split(':')[0] for fd in os.listdir('/proc/self/fd')}"
        )
        seen = run(program).value
        self.assertEqual([seen.pop(fd) for fd in "0123"], ["/dev/null", "pipe", "pipe", "socket"])
        self.assertTrue(all(kind in ("anon_inode", "socket", "") or kind.startswith("/proc/") for kind in seen.values()), seen)
        self.assertLessEqual(len(seen), 4, seen)

    def test_children_do_not_get_the_socket(self):
        self.gives(
            "import os\nr, w = os.pipe()\nlist = ['ls', '-l', '/proc/self/fd']\n"
            "pid = os.posix_spawn('/bin/ls', list, {}, file_actions=[(os.POSIX_SPAWN_DUP2, w, 1)])\nos.close(w)\n"
            "seen = open(r).read()\nos.waitpid(pid, 0)\nreturn ['pipe' in seen, 'socket' in seen]",
            [True, False],
        )

    def test_argv_path_and_flags_are_plain(self):
        outcome = run("import sys\nreturn [sys.argv, '' in sys.path, sys.flags.isolated, sys.flags.utf8_mode, sys.dont_write_bytecode, list(sys.path)]", TOOLS)
        self.assertEqual(outcome.value[:5], [["program.py"], False, 1, 1, True])

    def test_files_in_the_working_directory_never_shadow_the_standard_library(self):
        names = ("code", "json", "colorsys", "statistics", "traceback", "logging", "ast")
        self.gives(
            "import sys\n" + f"for name in {names!r} + ('json.decoder',): sys.modules.pop(name, None)\n"
            f"import {', '.join(names)}\nreturn [callable(colorsys.rgb_to_hsv), json.dumps([1]), await tools.echo(1)]",
            [True, "[1]", 1], files={name + ".py": "raise SystemExit('shadowed')" for name in names},
        )

    def test_packages_come_from_the_configured_directory(self):
        with tempfile.TemporaryDirectory() as packages:
            Path(packages, "bees").mkdir()
            Path(packages, "bees", "__init__.py").write_text("legs = 6\n")
            Path(packages, "json.py").write_text("raise SystemExit('shadowed')")
            self.gives("import bees, json, os\nfrom bees import legs\nreturn [legs, bees.legs, json.dumps(1)]", [6, 6, "1"], modules=packages)
            self.assertFalse(Path(packages, "bees", "__pycache__").exists())
            failure = run("import wasps", modules=packages).failure
            self.assertIn("bees", failure["message"])
            failure = run("from bees import wings", modules=packages).failure
            self.assertIn("<modules>", failure["message"])
            self.assertNotIn(packages, failure["message"])

    def test_a_compiled_bootstrap_runs_as_its_source_does(self):
        compiler = (SOURCES / "compiler.py").read_text()
        compiled = subprocess.run([interpreter(), *arguments(compiler)], input=bootstrap().encode(), capture_output=True, check=True, env={}).stdout
        self.assertEqual(compiled[:1], b"M")
        outcome = run("return [await tools.echo(a=1), 1]", TOOLS, content=compiled)
        self.assertEqual(outcome.value, [{"a": 1}, 1], outcome)
        with self.assertRaisesRegex(AssertionError, "compiled by another interpreter"):
            run("return 1", content=b"M" + b"\0\0\0\0" + compiled[5:])

    def test_a_shared_descriptor_is_read_from_its_beginning_by_each(self):
        # A worker that moved the shared offset would starve the next one.
        shared = memfd(bootstrap().encode())
        self.addCleanup(os.close, shared)
        for _ in range(3):
            self.gives("return 1", 1, content=shared)

    def test_the_parts_are_of_a_readable_length(self):
        for path in [*SOURCES.rglob("*.py"), *Path(__file__).parent.glob("*.py")]:
            self.assertLess(len(path.read_text().splitlines()), 400, path)


class Integrity(unittest.TestCase):
    def test_a_program_that_rewrites_everything_hurts_only_itself(self):
        outcome = run(
            """
import builtins, json, os, struct, asyncio, io, select, selectors, linecache, threading, traceback, collections, posix, _json, weakref, sys, math
def broken(*a, **k): raise ValueError("rewritten")
keep = (setattr, vars, list, type, callable)
for module in (json, os, struct, io, linecache, threading, traceback, collections, posix, _json, weakref, sys):
    for name in keep[2](keep[1](module)):
        if not name.startswith("__") and name not in ("modules", "path", "stdout", "stderr", "__stdout__", "intern"):
            try: keep[0](module, name, broken)
            except Exception: pass
asyncio.ensure_future = asyncio.get_running_loop = asyncio.Future = asyncio.Task = asyncio.events = broken
for name in keep[2](keep[1](builtins)):
    if not name.startswith("__"): keep[0](builtins, name, broken)
sys.modules.clear()
return await tools.echo({"still": [1.5, "here", None, True]})
""", TOOLS)
        self.assertIsNone(outcome.failure, outcome)
        self.assertEqual(outcome.value, {"still": [1.5, "here", None, True]})

    def test_output_and_failures_survive_a_rewritten_language(self):
        program = (
            "import builtins, os, io, json, linecache\nshow = print\ndef broken(*a, **k): raise ValueError('rewritten')\n"
            "os.write = os.read = io.TextIOWrapper = json.dumps = linecache.getline = broken\n"
            "for name in ['len', 'isinstance', 'dict', 'list', 'str', 'getattr', 'Exception', 'int', 'type', 'repr', 'bytes', 'print']:\n    setattr(builtins, name, broken)\n"
        )
        outcome = run(program + "show('printed')\n1 / 0", TOOLS)
        self.assertEqual(outcome.lines, ["printed"])
        self.assertEqual((outcome.failure["name"], outcome.failure["line"]), ("ZeroDivisionError", 8))
        outcome = run(program + "return {1: 2}", TOOLS)
        self.assertEqual(outcome.failure["kind"], "invalid-output")

    def test_builtins_that_a_program_replaces_are_its_own(self):
        outcome = run(
            "import builtins, random\nbuiltins.open = lambda *a: 'mine'\nbuiltins.extra = 5\nbuiltins.len = lambda x: 7\n"
            "def f(): return [open('x'), extra, len('')]\nreturn [f(), random.sample(range(9), 9).__len__(), type(builtins).__name__, builtins.__name__]", TOOLS,
        )
        self.assertEqual(outcome.value, [["mine", 5, 7], 9, "module", "builtins"], outcome)

    def test_a_tampered_loop_or_socket_ends_the_worker_and_no_more(self):
        outcome = run("import os\nos.close(3)\nprint('x')\nreturn 1", TOOLS)
        self.assertFalse(outcome.settled)
        self.assertEqual(outcome.status, 1)


if __name__ == "__main__":
    unittest.main()
