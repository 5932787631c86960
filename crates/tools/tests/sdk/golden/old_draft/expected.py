from __future__ import annotations
from typing import Protocol, TypeAlias, TypedDict

class ToolCallError(Exception):
    """A tool call failed; str(e) says why."""
    tool_name: str
    toolName: str

OldDraftS: TypeAlias = str | None

class OldDraftArgs(TypedDict, total=False):
    """"a" goes with "b"
    with "c", fits {"required":["d"]}"""
    a: OldDraftS  # Beside it. at least 3 characters
    tuple: list[str | bool]  # 1 to 2 items: str, bool

class Tools(Protocol):
    async def old_draft(self, args: OldDraftArgs = {}, /) -> None: ...

tools: Tools
# widened: old_draft Input "/dependencies/a": no type says which members go with which
# widened: old_draft Input "/dependencies/c": no type says what holds when a member is there
# widened: old_draft Input "/properties/tuple": JSON arrays are lists, and lists have no positions
