# A program is the body of an async function that behaves as a module: it is compiled as a module in which `await` is
# allowed, after its top-level `return`s have been rewritten into what a module may hold.

import _ast as ast

# ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
ALLOW_TOP_LEVEL_AWAIT = 0x2000
# __future__.annotations.compiler_flag. In a function annotations of names are not evaluated, and in CPython 3.14 no annotation is until
# somebody asks: a program may write types that are declared to its author and are no objects here.
FUTURE_ANNOTATIONS = 0x1000000
ONLY_AST = ast.PyCF_ONLY_AST
CO_COROUTINE = 0x80
LOOPS = (ast.For, ast.AsyncFor, ast.While)
# The program's text; `linecache` has a list of its own, which a program may clear.
source_lines = []
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
# Functions that only give a value.
READERS = {"len", "list", "dict", "str", "repr", "sorted", "sum", "min", "max", "round"}
# With one of these names and no top-level `await`, a program brings its own event loop.
LOOP_RUNNERS = {"run_until_complete", "run_forever", "Runner"}


class Body:
    """A compiled program."""

    def __init__(self, source):
        source_lines[:] = source.splitlines(True)
        linecache.cache[PROGRAM] = (len(source), None, list(source_lines), PROGRAM)
        tree = compiled(source, ONLY_AST | ALLOW_TOP_LEVEL_AWAIT)
        self.idle_functions = only_functions(tree.body)
        self.lost_value = None if self.idle_functions else lost_value(tree.body)
        tree.body = rewrite_returns(tree.body, source)
        self.code = compiled(tree, ALLOW_TOP_LEVEL_AWAIT | FUTURE_ANNOTATIONS)
        self.awaits = bool(self.code.co_flags & CO_COROUTINE)
        self.runs_own_loop = not self.awaits and starts_loop(self.code)


def compiled(what, flags):
    try:
        return compile(what, PROGRAM, "exec", flags, True)
    except (RecursionError, MemoryError):
        # The program has not run: nothing of it recursed, and it has used no memory.
        raise SyntaxError(
            "the program is nested too deeply for CPython's compiler; split the longest expression or chain of elif, "
            "or use a loop"
        ) from None


def starts_loop(code):
    """Whether any of the program's code names what starts an event loop."""
    todo = [code]
    names = set()
    while todo:
        code = todo.pop()
        names.update(code.co_names)
        todo.extend(inner for inner in code.co_consts if type(inner) is type(code))
    return bool(names & LOOP_RUNNERS) or ("run" in names and bool(names & {"asyncio", "anyio", "trio"}))


def nested_blocks(statement):
    """The lists of statements within `statement` that belong to the same scope."""
    if isinstance(statement, SCOPES):
        return
    for field in ("body", "orelse", "finalbody"):
        block = getattr(statement, field, None)
        if type(block) is list:
            yield field, block
    for field in ("handlers", "cases"):
        for part in getattr(statement, field, ()):
            yield "body", part.body


def rewrite_returns(statements, source):
    """`statements` without a top-level `return`.

    A `return` becomes a `break` out of a loop that goes round once, and out of every loop on its way: that runs
    `finally` and leaves `with` exactly as a `return` does, and nothing can catch it. The value waits in a global, and
    is handed outwards from loop to loop: each loop has a global of its own, because what a `finally` does on the way
    may return, break and loop as well.
    """
    last = statements[-1] if statements else None
    returns = count_returns(statements)
    if returns == 0:
        return statements
    if returns == 1 and type(last) is ast.Return:
        return statements[:-1] + [stored(RETURNED, last, last)]
    prefix = 0
    while prefix < len(statements) and belongs_first(statements[prefix], prefix):
        prefix += 1
    body = statements[prefix:]
    rewrite_blocks(body, source)
    # Without a `return` the value is cleared: a `finally` may have taken a `return` back.
    body += [stored(RETURNED, None, last), at(ast.Break(), last)]
    once = at(ast.While(test=at(ast.Constant(value=True, kind=None), body[0]), body=body, orelse=[]), body[0])
    return statements[:prefix] + [once]


def belongs_first(statement, index):
    """Whether a statement must stay at the module's beginning: its docstring, `from __future__`."""
    if type(statement) is ast.Expr and index == 0:
        return type(statement.value) is ast.Constant and type(statement.value.value) is str
    return type(statement) is ast.ImportFrom and statement.module == "__future__"


def count_returns(statements):
    todo = [statements]
    returns = 0
    while todo:
        for statement in todo.pop():
            if type(statement) is ast.Return:
                returns += 1
            todo.extend(block for _, block in nested_blocks(statement))
    return returns


def rewrite_blocks(statements, source):
    """Rewrites one scope in place. The stack is explicit: a chain of `elif` nests as deep as it is long.

    Beside each block stands the global of the innermost loop around it, None where that loop holds no `return`, and
    whether the loop is the program's own.
    """
    todo = [(statements, RETURNED, False)]
    loops = 0
    while todo:
        block, slot, in_loop = todo.pop()
        rewritten = []
        for statement in block:
            kind = type(statement)
            if kind is ast.Return:
                rewritten += [stored(slot, statement, statement), at(ast.Break(), statement)]
                continue
            if kind is ast.Break or kind is ast.Continue:
                if not in_loop:
                    refuse_jump(statement, source)
                if kind is ast.Break and slot is not None:
                    # A `break` in a `finally` takes a `return` back.
                    rewritten.append(stored(slot, None, statement))
            rewritten.append(statement)
            if kind in LOOPS:
                inner = None
                if count_returns([statement]):
                    loops += 1
                    inner = f"<return {loops}>"
                    rewritten.append(hand_outwards(inner, slot, statement))
                todo += [(statement.body, inner, True), (statement.orelse, slot, in_loop)]
                if inner is not None:
                    statement.orelse = [stored(inner, None, statement), *statement.orelse]
                    todo[-1] = (statement.orelse, slot, in_loop)
            else:
                todo.extend((inner, slot, in_loop) for _, inner in nested_blocks(statement))
        block[:] = rewritten


def hand_outwards(inner, slot, loop):
    """After a loop that a `return` may have left: `if <inner>: <slot> = <inner>; break`."""
    def name(id, context):
        return at(ast.Name(id=id, ctx=context), loop)

    handed = at(ast.Assign(targets=[name(slot, ast.Store())], value=name(inner, ast.Load()), type_comment=None), loop)
    return at(ast.If(test=name(inner, ast.Load()), body=[handed, at(ast.Break(), loop)], orelse=[]), loop)


def stored(slot, returned, place):
    """`<slot> = (value,)`; of a bare `return`, `(None, None)`; of no `return`, None."""
    if returned is None:
        value = at(ast.Constant(value=None, kind=None), place)
    elif returned.value is None:
        value = at(ast.Constant(value=(None, None), kind=None), place)
    else:
        value = at(ast.Tuple(elts=[returned.value], ctx=ast.Load()), place)
    target = at(ast.Name(id=slot, ctx=ast.Store()), place)
    return at(ast.Assign(targets=[target], value=value, type_comment=None), place)


def at(node, place):
    node.lineno, node.col_offset = place.lineno, place.col_offset
    node.end_lineno, node.end_col_offset = place.end_lineno, place.end_col_offset
    return node


def refuse_jump(statement, source):
    text = "'break' outside loop" if type(statement) is ast.Break else "'continue' not properly in loop"
    line = source.splitlines()[statement.lineno - 1]
    raise SyntaxError(text, (PROGRAM, statement.lineno, statement.col_offset + 1, line))


def lost_value(statements):
    """The line of a value at the end that does nothing, as one writes at a prompt, and that nothing takes."""
    last = statements[-1] if statements else None
    if type(last) is not ast.Expr:
        return None
    if type(last.value) is ast.Constant:
        value = last.value.value
        # A docstring, a comment in the shape of a text of several lines, and nothing.
        if len(statements) == 1 or value is ... or value is None or last.lineno != last.end_lineno:
            return None
    todo = [last.value]
    while todo:
        node = todo.pop()
        # Any other call may have been made for what it does.
        if type(node) in (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr) or type(node) is ast.Call and not only_reads(node.func):
            return None
        for value in node.__dict__.values():
            todo.extend(one for one in (value if type(value) is list else (value,)) if isinstance(one, ast.AST))
    return last.lineno


def only_reads(function):
    if type(function) is ast.Name:
        return function.id in READERS
    return type(function) is ast.Attribute and type(function.value) is ast.Name and (function.value.id, function.attr) == ("json", "dumps")


def only_functions(statements):
    """The functions of a program that does nothing but define them: `(name, is async)`; else an empty list."""
    functions = []
    for statement in statements:
        kind = type(statement)
        if kind is ast.FunctionDef or kind is ast.AsyncFunctionDef:
            if statement.decorator_list:
                return []
            functions.append((statement.name, kind is ast.AsyncFunctionDef))
        elif kind is ast.Expr or kind is ast.Assign or kind is ast.AnnAssign:
            value = statement.value
            if type(value) is ast.Lambda:
                targets = getattr(statement, "targets", ())
                named = targets and type(targets[0]) is ast.Name
                functions.append((targets[0].id if named else "the lambda", False))
            elif value is not None and type(value) is not ast.Constant:
                return []
        elif kind not in (ast.Import, ast.ImportFrom, ast.ClassDef, ast.Pass):
            return []
    return functions
