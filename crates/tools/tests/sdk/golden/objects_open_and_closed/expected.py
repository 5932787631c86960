from __future__ import annotations
from typing import Any, Never, NotRequired, Protocol, TypeAlias, TypedDict

class ToolCallError(Exception):
    """A tool call failed; str(e) says why."""
    tool_name: str
    toolName: str

class ObjectsOpenAndClosedSaidOpen(TypedDict):
    """may have other members"""
    a: str
    b: NotRequired[float]

class ObjectsOpenAndClosedMixedKnown(TypedDict):
    """any other member: str"""
    a: float

ObjectsOpenAndClosedMixed: TypeAlias = ObjectsOpenAndClosedMixedKnown | dict[str, float | str]

class ObjectsOpenAndClosedA(TypedDict, total=False):
    x: str

class ObjectsOpenAndClosedMixedDeepKnown(TypedDict, total=False):
    """any other member: list[str]"""
    a: ObjectsOpenAndClosedA

ObjectsOpenAndClosedMixedDeep: TypeAlias = ObjectsOpenAndClosedMixedDeepKnown | dict[str, ObjectsOpenAndClosedA | list[str]]

class ObjectsOpenAndClosedUndeclaredKnown(TypedDict):
    """any other member: str"""
    x: str
    y: str

ObjectsOpenAndClosedUndeclared: TypeAlias = ObjectsOpenAndClosedUndeclaredKnown | dict[str, str]

class ObjectsOpenAndClosedBarred(TypedDict):
    gone: NotRequired[Never]
    here: Any

class ObjectsOpenAndClosedListed(TypedDict):
    """names fit {"enum":["en","de"]}"""
    en: str
    de: NotRequired[str]

class ObjectsOpenAndClosedDependent(TypedDict, total=False):
    """"card" goes with "address\""""
    card: str
    address: str

class ObjectsOpenAndClosedImplied(TypedDict, total=False):
    a: str

class ObjectsOpenAndClosedArgs(TypedDict, total=False):
    open: dict[str, Any]
    closed: dict[str, Never]
    said_open: ObjectsOpenAndClosedSaidOpen
    map: dict[str, float]  # each value: at least 0
    mixed: ObjectsOpenAndClosedMixed
    mixed_deep: ObjectsOpenAndClosedMixedDeep
    undeclared: ObjectsOpenAndClosedUndeclared
    impossible: Never
    barred: ObjectsOpenAndClosedBarred
    patterns: dict[str, str | float]  # names that match /^x-/: {"type":"string"}; /^n/: {"type":"number"}
    pattern_every: dict[str, str]
    pattern_open: dict[str, Any]  # names that match /^x-/: {"type":"string"}
    listed: ObjectsOpenAndClosedListed
    named: dict[str, Any]  # at least 1 member; names fit {"pattern":"^[a-z]+$"}
    dependent: ObjectsOpenAndClosedDependent
    implied: ObjectsOpenAndClosedImplied

class Tools(Protocol):
    async def objects_open_and_closed(self, args: ObjectsOpenAndClosedArgs = {}, /) -> None: ...

tools: Tools
# widened: objects_open_and_closed Input "/properties/mixed/additionalProperties": no type says what other members are beside declared ones
# widened: objects_open_and_closed Input "/properties/mixed_deep/additionalProperties": no type says what other members are beside declared ones
# widened: objects_open_and_closed Input "/properties/patterns/patternProperties": no type says which names have which type
# widened: objects_open_and_closed Input "/properties/pattern_open/patternProperties": no type says which names have which type, and the other members may be anything
# widened: objects_open_and_closed Input "/properties/named/propertyNames": no type says what the names must fit
# widened: objects_open_and_closed Input "/properties/dependent/dependentRequired/card": no type says which members go with which
