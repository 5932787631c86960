"""Every attribute of every module that is there when a program begins, replaced by something hostile.

Values cross exactly all the same, and the run ends as the program says; where the attribute is one that asyncio's own
loop stands on, the run may fail instead, as an exception of the program's.
"""

import os
import unittest

from harness import ToolFailure, run
from zygote import Forked, Zygote

# Each attribute by each kind and with each ending, some hundred thousand runs, instead of by one kind in turn.
EVERYTHING = os.environ.get("DAYFLY_EVERY") == "1"

VALUES = [
    None, True, 0, -(2**70), 1.5, 5e-324, "", "text \x00 \"\\ \u2028 工具🐝", [], {}, [[[]], {"a": [None, {"b": 0.1}]}],
    {"": 1, "__class__": [1, 2], "key": "x" * 70_000}, list(range(100)),
]
HOSTILE = {
    "raises": "def hostile(*_, **__): raise ValueError('hostile')",
    "garbage": "def hostile(*_, **__): return 42",
    "recurses": "def hostile(*_, **__): return hostile(*_, **__)",
    "nothing": "hostile = None",
}
# What the interpreter reads of a module itself, to say which it is; and what a program's own `print` needs.
LEFT = ("__name__", "__spec__", "__loader__", "__package__", "__file__", "stdout")

# Modules whose Python code, or whose functions as they call them, the loop of asyncio runs for every program. With one
# of these replaced the loop itself may fail.
OF_THE_LOOP = {
    "asyncio.base_events", "asyncio.events", "asyncio.futures", "asyncio.tasks", "asyncio.coroutines", "asyncio.selector_events",
    "asyncio.unix_events", "selectors", "collections", "heapq", "_heapq", "time", "math", "threading", "contextvars", "_weakrefset",
}

PRELUDE = """
import asyncio as _asyncio, sys as _sys
_print, _repr, _gather, _modules, _dict, _values, _vars = print, repr, _asyncio.gather, dict(_sys.modules), dict, {values!r}, vars
_Mine = LookupError
_wanted = [repr(value) for value in _values]
{hostile}
async def _use(values):
    for value, wanted in values:
        back = await tools.echo(value)
        if _repr(back) != wanted: raise AssertionError("not exact")
    if await _gather(tools.echo(1), tools.echo(2)) != [1, 2]: raise AssertionError("not exact")
    try:
        await tools.fail()
    except ToolCallError as e:
        if e.toolName != "fail": raise AssertionError("another failure")
    _print("printed")
_all = [*zip(_values, _wanted)]
"""

# Step by step through many, in one worker: each is put back before the next.
STEPS = PRELUDE + """
for _number, _module, _name in {steps!r}:
    await tools.step(_number)
    _space = _vars(_modules[_module])
    _kept = _space[_name]
    _space[_name] = hostile
    await _use(_all[_number % 4::4])
    _space[_name] = _kept
return "through"
"""

# All at once, or one, and then the end.
ENDING = PRELUDE + """
_space = _vars(_modules[{module!r}])
for _name in {names!r}: _space[_name] = hostile
await _use(_all)
{ending}
"""
ENDINGS = {
    "return": "return _values",
    "raise": "raise _Mine('of my own')",
    "refused": "return {'a': {1}}",
}


def fail(_):
    raise ToolFailure("it failed")


class Case:
    """One run against its oracle."""

    def __init__(self, zygote):
        self.zygote = zygote

    def run(self, program):
        self.step = None
        self.sent = []

        def echo(value):
            self.sent.append(value)
            return value

        def step(number):
            self.step = number

        tools = {"echo": echo, "step": step, "fail": fail}
        return run(program, tools, worker=Forked(self.zygote))

    def wrong(self, outcome, module, ending=None):
        """What is wrong with an outcome; None when nothing is."""
        known = [repr(value) for value in [*VALUES, 1, 2]]
        if any(repr(value) not in known for value in self.sent):
            return "another value came"
        if outcome.settled:
            failure = outcome.failure
            if ending == "return" and failure is None and repr(outcome.value) == repr(VALUES):
                return None
            if ending == "raise" and failure and (failure.get("name"), failure["message"]) == ("LookupError", "of my own"):
                return None
            if ending == "refused" and failure and (failure["kind"], failure.get("path")) == ("invalid-output", "result.a"):
                return None
            if ending is None and outcome.value == "through":
                return None
            if failure and failure["kind"] == "exception" and module in OF_THE_LOOP:
                return None
        return repr(outcome)[:1500]


class Every(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.zygote = Zygote()
        cls.addClassCleanup(cls.zygote.close)
        modules = run("import sys\nreturn {name: list(vars(module)) for name, module in sys.modules.items() if type(module) is type(sys)}", worker=Forked(cls.zygote)).value
        cls.modules = {
            module: [name for name in names if name not in LEFT] for module, names in modules.items() if module != "__main__"
        }
        # From CPython 3.14 on, `gather` itself calls functools.partial with this.
        if "_discard_awaited_by" in cls.modules["asyncio.tasks"]:
            OF_THE_LOOP.add("functools")

    def test_each_in_turn(self):
        """Calls and output under each: by one kind, or with DAYFLY_EVERY=1 by all."""
        case = Case(self.zygote)
        pairs = [(module, name) for module, names in self.modules.items() for name in names]
        self.assertGreater(len(pairs), 5_000)
        wrong = {}
        for turn, (kind, hostile) in enumerate(HOSTILE.items()):
            steps = [(number, *pair) for number, pair in enumerate(pairs) if EVERYTHING or number % len(HOSTILE) == turn]
            while steps:
                outcome = case.run(STEPS.format(values=VALUES, hostile=hostile, steps=steps[:500]))
                if outcome.value == "through":
                    del steps[:500]
                    continue
                self.assertIsNotNone(case.step, outcome)
                while steps[0][0] != case.step:
                    del steps[0]
                _, module, name = steps.pop(0)
                found = case.wrong(outcome, module)
                if found is not None:
                    wrong[module, name, kind] = found
        self.assertEqual(wrong, {})

    def test_all_of_a_module_at_once_and_every_ending(self):
        """By each kind and with each ending in turn, or with DAYFLY_EVERY=1 by all and with all."""
        case = Case(self.zygote)
        wrong = {}
        turn = 0
        for module, names in self.modules.items():
            groups = [names] + ([[name] for name in names] if EVERYTHING else [])
            for group in groups:
                for kind, hostile in HOSTILE.items():
                    for ending, text in ENDINGS.items():
                        turn += 1
                        if not EVERYTHING and turn % 5:
                            continue
                        program = ENDING.format(values=VALUES, hostile=hostile, module=module, names=group, ending=text)
                        found = case.wrong(case.run(program), module, ending)
                        if found is not None:
                            wrong[module, len(group) == 1 and group[0], kind, ending] = found
        self.assertEqual(wrong, {})


if __name__ == "__main__":
    unittest.main()
