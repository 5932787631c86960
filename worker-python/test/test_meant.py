"""What a model meant by a name, a module, an attribute or a key that is not there: what it is told to write."""

import unittest

from harness import run

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
        for program in ("import tools", "from tools import get_stock", "import tools.stock as stock"):
            message = self.says(program, name="ModuleNotFoundError")
            self.assertEqual(
                message,
                "No module named 'tools'. `tools` needs no import: leave that line out and write `await tools.name(...)`.",
            )
        self.says("import toolbox", "Nothing can be installed here")

    def test_a_declared_type_that_is_used_as_an_object_is_told_to_be_a_dict(self):
        for name in ("GetStockArgs", "GetStockOutput", "GetStock2Args"):
            self.says(f"return await tools.get_stock({name}(item='a'))", 'exist in annotations alone: write a plain dict, as in `await tools.get_stock({"key": value})`.', never=[FRESH])
        # What only begins like one may be the program's own class.
        self.says("return GetStockRow()", "annotations alone", FRESH)
        self.says("return Getter()", FRESH, never=["annotations"])
        self.says("class Row(TypedDict): pass", "from typing import TypedDict", never=[FRESH])
        self.assertEqual(run("args: GetStockArgs = {}\nreturn args", TOOLS).value, {})

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

    def test_of_names_that_differ_by_separators_the_one_with_the_same_comes_first(self):
        tools = {name: (lambda _: 1) for name in ("get-stock", "get_stock", "put_stock")}
        self.says("tools.get_stok", 'did you mean "get_stock" or "get-stock" or "put_stock"?', tools=tools)
        self.says("tools['get-stok']", 'did you mean "get-stock" or "get_stock" or "put_stock"?', tools=tools)


if __name__ == "__main__":
    unittest.main()
