# What to do about a value that does not cross. A class is looked at through `type`'s own descriptors: neither its
# metaclass nor the value is asked anything.

class_name = type.__dict__["__name__"].__get__
class_module = type.__dict__["__module__"].__get__
class_mro = type.__dict__["__mro__"].__get__
class_dict = type.__dict__["__dict__"].__get__
no_attributes = {}


def derives(kind, base):
    """Whether a class is `base` or comes from it, by identity: a metaclass may say that it equals anything."""
    return any(ancestor is base for ancestor in class_mro(kind))


def vars_of(value):
    """The attributes of an instance's own, without asking its class."""
    try:
        return object.__getattribute__(value, "__dict__")
    except AttributeError:
        return no_attributes


def described(value):
    """`a set`, `an object of class Point`."""
    kind = type(value)
    name = class_name(kind)
    if value is None or kind is bool:
        return repr(value)
    if class_module(kind) == "builtins":
        return ("an " if name[0] in "aeiouAEIO" else "a ") + KINDS.get(name, name)
    return f"an object of class {quote(name)[1:-1]}"


KINDS = {
    "int": "integer", "str": "string", "type": "class", "NoneType": "None", "builtin_function_or_method": "function",
    "dict_keys": "view of a dict's keys", "dict_values": "view of a dict's values",
    "dict_items": "view of a dict's items",
}

# By the name of a class in the value's line of ancestors; the first of this table that fits is the advice.
BY_ANCESTOR = {
    "Enum": "use value.value or value.name",
    "set": "use sorted(value) or list(value)",
    "frozenset": "use sorted(value) or list(value)",
    "bytes": "use value.decode() for text, or base64.b64encode(value).decode()",
    "bytearray": "use value.decode() for text, or base64.b64encode(value).decode()",
    "memoryview": "use base64.b64encode(value).decode()",
    "complex": "use [value.real, value.imag]",
    "coroutine": "it was never awaited: write `await` before the call",
    "Future": "it was never awaited: write `await` before it",
    "ToolCall": "it was never awaited: write `await` before the call",
    "async_generator": "use [item async for item in value]",
    "generator": "use list(value)",
    "function": "call it and use what it returns",
    "builtin_function_or_method": "call it and use what it returns",
    "method": "call it and use what it returns",
    "type": "use its name or an instance's data",
    "module": "use what is in it",
    "datetime": "use value.isoformat()",
    "date": "use value.isoformat()",
    "time": "use value.isoformat()",
    "timedelta": "use value.total_seconds()",
    "Decimal": "use str(value) or float(value)",
    "Fraction": "use str(value) or float(value)",
    "UUID": "use str(value)",
    "PurePath": "use str(value)",
    "BaseException": "use str(value)",
    "Match": "use value.group() or value.groupdict()",
    "DataFrame": 'use value.to_dict("records")',
    "Series": "use value.to_list()",
    "ndarray": "use value.tolist()",
    "generic": "use value.item()",
    "deque": "use list(value)",
    "range": "use list(value)",
    "map": "use list(value)", "filter": "use list(value)", "zip": "use list(value)", "enumerate": "use list(value)",
    "reversed": "use list(value)",
    "dict_keys": "use list(value)", "dict_values": "use list(value)", "dict_items": "use dict(value)",
    "dict": "use dict(value)",
    "list": "use list(value)",
    "str": "use str.__str__(value)",
    "int": "use int(value)",
    "float": "use float(value)",
}


def remedy(value):
    """What to write instead."""
    kind = type(value)
    ancestors = class_mro(kind)
    if "__dataclass_fields__" in class_dict(kind):
        return "use dataclasses.asdict(value)"
    if derives(kind, tuple):
        return "use value._asdict() or list(value)" if "_fields" in class_dict(kind) else "use list(value)"
    names = {class_name(ancestor) for ancestor in ancestors}
    for name, advice in BY_ANCESTOR.items():
        if name in names:
            return advice
    for ancestor in ancestors:
        if "model_dump" in class_dict(ancestor):
            return 'use value.model_dump(mode="json")'
        if "__next__" in class_dict(ancestor):
            return "use list(value)"
    return "use a dict of the fields that are needed, for example vars(value)"
