# What crosses is exact or is refused with the path. Types are compared by identity: no program code is called.

# CPython converts between text and integers only up to this many digits.
BIGGEST_INT = 10**4300
# These keep their content as exact objects; their class alone is lost, as a tuple's is.
DICTS = (dict, defaultdict, OrderedDict, Counter)
CONTAINERS = (list, tuple) + DICTS
LONGEST_PATH = 64


class Refusal(Exception):
    """A value does not cross: where in it, why, and what to do. `too_large` tells a size from a fault."""

    def __init__(self, path, reason, too_large=False):
        self.path = path
        self.reason = reason
        self.too_large = too_large


def survey(root):
    """The depth of `root` when all of it may cross, else None.

    One pass without a frame per level. Text is not looked at: encoding finds lone surrogates at no extra cost.
    """
    max_depth = Limits.depth
    # Every member takes at least two bytes. A small graph of shared lists may stand for an endless tree.
    max_members = Limits.value_bytes // 2
    members = deepest = 0
    active = set()
    above = []
    level = iter((root,))
    while True:
        for value in level:
            kind = type(value)
            if kind is str or value is None or kind is bool:
                continue
            if kind is int:
                if -BIGGEST_INT < value < BIGGEST_INT:
                    continue
                return None
            if kind is float:
                if value - value == 0.0 and (value != 0.0 or copysign(1.0, value) > 0.0):
                    continue
                return None
            if kind is list or kind is tuple:
                below = iter(value)
            elif kind is dict or kind is defaultdict or kind is OrderedDict or kind is Counter:
                for key in dict.keys(value):
                    if type(key) is not str:
                        return None
                below = iter(dict.values(value))
            else:
                return None
            mark = id(value)
            members += len(value)
            if mark in active or len(above) >= max_depth or members > max_members:
                return None
            active.add(mark)
            above.append((level, mark))
            if len(above) > deepest:
                deepest = len(above)
            level = below
            break
        else:
            if not above:
                return deepest
            level, mark = above.pop()
            active.discard(mark)


class Index(int):
    """A place in a list, told from a dict's key that is an integer."""


ROOT = Index(-1)


def explain(root, name):
    """The `Refusal` for the first part of `root` that may not cross; `name` begins its path."""
    active = set()
    above = []
    keys = []
    members = 0
    level = iter(((ROOT, root),))
    while True:
        for key, value in level:
            reason = fault(key, value)
            container = reason is None and one_of(type(value), CONTAINERS)
            if container:
                members += len(value)
                if id(value) in active:
                    reason = "it contains itself; return the parts that are needed, each once"
                elif len(above) >= Limits.depth:
                    reason = f"it is nested more than {Limits.depth} levels deep; flatten it"
                elif members > Limits.value_bytes // 2:
                    return too_large(name, None)
            if reason is not None:
                return Refusal(write_path(name, keys + [key]), reason)
            if container:
                active.add(id(value))
                above.append((level, value))
                keys.append(key)
                if one_of(type(value), DICTS):
                    level = iter(dict.items(value))
                else:
                    level = zip(map(Index, range(len(value))), value)
                break
        else:
            if not above:
                return Refusal(name, "it cannot be written as JSON")
            level, value = above.pop()
            keys.pop()
            active.discard(id(value))


def one_of(kind, kinds):
    """Whether the class is one of these, by identity: a metaclass may say that it equals anything."""
    return any(kind is one for one in kinds)


def too_large(name, size):
    size = "more" if size is None else f"{size} bytes, more"
    return Refusal(
        name,
        f"it takes {size} than the limit of {Limits.value_bytes} bytes as JSON; send less, or send it in parts",
        too_large=True,
    )


def write_path(name, keys):
    """`name` followed by the way down: `result.items[3]["odd key"]`. Neither the root's own key is a step nor a
    dict's key that is no string: the dict is what is at fault."""
    steps = []
    for key in keys:
        if key is ROOT:
            continue
        if type(key) is Index:
            steps.append(f"[{int(key)}]")
        elif type(key) is str:
            steps.append("." + key if key.isidentifier() and len(key) <= 40 else f"[{quote(key)}]")
    if len(steps) > LONGEST_PATH:
        half = LONGEST_PATH // 2
        steps[half:-half] = [f"<{len(steps) - LONGEST_PATH} more>"]
    return name + "".join(steps)


def fault(key, value):
    """Why this one value may not cross, not counting what it contains; None when it may."""
    if type(key) is not Index and type(key) is not str:
        return f"a key of a dict is {described(key)}; JSON keys are strings: use str(key)"
    if type(key) is str and not encodable(key):
        return "a key of a dict holds a lone surrogate; remove it, or decode the text again with errors=\"replace\""
    kind = type(value)
    if kind is str:
        if encodable(value):
            return None
        return "the text holds a lone surrogate; remove it, or decode the text again with errors=\"replace\""
    if kind is int:
        if -BIGGEST_INT < value < BIGGEST_INT:
            return None
        return "the integer has more than 4300 digits; send it as text, for example hex(value)"
    if kind is float:
        if value != value:
            return "the float nan is not JSON; use None"
        if value - value != 0.0:
            return f"the float {value!r} is not JSON; use None or text"
        if value == 0.0 and copysign(1.0, value) < 0.0:
            return "-0.0 does not survive every JSON reader; use 0.0"
        return None
    if value is None or kind is bool or one_of(kind, CONTAINERS):
        return None
    return f"{described(value)} is not JSON; {remedy(value)}"


def encodable(text):
    try:
        str.encode(text, "utf-8")
    except UnicodeEncodeError:
        return False
    return True
