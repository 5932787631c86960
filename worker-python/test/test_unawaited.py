"""Coroutines that were made and never awaited: what the reader of the logs is told of them."""

import unittest

from harness import run

NOTE = "was called and never awaited, so nothing of it ran; put `await` before it in"


class Unawaited(unittest.TestCase):
    def says(self, program, *notes, **options):
        outcome = run(program, {"ping": lambda _: "pong"}, **options)
        self.assertEqual([text for source, level, text in outcome.logs if NOTE in text], list(notes), outcome)
        self.assertNotIn("tracemalloc", repr(outcome.logs) + repr(outcome.failure) + outcome.stderr.decode())
        self.assertTrue(all((source, level) == ("console", "warn") for source, level, text in outcome.logs if NOTE in text))
        return outcome

    def test_a_call_that_stands_alone_is_named_with_its_line(self):
        outcome = self.says(
            "import asyncio\nasync def main():\n    await asyncio.sleep(60)\n\nmain()\nreturn 7",
            f"line 5: main(...) {NOTE} `main()`",
        )
        # Nothing else is said, by CPython or by anybody.
        self.assertEqual((outcome.value, len(outcome.logs)), (7, 1), outcome)

    def test_the_line_is_that_of_the_call_and_not_of_where_it_was_thrown_away(self):
        self.says(
            "async def load(name):\n    return name\n\ndef start():\n    return load('a')\n\nx = start()\nx = None\ny = 1",
            f"line 5: load(...) {NOTE} `return load('a')`",
        )

    def test_what_a_variable_or_a_list_still_holds_at_the_end_is_named_too(self):
        program = "async def load(n):\n    return n\n\none = load(1)\nmore = [load(n) for n in (1, 2)]\ndone = load(3)\n"
        notes = [f"line 4: load(...) {NOTE} `one = load(1)`", f"line 5: load(...) {NOTE} `more = [load(n) for n in (1, 2)]`"]
        self.says(f"{program}await done\nreturn 1", *notes)
        self.says(f"{program}await done\nraise ValueError('x')", *notes)
        self.says(f"{program}await done\nimport sys\nsys.exit(3)", *notes)

    def test_functions_of_the_standard_library_are_no_different(self):
        self.says("import asyncio\nasyncio.sleep(1)", f"line 2: sleep(...) {NOTE} `asyncio.sleep(1)`")

    def test_a_loop_says_it_once_and_a_program_that_is_never_done_says_it_at_once(self):
        self.says("async def f():\n    pass\nfor _ in range(1000):\n    f()", f"line 4: f(...) {NOTE} `f()`")
        calls = "\n".join("f()" for _ in range(100))
        outcome = run(f"async def f():\n    pass\n{calls}")
        self.assertEqual(len(outcome.logs), 20, outcome)

    def test_what_was_awaited_began_or_was_closed_is_not_spoken_of(self):
        self.says(
            "import asyncio\nasync def f():\n    await asyncio.sleep(0)\n    return 1\na = f()\nb = f()\nc = f()\nd = f()\n"
            "task = asyncio.ensure_future(b)\nc.close()\nd.send(None)\nawait asyncio.sleep(0)\nawait tools.ping()\n"
            "return [await a, await asyncio.gather(f(), f())]",
        )

    def test_what_is_returned_is_refused_in_its_own_words_alone(self):
        outcome = self.says("async def f():\n    return 1\nreturn f()")
        self.assertIn("it was never awaited: write `await` before the call", outcome.failure["message"])

    def test_a_long_line_is_cut_and_a_call_that_has_no_line_is_named_without_one(self):
        argument = "x" * 200
        self.says(f"async def f(a):\n    pass\nf('{argument}')", f"line 3: f(...) {NOTE} `f('{'x' * 74}...`")
        self.says(
            "import sys\nasync def f():\n    pass\nsys.set_coroutine_origin_tracking_depth(0)\nf()", f"f(...) {NOTE} the call",
        )

    def test_a_program_that_breaks_what_is_asked_is_not_hurt(self):
        for program in (
            "async def f():\n    pass\nf.__name__ = 'é\\ud800'\nx = f()\nx.__name__ = '\\ud800'\nreturn 1",
            "import warnings\nwarnings.filterwarnings('error')\nasync def f():\n    pass\nf()\nreturn 1",
            "import warnings, sys\ndel sys.modules['warnings']\nasync def f():\n    pass\nf()\nreturn 1",
            "import types, gc\nasync def f():\n    pass\nclass A(list):\n    def __iter__(self): 1 / 0\nx = A([f()])\ny = {f(): 1}\nreturn 1",
        ):
            with self.subTest(program):
                self.assertEqual(run(program).value, 1)

    def test_no_warning_speaks_of_tracemalloc(self):
        outcome = self.says(
            "import warnings, gc\nwarnings.simplefilter('always')\nopen('x', 'w')\ngc.collect()\nwarnings.warn('odd', source=[1])\nreturn 1"
        )
        text = "\n".join(outcome.lines)
        self.assertIn("ResourceWarning: unclosed file", text)
        self.assertIn("UserWarning: odd", text)


class Unbound(unittest.TestCase):
    def fails(self, program, namespaces, says):
        outcome = run(program, namespaces=namespaces)
        self.assertEqual(outcome.failure["name"], "NameError", outcome)
        self.assertIn(says, outcome.failure["message"])
        self.assertNotIn("define it", outcome.failure["message"])

    def test_a_run_without_tools_says_that_it_has_none(self):
        for name in ("tools", "ToolCallError"):
            says = f"No tools are bound to this run, so there is no `{name}`: write the program without them"
            self.fails(f"return {name}.read_file", [], says)
        bound = [{"global": "files", "functions": ["read"]}, {"global": "web", "functions": []}]
        self.fails("await tools.read()", bound, "The tools of this run are bound as `files`, `web`, and there is no `tools`")
        # What an earlier run defined is another matter.
        self.assertIn("define it", run("return rows", namespaces=[]).failure["message"])


if __name__ == "__main__":
    unittest.main()
