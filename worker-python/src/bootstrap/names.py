# Names of functions: how a program writes them, and which it may have meant.


def shown_name(space, name):
    """A member as a program writes it."""
    return f"{space}.{name}" if name.isidentifier() else f"{space}[{quote(name)}]"


# A KeyError whose text is its message, and not the message quoted.
UnknownKey = type("KeyError", (KeyError,), {"__str__": Exception.__str__, "__module__": "builtins"})


def unknown(space, name, members):
    if type(name) is not str:
        return f"{space} holds functions by name; {described(name)} is not a name"
    near = nearest(name, members)
    text = f"{space} has no function {quote(name)}"
    if near:
        return f"{text}; did you mean {' or '.join(quote(one) for one in near)}?"
    some = list(members)[:20]
    if not some:
        return f"{text}; it has none at all"
    more = f" and {len(members) - len(some)} more" if len(members) > len(some) else ""
    return f"{text}; it has {', '.join(quote(one) for one in some)}{more}"


def nearest(wanted, names):
    """At most three of `names` that are nearly `wanted`: the host's own rule (case and separators do not count, then
    edit distance up to a third of the length)."""
    wanted = folded(wanted)
    if len(wanted) > 64:
        return []
    near = []
    for name in names:
        if len(name.encode("utf-8", "replace")) <= 256:
            candidate = folded(name)
            distance = edit_distance(wanted, candidate)
            if distance <= -(-max(len(wanted), len(candidate)) // 3):
                near.append((distance, name))
    return [name for _, name in sorted(near)[:3]]


def folded(name):
    return "".join(letter for letter in name if letter not in "_-. ").lower()


def edit_distance(left, right):
    row = list(range(len(right) + 1))
    for i, one in enumerate(left, 1):
        diagonal, row[0] = row[0], i
        for j, other in enumerate(right, 1):
            cost = diagonal + (one != other)
            diagonal = row[j]
            row[j] = min(cost, row[j] + 1, row[j - 1] + 1)
    return row[-1]
