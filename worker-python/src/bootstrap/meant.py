# What a program meant by a name, a module, an attribute or a key that is not there.

attribute_name = AttributeError.__dict__["name"].__get__
attribute_holder = AttributeError.__dict__["obj"].__get__
import_name = ImportError.__dict__["name"].__get__

# What models call the object that holds the tools, whatever they were told.
TOOL_HOLDERS = {"tool", "functions", "function", "api", "sdk", "mcp", "defaultapi", "codemode"}
TYPING = {"Any", "Callable", "Literal", "NotRequired", "Optional", "Protocol", "TypedDict", "Union"}
MOST_KEYS = 12
# Of a dict's keys, so many are compared with the one that was not found.
MOST_COMPARED = 1000


def meant_by_name(name):
    """Of a name that is not defined: what the host gives in its place."""
    if type(name) is not str or not spaces:
        return None
    if name == RUN_CODE:
        return ONE_PROGRAM
    if name in TYPING:
        return f"write `from typing import {name}` first"
    plain_name = folded(name)
    for space in spaces:
        if plain_name in TOOL_HOLDERS or plain_name.rstrip("s") == folded(space).rstrip("s"):
            return f"if tools are meant, they are called as `await {space}.name(...)`. {STALE}"
    for space, names in spaces.items():
        for function in sorted(names):
            if not is_type_of(name, function):
                continue
            advice = (
                "types that are declared for a tool exist in annotations alone: write a plain dict, as in "
                f'`await {shown_name(space, function)}({{"key": value}})`'
            )
            return advice if name.endswith(("Args", "Output")) else f"{advice}. {STALE}"
    return None


def is_type_of(name, function):
    """Whether a declared type of a function may have this name: its own, capitalised, and then what is described."""
    start = folded("".join(letter for letter in function if letter.isascii()))[:40]
    return name[:1].isupper() and bool(start) and folded(name).startswith(start) and len(folded(name)) > len(start)


def meant_by_module(problem):
    """Of a module that is not there: a global that needs no import."""
    name = import_name(problem)
    space = name.split(".")[0] if type(name) is str else None
    if space not in spaces:
        return None
    return f"`{space}` needs no import: leave that line out and write `await {space}.name(...)`"


def meant_by_attribute(problem):
    """Of an attribute that a dict does not have: its key."""
    name, holder = attribute_name(problem), attribute_holder(problem)
    if type(holder) is not dict or type(name) is not str:
        return None
    if name in keys_of(holder):
        return f"a dict has no attributes for its keys: write `[{quote(name)}]` instead of `.{name}`"
    return f"a dict's values are had by key, as in `value[{quote(name)}]`; {held(holder, name)}"


def meant_by_key(problem):
    """Of a key that is not there: those that are, if the program's line says in which dict it looked."""
    arguments = arguments_of(problem)
    trace = traceback_of(problem)
    if len(arguments) != 1 or trace is None:
        return None
    while trace.tb_next is not None:
        trace = trace.tb_next
    frame = trace.tb_frame
    if frame.f_code.co_filename != PROGRAM:
        return None
    wanted = arguments[0]
    scopes = (frame.f_locals, frame.f_globals)
    for node in subscripts(trace.tb_lineno):
        holder = evaluated(node.value, scopes)
        key = evaluated(node.slice, scopes)
        if type(holder) is dict and type(key) is type(wanted) and type(key) in (str, int) and key == wanted and key not in holder:
            return held(holder, wanted)
    return None


def subscripts(line):
    """The subscripts on a line of the program, outermost first."""
    todo = [compiled("".join(source_lines), ONLY_AST | ALLOW_TOP_LEVEL_AWAIT)]
    while todo:
        node = todo.pop()
        if not getattr(node, "lineno", line) <= line <= getattr(node, "end_lineno", line):
            continue
        if type(node) is ast.Subscript:
            yield node
        for field in node._fields:
            value = getattr(node, field, None)
            todo.extend(one for one in (value if type(value) is list else (value,)) if isinstance(one, ast.AST))


def evaluated(node, scopes):
    """The value of a constant, a name, or what a name holds by key; nothing of the program's runs for it."""
    kind = type(node)
    if kind is ast.Constant:
        return node.value
    if kind is ast.Name:
        return next((scope[node.id] for scope in scopes if node.id in scope), NOTHING)
    if kind is ast.Subscript:
        holder, key = evaluated(node.value, scopes), evaluated(node.slice, scopes)
        if type(holder) is dict and type(key) is str:
            return holder.get(key, NOTHING)
        if type(holder) is list and type(key) is int and -len(holder) <= key < len(holder):
            return holder[key]
    return NOTHING


def keys_of(holder):
    return [key for key in holder if type(key) is str or type(key) is int]


def held(holder, wanted):
    """The keys of a dict in words, and the nearest to `wanted` where it is not among the first."""
    keys = keys_of(holder)
    if not keys:
        return "the dict is empty" if not holder else "the dict has no keys that are text or numbers"
    first = keys[:MOST_KEYS]
    more = f" and {len(keys) - MOST_KEYS} more" if len(keys) > MOST_KEYS else ""
    near = nearest(wanted, [key for key in keys[:MOST_COMPARED] if type(key) is str]) if type(wanted) is str else []
    likely = f"the nearest to {quote(wanted)} of its keys is {quote(near[0])}; " if near and near[0] not in first else ""
    noun = "key" if len(keys) == 1 else "keys"
    return f"{likely}the dict has the {noun} {', '.join(quote(key) if type(key) is str else repr(key) for key in first)}{more}"
