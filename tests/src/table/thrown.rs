//! P11: whatever is thrown is an exception with the best text there is.

use super::{Case, Ends, none, text};

pub(super) fn cases() -> Vec<Case> {
    let thrown = |name, typescript, python| Case::new("P11", name, typescript, python, Ends::Exception);
    vec![
        thrown(
            "null and None are not thrown in silence",
            text("throw null").says(["null"]),
            text("raise None").class("TypeError").says(["BaseException"]).line(1),
        ),
        thrown(
            "nothing at all is not thrown in silence",
            text("throw undefined").says(["threw"]),
            text("raise").class("RuntimeError").says(["No active exception"]).line(1),
        ),
        thrown(
            "a text is its own message",
            text("throw 'just a text'").says(["just a text"]),
            text("raise Exception('just a text')").says(["just a text"]).line(1),
        ),
        thrown("a number is printed", text("throw 42").says(["42"]), text("raise Exception(42)").says(["42"]).line(1)),
        thrown(
            "a symbol, or an exception's class without an instance, is printed",
            text("throw Symbol('odd')").says(["Symbol(odd)"]),
            text("raise KeyError").class("KeyError").says(["KeyError"]).line(1),
        ),
        thrown(
            "an object is printed with what it holds",
            text("throw { code: 17, reason: 'odd' }").says(["17", "odd"]),
            text("class Odd(Exception): pass\nraise Odd({'code': 17, 'reason': 'odd'})").class("Odd").says(["17", "odd"]).line(2),
        ),
        thrown(
            "an object whose message throws is an exception still",
            text("throw { get message() { throw new Error('inner') } }"),
            text("class Odd(Exception):\n    def __str__(self): raise ValueError('inner')\nraise Odd()").class("Odd").line(3),
        ),
        thrown(
            "an error whose every property throws is an exception still",
            text("throw new Proxy(new Error('x'), { get() { throw new Error('inner') }, has() { throw 1 }, getPrototypeOf() { throw 2 }, ownKeys() { throw 3 }, getOwnPropertyDescriptor() { throw 4 } })"),
            text("class Odd(Exception):\n    def __str__(self): raise ValueError('inner')\n    def __repr__(self): raise ValueError('inner')\n    def __getattribute__(self, name): raise ValueError('inner')\nraise Odd()"),
        ),
        thrown(
            "an object without a prototype is an exception still",
            text("throw Object.assign(Object.create(null), { code: 17 })").says(["17"]),
            none("every exception of Python has a class"),
        ),
        thrown(
            "an error whose cause is itself is told once",
            text("const e: Error & { cause?: unknown } = new Error('round and round');\ne.cause = e;\nthrow e").says(["round and round"]).line(1),
            text("e = ValueError('round and round')\ne.__cause__ = e\nraise e").class("ValueError").says(["round and round"]).line(3),
        ),
        thrown(
            "a ring of causes ends",
            text("const a: any = new Error('first'); const b: any = new Error('second', { cause: a });\na.cause = b;\nthrow a").says(["first"]),
            text("a = ValueError('first'); b = ValueError('second')\na.__context__ = b; b.__context__ = a\na.__cause__ = b\nb.__cause__ = a\nraise a").says(["first"]),
        ),
        thrown(
            "an error with an empty message has at least its class",
            text("throw new RangeError()").class("RangeError").says(["RangeError"]).line(1),
            text("raise OverflowError()").class("OverflowError").says(["OverflowError"]).line(1),
        ),
        thrown(
            "a class of the program's own keeps its name",
            text("class StaleRow extends Error { name = 'StaleRow' }\nthrow new StaleRow('row 7')").class("StaleRow").says(["row 7"]).line(2),
            text("class StaleRow(Exception): pass\nraise StaleRow('row 7')").class("StaleRow").says(["row 7"]).line(2),
        ),
        thrown(
            "several errors in one are all told",
            text("await Promise.any([Promise.reject(new Error('left')), Promise.reject(new Error('right'))])").class("AggregateError").says(["left", "right"]),
            // `ExceptionGroup` came with CPython 3.11; below it the name itself is the error.
            text("import sys\nif sys.version_info < (3, 11): raise Exception('left right')\nraise ExceptionGroup('both', [ValueError('left'), ValueError('right')])").says(["left", "right"]),
        ),
        thrown(
            "what is not an error of the program's kind ends it too",
            text("throw Promise.resolve(1)").says(["threw"]),
            text("raise KeyboardInterrupt()").class("KeyboardInterrupt").says(["KeyboardInterrupt"]).line(1),
        ),
        thrown(
            "a message of many lines is kept whole",
            text("throw new Error('first line\\nsecond line')").says(["first line\nsecond line"]),
            text("raise ValueError('first line\\nsecond line')").says(["first line\nsecond line"]),
        ),
        thrown(
            "endless recursion is an exception, not a crash",
            text("const down = (n: number): number => down(n + 1) + 1;\nreturn down(0)").class("RangeError").says(["stack"]).line(1),
            text("def down(n): return down(n + 1) + 1\nreturn down(0)").class("RecursionError").says(["recursion"]).line(1),
        ),
    ]
}
