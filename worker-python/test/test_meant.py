"""What a model meant by a name, a module, an attribute or a key that is not there: what it is told to write."""

import random
import sys
import unittest

from harness import run
from parts import bootstrap_parts

TOOLS = {
    "get_stock": lambda _: {"count": 1, "item": {"name": "bolt"}},
    "list_files": lambda _: [{"name": "a"}, {"size": 1}],
}
FRESH = "Every run starts fresh"


class Meant(unittest.TestCase):
    def says(self, program, *texts, never=(), name=None, tools=TOOLS):
        outcome = run(program, tools)
        self.assertIsNotNone(outcome.failure, outcome)
        message = outcome.failure["message"]
        for text in texts:
            self.assertIn(text, message)
        for text in never:
            self.assertNotIn(text, message)
        if name is not None:
            self.assertEqual(outcome.failure["name"], name, outcome)
        return message

    def test_an_import_of_the_tools_is_told_to_be_left_out(self):
        for program, call in (
            ("import tools", "`await tools.name(...)`"),
            ("import tools.stock as stock", "`await tools.name(...)`"),
            ("from tools import stock", "`await tools.name(...)`"),
            ("from tools import get_stock", "`await tools.get_stock(...)`"),
            ("x = 1\nfrom tools import (get_stock as g,\n  other, list_files)", "`await tools.get_stock(...)` and `await tools.list_files(...)`"),
        ):
            message = self.says(program, name="ModuleNotFoundError")
            self.assertEqual(message, f"No module named 'tools'. `tools` needs no import: leave that line out and write {call}.")
        self.says("import toolbox", "Nothing can be installed here")

    def test_a_declared_type_that_is_used_as_an_object_is_told_to_be_a_dict(self):
        for name in ("GetStockArgs", "GetStockOutput", "GetStock2Args", "GetStockArgsFilter", "GetStockOutputItem2"):
            self.says(f"return await tools.get_stock({name}(item='a'))", 'exist in annotations alone: write a plain dict, as in `await tools.get_stock({"key": value})`.', never=[FRESH])
        for name in ("1st-of.all", "9" * 50):
            start = "Type1stOfAll" if name[0] == "1" else f"Type{'9' * 40}"
            self.says(f"return {start}Args()", "annotations alone", tools={name: lambda _: 1})
        for name in ("GetStockFilter", "GetStockItem2"):
            self.says(f"return {name}(a=1)", f"If `{name}` is a type that is declared for a tool, it exists in annotations alone: write a plain dict", FRESH)
        self.says("class Row(TypedDict): pass", "from typing import TypedDict", never=[FRESH])
        self.assertEqual(run("args: GetStockArgs = {}\nreturn args", TOOLS).value, {})

    def test_a_class_that_only_begins_like_a_tool_is_not_taken_for_a_declared_type(self):
        classes = {
            "count": ["Counter", "CountRow"], "order": ["OrderedDict"], "data": ["DataFrame", "DataArgsort", "DataOutputs"],
            "thread": ["ThreadPoolExecutor"], "get_stock": ["GetStockRow", "Getter", "getStockArgs", "Getstockargs"],
        }
        tools = {name: (lambda _: 1) for name in classes}
        for name in sum(classes.values(), []):
            # It may be: that it is one is not said.
            self.says(f"return {name}()", FRESH, never=["Types that are declared"], tools=tools)

    def test_a_common_mistake_is_told_with_what_to_write(self):
        tools = {**TOOLS, "send-mail": lambda _: None}
        for program, told in (
            ("import json\njson.loads(await tools.get_stock())", "needs no parsing: leave json.loads out."),
            ("import json\njson.loads(tools.get_stock())", "write `await` before its call."),
            ("return await tools('get_stock', a=1)", "Each tool is a function of its own: write `await tools.name(key=value)`."),
            ("return await tools.call('get_stock')", "and each tool is a function of its own; it has "),
            ("return await call_tool('get_stock')", "If tools are meant, they are called as `await tools.name(...)`."),
            ("return await tools.send-mail(to='a')", 'tools has no function "send"; did you mean tools["send-mail"]?'),
            ("try:\n    1 / 0\nexcept tools.ToolCallError:\n    pass", "`ToolCallError` is a name of its own: write it without `tools.`"),
            ("return await tools.get_stock({ item: 1 })", 'The keys of a dict are written as texts: `{"item": ...}`'),
            ("async def f(): return [1]\nreturn len(f())", "write `await` before its call."),
            ("return await tools.get_stock().count", "write `(await tools.name(...))`, in parentheses"),
            ("return await tools.get_stock()['count']", "write `(await tools.name(...))`, in parentheses"),
            ("r = await tools.get_stock()\nreturn [row['name'] for row in r]", 'The loop over a dict gives its keys, which are texts: go through what it holds; the dict has the keys "count", "item".'),
            ("r = {'rows': [1]}\nfor row in r:\n    print(row['name'])", 'the dict has the key "rows".'),
            ("import asyncio\na = await asyncio.gather([tools.get_stock()])", "write `asyncio.gather(*calls)`."),
            ("return input()", "Nobody can be asked: write the value into the program, or get it from a tool."),
        ):
            with self.subTest(program):
                self.says(program, told, tools=tools)
        for program in ("return f'{total:.2f}'", "return {total: 1 for name in 'ab'}", "return [1, 2][0, total:2]", "return f'body { color: red }'"):
            with self.subTest(program):
                self.says(program, never=["keys of a dict"], tools=tools)
        self.says("import json\njson.loads(open('/dev/null'))", never=["needs no parsing"], tools=tools)
        for program in ("a = 'x'\nreturn a['b']", "for a in ['x']:\n    a['b']", "return {a: 1}['a'] if False else b", "json = 1\nreturn len(1)"):
            with self.subTest(program):
                self.says(program, never=["loop over", "keys of a dict", "await"], tools=tools)

    def test_what_is_no_python_is_told_to_be_what_it_is(self):
        for program, told in (
            ("Here it is:\n```python\nreturn 1\n```", "Give the program alone: a Markdown fence is taken off only where"),
            ("const r = await tools.get_stock({ a: 1 });\nreturn r", "Write it in Python: this line is JavaScript."),
            ("function f(x) {\n  return x;\n}\nreturn f(1)", "this line is JavaScript."),
            ("// the stock\nx = 1", "this line is JavaScript."),
            ("x = 1\nif (x === 1) {\n  print(x)\n}", "this line is JavaScript."),
            ('return say("He said "hello" to me")', "A quote inside a text ends it: put a backslash before it"),
            ("s = 'it's here'", "A quote inside a text ends it"),
        ):
            with self.subTest(program):
                self.says(program, told, name="SyntaxError")
        if sys.version_info < (3, 12):
            self.says('r = {"a": 1}\nprint(f"{r["a"]}")', "What stands in the braces of an f-string may not have the quotes around it", name="SyntaxError")
            self.says('return f"{", ".join([])}"', "What stands in the braces of an f-string may not have the quotes around it")
            self.says('return f"{\'\\n\'.join([])}"', "may have no backslash before Python 3.12")
        self.says('return f"{{a: 1}} }"', "In an f-string a brace that is to be seen is written twice", never=["quotes around"])
        for program in ('return f"{}"', 'return f"{a b}"', 'return f"{a!z}"', 'return f"a {1:{2}"', 'return f"{" + 1', "return f'''\n{a\n'''"):
            with self.subTest(program):
                self.says(program, never=["quotes around", "quote inside"])
        fence = "t = '''\n```python\nx\n```\n'''\nx = = 3"
        for program in (fence, fence.replace("'", '"'), "return ('a'if x else'b' y)", "x = [1, 2", "x = 'a' 5", "for i in range(3):\nprint(i)", "if x\n    y", "s = 'a => b' c", "return 1 +"):
            with self.subTest(program):
                self.says(program, never=["JavaScript", "fence", "quote inside"])

    def test_a_value_at_the_end_that_nothing_takes_is_told_to_be_returned(self):
        told = "the value at the end of the program, in line 2, is no result by itself; write `return` in front of it"
        for last in ("r['count']", "r", "f'{r} rows'", "{'a': r}", "len(r)", "json.dumps(r)", "r if r else None", "[x for x in r]", "'done'"):
            with self.subTest(last):
                outcome = run(f"import json; r = await tools.get_stock()\n{last}", TOOLS)
                self.assertEqual([log[-1] for log in outcome.logs], [told])
        for program in ("'a docstring'", "...", "x = 1", "print(1)", "await tools.get_stock()", "return 1", "r = []\nr.append(1)", "(y := 1)", "def f(): pass\nf()", "if True:\n    1", "x = 1\n'''a comment\nof two lines'''", "x = 1\nNone"):
            with self.subTest(program):
                self.assertNotIn("no result by itself", str(run(program, TOOLS).logs))

    def test_another_word_for_the_tools_is_told_which_is_theirs(self):
        for name in ("tool", "Tools", "functions", "api", "default_api"):
            self.says(f"return await {name}.get_stock()", "If tools are meant, they are called as `await tools.name(...)`", FRESH)
        self.says("return total", FRESH, never=["tools"])
        self.assertNotIn("meant", run("return tool", namespaces=[]).failure["message"])

    def test_a_program_is_told_that_it_cannot_run_another(self):
        for program in ("await run_code(code='1')", "await tools.run_code(code='1')", "await tools['run_code']({})"):
            self.says(program, " program cannot run another one", never=[FRESH, "it has"])
        self.assertEqual(run("return await tools.run_code()", {"run_code": lambda _: 5}).value, 5)

    def test_a_key_that_is_written_as_an_attribute_is_told_as_a_key(self):
        message = self.says("r = await tools.get_stock()\nreturn r.count", name="AttributeError")
        self.assertEqual(message, "'dict' object has no attribute 'count'. A dict has no attributes for its keys: write `[\"count\"]` instead of `.count`.")
        self.says("r = await tools.get_stock()\nreturn r.item.name", '`["item"]`')
        self.says("r = await tools.get_stock()\nreturn r.total", 'as in `value["total"]`; the dict has the keys "count", "item".')
        self.says("return (await tools.get_stock()).items[0]", "A method stands there", '`value["items"]`')
        self.says("class A(dict): pass\nreturn A().x", "no attribute 'x'", never=["dict's values"])

    def test_a_key_that_is_not_there_is_told_with_those_that_are(self):
        for program in (
            "r = await tools.get_stock()\nreturn r['items']",
            "r = await tools.get_stock()\ndef f(row, key):\n    return (row[\n        key])\nreturn f(r, 'items')",
            "r = [await tools.get_stock()]\nreturn r[0]['items']",
            "class Odd:\n    def __getitem__(self, key): 1 / 0\nr = await tools.get_stock()\no = Odd()\nreturn [r['items'], o['items']]",
        ):
            self.assertEqual(self.says(program, name="KeyError"), 'key \'items\' not found. The dict has the keys "count", "item".')
        self.says("r = await tools.get_stock()\nreturn r['item']['size']", 'The dict has the key "name".')
        self.says("rows = await tools.list_files()\ndef names():\n    for row in rows:\n        yield row['name']\nreturn list(names())", 'The dict has the key "size".')
        self.says("r = {}\nreturn r[1]", "key 1 not found. The dict is empty.")
        self.says("r = {i: i for i in range(50)}\nreturn r[50]", "The dict has the keys 0, 1, 2", "10, 11 and 38 more.")
        self.says("r = {f'k{i}': i for i in range(50)}\nr['counter'] = 1\nreturn r['count']", 'The nearest to "count" of its keys is "counter"; the dict has')
        message = self.says("r = {'é' * 10_000: 1}\nreturn r['x']")
        self.assertLess(len(message), 300)

    def test_keys_that_are_not_shown_are_counted(self):
        for keys, said in (
            ("{10**5000: 1, 'a': 2}", 'The dict has the keys "a" and 1 more.'),
            ("{True: 1, None: 2, 1.5: 3, 'a': 4, 7: 5}", 'The dict has the keys "a", 7 and 3 more.'),
            ("{10**5000: 1}", "The dict has no keys that are text or numbers of a usual length."),
            ("{('a',): 1}", "The dict has no keys that are text or numbers"),
        ):
            message = self.says(f"d = {keys}\nreturn d['x']", name="KeyError")
            self.assertTrue(message.startswith(f"key 'x' not found. {said}"), message)
        # One is found as True is.
        self.assertEqual(self.says("d, e = {True: {}}, {}\nreturn d[1], e[1]", name="KeyError"), "key 1 not found. The dict is empty.")

    def test_keys_show_no_path_of_this_machine(self):
        for end in ("''", "'/' + 'x' * 200"):
            for last in ("d['x']", "d.x", "d[sys.executable + 'x']"):
                message = self.says(f"import sys\nd = {{sys.executable + {end}: 1, 'b': 2}}\n{last}", "<python>")
                self.assertNotIn(sys.prefix + "/", message)
        self.says("import os, sys\nfolder = os.path.dirname(os.__file__)\nd = {'k' * (78 - len(folder)) + folder: 1}\nd['x']", "k<python>\"", never=["lib/"])

    def test_a_key_costs_no_time_to_speak_of(self):
        for keys, wanted in (
            ("{''.join(random.choices('0123456789abcdef', k=250)): 1 for _ in range(1000)}", "''.join(random.choices('0123456789abcdef', k=250))"),
            ("{'a' * i + 'b' + 'a' * (249 - i): 1 for i in range(250)}", "'c' + 'a' * 248 + 'c'"),
            ("{'x' * 10_000_000 + str(i): 1 for i in range(15)}", "'count'"),
            ("{i: 1 for i in range(1_000_000)}", "-1"),
        ):
            # Of CPU time, which a machine that is busy elsewhere does not use up.
            program = f"import random, resource\nresource.setrlimit(resource.RLIMIT_CPU, (4, 4))\nd = {keys}\nwanted = {wanted}\nd[wanted]"
            self.says(program, name="KeyError")

    def test_of_a_dict_that_the_line_does_not_show_nothing_is_said(self):
        for program in (
            "return (await tools.get_stock())['items']",
            "import os\nother = {}\nreturn os.environ['items']",
            "d = {'items': 1}\nraise KeyError('items')",
            "d = {'items': 1}\nd['items'], {}.pop('items')",
            "import json\nd = {}\njson.detect_encoding = lambda b: d['items']\nclass D(dict):\n    def __missing__(self, key): raise KeyError(key)\nd = D()\nreturn d['items']",
        ):
            self.assertEqual(self.says(program, name="KeyError"), "key 'items' not found")

    def test_a_program_that_bends_what_is_asked_keeps_its_own_text(self):
        for program in (
            "import ast\nast.Subscript._fields = ast.Name._fields = ()\nr = {}\nreturn r['items']",
            "class K(str):\n    __hash__ = lambda self: hash('items')\n    def __eq__(self, o): raise RuntimeError('mine')\nclass L:\n    __hash__ = lambda self: hash('items')\n    def __eq__(self, o): return 1 / 0\n"
            "r = {}\ntry:\n    r['items']\nexcept KeyError as e:\n    r[L()] = 1\n    raise",
        ):
            self.says(program, "key 'items' not found", name="KeyError")
        self.says("e = AttributeError('mine')\nclass N(str): pass\ne.name, e.obj = N('x'), {}\nraise e", "mine")
        self.says("e = ModuleNotFoundError('mine')\ne.name = []\nraise e", "mine")
        self.says("e = NameError('mine')\ne.name = []\nraise e", "mine")

    def test_no_code_of_the_program_runs_for_advice(self):
        hang = "import sys\nhung = []\ndef hang(*_):\n    sys.stderr.write('HUNG')\n    sys.stderr.flush()\n    return True\n"
        same = "class H:\n    __hash__ = lambda self: hash('items')\n    __eq__ = hang\n"
        for what, program in {
            "a stored key": f"{same}d = {{H(): 1}}\nH.__eq__ = lambda self, o: False\ntry: d['items']\nexcept KeyError:\n    H.__eq__ = hang\n    raise",
            "a stored key, on the way": f"{same}H.__eq__ = lambda self, o: False\nd = {{'d': {{}}}}\nd['d'][H()] = 1\nk = {{H(): 1, 'items': 'b'}}\ntry: d['d'][k['items']]\nexcept KeyError:\n    H.__eq__ = hang\n    raise",
            "a global": f"{same}H.__hash__ = lambda self: hash('dd')\nH.__eq__ = lambda self, o: False\nglobals()[H()] = 1\ndd = {{}}\ntry: dd['items']\nexcept KeyError:\n    H.__eq__ = hang\n    raise",
            "an attribute's dict": f"{same}H.__eq__ = lambda self, o: False\nd = {{H(): 1}}\ntry: d.items.x\nexcept AttributeError as e:\n    e.name, e.obj = 'items', d\n    H.__eq__ = hang\n    raise",
            "a namespace of a class": "class D(dict):\n    def __contains__(self, k):\n        hang()\n        return False\n    __getitem__ = lambda self, k: (hang() if armed else 0, dict.__getitem__(self, k))[1]\narmed = False\n"
                "class M(type):\n    __prepare__ = lambda *_: D()\nclass C(metaclass=M):\n    d = {}\n    try: d['items']\n    except KeyError:\n        armed = True\n        raise",
            "a name": "class H(str):\n    __hash__ = hang\n    __eq__ = hang\nraise NameError('x', name=H('x'))",
            "a name of no text": "class H:\n    __hash__ = hang\n    __eq__ = hang\nraise NameError('x', name=H())",
            "the class of what is wanted": "class M(type):\n    __eq__ = hang\n    __hash__ = type.__hash__\nclass K(metaclass=M): pass\nk, d = K(), {}\nd[k]",
            "a node": "import ast\nd = {}\nfor kind in (ast.Subscript, ast.Name, ast.Constant):\n    for name in ('lineno', 'value', 'id', 'slice'):\n"
                "        setattr(kind, name, property(hang, lambda self, value, name=name: self.__dict__.__setitem__(name, value)))\nd['items']",
        }.items():
            with self.subTest(what):
                outcome = run(hang + program, TOOLS)
                self.assertIn(outcome.failure["name"], ("KeyError", "NameError", "AttributeError"), outcome)
                self.assertNotIn("HUNG", f"{outcome.lines}{outcome.stderr}")

    def test_the_nearest_names_are_those_of_the_host_at_a_bounded_cost(self):
        scope = bootstrap_parts()
        nearest, folded, distance, most_cells = (scope[name] for name in ("nearest", "folded", "edit_distance", "MOST_CELLS"))
        cells = 0

        def counted(left, right):
            nonlocal cells
            cells += len(left) * len(right)
            return distance(left, right)

        scope["edit_distance"] = counted
        chance = random.Random(7)
        for _ in range(200):
            names = sorted({"".join(chance.choices("ab_-.C", k=chance.randint(0, 9))) for _ in range(12)})
            wanted = "".join(chance.choices("abc_C", k=chance.randint(0, 9)))
            near = []
            for name in names:
                away = distance(folded(wanted), folded(name))
                if away <= -(-max(len(folded(wanted)), len(folded(name))) // 3):
                    near.append((away, distance(wanted, name), name))
            self.assertEqual(nearest(wanted, names), [name for *_, name in sorted(near)[:3]], (wanted, names))
        long = ["".join(chance.choices("0123456789abcdef", k=250)) for _ in range(1000)]
        for wanted, names in (
            (long[0][::-1], long),
            (long[0][1:] + "z", long),
            ("x" + "_a" * 120 + "x", ["".join(("a_" * i, "bb", "a_" * (120 - i))) for i in range(120)]),
            ("read_files", [*long, "read_file"]),
        ):
            cells = 0
            found = nearest(wanted, names)
            self.assertLessEqual(cells, most_cells)
            if wanted == "read_files":
                self.assertEqual(found, ["read_file"])
        # Long names that are nearly the same cost little.
        self.assertEqual(nearest(long[5][:100] + "-x-" + long[5][100:], long), [long[5]])

    def test_of_names_that_differ_by_separators_the_one_with_the_same_comes_first(self):
        tools = {name: (lambda _: 1) for name in ("get-stock", "get_stock", "put_stock")}
        self.says("tools.get_stok", 'did you mean tools.get_stock or tools["get-stock"] or tools.put_stock?', tools=tools)
        self.says("tools['get-stok']", 'did you mean tools["get-stock"] or tools.get_stock or tools.put_stock?', tools=tools)


if __name__ == "__main__":
    unittest.main()
