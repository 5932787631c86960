from __future__ import annotations
from typing import Literal, NotRequired, Protocol, TypedDict

class ToolCallError(Exception):
    """A tool call failed; str(e) says why."""
    tool_name: str
    toolName: str

class AllOfArgs(TypedDict):
    a: str  # at least 2 characters
    b: float
    base: NotRequired[bool]
    c: Literal[1]

class AllOfArgs2(TypedDict):
    a: str  # at least 2 characters
    b: float
    base: NotRequired[bool]
    d: Literal[2]

class Tools(Protocol):
    async def all_of(self, args: AllOfArgs | AllOfArgs2, /) -> None:
        """args: exactly one of the alternatives"""
        ...

tools: Tools
# widened: all_of Input "/allOf/2/oneOf": no type says that only one of the alternatives fits
