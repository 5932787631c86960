from __future__ import annotations
from typing import NotRequired, Protocol, TypedDict

class ToolCallError(Exception):
    """A tool call failed; str(e) says why."""
    tool_name: str
    toolName: str

class ScalarsAndConstraintsArgs(TypedDict):
    count: int  # How many to return. 1 to 100; default 10
    ratio: NotRequired[float]  # more than 0; less than 1
    step: NotRequired[int]  # a multiple of 5
    slug: str  # 1 to 64 characters; matches /^[a-z*/]+$/
    when: NotRequired[str]  # format date-time; such as "2026-01-01T00:00:00Z"
    flag: NotRequired[bool]  # default false
    nothing: NotRequired[None]
    either: NotRequired[str | int | None]
    ids: NotRequired[list[int]]  # at least 1 item; no item twice
    note: NotRequired[str]  # deprecated; read-only
    label: NotRequired[str]  # What people see

class Tools(Protocol):
    async def scalars_and_constraints(self, args: ScalarsAndConstraintsArgs, /) -> None: ...

tools: Tools
