from __future__ import annotations
from typing import Any, Literal, Never, NotRequired, Protocol, TypedDict

class ToolCallError(Exception):
    """A tool call failed; str(e) says why."""
    tool_name: str
    toolName: str

class ArraysAndTuplesRowsItem(TypedDict):
    id: int  # Its number.
    tags: NotRequired[list[str]]  # Each: A tag.

class ArraysAndTuplesArgs(TypedDict, total=False):
    anything: list[Any]
    nested: list[list[str | None]]
    point: list[float]  # exactly 2 items: float, float
    tuple: list[str | float]  # 0 to 2 items: str, float
    exact: list[str | float]  # exactly 2 items: str, float
    # at least 1 item; in order: str, then any number of Literal["a", "b"]
    with_rest: list[str | Literal["a", "b"]]
    none: list[Never]
    never: list[Never]
    rows: list[ArraysAndTuplesRowsItem]  # What to write. Each: A row.
    contains: list[Any]  # contains an item at least 2 times that fits {"type":"string"}
    unions: list[str | list[float]]

class Tools(Protocol):
    async def arrays_and_tuples(self, args: ArraysAndTuplesArgs = {}, /) -> None: ...

tools: Tools
# widened: arrays_and_tuples Input "/properties/contains/contains": no type says what some of the items must fit
# widened: arrays_and_tuples Input "/properties/point": JSON arrays are lists, and lists have no positions
# widened: arrays_and_tuples Input "/properties/tuple": JSON arrays are lists, and lists have no positions
# widened: arrays_and_tuples Input "/properties/exact": JSON arrays are lists, and lists have no positions
# widened: arrays_and_tuples Input "/properties/with_rest": JSON arrays are lists, and lists have no positions
