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
# In larger dicts nothing is looked up, since here that takes a walk.
MOST_WALKED = 100_000
# Of a text that is a key, no more than this can be shown.
MOST_LETTERS = 4096
# Of the frames of a recursion, so many are asked for their names.
MOST_FRAMES = 50
# What `f_locals` of a function's frame is: a dict before CPython 3.13.
FRAME_LOCALS = type((lambda: this_frame().f_locals)())


def meant_by_name(name):
    """Of a name that is not defined: what the host gives in its place."""
    if type(name) is not str or not spaces:
        return None
    if name == RUN_CODE:
        return ONE_PROGRAM
    if name in TYPING:
        return f"write `from typing import {name}` first"
    likely = None
    plain_name = folded(name)
    for space in spaces:
        if plain_name in TOOL_HOLDERS or plain_name in CALLER_WORDS or plain_name.rstrip("s") == folded(space).rstrip("s"):
            return f"if tools are meant, they are called as `await {space}.name(...)`. {STALE}"
    for space, names in spaces.items():
        for function in sorted(names):
            if not is_type_of(name, function):
                start = capitalised(function)
                if name.startswith(start) and name[len(start):][:1].isupper():
                    # A type that a schema names, or a class like `DataFrame` for a tool `data`.
                    likely = f"if `{name}` is a type that is declared for a tool, it exists in annotations alone: write a plain dict"
                continue
            advice = (
                "types that are declared for a tool exist in annotations alone: write a plain dict, as in "
                f'`await {shown_name(space, function)}({{"key": value}})`'
            )
            return advice
    return f"{likely}. {STALE}" if likely else None


def meant_by_spelling(name, problem):
    """Of a name that is not defined: those of the program's own, or of the host's, that are nearly it."""
    known = {kind.__name__ for kind, _ in error_spaces} | set(spaces)
    trace = traceback_of(problem)
    frames = 0
    while trace is not None and frames < MOST_FRAMES:
        code, globals_of = trace.tb_frame.f_code, trace.tb_frame.f_globals
        if is_program(code):
            known.update(code.co_varnames, code.co_cellvars, code.co_freevars)
            # The same ones in every frame, unless the program runs code of its own making.
            if frames == 0 and type(globals_of) is dict and len(globals_of) <= MOST_WALKED:
                known.update(one for one in list(globals_of) if type(one) is str)
            frames += 1
        trace = trace.tb_next
    # What every module has is not what a program means by a name of its own.
    near = nearest(name, {one for one in known if one.isidentifier() and not one.startswith("__")})
    if not near:
        return None
    return f"did you mean {' or '.join(f'`{one}`' for one in near)}? If not: {STALE[0].lower()}{STALE[1:]}"


def is_type_of(name, function):
    """Whether this is the name of a function's declared arguments or output, or of what these hold: its own name,
    capitalised, perhaps a number, and then the one or the other. Any other name that begins so is a class like
    `DataFrame` for a tool `data` as likely as not."""
    start = capitalised(function)
    if not name.startswith(start):
        return False
    rest = name[len(start):].lstrip("0123456789")
    return any(rest.startswith(end) and not rest[len(end):][:1].islower() for end in ("Args", "Output"))


def capitalised(function):
    """What the declared types of a function begin with: `GetStock`."""
    words = "".join(letter if letter.isascii() and letter.isalnum() else " " for letter in function).split()
    start = "".join(word[0].upper() + word[1:] for word in words)[:40]
    return start if start[:1].isalpha() else f"Type{start}"


def meant_by_module(problem):
    """Of a module that is not there: a global that needs no import."""
    name = import_name(problem)
    space = name.split(".")[0] if type(name) is str else None
    if space not in spaces:
        return None
    calls = " and ".join(f"`await {space}.{one}(...)`" for one in imported(problem, spaces[space])) or f"`await {space}.name(...)`"
    return f"`{space}` needs no import: leave that line out and write {calls}"


def imported(problem, functions):
    """The functions that the failing `from ... import` names, three at most."""
    frames = program_frames(problem)
    names = [
        alias.name
        for node in nodes_on(frames[-1][0] if frames else 0) if type(node) is ast.ImportFrom
        for alias in vars_of(node)["names"]
    ]
    return [name for name in names if name in functions][:3]


def meant_by_attribute(problem):
    """Of an attribute that a dict does not have: its key."""
    name, holder = attribute_name(problem), attribute_holder(problem)
    if type(holder) is not dict or type(name) is not str:
        return None
    if found(holder, name) is not NOTHING:
        return f"a dict has no attributes for its keys: write `[{shown_key(name)}]` instead of `.{name}`"
    return f"a dict's values are had by key, as in `value[{shown_key(name)}]`; {held(holder, name)}"


def meant_by_key(problem):
    """Of a key that is not there: those that are, if the program's line says in which dict it looked."""
    arguments = arguments_of(problem)
    trace = traceback_of(problem)
    if len(arguments) != 1 or trace is None:
        return None
    while trace.tb_next is not None:
        trace = trace.tb_next
    frame = trace.tb_frame
    wanted = arguments[0]
    if not is_program(frame.f_code) or not is_key(wanted):
        return None
    scopes = (frame.f_locals, frame.f_globals)
    for fields in subscripts(trace.tb_lineno):
        holder = evaluated(fields["value"], scopes)
        key = evaluated(fields["slice"], scopes)
        if type(holder) is not dict or len(holder) > MOST_WALKED or type(key) is not type(wanted) or key != wanted:
            continue
        if found(holder, wanted) is NOTHING:
            return held(holder, wanted)
    return None


def meant_by_loop(problem):
    """Of a text that is taken for a dict: that it is a key of the dict that a loop on the way goes through."""
    trace = traceback_of(problem)
    frames = []
    while trace is not None:
        if is_program(trace.tb_frame.f_code):
            frames.append(trace)
        trace = trace.tb_next
    for trace in frames[::-1]:
        scopes = (trace.tb_frame.f_locals, trace.tb_frame.f_globals)
        for node in nodes_on(trace.tb_lineno):
            if type(node) is not ast.For and type(node) is not ast.comprehension:
                continue
            fields = vars_of(node)
            holder = evaluated(fields["iter"], scopes)
            if type(holder) is dict and type(fields["target"]) is ast.Name and len(holder) <= MOST_WALKED:
                return f"the loop over a dict gives its keys, which are texts: go through what it holds; {held(holder, None)}"
    return None


def subscripts(line):
    """The fields of the subscripts on a line of the program, outermost first."""
    return (vars_of(node) for node in nodes_on(line) if type(node) is ast.Subscript)


def nodes_on(line):
    """The nodes of the program on a line, outermost first."""
    todo = [compiled("".join(source_lines), ONLY_AST | ALLOW_TOP_LEVEL_AWAIT)]
    while todo:
        node = todo.pop()
        # A class of nodes may have been given properties of the program's.
        fields = vars_of(node)
        if not fields.get("lineno", line) <= line <= fields.get("end_lineno", line):
            continue
        yield node
        for value in fields.values():
            todo.extend(one for one in (value if type(value) is list else (value,)) if derives(type(one), ast.AST))


def evaluated(node, scopes):
    """The value of a constant, a name, or what a name holds by key; nothing of the program's runs for it."""
    kind, fields = type(node), vars_of(node)
    if kind is ast.Constant:
        return fields["value"]
    if kind is ast.Name:
        for scope in scopes:
            # The body of a class may have a namespace of the program's own.
            if type(scope) is not dict and type(scope) is not FRAME_LOCALS:
                return NOTHING
            value = found(scope, fields["id"])
            if value is not NOTHING:
                return value
    if kind is ast.Subscript:
        holder, key = evaluated(fields["value"], scopes), evaluated(fields["slice"], scopes)
        if type(holder) is dict and type(key) is str:
            return found(holder, key)
        if type(holder) is list and type(key) is int and -len(holder) <= key < len(holder):
            return holder[key]
    return NOTHING


def found(holder, wanted):
    """What a dict holds under a text or a number. To look it up could ask a key of the program's whether it is equal."""
    for _, (key, value) in zip(range(MOST_WALKED), holder.items()):
        kind = type(key)
        # True and 1.0 are found as 1.
        if (kind is str or kind is int or kind is bool or kind is float) and key == wanted:
            return value
    return NOTHING


def is_key(value):
    """Whether nothing of the program's runs where this is compared."""
    return type(value) is str or type(value) is int


def held(holder, wanted):
    """The keys of a dict in words, and the nearest to `wanted` where it is not among the first."""
    if not holder:
        return "the dict is empty"
    keys = [key for _, key in zip(range(MOST_WALKED), holder) if is_key(key) and is_short(key)]
    if not keys:
        return "the dict has no keys that are text or numbers of a usual length"
    first = keys[:MOST_KEYS]
    # Those that cannot be shown are counted as well.
    left = len(holder) - len(first)
    more = f" and {left} more" if left else ""
    near = nearest(wanted, [key for key in keys[:MOST_COMPARED] if type(key) is str]) if type(wanted) is str else []
    likely = f"the nearest to {shown_key(wanted)} of its keys is {shown_key(near[0])}; " if near and near[0] not in first else ""
    noun = "key" if len(holder) == 1 else "keys"
    return f"{likely}the dict has the {noun} {', '.join(map(shown_key, first))}{more}"


def is_short(key):
    """Whether a key can be shown: CPython refuses to write numbers of thousands of digits."""
    return type(key) is str or key.bit_length() <= 256


def shown_key(key):
    """A text or a number as a program writes it."""
    if type(key) is int:
        return repr(key)
    # Before it is cut, or what is left of a path would not be known as one.
    return quote(hide_paths(key[:MOST_LETTERS]))
