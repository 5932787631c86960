"""Calls: how they are written, how they fail, and from where they may be made."""

import unittest

from harness import NOTHING, NoReply, ToolFailure, run


def fail(_):
    raise ToolFailure("the disk is full; delete something")


def never(_):
    raise NoReply


TOOLS = {"echo": lambda arguments: arguments, "ping": lambda _: "pong", "fail": fail, "odd-name": lambda arguments: arguments, "never": never}


class Calls(unittest.TestCase):
    def gives(self, program, wanted, tools=TOOLS, **options):
        outcome = run(program, tools, **options)
        self.assertIsNone(outcome.failure, outcome)
        self.assertEqual(outcome.value, wanted, outcome)
        return outcome

    def test_a_mapping_or_keywords_or_nothing_is_the_argument(self):
        self.gives(
            "return [await tools.echo({'a': 1}), await tools.echo(a=1), await tools['odd-name'](a=1), await tools.echo(), "
            "await tools.echo({}), await tools.echo([1]), await tools.echo('text'), await tools.echo(None)]",
            [{"a": 1}, {"a": 1}, {"a": 1}, {}, {}, [1], "text", None],
        )

    def test_fields_with_the_names_of_parameters_are_keywords(self):
        fields = {name: 1 for name in ("self", "args", "name", "default", "method", "kwargs", "arguments", "more", "fields", "cls")}
        self.gives(f"return await tools.echo({', '.join(f'{name}=1' for name in fields)})", fields)

    def test_a_mapping_and_keywords_together_are_refused_where_they_are_awaited(self):
        self.gives(
            "try:\n    await tools.echo({'a': 1}, b=2)\nexcept TypeError as e:\n    said = str(e)\n"
            "try:\n    await tools.echo(1, 2)\nexcept TypeError as e:\n    return ['not both' in said, said == str(e)]",
            [True, True],
        )

    def test_a_failed_call_raises_the_error_class_with_the_tools_name(self):
        self.gives(
            "try:\n    await tools.fail(x=1)\nexcept ToolCallError as e:\n"
            "    return [type(e).__name__, isinstance(e, Exception), e.toolName, e.tool_name, str(e), e.args]",
            ["ToolCallError", True, "fail", "fail", "the disk is full; delete something", ["the disk is full; delete something"]],
        )

    def test_each_namespace_has_its_own_functions_and_error_class(self):
        namespaces = [
            {"global": "disk", "functions": ["fail", "echo"], "error": {"class": "DiskError", "property": "diskName"}},
            {"global": "net", "functions": ["fail"], "error": {"class": "NetError", "property": "name"}},
            {"global": "plain", "functions": ["fail"]},
            {"global": "empty", "functions": []},
        ]
        outcome = self.gives(
            "seen = []\nfor call in (disk.fail, net.fail, plain.fail):\n    try:\n        await call()\n    except Exception as e:\n"
            "        seen.append([type(e).__name__, getattr(e, 'disk_name', None), getattr(e, 'diskName', None), getattr(e, 'name', None)])\n"
            "try:\n    empty.x\nexcept AttributeError as e:\n    seen.append(str(e))\n"
            "return seen",
            [["DiskError", "fail", "fail", None], ["NetError", None, None, "fail"], ["RuntimeError", None, None, None], 'empty has no function "x"; it has none at all'],
            namespaces=namespaces,
        )
        self.assertEqual([call[1:3] for call in outcome.calls], [("disk", "fail"), ("net", "fail"), ("plain", "fail")])

    def test_every_name_is_reached_exactly(self):
        names = [
            "get-stock", "get_stock", "getStock", "class", "def", "constructor", "__proto__", "__class__", "__dict__",
            "__getattr__", "__init__", "__call__", "keys", "items", "工具", 'a "quoted"\nname', "", " ", "'", "\\", "0", "n" * 200,
        ]
        tools = {name: (lambda _, name=name: f"called {name}") for name in names}
        outcome = self.gives(
            f"names = {names!r}\nassert list(tools) == names and len(tools) == len(names) and all(name in tools for name in names)\n"
            "assert sorted(dir(tools)) == sorted(names)\n"
            "for name in ('get_stock', 'class', 'constructor', '__proto__', 'keys', '工具', ''):\n    assert getattr(tools, name) is tools[name]\n"
            "return [await tools[name]() for name in names]",
            [f"called {name}" for name in names], tools=tools,
        )
        self.assertEqual([name for _, _, name, _ in outcome.calls], names)

    def test_undeclared_names_are_not_there_and_the_nearest_are_told(self):
        self.gives(
            "seen = [[hasattr(tools, n), n in tools] for n in ('constructor', '__proto__', 'keys', 'get', 'values')]\n"
            "for get in (lambda: tools.ehco, lambda: tools['ehco'], lambda: tools.oddname, lambda: tools['__class__'], lambda: tools[3]):\n"
            "    try:\n        get()\n    except (AttributeError, KeyError) as e:\n        seen.append([type(e).__name__, str(e)])\n"
            "return seen",
            [[False, False]] * 5 + [
                ["AttributeError", 'tools has no function "ehco"; did you mean tools.echo?'],
                ["KeyError", 'tools has no function "ehco"; did you mean tools.echo?'],
                ["AttributeError", 'tools has no function "oddname"; did you mean tools["odd-name"]?'],
                ["KeyError", 'tools has no function "__class__"; it has "echo", "ping", "fail", "odd-name", "never"'],
                ["KeyError", "tools holds functions by name; an integer is not a name"],
            ],
        )

    def test_calls_run_beside_each_other_in_every_way_asyncio_knows(self):
        self.gives(
            "import asyncio\nfirst = tools.echo(1)\nsecond = asyncio.create_task(tools.echo(2))\nthird = asyncio.ensure_future(tools.echo(3))\n"
            "return [await asyncio.gather(first, second, third), await asyncio.wait_for(tools.echo(4), 5), await asyncio.shield(tools.echo(5)), "
            "[await x for x in asyncio.as_completed([tools.echo(6)])], asyncio.iscoroutine(tools.echo(7).__class__ and (x := tools.echo(7))), await x]",
            [[1, 2, 3], 4, 5, [6], True, 7],
        )

    def test_ten_thousand_calls_at_once_are_all_answered(self):
        outcome = self.gives("import asyncio\nreturn sum(await asyncio.gather(*[tools.echo(i) for i in range(10_000)]))", sum(range(10_000)))
        self.assertEqual([call[0] for call in outcome.calls], list(range(1, 10_001)))

    def test_a_call_can_be_given_up_and_its_late_answer_disturbs_nothing(self):
        self.gives(
            "import asyncio\ntry:\n    await asyncio.wait_for(tools.never(), 0.01)\nexcept asyncio.TimeoutError:\n    return await tools.ping()",
            "pong",
        )

    def test_an_argument_is_taken_when_the_call_is_written(self):
        self.gives(
            "import asyncio\na = {}\nlater = []\nfor i in range(3):\n    a['i'] = i\n    later.append(tools.echo(a))\nreturn await asyncio.gather(*later)",
            [{"i": 0}, {"i": 1}, {"i": 2}],
        )

    def test_a_call_written_without_await_is_not_made_and_the_log_says_so(self):
        outcome = self.gives("tools.ping()\ntools['odd-name'](a=1)\nprint('end')", NOTHING)
        self.assertEqual(outcome.calls, [])
        self.assertEqual(outcome.logs[0], ("stdout", "log", "end"))
        ((source, level, text),) = outcome.logs[1:]
        self.assertEqual((source, level), ("console", "warn"))
        self.assertIn('tools.ping, tools["odd-name"]: called and never awaited', text)
        self.assertIn("await tools.ping(", text)

    def test_a_program_that_returns_with_calls_in_flight_is_done(self):
        outcome = self.gives("import asyncio\nt = asyncio.create_task(tools.never(n=1))\nawait asyncio.sleep(0)\nreturn 1", 1)
        self.assertEqual([call[2] for call in outcome.calls], ["never"])
        self.assertEqual(outcome.logs, [])

    def test_a_call_may_be_awaited_twice(self):
        outcome = self.gives("call = tools.echo(1)\nreturn [await call, await call]", [1, 1])
        self.assertEqual(len(outcome.calls), 1)

    def test_calls_from_other_threads_and_their_loops_are_answered(self):
        self.gives(
            "import asyncio, threading\nresults = []\n"
            "def work(i):\n    async def main():\n        return [await tools.echo(i * 100 + j) for j in range(50)]\n    results.append(asyncio.run(main()))\n"
            "threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]\nfor t in threads: t.start()\n"
            "mine = [await tools.echo(-j) for j in range(50)]\n"
            # The main loop stands still while the others go on.
            "for t in threads: t.join()\n"
            "return sorted(sum(results, [])) == sorted(i * 100 + j for i in range(4) for j in range(50)) and mine == [-j for j in range(50)]",
            True,
        )

    def test_a_call_from_a_thread_without_a_loop_says_what_it_needs(self):
        self.gives(
            "import asyncio\ndef work():\n    try:\n        tools.ping().__await__()\n    except RuntimeError as e:\n        return str(e)\n"
            "said = await asyncio.to_thread(work)\nreturn 'event loop' in said and 'tools.ping' in said", True,
        )
        self.gives(
            "import asyncio\nloop = asyncio.get_running_loop()\n"
            "def work(): return asyncio.run_coroutine_threadsafe(tools.echo(5), loop).result()\nreturn await asyncio.to_thread(work)", 5,
        )

    def test_a_program_may_raise_the_error_class_itself(self):
        outcome = run("raise ToolCallError('my own')", TOOLS)
        self.assertEqual((outcome.failure["name"], outcome.failure["message"]), ("ToolCallError", "my own"))

    def test_a_failed_call_that_is_not_caught_names_the_tool(self):
        outcome = run("x = 1\nawait tools.fail()", TOOLS)
        self.assertEqual(outcome.failure["message"], "tools.fail failed: the disk is full; delete something")
        self.assertEqual(outcome.failure["line"], 2)

    def test_namespaces_may_have_the_names_of_builtins_without_breaking_the_library(self):
        namespaces = [{"global": name, "functions": ["ping"]} for name in ("id", "input", "sorted", "hash", "repr")]
        self.gives("import json, random, dataclasses\nreturn [await id.ping(), json.dumps([1], indent=1), random.random() < 1]", ["pong", "[\n 1\n]", True], namespaces=namespaces)


if __name__ == "__main__":
    unittest.main()
