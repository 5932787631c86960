from __future__ import annotations
from typing import Protocol, TypedDict

class ToolCallError(Exception):
    """A tool call failed; str(e) says why."""
    tool_name: str
    toolName: str

class UnevaluatedClosed(TypedDict, total=False):
    a: str
    b: str

class UnevaluatedDepends(TypedDict, total=False):
    a: str

class UnevaluatedDepends2(TypedDict, total=False):
    b: str

class UnevaluatedWith(TypedDict, total=False):
    """with "a", fits {"required":["b"]}"""
    a: str

UnevaluatedArgs = TypedDict("UnevaluatedArgs", {
    "closed": UnevaluatedClosed,
    "depends": UnevaluatedDepends | UnevaluatedDepends2,  # no other members
    "items": list[str],  # 0 to 1 item: str
    "with": UnevaluatedWith,
}, total=False)

class Tools(Protocol):
    async def unevaluated(self, args: UnevaluatedArgs = {}, /) -> None: ...

tools: Tools
# widened: unevaluated Input "/properties/depends/unevaluatedProperties": which members are left over depends on the value
# widened: unevaluated Input "/properties/with/dependentSchemas/a": no type says what holds when a member is there
# widened: unevaluated Input "/properties/items": JSON arrays are lists, and lists have no positions
