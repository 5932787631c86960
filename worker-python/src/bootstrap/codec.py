# JSON text and values, both ways. CPython's C code does the work; it recurses, so what is nested deeper than it is
# safe to recurse, or than the recursion limit in force allows, goes through loops instead.

# Both C functions take well under 1 KiB of stack a level: far inside the smallest thread stack in use.
SAFE_DEPTH = 400


def refuse_unknown(value):
    raise TypeError(f"{class_name(type(value))} is not JSON")


# (markers, default, string encoder, indent, key separator, item separator, sort_keys, skipkeys, allow_nan)
encode_shallow = _json.make_encoder(None, refuse_unknown, encode_string, None, ":", ",", False, False, False)
# A program can give the class another `__call__`; what is bound here stays.
encode_shallow = type(encode_shallow).__call__.__get__(encode_shallow)


class ScannerSettings:
    strict = True
    object_hook = object_pairs_hook = array_hook = None
    parse_float = float
    parse_int = int
    parse_constant = None
    memo = {}


scan_shallow = _json.make_scanner(ScannerSettings)
scan_shallow = type(scan_shallow).__call__.__get__(scan_shallow)
scan_string = _json.scanstring


def encode(value, name):
    """`value` as JSON text in UTF-8. Raises `Refusal` with a path that begins with `name`."""
    try:
        if is_plain(value):
            return "".join(encode_shallow(value, 0)).encode("utf-8")
        depth = survey(value, name)
        if depth is None:
            raise ValueError("not lossless")
        text = None
        if depth <= SAFE_DEPTH:
            try:
                text = "".join(encode_shallow(value, 0))
            except RecursionError:
                pass
        if text is None:
            text = encode_deep(value)
        return text.encode("utf-8")
    except (TypeError, ValueError):
        refusal = explain(value, name)
        if refusal is None:
            # Nothing is wrong with the value: a trace function or a signal handler of the program's raised this.
            raise
        raise refusal from None


def encode_deep(root):
    """The same text as `encode_shallow` gives, without a frame per level."""
    parts = []
    write = parts.append
    above = []
    level = iter((root,))
    keyed = False
    close = ""
    first = True
    while True:
        for value in level:
            if not first:
                write(",")
            first = False
            if keyed:
                key, value = value
                write(encode_string(key))
                write(":")
            kind = type(value)
            if kind is str:
                write(encode_string(value))
            elif kind is int or kind is float:
                write(repr(value))
            elif value is None:
                write("null")
            elif kind is bool:
                write("true" if value else "false")
            else:
                above.append((level, keyed, close))
                keyed = kind is not list and kind is not tuple
                level = iter(value.items() if keyed else value)
                close = "}" if keyed else "]"
                write("{" if keyed else "[")
                first = True
                break
        else:
            write(close)
            if not above:
                return "".join(parts)
            level, keyed, close = above.pop()
            first = False


def decode(data):
    """The value of JSON text in UTF-8 that the host wrote."""
    text = str(data, "utf-8")
    try:
        value, end = scan_shallow(text, 0)
        if end == len(text):
            return value
    except (RecursionError, StopIteration):
        pass
    # What nests too deeply, what begins or ends with blanks, and what is broken.
    value, end = decode_deep(text)
    if skip(text, end) != len(text):
        raise ValueError(f"broken JSON at character {end}")
    return value


def decode_deep(text):
    """The same value as `scan_shallow` gives, without a frame per level."""
    at = 0
    above = []
    container = None
    key = None
    while True:
        # A value begins here.
        at = skip(text, at)
        mark = text[at:at + 1]
        if mark == "[" or mark == "{":
            above.append((container, key))
            container = [] if mark == "[" else {}
            at = skip(text, at + 1)
            if text[at:at + 1] != ("]" if mark == "[" else "}"):
                if mark == "{":
                    key, at = scan_key(text, at)
                continue
            at += 1
            value = container
            container, key = above.pop()
        else:
            try:
                value, at = scan_shallow(text, at)
            except StopIteration:
                raise ValueError(f"broken JSON at character {at}") from None
        # A value has ended: store it, and every container that ends with it.
        while True:
            if container is None:
                return value, at
            if type(container) is list:
                container.append(value)
                close = "]"
            else:
                container[key] = value
                close = "}"
            at = skip(text, at)
            mark = text[at:at + 1]
            at += 1
            if mark == ",":
                if close == "}":
                    key, at = scan_key(text, skip(text, at))
                break
            if mark != close:
                raise ValueError(f"broken JSON at character {at - 1}")
            value = container
            container, key = above.pop()


def skip(text, at):
    while text[at:at + 1] in BLANKS:
        at += 1
    return at


# Not the empty string: the end of the text is not blank.
BLANKS = frozenset(" \t\r\n")


def scan_key(text, at):
    if text[at:at + 1] != '"':
        raise ValueError(f"broken JSON at character {at}")
    key, at = scan_string(text, at + 1, True)
    at = skip(text, at)
    if text[at:at + 1] != ":":
        raise ValueError(f"broken JSON at character {at}")
    return key, at + 1
