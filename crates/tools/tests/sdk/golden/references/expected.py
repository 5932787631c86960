from __future__ import annotations
from typing import Literal, NotRequired, Protocol, TypeAlias, TypedDict

class ToolCallError(Exception):
    """A tool call failed; str(e) says why."""
    tool_name: str
    toolName: str

ReferencesColour: TypeAlias = Literal["red", "green"]  # A colour.

class ReferencesOnce(TypedDict, total=False):
    """Used once."""
    x: str

ReferencesId: TypeAlias = str  # format uuid

class ReferencesN(TypedDict):
    """A node."""
    v: float
    kids: NotRequired[list[ReferencesN]]
    colour: NotRequired[ReferencesColour]
    other: NotRequired[ReferencesColour]  # The other colour.
    once: NotRequired[ReferencesOnce]
    id: NotRequired[ReferencesId]
    ids: NotRequired[list[ReferencesId]]

class Tools(Protocol):
    async def references(self, args: ReferencesN, /) -> None: ...

tools: Tools
