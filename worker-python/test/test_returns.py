"""A body's top-level `return` against CPython's own, in random programs."""

import random
import unittest

from parts import bootstrap_parts

BODY = bootstrap_parts()
PROGRAMS = 3_000


class Writer:
    """Writes a random program out of everything that a `return` can pass through."""

    SIMPLE = ("step", "step", "guarded", "returned")
    IN_LOOPS = ("jump", "guarded_jump")
    COMPOUND = ("for", "while", "try_except", "try_finally", "try_all", "with", "if", "match")

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.number = 0
        self.lines = []
        for _ in range(self.random.randint(1, 4)):
            self.statement(0, False, self.random.randint(1, 4))
        self.source = "\n".join(self.lines) + "\n"

    def line(self, depth, text):
        self.lines.append("    " * depth + text)

    def next(self):
        self.number += 1
        return self.number

    def chance(self):
        return f"odd({self.next()})"

    def block(self, depth, loops, size):
        for _ in range(self.random.randint(1, 3)):
            self.statement(depth, loops, size)

    def statement(self, depth, loops, size):
        kinds = self.SIMPLE + (self.IN_LOOPS if loops else ()) + (self.COMPOUND if size > 0 else ())
        getattr(self, "write_" + self.random.choice(kinds))(depth, loops, size - 1)

    def write_step(self, depth, loops, size):
        self.line(depth, f"step({self.next()})")

    def write_guarded(self, depth, loops, size):
        what = self.random.choice(["return {}", "raise ValueError({})", "raise KeyError({})"]).format(self.next())
        self.line(depth, f"if {self.chance()}: {what}")

    def write_returned(self, depth, loops, size):
        self.line(depth, self.random.choice([f"return step({self.next()})", "return", "return None"]))

    def write_jump(self, depth, loops, size):
        self.line(depth, self.random.choice(["break", "continue"]))

    def write_guarded_jump(self, depth, loops, size):
        self.line(depth, f"if {self.chance()}: {self.random.choice(['break', 'continue'])}")

    def write_else(self, depth, loops, size):
        if self.random.random() < 0.4:
            self.line(depth, "else:")
            self.block(depth + 1, loops, size)

    def write_for(self, depth, loops, size):
        self.line(depth, f"for _ in range({self.random.randint(0, 2)}):")
        self.block(depth + 1, True, size)
        self.write_else(depth, loops, size)

    def write_while(self, depth, loops, size):
        self.line(depth, f"while again({self.next()}):")
        self.block(depth + 1, True, size)
        self.write_else(depth, loops, size)

    def write_try_except(self, depth, loops, size):
        self.line(depth, "try:")
        self.block(depth + 1, loops, size)
        self.line(depth, self.random.choice(["except ValueError:", "except BaseException:", "except:"]))
        self.block(depth + 1, loops, size)
        self.write_else(depth, loops, size)

    def write_try_finally(self, depth, loops, size):
        self.line(depth, "try:")
        self.block(depth + 1, loops, size)
        self.write_finally(depth, loops, size)

    def write_try_all(self, depth, loops, size):
        self.write_try_except(depth, loops, size)
        self.write_finally(depth, loops, size)

    def write_finally(self, depth, loops, size):
        self.line(depth, "finally:")
        self.block(depth + 1, loops, size)

    def write_with(self, depth, loops, size):
        self.line(depth, f"with noted({self.next()}{self.random.choice(['', ', ValueError'])}):")
        self.block(depth + 1, loops, size)

    def write_if(self, depth, loops, size):
        self.line(depth, f"if {self.chance()}:")
        self.block(depth + 1, loops, size)
        self.write_else(depth, loops, size)

    def write_match(self, depth, loops, size):
        self.line(depth, f"match {self.chance()}:")
        for pattern in ("True", "_"):
            self.line(depth + 1, f"case {pattern}:")
            self.block(depth + 2, loops, size)


class Trace:
    """What a program can observe of its own course."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.steps = []
        self.rounds = {}

    def step(self, number):
        self.steps.append(number)
        return number

    def odd(self, number):
        self.step(number)
        return self.random.random() < 0.4

    def again(self, number):
        self.step(number)
        self.rounds[number] = self.rounds.get(number, 0) + 1
        # A loop may be entered again and again: it is short every time, and at last it is empty.
        return self.rounds[number] % 3 != 0 and len(self.steps) < 300

    def noted(self, number, swallowed=()):
        trace = self

        class Noted:
            def __enter__(self):
                trace.step(("enter", number))

            def __exit__(self, kind, value, traceback):
                trace.step(("exit", number, kind and kind.__name__))
                return kind is not None and issubclass(kind, swallowed)

        return Noted()

    def names(self):
        return {"step": self.step, "odd": self.odd, "again": self.again, "noted": self.noted}


def reference(source, seed):
    trace = Trace(seed)
    scope = trace.names()
    body = "".join("    " + line + "\n" for line in source.splitlines())
    exec(compile("def program():\n" + body, "reference", "exec"), scope)
    try:
        ended = ("value", scope["program"]())
    except Exception as problem:
        ended = (type(problem).__name__, str(problem))
    return ended, trace.steps


def ours(source, seed):
    trace = Trace(seed)
    scope = trace.names()
    body = BODY["Body"](source)
    try:
        eval(body.code, scope)
        returned = scope.get(BODY["RETURNED"])
        ended = ("value", returned[0] if returned is not None else None)
    except Exception as problem:
        ended = (type(problem).__name__, str(problem))
    return ended, trace.steps


class Returns(unittest.TestCase):
    def test_random_programs_go_as_the_body_of_a_function_goes(self):
        returned = 0
        for seed in range(PROGRAMS):
            source = Writer(seed).source
            if source.count("finally:") > 4:
                # CPython copies a `finally` to every way out of it: nested ones compile for minutes.
                continue
            wanted = reference(source, seed)
            self.assertEqual(ours(source, seed), wanted, f"seed {seed}:\n{source}")
            returned += wanted[0][0] == "value" and wanted[0][1] is not None
        # The programs must be about what they are for.
        self.assertGreater(returned, PROGRAMS // 20)


if __name__ == "__main__":
    unittest.main()
