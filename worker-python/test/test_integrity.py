"""Programs that turn on the interpreter itself: what crosses is exact, or the run fails as the program's own."""

import unittest

from harness import NoReply, ToolFailure, run
from zygote import Forked, Zygote


def never(_):
    raise NoReply


def fail(_):
    raise ToolFailure("it failed")


TOOLS = {"echo": lambda value: value, "never": never, "fail": fail}
HOSTILE = "def bad(*_, **__): raise ValueError('bad')\n"


class Integrity(unittest.TestCase):
    def gives(self, program, wanted):
        outcome = run(HOSTILE + program, TOOLS)
        self.assertIsNone(outcome.failure, outcome)
        self.assertEqual((outcome.value, outcome.status), (wanted, 0), outcome)
        return outcome

    def fails(self, program, *names):
        """The run settles as an exception with one of these names."""
        outcome = run(HOSTILE + program, TOOLS)
        self.assertTrue(outcome.settled, outcome)
        self.assertEqual(outcome.status, 0, outcome)
        self.assertEqual(outcome.failure["kind"], "exception", outcome)
        self.assertIn(outcome.failure["name"], names, outcome)
        return outcome

    def ends(self, program):
        """The program has forged the worker itself: it ends as an uncaught exception ends Python, and says nothing to the host."""
        outcome = run(HOSTILE + program, TOOLS)
        self.assertFalse(outcome.settled, outcome)
        self.assertEqual((outcome.status, outcome.calls), (1, []), outcome)
        self.assertIn(b"Original exception was", outcome.stderr)

    def test_modules_that_are_gone_or_none(self):
        self.gives("import sys\nfor name in list(sys.modules): sys.modules[name] = None\nprint('x')\nreturn await tools.echo([1])", [1])
        self.gives("import sys\nsys.modules.clear()\nsys.path[:] = sys.meta_path[:] = sys.path_hooks[:] = []\nreturn await tools.echo([1])", [1])
        self.fails("import sys\nfor name in list(sys.modules): sys.modules[name] = None\nraise OSError('x')", "OSError")

    def test_the_builtins_that_the_library_uses(self):
        self.fails("import asyncio\nreal = asyncio.__builtins__\nfor name in list(real): real[name] = bad\nreturn await tools.echo([1])", "ValueError")
        self.fails("import asyncio\nreal = asyncio.__builtins__\nfor name in list(real): real[name] = bad\nraise bad", "TypeError")

    def test_a_trace_or_profile_function_that_raises(self):
        for setting in ("settrace", "setprofile"):
            self.fails(f"import sys\nsys.{setting}(bad)\nreturn await tools.echo([1])", "ValueError")

    def test_a_trace_function_that_raises_at_any_step_of_a_call(self):
        ends = set()
        with Zygote() as zygote:
            for step in range(1, 1500, 13):
                program = f"""
import sys
count = {step}
def trace(frame, event, arg):
    global count
    count -= 1
    if count == 0: raise ValueError('traced')
    return trace
sys.settrace(trace)
for i in range(2):
    assert await tools.echo([i]) == [i]
    print(i)
sys.settrace(None)
return await tools.echo({{'still': [1]}})
"""
                outcome = run(program, TOOLS, worker=Forked(zygote))
                with self.subTest(step):
                    self.assertTrue(outcome.settled, outcome)
                    ends.add(outcome.failure is None)
                    if outcome.failure is None:
                        self.assertEqual((outcome.value, outcome.lines), ({"still": [1]}, ["0", "1"]), outcome)
                    else:
                        self.assertEqual(outcome.failure["kind"], "exception", outcome)
                        self.assertIn("traced", outcome.failure["message"], outcome)
        self.assertEqual(ends, {True, False})

    def test_monitoring_that_raises(self):
        # It came with CPython 3.12.
        self.fails(
            "import sys\nm = getattr(sys, 'monitoring', None)\nif m is None: raise ValueError\nm.use_tool_id(3, 'x')\nevents = m.events.PY_START | m.events.CALL | m.events.LINE\n"
            "for event in (m.events.PY_START, m.events.CALL, m.events.LINE): m.register_callback(3, event, bad)\n"
            "m.set_events(3, events)\nreturn await tools.echo(1)", "ValueError",
        )

    def test_a_signal_handler_that_raises_in_the_midst_of_output_and_calls(self):
        outcome = run(
            """
import signal
class Late(Exception): pass
def handler(*_): raise Late
signal.signal(signal.SIGALRM, handler)
signal.setitimer(signal.ITIMER_REAL, 0.0007, 0.0007)
cut = 0
try:
    for i in range(1500):
        try: print('x' * 3000)
        except Late: cut += 1
finally:
    while True:
        try: signal.setitimer(signal.ITIMER_REAL, 0); break
        except Late: pass
return [cut > 0, await tools.echo(5)]
""", TOOLS)
        # The timer may strike between the loop and its end.
        if outcome.failure is None:
            self.assertEqual(outcome.value, [True, 5], outcome)
        else:
            self.assertEqual(outcome.failure["name"], "Late", outcome)
        self.assertLessEqual({line.strip("x") for line in outcome.lines}, {""})

    def test_an_exception_set_from_another_thread(self):
        outcome = run(
            """
import ctypes, threading, time
class Thrown(BaseException): pass
me = threading.get_ident()
def work():
    for i in range(40):
        time.sleep(0.002)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(me), ctypes.py_object(Thrown))
thread = threading.Thread(target=work)
thread.start()
while True:
    try:
        print('y' * 500)
        if not thread.is_alive(): break
    except Thrown: pass
while True:
    try: return await tools.echo('done')
    except Thrown: pass
""", TOOLS)
        # It may strike between a handler and the next attempt.
        if outcome.failure is None:
            self.assertEqual(outcome.value, "done", outcome)
        else:
            self.assertEqual(outcome.failure["name"], "Thrown", outcome)
        self.assertLessEqual({line.strip("y") for line in outcome.lines}, {""})

    def test_an_audit_hook_that_raises(self):
        self.fails("import sys\nsys.addaudithook(bad)\nraise LookupError('mine')", "LookupError")
        self.fails("import sys\nsys.addaudithook(bad)\nreturn await tools.echo([1])", "ValueError")
        self.gives("import sys\nsys.addaudithook(bad)\nreturn await tools.echo(a=1)", {"a": 1})

    def test_the_garbage_collector(self):
        outcome = self.gives(
            "import gc\ngc.callbacks.append(bad)\ngc.set_threshold(100)\n"
            "class D:\n    def __del__(self): print('gone'); raise ValueError\n"
            "for i in range(100):\n    ring = D(); ring.ring = ring\n    assert await tools.echo([i, {}]) == [i, {}]\nreturn 1", 1,
        )
        self.assertIn("gone", outcome.lines)

    def test_a_weak_reference_and_a_destructor_in_an_argument(self):
        self.gives(
            "import weakref\nclass Key(str): pass\nclass Holder(list):\n    def __del__(self): print('gone')\n"
            "said = []\ndef call():\n    held = Holder([1])\n    weakref.finalize(held, print, 'finalized')\n    return tools.echo({'a': held})\n"
            "try: await call()\nexcept ToolCallError as e: said.append('args.a' in str(e))\nreturn said", [True],
        )

    def test_subclasses_and_metaclasses_are_refused_and_never_asked(self):
        outcome = self.gives(
            """
class Meta(type):
    __eq__ = __hash__ = __instancecheck__ = __subclasscheck__ = __getattribute__ = bad
    mro = lambda cls: type.mro(cls)
class L(list, metaclass=Meta): __iter__ = __len__ = __eq__ = __hash__ = __getattribute__ = bad
class M(dict, metaclass=Meta): items = keys = values = __iter__ = __len__ = __getitem__ = __getattribute__ = bad
class S(str, metaclass=Meta): __hash__ = lambda self: 1; __eq__ = __str__ = encode = __getattribute__ = bad
class N(int, metaclass=Meta): __index__ = __repr__ = __lt__ = __gt__ = __getattribute__ = bad
class F(float, metaclass=Meta): __sub__ = __repr__ = __eq__ = __ne__ = __getattribute__ = bad
class C(list): __class__ = dict
said = []
for value in (L([1]), M(a=1), S('x'), N(1), F(1), C(), [L()], {'a': M()}, {S('k'): 1}, [S('x')], {'a': [N(3)]}, (F(),)):
    try: await tools.echo(value)
    except ToolCallError as e: said.append('was not called' in str(e))
return said
""", [True] * 12)
        self.assertEqual(outcome.calls, [])

    def test_what_the_loop_calls_on_itself(self):
        self.fails("import asyncio\nasyncio.get_running_loop().call_soon = lambda *_, **__: None\nreturn await tools.echo(1)", "DeadlockError")
        self.fails("import asyncio\nasyncio.get_running_loop()._selector = None\nreturn await tools.echo(1)", "AttributeError")
        self.fails("import asyncio\nasyncio.get_running_loop().stop()\nreturn await tools.echo(1)", "DeadlockError")
        self.gives(
            "import asyncio\nkind = type(asyncio.get_running_loop())\n"
            "for name in ('add_reader', '_add_reader', 'add_writer', 'create_future', 'run_until_complete', 'set_exception_handler', 'is_running'): setattr(kind, name, bad)\n"
            "asyncio.Future = asyncio.futures.Future = asyncio.get_running_loop = asyncio.events.get_running_loop = bad\nreturn await tools.echo(1)", 1,
        )
        self.fails("import asyncio\nasyncio.BaseEventLoop.call_soon = bad\nreturn await tools.echo(1)", "ValueError")

    def test_a_loop_that_is_asked_for_no_callbacks_does_not_lose_other_replies(self):
        self.gives(
            "import asyncio\nloop = asyncio.get_running_loop()\nfirst, second = asyncio.ensure_future(tools.echo(1)), asyncio.ensure_future(tools.echo(2))\n"
            "return await asyncio.gather(first, second, tools.echo(3))", [1, 2, 3],
        )

    def test_the_classes_of_the_library(self):
        program = """
todo, seen = [object], set()
while todo:
    for kind in type.__subclasses__(todo.pop()):
        if kind not in seen and kind.__module__ != 'dayfly':
            seen.add(kind); todo.append(kind)
            for name in list(vars(kind)):
                if not name.startswith('__') or name in ('__init__', '__call__', '__iter__', '__len__', '__eq__', '__hash__', '__enter__'):
                    try: setattr(kind, name, bad)
                    except (TypeError, AttributeError): pass
"""
        self.fails(program.replace("kind not in seen", "all(kind is not one for one in seen)").replace("set()", "[]").replace("seen.add", "seen.append") + "return await tools.echo([1])", "ValueError")

    def test_codecs_and_their_error_handlers(self):
        self.gives(
            "import codecs\nfor name in ('ignore', 'replace', 'backslashreplace', 'surrogateescape', 'surrogatepass'): codecs.register_error(name, bad)\n"
            "codecs.register(bad); codecs.lookup = codecs.utf_8_encode = codecs.utf_8_decode = bad\nprint('ü \\ud800')\nreturn await tools.echo('工具')", "工具",
        )

    def test_streams_of_the_programs_own_and_a_class_of_the_standard_ones(self):
        self.gives("import sys\nkind = type(sys.stdout.buffer)\nkind.write = kind.end_line = kind.emit = kind.take = bad\nreturn await tools.echo(1)", 1)
        self.gives("import sys\nclass Out:\n    flush = write = bad\nsys.stdout = sys.stderr = Out()\nreturn await tools.echo(1)", 1)
        self.gives("import sys\ndel sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__\nreturn await tools.echo(1)", 1)

    def test_an_exception_whose_text_turns_on_the_worker(self):
        outcome = self.fails(
            "import sys\nclass E(Exception):\n    def __str__(self):\n        sys.setrecursionlimit(60); sys.settrace(bad); sys.setprofile(bad)\n        raise SystemExit(3)\n"
            "    __repr__ = __str__\n    @property\n    def __traceback__(self): raise SystemExit(4)\n    args = __cause__ = __context__ = property(bad)\nraise E('x')", "E",
        )
        self.assertEqual(outcome.failure["line"], 11)
        self.fails("class E(SyntaxError):\n    filename = lineno = offset = msg = text = property(bad)\nraise E('x')", "E")

    def test_limits_of_recursion_far_too_low_and_high(self):
        self.gives("import sys\nsys.setrecursionlimit(45)\nreturn await tools.echo({'a': [1]})", {"a": [1]})
        self.fails("import sys\nsys.setrecursionlimit(45)\nraise OSError", "OSError")
        outcome = self.fails("import sys\nsys.setrecursionlimit(60_000)\ndef f(n): return f(n - 1) if n else 1 / 0\nf(50_000)", "ZeroDivisionError")
        self.assertIn("more frames", outcome.failure["stack"])

    def test_the_namespaces_and_functions_that_a_program_is_given(self):
        self.gives(
            "kind = type(tools)\nkept = tools.echo\nfor name in ('__getattr__', '__getitem__', '__iter__', '__len__', '__contains__', '__dir__', '__repr__'): setattr(kind, name, bad)\n"
            "tools.echo = bad\nreturn await kept(1)", 1,
        )

    def test_a_forged_bootstrap_ends(self):
        reach = "space = type(tools).__getattr__.__globals__\n"
        for program in (
            reach + "for name in list(space): space[name] = bad\nreturn await tools.echo(1)",
            reach + "space['__builtins__'].clear()\nreturn await tools.echo(1)",
            "import sys\nframe = sys._getframe().f_back\nwhile frame:\n    frame.f_globals.update({name: 42 for name in frame.f_globals if name != '__builtins__'})\n    frame = frame.f_back\nreturn 1",
            "import gc, types\nfor one in gc.get_objects():\n    if type(one) is types.FunctionType and one.__code__.co_filename == '<dayfly>':\n"
            "        try: one.__code__ = bad.__code__\n        except ValueError: pass\nreturn await tools.echo(1)",
        ):
            with self.subTest(program):
                self.ends(program)


class Shared(unittest.TestCase):
    """Values that stand in many places: small in memory, endless as text."""

    GROW = "a = ['x']\nfor _ in range(40): a = [a, a]\n"

    def test_a_list_shared_a_trillion_times_is_refused_at_once(self):
        outcome = run(self.GROW + "try:\n    await tools.echo(a)\nexcept ToolCallError as e:\n    return str(e)", TOOLS)
        self.assertIn("at args: it takes more than the limit of 268435456 bytes", outcome.value)
        outcome = run(self.GROW + "return a")
        self.assertEqual((outcome.failure["kind"], outcome.failure["path"]), ("output-limit", "result"))
        outcome = run("a = 'x' * 1_000_000\nfor _ in range(20): a = {'k': a, 'l': (a,)}\nreturn a")
        self.assertEqual(outcome.failure["kind"], "output-limit")
        outcome = run("a = 10**4000\nfor _ in range(20): a = [a, a]\nreturn a")
        self.assertEqual(outcome.failure["kind"], "output-limit")

    def test_a_fault_behind_shared_lists_is_found_with_its_path(self):
        for bad, says in (("float('nan')", "nan"), ("'\\ud800'", "surrogate"), ("{1}", "a set")):
            outcome = run(f"a = ['x']\nfor _ in range(20): a = [a, a]\nreturn {{'a': a, 'b': [a, {bad}]}}")
            self.assertEqual((outcome.failure["kind"], outcome.failure["path"]), ("invalid-output", "result.b[1]"), outcome.failure)
            self.assertIn(says, outcome.failure["message"])

    def test_a_ring_among_shared_lists_is_one(self):
        outcome = run("a = ['x' * 100]\nring = [a, a]\nring.append([ring])\nreturn [a, ring]")
        self.assertEqual((outcome.failure["kind"], outcome.failure["path"]), ("invalid-output", "result[1][2][0]"))

    def test_a_shared_part_is_too_deep_where_it_stands_deepest(self):
        program = "deep = ['x' * 100]\nfor _ in range(6): deep = [deep]\nreturn [deep, [[[deep]]]]"
        self.assertIsNone(run(program, max_depth=11).failure)
        failure = run(program, max_depth=10).failure
        self.assertEqual(failure["kind"], "invalid-output")
        self.assertTrue(failure["path"].startswith("result[1][0][0][0]"), failure)

    def test_what_is_shared_and_small_enough_crosses(self):
        outcome = run("a = ['x' * 50]\nfor _ in range(10): a = [a, a]\nreturn (await tools.echo(a)) == a", TOOLS)
        self.assertEqual(outcome.value, True, outcome)


if __name__ == "__main__":
    unittest.main()
