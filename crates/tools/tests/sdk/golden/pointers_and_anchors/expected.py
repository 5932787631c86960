from __future__ import annotations
from typing import Any, Literal, Protocol, TypeAlias, TypedDict

class ToolCallError(Exception):
    """A tool call failed; str(e) says why."""
    tool_name: str
    toolName: str

class PointersAndAnchorsOther(TypedDict, total=False):
    local: bool

PointersAndAnchors1: TypeAlias = Literal["second", "item"]

class PointersAndAnchorsArgs(TypedDict, total=False):
    escaped: str
    anchor: int
    relative: PointersAndAnchorsOther
    inside: bool
    property: str
    array: PointersAndAnchors1
    itself: Any
    or_itself: str
    dynamic: int

class Tools(Protocol):
    async def pointers_and_anchors(self, args: PointersAndAnchorsArgs = {}, /) -> None: ...

tools: Tools
# widened: pointers_and_anchors Input "/properties/itself": the reference to `itself` leads back to itself
