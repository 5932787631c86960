# What crosses is exact or is refused with the path. Types are compared by identity: no program code is called.

# CPython converts between text and integers only up to this many digits.
BIGGEST_INT = 10**4300
BIG_INT = 1 << 63
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


def is_plain(value):
    """Whether `value` is certain to cross, by a quick look: the flat dicts that most arguments are."""
    if type(value) is not dict:
        return False
    for key, item in dict.items(value):
        kind = type(item)
        if type(key) is not str or not (
            kind is str or item is None or kind is bool or (kind is int and -BIG_INT < item < BIG_INT)
        ):
            return False
    return True


# A part of fewer bytes than this is looked at again wherever it stands; a greater one is looked at once.
SMALL = 64


def survey(root, name):
    """The depth of `root` when all of it may cross, else None. Raises `Refusal` when it is too long for certain.

    One pass without a frame per level. Text is not looked at: encoding finds lone surrogates at no extra cost. What
    stands in several places is looked at once, for a small graph of shared lists may stand for an endless tree.
    """
    max_depth = Limits.depth
    max_size = Limits.value_bytes
    # No more than it takes as JSON: strings without escapes, numbers as single digits.
    size = 0
    deepest = 0
    # By identity: what it is within, and the size and the depth of what it has been through.
    active = set()
    known = {}
    above = []
    level = iter((root,))
    while True:
        for value in level:
            kind = type(value)
            if kind is str:
                size += len(value) + 2
                continue
            if value is None or kind is bool:
                size += 4
                continue
            if kind is int:
                size += 1
                if -BIG_INT < value < BIG_INT:
                    continue
                size += value.bit_length() // 4
                if -BIGGEST_INT < value < BIGGEST_INT:
                    continue
                return None
            if kind is float:
                size += 3
                if value - value == 0.0 and (value != 0.0 or copysign(1.0, value) > 0.0):
                    continue
                return None
            mark = id(value)
            if mark in active:
                return None
            if mark in known:
                part, depth = known[mark]
                size += part
                depth += len(above)
                if depth > max_depth:
                    return None
                if depth > deepest:
                    deepest = depth
                if size > max_size:
                    raise too_large(name, None)
                continue
            before = size
            if kind is list or kind is tuple:
                size += len(value) + 1
                below = iter(value)
            elif kind is dict or kind is defaultdict or kind is OrderedDict or kind is Counter:
                size += 4 * len(value) + 1
                for key in dict.keys(value):
                    if type(key) is not str:
                        return None
                    size += len(key)
                below = iter(dict.values(value))
            else:
                return None
            if len(above) >= max_depth:
                return None
            if size > max_size:
                raise too_large(name, None)
            active.add(mark)
            above.append((level, mark, before, deepest))
            deepest = len(above)
            level = below
            break
        else:
            if not above:
                if size > max_size:
                    raise too_large(name, None)
                return deepest
            level, mark, before, around = above.pop()
            active.discard(mark)
            if size - before > SMALL:
                known[mark] = (size - before, deepest - len(above))
                if size > max_size:
                    raise too_large(name, None)
            if around > deepest:
                deepest = around


class Index(int):
    """A place in a list, told from a dict's key that is an integer."""


ROOT = Index(-1)


def explain(root, name):
    """The `Refusal` for the first part of `root` that may not cross, else None; `name` begins its path."""
    active = set()
    # By identity: the depth of what has been looked through, when there is more of it than a little.
    sound = {}
    above = []
    keys = []
    members = deepest = 0
    level = iter(((ROOT, root),))
    while True:
        for key, value in level:
            reason = fault(key, value)
            if reason is None and one_of(type(value), CONTAINERS):
                depth = len(above) + sound.get(id(value), 0)
                if id(value) in active:
                    reason = "it contains itself; return the parts that are needed, each once"
                elif depth > Limits.depth or len(above) >= Limits.depth:
                    reason = f"it is nested more than {Limits.depth} levels deep; flatten it"
                elif id(value) in sound:
                    deepest = max(deepest, depth)
                else:
                    active.add(id(value))
                    above.append((level, value, members, deepest))
                    deepest = len(above)
                    members += len(value)
                    keys.append(key)
                    if one_of(type(value), DICTS):
                        level = iter(dict.items(value))
                    else:
                        level = zip(map(Index, range(len(value))), value)
                    break
            if reason is not None:
                return Refusal(write_path(name, keys + [key]), reason)
        else:
            if not above:
                return None
            level, value, before, around = above.pop()
            keys.pop()
            active.discard(id(value))
            if members - before > SMALL:
                sound[id(value)] = deepest - len(above)
            deepest = max(deepest, around)


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
