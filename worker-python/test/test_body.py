"""A program is the body of an async function that behaves as a module."""

import unittest

from harness import NOTHING, ToolFailure, run


def add(arguments):
    return arguments["a"] + arguments["b"]


class Body(unittest.TestCase):
    def gives(self, program, wanted, **options):
        outcome = run(program, {"add": add, "echo": lambda arguments: arguments}, **options)
        self.assertIsNone(outcome.failure, outcome)
        self.assertEqual(outcome.value, wanted, outcome)
        self.assertEqual(outcome.status, 0, outcome)
        return outcome

    def fails(self, program, name, *says, **options):
        outcome = run(program, {"add": add}, **options)
        self.assertIsNotNone(outcome.failure, outcome)
        self.assertEqual(outcome.failure.get("name"), name, outcome)
        for text in says:
            self.assertIn(text, outcome.failure["message"])
        return outcome

    def test_await_and_return_work_at_the_top_level(self):
        self.gives("x = await tools.add(a=1, b=2)\nreturn x * 10", 30)

    def test_nothing_returned_is_nothing_and_none_is_null(self):
        for program in ("", "# nothing", "x = 1", "return", "if True:\n    return", "await tools.echo()"):
            with self.subTest(program):
                self.gives(program, NOTHING)
        for program in ("return None", "if True:\n    return None"):
            with self.subTest(program):
                self.gives(program, None)

    def test_names_are_globals_to_the_functions_defined_beside_them(self):
        self.gives(
            "count = 0\ndef up():\n    global count\n    count += 1\nup(); up()\n"
            "class A:\n    def f(self): return count\nreturn [count, A().f(), [count + i for i in range(2)], "
            "(lambda: count)(), eval('count'), globals()['count']]",
            [2, 2, [2, 3], 2, 2, 2],
        )

    def test_star_imports_future_imports_and_docstrings_work(self):
        self.gives('"""doc"""\nfrom __future__ import annotations\nfrom math import *\nif floor(1.5) == 1:\n    return __doc__', "doc")

    def test_annotations_dataclasses_and_type_hints_work(self):
        self.gives(
            "from __future__ import annotations\nfrom dataclasses import dataclass, asdict\nimport typing\n"
            "@dataclass\nclass P:\n    x: int = 1\n    next: P | None = None\n"
            "total: int = 5\nfor _ in [1]:\n    if typing.get_type_hints(P)['x'] is int:\n        return asdict(P(2))",
            {"x": 2, "next": None},
        )

    def test_types_that_only_a_declaration_knows_may_stand_in_annotations(self):
        self.gives(
            "from dataclasses import dataclass\nimport typing\n"
            "x: EchoArgs = 1\ny: 'Missing' | None\n"
            "def f(a: EchoArgs, b: int = 2) -> list[EchoOutput]:\n    z: Missing = a\n    return [z, b]\n"
            "@dataclass\nclass P:\n    shared: typing.ClassVar[int] = 3\n    one: EchoArgs = 4\n"
            "class T(typing.NamedTuple):\n    t: EchoArgs\n"
            "def g(a: int): ...\n"
            "return [x, f(1), P(5).one, P.shared, T(6).t, typing.get_type_hints(g)['a'] is int]",
            [1, [1, 2], 5, 3, 6, True],
        )

    def test_classes_can_be_pickled_and_their_source_read(self):
        self.gives(
            "import pickle, inspect\nclass P:\n    x = 1\ndef f(a):\n    return a\n"
            "return [pickle.loads(pickle.dumps(P())).x, pickle.loads(pickle.dumps(f))(3), inspect.getsource(f), "
            "inspect.getsource(P), f.__module__, __name__, __file__]",
            [1, 3, "def f(a):\n    return a\n", "class P:\n    x = 1\n", "__main__", "__main__", "program.py"],
        )

    def test_async_statements_and_comprehensions_work_at_the_top_level(self):
        self.gives(
            "import contextlib\n"
            "async def numbers():\n    for i in range(3):\n        yield i\n"
            "@contextlib.asynccontextmanager\nasync def held():\n    seen.append('in')\n    yield 5\n    seen.append('out')\n"
            "seen = []\n"
            "seen.append([n async for n in numbers()])\n"
            "seen.append([await tools.add(a=n, b=1) for n in range(2)])\n"
            "seen.append({n: await tools.echo(n) async for n in numbers()}[2])\n"
            "async for n in numbers():\n    async with held() as five:\n        if n == 1:\n            return seen",
            [[0, 1, 2], [1, 2], 2, "in", "out", "in", "out"],
        )

    def test_a_return_passes_through_finally_and_with_as_no_exception(self):
        outcome = self.gives(
            "class Noted:\n    def __enter__(self): print('enter')\n    def __exit__(self, *what): print(what)\n"
            "for i in range(3):\n    while True:\n        try:\n            try:\n                with Noted():\n                    return i\n"
            "            except BaseException:\n                print('caught')\n        finally:\n            print('finally')\nprint('after')",
            0,
        )
        self.assertEqual(outcome.lines, ["enter", "(None, None, None)", "finally"])

    def test_a_return_value_is_computed_before_finally_runs(self):
        self.gives("x = 1\ntry:\n    return x\nfinally:\n    x = 2", 1)
        self.gives("try:\n    return 1\nfinally:\n    return 2", 2)
        self.gives("while True:\n    try:\n        return 1\n    finally:\n        break\nreturn 2", 2)

    def test_a_jump_outside_a_loop_is_a_syntax_error_beside_a_return_too(self):
        for word, text in (("break", "'break' outside loop"), ("continue", "'continue' not properly in loop")):
            for program in (f"x = 1\n{word}", f"if x:\n    return 1\n{word}\nreturn 2", f"try:\n  return 1\nfinally:\n  {word}"):
                with self.subTest(program):
                    self.fails(program, "SyntaxError", text)

    def test_returns_where_no_function_has_one_are_syntax_errors(self):
        self.fails("class A:\n    return 1\nreturn 2", "SyntaxError", "outside function", "line 2")
        self.fails("yield 1", "SyntaxError", "outside function")

    def test_a_long_chain_of_elif_and_many_returns_are_no_trouble(self):
        chain = "x = 400\nif x == 0:\n    return 0\n" + "".join(f"elif x == {i}:\n    return {i}\n" for i in range(1, 500))
        outcome = run(chain)
        # CPython's own compiler may refuse the depth; the worker does not break on it.
        self.assertTrue(outcome.value == 400 or outcome.failure["name"] in ("RecursionError", "MemoryError"), outcome)

    def test_a_script_may_start_its_own_event_loop(self):
        for start in (
            "asyncio.run(main())",
            "loop = asyncio.new_event_loop()\nasyncio.set_event_loop(loop)\nloop.run_until_complete(main())",
            "asyncio.get_event_loop().run_until_complete(main())",
            "if __name__ == '__main__':\n    asyncio.run(main())",
        ):
            with self.subTest(start):
                program = (
                    "import asyncio\nasync def main():\n    sums = await asyncio.gather(*[tools.add(a=i, b=1) for i in range(3)])\n"
                    f"    print(sums)\n    return sums\n{start}\n"
                )
                outcome = self.gives(program, NOTHING)
                self.assertEqual(outcome.lines, ["[1, 2, 3]"])

    def test_a_script_returns_what_its_loop_gave(self):
        self.gives("import asyncio\nasync def main(): return await tools.add(a=1, b=1)\nreturn asyncio.run(main())", 2)

    def test_a_second_event_loop_beside_await_is_told_what_to_write(self):
        program = "import asyncio\nasync def main(): return 1\nx = await tools.add(a=1, b=1)\nreturn asyncio.run(main())"
        self.fails(program, "RuntimeError", "await main()")

    def test_a_body_without_await_runs_in_the_loop_too(self):
        self.gives("import asyncio\nloop = asyncio.get_running_loop()\nt = asyncio.ensure_future(tools.add(a=1, b=1))\nreturn loop.is_running()", True)

    def test_a_program_of_functions_alone_is_told_that_nobody_called_them(self):
        for program, name, call in (
            ("async def main():\n    return 5", "main", "await main("),
            ("import json\ndef helper(): pass\ndef main():\n    print(1)", "main", "main("),
            ("lambda: 5", "lambda", "never called"),
            ("f = lambda: 5", "f ", "f("),
        ):
            with self.subTest(program):
                outcome = self.gives(program, NOTHING)
                (source, level, text), = outcome.logs
                self.assertEqual((source, level), ("console", "warn"))
                self.assertIn("never called", text)
                self.assertIn(name, text)
                self.assertIn(call, text)
        for program in ("def f(): pass\nf()", "x = 1", "def f(): pass\nx = f()", "import atexit\n@atexit.register\ndef f(): pass"):
            with self.subTest(program):
                self.assertEqual(self.gives(program, NOTHING).logs, [])

    def test_what_executes_text_sees_the_namespaces(self):
        self.gives(
            "scope = {}\nexec('async def f(): return await tools.add(a=1, b=2)', scope)\nresult = [await scope['f'](), await (lambda: tools.add(a=2, b=2))()]\n"
            "try:\n    exec('raise ToolCallError(\"mine\")', {})\nexcept ToolCallError as e:\n    result.append(str(e))\nreturn result",
            [3, 4, "mine"],
        )

    def test_a_byte_order_mark_and_carriage_returns_are_no_trouble(self):
        self.gives("\ufeffx = 1\r\nif x:\r\n    return x\r\n", 1)

    def test_text_beyond_ascii_is_source(self):
        self.gives("größe = '工具🐝'\nreturn größe", "工具🐝")


if __name__ == "__main__":
    unittest.main()
