from __future__ import annotations
from typing import Any, Literal, NotRequired, Protocol, TypedDict

class ToolCallError(Exception):
    """A tool call failed; str(e) says why."""
    tool_name: str
    toolName: str

class ListDirArgs(TypedDict):
    path: str
    recursive: NotRequired[bool]

class ListDirOutputItem(TypedDict):
    name: str
    size: int
    kind: Literal["file", "directory"]

class ReadFileArgs(TypedDict):
    path: str  # Absolute path.
    limit: NotRequired[int]  # Lines to read. at least 1

class Tools(Protocol):
    async def list_dir(self, args: ListDirArgs, /) -> list[ListDirOutputItem]:
        """Lists a directory."""
        ...
    async def now(self, args: dict[str, Any] = {}, /) -> str:
        """Says the time.
        returns: The time in UTC. format date-time"""
        ...
    async def ping(self) -> Any: ...
    async def read_file(self, args: ReadFileArgs, /) -> str:
        """Reads a file from disk.

        Fails when there is none."""
        ...

tools: Tools
