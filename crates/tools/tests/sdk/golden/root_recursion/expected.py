from __future__ import annotations
from typing import NotRequired, Protocol, TypedDict

class ToolCallError(Exception):
    """A tool call failed; str(e) says why."""
    tool_name: str
    toolName: str

class RootRecursionRoot(TypedDict):
    name: str
    children: NotRequired[list[RootRecursionRoot]]

class Tools(Protocol):
    async def root_recursion(self, args: RootRecursionRoot, /) -> None: ...

tools: Tools
