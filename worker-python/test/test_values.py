"""Values cross exactly or are refused with their path."""

import json
import random
import struct
import unittest

from harness import ToolFailure, run

ECHO = {"echo": lambda arguments: arguments}


class Values(unittest.TestCase):
    def gives(self, program, wanted, **options):
        outcome = run(program, ECHO, **options)
        self.assertIsNone(outcome.failure, outcome)
        self.assertEqual(json.dumps(outcome.value), json.dumps(wanted), outcome)

    def refuses(self, program, path, *says, kind="invalid-output", **options):
        outcome = run(program, ECHO, **options)
        self.assertIsNotNone(outcome.failure, outcome)
        self.assertEqual((outcome.failure["kind"], outcome.failure["path"]), (kind, path), outcome)
        for text in says:
            self.assertIn(text, outcome.failure["message"])
        return outcome

    def test_every_kind_of_json_crosses_both_ways(self):
        value = {
            "none": None, "true": True, "ints": [0, -1, 2**53 + 1, -(10**40), 10**4299], "floats": [1.0, 0.1, 5e-324, 1.7976931348623157e308, 1e22],
            "text": "\x00\x1f\x7f\u2028\"\\/工具🐝", "": {"__proto__": [], "__class__": {}}, "deep": [[[]], {}],
        }
        self.gives(f"value = {value!r}\nback = await tools.echo(value)\nassert repr(back) == repr(value), back\nreturn back", value)

    def test_floats_stay_floats_and_integers_integers(self):
        self.gives("back = await tools.echo([1.0, 1, 1e16, 10**16])\nreturn [type(x).__name__ for x in back]", ["float", "int", "float", "int"])

    def test_random_doubles_are_exact(self):
        chance = random.Random(7)
        doubles = []
        while len(doubles) < 3000:
            (double,) = struct.unpack("<d", chance.randbytes(8))
            if double - double == 0.0 and double != 0.0:
                doubles.append(double)
        outcome = run("return await tools.get()", {"get": lambda _: doubles})
        self.assertEqual([struct.pack("<d", x) for x in outcome.value], [struct.pack("<d", x) for x in doubles])

    def test_tuples_and_the_dicts_of_collections_cross_as_what_they_hold(self):
        self.gives(
            "from collections import Counter, OrderedDict, defaultdict\nd = defaultdict(list); d['a'].append((1, 2))\n"
            "o = OrderedDict(b=1, a=2); o.move_to_end('b')\nreturn [d, o, Counter('aab'), ()]",
            [{"a": [[1, 2]]}, {"a": 2, "b": 1}, {"a": 2, "b": 1}, []],
        )

    def test_one_value_in_two_places_is_no_ring(self):
        self.gives("one = [1]\nreturn {'a': one, 'b': [one, one]}", {"a": [1], "b": [[1], [1]]})

    def test_what_is_not_json_is_refused_with_path_and_remedy(self):
        for program, path, *says in (
            ("return {1}", "result", "a set", "list("),
            ("return {'a': [0, b'x']}", "result.a[1]", "bytes", "decode"),
            ("return [bytearray(1)]", "result[0]", "bytearray", "decode"),
            ("return {1: 2}", "result", "key", "str("),
            ("return {'a': {None: 2}}", "result.a", "key", "None"),
            ("return {'a': {(1, 2): 2}}", "result.a", "key", "tuple"),
            ("return [float('nan')]", "result[0]", "nan", "None"),
            ("return [float('-inf')]", "result[0]", "-inf"),
            ("return -0.0", "result", "-0.0"),
            ("import datetime\nreturn {'an odd key': datetime.datetime.now()}", 'result["an odd key"]', "datetime", "isoformat"),
            ("import datetime\nreturn [datetime.date.today()]", "result[0]", "isoformat"),
            ("import datetime\nreturn [datetime.timedelta(1)]", "result[0]", "total_seconds"),
            ("from decimal import Decimal\nreturn [Decimal('1')]", "result[0]", "Decimal", "str("),
            ("class Row: pass\nreturn {'rows': [Row()]}", "result.rows[0]", "Row"),
            ("import enum\nclass E(enum.IntEnum):\n    a = 1\nreturn [E.a]", "result[0]", "E", "value.value"),
            ("class S(str): pass\nreturn [S('x')]", "result[0]", "S", "str"),
            ("class N(int): pass\nreturn [N(1)]", "result[0]", "N", "int(value)"),
            ("class D(dict): pass\nreturn [D()]", "result[0]", "D", "dict(value)"),
            ("class L(list): pass\nreturn [L()]", "result[0]", "L", "list(value)"),
            ("from collections import namedtuple\nreturn [namedtuple('P', 'x')(1)]", "result[0]", "P", "_asdict"),
            ("import dataclasses\n@dataclasses.dataclass\nclass P:\n    x: int\nreturn P(1)", "result", "asdict"),
            ("import pathlib\nreturn pathlib.Path('a')", "result", "str(value)"),
            ("return (i for i in [])", "result", "generator", "list(value)"),
            ("return {}.keys()", "result", "list(value)"),
            ("return range(3)", "result", "range", "list(value)"),
            ("async def f(): pass\nreturn {'later': f()}", "result.later", "await"),
            ("return tools.echo({})", "result", "await"),
            ("import asyncio\nt = asyncio.ensure_future(tools.echo({}))\nreturn t", "result", "await"),
            ("return [print]", "result[0]", "function"),
            ("return {'f': lambda: 1}", "result.f", "function"),
            ("return [int]", "result[0]", "class"),
            ("import json\nreturn json", "result", "module"),
            ("return [1j]", "result[0]", "complex"),
            ("return [...]", "result[0]", "ellipsis"),
            ("return [object()]", "result[0]", "object"),
            ("return ValueError('x')", "result", "ValueError", "str(value)"),
            ("return {'t': 'a\\ud800'}", "result.t", "surrogate"),
            ("return {'a\\udc00': 1}", 'result["a\\\\udc00"]', "surrogate"),
            ("return [10**4300]", "result[0]", "4300"),
            ("a = {'list': []}\na['list'].append(a)\nreturn a", "result.list[0]", "itself"),
            ("import collections\nreturn collections.deque([1])", "result", "list(value)"),
        ):
            with self.subTest(program):
                self.refuses(program, path, *says)

    def test_no_code_of_the_program_is_called_by_the_check(self):
        program = """
class Meta(type):
    def __eq__(self, other): print('called'); return True
    def __hash__(self): print('called'); return hash(list)
    def __instancecheck__(self, other): print('called'); return True
    @property
    def __name__(self): print('called'); return 'x'
class Trap(list, metaclass=Meta):
    def __iter__(self): print('called'); return iter([])
    def __len__(self): print('called'); return 0
    def __getattribute__(self, name): print('called'); raise ValueError
    def __class__(self): print('called')
try:
    await tools.echo({'a': [Trap([1])]})
except ToolCallError as e:
    print(str(e))
return {'a': Trap()}
"""
        outcome = self.refuses(program, "result.a", "Trap")
        self.assertNotIn("called", outcome.lines, outcome)
        self.assertIn("args.a[0]", outcome.lines[0])

    def test_a_refused_argument_fails_that_call_alone(self):
        outcome = run(
            "seen = []\nfor bad in ({'list': [1, {2}]}, {1: 2}, [-0.0], 'a\\ud800', 10**5000):\n    try:\n        await tools.echo(bad)\n"
            "    except ToolCallError as e:\n        seen.append([e.toolName, str(e)])\nreturn [seen, await tools.echo(ok=1)]",
            ECHO,
        )
        self.assertIsNone(outcome.failure, outcome)
        seen, fine = outcome.value
        self.assertEqual(fine, {"ok": 1})
        self.assertEqual({name for name, _ in seen}, {"echo"})
        for (_, text), path in zip(seen, ("args.list[1]", "args", "args[0]", "args", "args")):
            self.assertIn(f"at {path}:", text)
        self.assertEqual(len(outcome.calls), 1, "a refused argument does not leave the worker")

    def test_ten_thousand_levels_cross_both_ways_whatever_the_recursion_limit(self):
        for limit in (None, 100, 1_000_000):
            for open_, close in (("[", "]"), ("{'a':", "}")):
                with self.subTest(limit=limit, open=open_):
                    wrap = "v = [v]" if open_ == "[" else "v = {'a': v}"
                    inner = "back[0]" if open_ == "[" else "back['a']"
                    setting = f"import sys\nsys.setrecursionlimit({limit})\n" if limit else ""
                    outcome = self.deep(setting, wrap, inner)
                    self.assertIsNone(outcome.failure, outcome.failure)
                    self.assertEqual(outcome.lines, ["10000"])

    def deep(self, setting, wrap, inner):
        return run(
            f"{setting}v = 'end'\nfor _ in range(10_000): {wrap}\nback = await tools.echo(v)\ndepth = 0\n"
            f"while back != 'end':\n    back = {inner}\n    depth += 1\nprint(depth)\nreturn v",
            raw={"echo": lambda payload: payload[payload.index(b'"args":') + 7:-1]},
        )

    def test_one_level_more_is_refused_by_name(self):
        build = "v = []\nfor _ in range(10_000): v = [v]\n"
        outcome = run(build + "try:\n    await tools.echo(v)\nexcept ToolCallError as e:\n    return str(e)", ECHO)
        self.assertIn("10000 levels", outcome.value)
        outcome = run(build + "return v")
        self.assertEqual(outcome.failure["kind"], "invalid-output")
        self.assertIn("10000 levels", outcome.failure["message"])
        self.assertLess(len(outcome.failure["path"]), 1000)

    def test_a_smaller_depth_is_kept_to(self):
        self.gives("return [[1]]", [[1]], max_depth=2)
        self.refuses("return [[[1]]]", "result[0][0]", "2 levels", max_depth=2)

    def test_the_longest_payload_is_kept_to_exactly(self):
        # {"value":"…"} is eleven bytes and two quotation marks around nothing.
        room = 1000 - len('{"value":""}')
        self.gives(f"return 'x' * {room}", "x" * room, max_value_bytes=1000)
        self.refuses(f"return 'x' * {room + 1}", "result", "1000 bytes", kind="output-limit", max_value_bytes=1000)
        room = 1000 - len('{"global":"tools","name":"echo","args":""}')
        outcome = run(
            f"a = await tools.echo('x' * {room})\ntry:\n    await tools.echo('x' * {room + 1})\nexcept ToolCallError as e:\n    return [len(a), str(e)]",
            ECHO, max_value_bytes=1000,
        )
        self.assertEqual(outcome.value[0], room)
        self.assertIn("1000 bytes", outcome.value[1])

    def test_a_small_graph_that_stands_for_an_endless_tree_is_refused(self):
        self.refuses("a = 'x'\nfor _ in range(64): a = [a] * 10\nreturn a", "result", "limit", kind="output-limit", max_value_bytes=1_000_000)

    def test_sixty_four_mebibytes_cross_both_ways(self):
        outcome = run(
            "text = 'ü' * (32 << 20)\nback = await tools.echo(text=text)\nassert back == {'text': text}\nreturn text",
            raw={"echo": lambda payload: payload[payload.index(b'"args":') + 7:-1]},
        )
        self.assertIsNone(outcome.failure, outcome.failure)
        self.assertEqual(outcome.value, "ü" * (32 << 20))

    def test_duplicate_keys_of_a_reply_count_last(self):
        outcome = run("return await tools.get()", raw={"get": lambda _: b' {"a":1,"a":[2]} '})
        self.assertEqual(outcome.value, {"a": [2]})


if __name__ == "__main__":
    unittest.main()
