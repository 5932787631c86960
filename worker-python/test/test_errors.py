"""What a model reads of an exception."""

import unittest

from harness import NOTHING, ToolFailure, interpreter, run


def fail(_):
    raise ToolFailure("the disk is full")


class Errors(unittest.TestCase):
    def fails(self, program, name, *says, line=None, column=None, **options):
        outcome = run(program, {"fail": fail, "read_file": lambda _: 1}, **options)
        self.assertIsNotNone(outcome.failure, outcome)
        self.assertEqual((outcome.failure["kind"], outcome.failure["name"], outcome.status), ("exception", name, 0), outcome)
        for text in says:
            self.assertIn(text, outcome.failure["message"])
        if line is not None:
            self.assertEqual(outcome.failure.get("line"), line, outcome)
        if column is not None and outcome.version["version"] >= "3.11":
            self.assertEqual(outcome.failure.get("column"), column, outcome)
        self.clean(outcome)
        return outcome.failure

    def clean(self, outcome):
        for text in (outcome.failure["message"], outcome.failure.get("stack", "")):
            for private in ("<dayfly>", "<string>", "/lib/python", interpreter(), "asyncio/"):
                self.assertNotIn(private, text)

    def test_line_column_and_frames_are_the_programs_own(self):
        failure = self.fails(
            "import json\n\ndef load(text):\n    größe = 1; return json.loads(text)\n\nload('{')", "JSONDecodeError", "Expecting property name", line=4, column=23,
        )
        lines = failure["stack"].split("\n")
        self.assertEqual(len(lines), 2, lines)
        self.assertRegex(lines[0], r"^at load \(program\.py:4(:23)?\): größe = 1; return json\.loads\(text\)$")
        self.assertRegex(lines[1], r"^at program\.py:6(:1)?: load\('\{'\)$")

    def test_a_return_that_is_rewritten_keeps_its_place(self):
        self.fails("x = 0\nfor i in [1]:\n    if i:\n        return i / x", "ZeroDivisionError", line=4, column=16)
        self.fails("x = 0\nreturn 1 / x", "ZeroDivisionError", line=2, column=8)

    def test_deep_recursion_is_an_exception_told_in_few_lines(self):
        failure = self.fails("def down(n): return down(n + 1) + 1\nreturn down(0)", "RecursionError", "recursion", "loop", line=1)
        self.assertLess(len(failure["stack"].split("\n")), 5)
        self.assertIn("more times", failure["stack"])
        self.fails("def a(n): return b(n)\ndef b(n): return a(n)\nreturn a(0)", "RecursionError")
        self.fails("class A:\n    def __repr__(self): return repr(self)\nreturn repr(A())", "RecursionError")
        self.fails("import sys\nsys.setrecursionlimit(60)\ndef down(n): return down(n + 1)\nawait tools.read_file()\nreturn down(0)", "RecursionError")

    def test_causes_contexts_and_groups_are_told_once(self):
        self.fails("try:\n    {}['x']\nexcept KeyError as e:\n    raise ValueError('bad row') from e", "ValueError", "bad row; caused by KeyError: key 'x' not found", line=4)
        self.fails("try:\n    {}['x']\nexcept KeyError:\n    raise ValueError('bad row')", "ValueError", "bad row; raised while handling KeyError")
        failure = self.fails("try:\n    {}['x']\nexcept KeyError:\n    raise ValueError('bad row') from None", "ValueError")
        self.assertEqual(failure["message"], "bad row")
        self.fails("e = ValueError('round')\ne.__cause__ = e\nraise e", "ValueError", "round")
        self.fails("a = ValueError('first'); b = ValueError('second')\na.__context__ = b; b.__context__ = a\na.__cause__ = b\nb.__cause__ = a\nraise a", "ValueError", "first; caused by ValueError: second")
        outcome = run("return True if 'ExceptionGroup' in dir(__builtins__) else False")
        if outcome.value:
            self.fails("raise ExceptionGroup('both', [ValueError('left'), ExceptionGroup('in', [KeyError('right')])])", "ExceptionGroup", "left", "right")
            self.fails("import asyncio\nasync with asyncio.TaskGroup() as g:\n    g.create_task(tools.fail())", "ExceptionGroup", "the disk is full")

    def test_exceptions_that_cannot_speak_are_exceptions_still(self):
        self.fails("class Odd(Exception):\n    def __str__(self): raise ValueError('inner')\nraise Odd('args')", "Odd", "args", line=3)
        self.fails(
            "class Odd(Exception):\n    def __str__(self): raise ValueError('inner')\n    def __repr__(self): raise ValueError('inner')\n"
            "    def __getattribute__(self, name): raise ValueError('inner')\nraise Odd()", "Odd", line=5,
        )
        self.fails("class Odd(Exception):\n    def __str__(self): return 5\nraise Odd()", "Odd")
        self.fails("class Odd(Exception):\n    def __str__(self): return 'lone \\ud800'\nraise Odd()", "Odd", "lone \\ud800")
        self.fails("class Meta(type):\n    __name__ = property(lambda self: 1 / 0)\n    def __eq__(self, o): return True\n    __hash__ = None\nclass Odd(Exception, metaclass=Meta): pass\nraise Odd('x')", "Odd", "x")
        self.fails("raise KeyError", "KeyError", "KeyError")
        self.fails("raise OverflowError()", "OverflowError", "OverflowError")
        self.fails("raise KeyboardInterrupt()", "KeyboardInterrupt", "KeyboardInterrupt", line=1)
        self.fails("raise None", "TypeError", "BaseException", line=1)
        self.fails("raise", "RuntimeError", "No active exception", line=1)
        self.fails("raise ValueError('first\\nsecond')", "ValueError", "first\nsecond")
        self.fails("import asyncio\nraise asyncio.CancelledError", "CancelledError")

    def test_a_long_text_is_cut(self):
        failure = self.fails("raise ValueError('x' * 10_000_000)", "ValueError", "characters left out")
        self.assertLess(len(failure["message"]), 70_000)

    def test_a_syntax_error_has_its_line_its_column_and_the_line_itself(self):
        for program, name, line, *says in (
            ("a = 1\nb = [1, 2;\nreturn a", "SyntaxError", 2, "b = [1, 2;", "^"),
            ("x = 1\nx = = 2", "SyntaxError", 2, "x = = 2"),
            ("if True:\nx = 1", "IndentationError", 2, "expected an indented block"),
            ("x = 'abc", "SyntaxError", 1, "unterminated string"),
            ("def f():\n    await x", "SyntaxError", 2, "async"),
            ("x = 1\n\tif x: pass", "IndentationError", 2),
            ("const x = 1", "SyntaxError", 1),
            ("return 1\n\nfrom __future__ import annotations", "SyntaxError", 3),
            ("def f():\n  nonlocal x", "SyntaxError", 2),
        ):
            with self.subTest(program):
                failure = self.fails(program, name, f"line {line}", *says, line=line)
                self.assertGreaterEqual(failure["column"], 1)

    def test_a_hint_stands_on_a_line_of_its_own_where_the_text_has_lines(self):
        failure = self.fails("def f():\n    await x", "SyntaxError")
        self.assertEqual(
            failure["message"].split("\n")[1:],
            ["    await x", "    ^", "`await` works at the top level and inside `async def`: make the enclosing function async."],
        )
        failure = self.fails("import asyncio\nraise RuntimeError('first line\\nasyncio.run() cannot be called from a running event loop')", "RuntimeError")
        self.assertEqual(failure["message"].split("\n")[-1], "The program already runs in an event loop: write `await main()` instead of asyncio.run(main()).")
        self.fails("r = {}\nreturn r['x']", "KeyError", "key 'x' not found. The dict is empty.")

    def test_a_syntax_error_that_the_program_meets_itself_is_its_exception(self):
        self.fails("import ast\nast.parse('x = = 1')", "SyntaxError", "invalid syntax", line=2)

    def test_what_the_compiler_cannot_take_is_an_exception_and_no_crash(self):
        for program in (
            "(" * 100_000 + ")" * 100_000, "-" * 100_000 + "1", "1" + "+1" * 100_000, "x" + ".a" * 50_000, "[" * 90 + "]" * 90 + "\nx = " + "not " * 50_000 + "1",
            "x" + "(a)" * 50_000, "\n".join(" " * i + "if x:" for i in range(200)) + "\n" + " " * 200 + "pass", "a\0b", "lambda: " * 20_000 + "1",
            "return " + "(" * 150 + "1" + ")" * 150 + " + 1" * 60_000, "x = " + "9" * 10_000,
        ):
            with self.subTest(program[:30]):
                outcome = run(program)
                self.assertIsNotNone(outcome.failure, outcome)
                self.assertIn(outcome.failure["name"], ("SyntaxError", "IndentationError", "RecursionError", "MemoryError", "ValueError", "NameError", "OverflowError"), outcome)
                self.assertEqual(outcome.status, 0)
                self.clean(outcome)

    def test_a_name_of_an_earlier_run_is_told_that_every_run_starts_fresh(self):
        self.fails("n = 2\nreturn total + n", "NameError", "name 'total' is not defined", "starts fresh", line=2, column=8)
        self.fails("console.log(1)", "NameError", "Python, not JavaScript: use print(...)")
        self.fails("return json.dumps(1)", "NameError", "import json", "starts fresh")
        self.fails("result = 1\nreturn reslt", "NameError", "Did you mean `result`? If not: every run starts fresh", line=2)
        self.fails("total_sum = 1\ndef f():\n  return totalSum\nreturn f()", "NameError", "Did you mean `total_sum`?", line=3)
        self.fails("try: await tools.nope()\nexcept ToolError: pass", "NameError", "Did you mean `ToolCallError`?", line=2)
        self.fails("x = await read_file()", "NameError", "await tools.read_file(")

    def test_a_missing_module_is_told_with_what_there_is(self):
        self.fails("x = 1\nimport left_pad", "ModuleNotFoundError", "No module named 'left_pad'", "standard library", line=2)

    def test_messages_hold_no_path_of_the_host(self):
        self.fails("from json import nonsense", "ImportError", "cannot import name 'nonsense' from 'json'")
        self.fails("import json\nraise ValueError(json.__file__)", "ValueError", "<python>")
        self.fails("import sys\nraise ValueError(sys.executable)", "ValueError")

    def test_memory_that_cannot_be_had_is_an_exception(self):
        self.fails("import resource\nresource.setrlimit(resource.RLIMIT_AS, (1 << 28, 1 << 28))\nx = 'x' * (1 << 29)", "MemoryError", "memory", line=3)
        self.fails("import resource\nresource.setrlimit(resource.RLIMIT_AS, (1 << 28, 1 << 28))\nx = []\nwhile True: x.append([0] * 50)", "MemoryError", "memory")
        self.fails("import resource\nx = 'x' * (80 << 20)\nresource.setrlimit(resource.RLIMIT_AS, (300 << 20, 300 << 20))\nreturn [x, x, x]", "MemoryError", "memory")


class Traces(unittest.TestCase):
    def test_a_stack_that_the_program_prints_shows_nothing_of_the_bootstrap(self):
        outcome = run(
            "import traceback, asyncio, logging, sys, threading\nseen = [''.join(traceback.format_stack())]\n"
            "for call in (lambda: tools.fail(), lambda: tools.fail({1}), lambda: asyncio.create_task(tools.fail({1})), lambda: tools.nothing(), lambda: tools['x'](), lambda: tools.fail(1, 2)):\n"
            "    try:\n        await call()\n    except Exception:\n        seen.append(traceback.format_exc())\n        logging.exception('logged')\n"
            "        sys.excepthook(*sys.exc_info())\n"
            "def late(): seen.append(''.join(traceback.format_stack()))\nasyncio.get_running_loop().call_soon(late)\nawait asyncio.sleep(0.01)\n"
            "t = threading.Thread(target=late); t.start(); t.join()\n"
            "exec('seen.append(\"\".join(traceback.format_stack()))')\n"
            "return seen",
            {"fail": fail},
        )
        self.assertIsNone(outcome.failure, outcome)
        self.assertEqual(len(outcome.value), 10)
        self.assertEqual(outcome.value[0], '  File "program.py", line 2, in <module>\n    seen = [\'\'.join(traceback.format_stack())]\n')
        for stack in outcome.value + ["\n".join(outcome.lines)]:
            self.assertNotIn("dayfly", stack)
            self.assertIn("program.py", stack)
        for stack in outcome.value[:-1]:
            self.assertNotIn("<string>", stack)
        self.assertIn("<string>", outcome.value[-1], "a frame of what the program executes is its own")


if __name__ == "__main__":
    unittest.main()
