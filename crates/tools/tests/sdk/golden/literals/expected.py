from __future__ import annotations
from typing import Literal, Never, Protocol, TypedDict

class ToolCallError(Exception):
    """A tool call failed; str(e) says why."""
    tool_name: str
    toolName: str

LiteralsExact = TypedDict("LiteralsExact", {
    # exactly 4 items: Literal[1], Literal["x"], None, dict[str, Never]
    "a": list[Literal[1, "x"] | dict[str, Never] | None],
    "b-c": Literal[True],
})

LiteralsArgs = TypedDict("LiteralsArgs", {
    "mode": Literal["fast", "slow"] | None,
    "level": Literal[1, 2, 3],
    "kind": Literal["file"],
    "exact": LiteralsExact,
    "pair": list[Literal[1, 2]],  # exactly 2 items: Literal[1], Literal[2]
    "empty": list[Never],
    "both": bool,
    "filtered": Literal["a", "b"],
    "contradiction": Never,
    "text": Literal["it's", "a\"b", "c\nd", "e\\f", "\u2028", "*/"],
    "big": Literal[1234567890123456789],
    "float": float | Literal[-2],  # float: exactly 1.5
}, total=False)

class Tools(Protocol):
    async def literals(self, args: LiteralsArgs = {}, /) -> None: ...

tools: Tools
# widened: literals Input "/properties/pair": JSON arrays are lists, and lists have no positions
# widened: literals Input "/properties/float": Python has no literal types of floats
# widened: literals Input "/properties/exact": JSON arrays are lists, and lists have no positions
