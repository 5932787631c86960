# Names of functions: how a program writes them, and which it may have meant.


def shown_name(space, name):
    """A member as a program writes it."""
    return f"{space}.{name}" if name.isidentifier() else f"{space}[{quote(name)}]"


# A KeyError whose text is its message, and not the message quoted.
UnknownKey = type("KeyError", (KeyError,), {"__str__": Exception.__str__, "__module__": "builtins"})


# The tool that runs programs, which none of them is given.
RUN_CODE = "run_code"
ONE_PROGRAM = "a program cannot run another one, so write what that one would do into this one"


def unknown(space, name, members):
    if type(name) is not str:
        return f"{space} holds functions by name; {described(name)} is not a name"
    text = f"{space} has no function {quote(name)}"
    if name == RUN_CODE:
        return f"{text}: {ONE_PROGRAM}"
    # `tools.send-mail(...)` looks `send` up.
    near = nearest(name, members) or sorted(one for one in members if is_cut_short(name, one))[:3]
    if near:
        return f"{text}; did you mean {' or '.join(shown_name(space, one) for one in near)}?"
    if any(name == kind.__name__ for kind, _ in error_spaces):
        return f"{text}; `{name}` is a name of its own: write it without `{space}.`"
    if folded(name) in TOOL_CALLERS or folded(name) in CALLER_WORDS:
        text += ", and each tool is a function of its own"
    some = list(members)[:20]
    if not some:
        return f"{text}; it has none at all"
    more = f" and {len(members) - len(some)} more" if len(members) > len(some) else ""
    return f"{text}; it has {', '.join(quote(one) for one in some)}{more}"


def is_cut_short(name, whole):
    """Whether a name ends where another goes on with what no identifier has."""
    return whole.startswith(name) and not whole[:len(name) + 1].isidentifier()


# What programs call a function that they take to call a tool by its name: anywhere, and as a member of the tools.
CALLER_WORDS = {"calltool", "executetool", "invoketool", "runtool", "usetool"}
TOOL_CALLERS = {"call", "execute", "invoke", "run"}

# A program has the names compared, as a dict's keys: their number times their lengths is no measure of what it may cost.
MOST_CELLS = 100_000
SEPARATORS = str.maketrans("", "", "_-. ")


def nearest(wanted, names):
    """At most three of `names` that are nearly `wanted`: the host's own rule (edit distance without case and separators,
    up to a third of the length; then with them), as far as `MOST_CELLS` reach."""
    if is_long(wanted):
        return []
    short = folded(wanted)
    pairs = []
    for name in names:
        if not is_long(name):
            candidate = folded(name)
            most = -(-max(len(short), len(candidate)) // 3)
            if abs(len(short) - len(candidate)) <= most:
                left, right = differing(short, candidate)
                pairs.append((len(left) * len(right), name, left, right, most))
    near = []
    cells = MOST_CELLS
    # Those that share the most are compared first: they cost the least and are the likeliest.
    for cost, name, left, right, most in sorted(pairs):
        cells -= cost
        if cells < 0:
            break
        distance = edit_distance(left, right)
        if distance <= most:
            left, right = differing(wanted, name)
            cells -= len(left) * len(right)
            near.append((distance, edit_distance(left, right) if cells >= 0 else most, name))
    return [name for _, _, name in sorted(near)[:3]]


def is_long(name):
    return len(name) > 256 or len(name.encode("utf-8", "replace")) > 256


def folded(name):
    return name.translate(SEPARATORS).lower()


def differing(left, right):
    """Two texts without what they begin and end with in common, which adds nothing to their distance."""
    start = 0
    end = min(len(left), len(right))
    while start < end and left[start] == right[start]:
        start += 1
    end -= start
    back = 0
    while back < end and left[-1 - back] == right[-1 - back]:
        back += 1
    return left[start:len(left) - back], right[start:len(right) - back]


def edit_distance(left, right):
    row = list(range(len(right) + 1))
    for i, one in enumerate(left, 1):
        diagonal, row[0] = row[0], i
        for j, other in enumerate(right, 1):
            cost = diagonal + (one != other)
            diagonal = row[j]
            row[j] = min(cost, row[j] + 1, row[j - 1] + 1)
    return row[-1]
