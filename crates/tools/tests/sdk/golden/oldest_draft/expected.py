from __future__ import annotations
from typing import Protocol, TypedDict

class ToolCallError(Exception):
    """A tool call failed; str(e) says why."""
    tool_name: str
    toolName: str

class OldestDraftArgs(TypedDict, total=False):
    bound: float  # more than 0
    anchor: str

class Tools(Protocol):
    async def oldest_draft(self, args: OldestDraftArgs = {}, /) -> None: ...

tools: Tools
