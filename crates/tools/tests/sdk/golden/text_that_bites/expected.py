from __future__ import annotations
from typing import Protocol, TypeAlias, TypedDict

class ToolCallError(Exception):
    """A tool call failed; str(e) says why."""
    tool_name: str
    toolName: str

# may have a member ""
TextThatBitesArgsKnown = TypedDict("TextThatBitesArgsKnown", {
    "glob": str,  # glob like **/*.ts or */ end; next */ // """ '''
    "multi": str,  # First line. - a list; - of things
    "bell\x07": str,  # fence ```ts
    "__proto__": str,
    "constructor": str,
    "class": str,
    "odd-name": str,
    "quote\"\n\\": str,
    "工具": str,
    "$x": str,
    "1a": str,
    "method": str,
    "self": str,
    "args": str,
    "name": str,
    "default": str,
}, total=False)

TextThatBitesArgs: TypeAlias = TextThatBitesArgsKnown | dict[str, str]

class Tools(Protocol):
    async def text_that_bites(self, args: TextThatBitesArgs = {}, /) -> None: ...

tools: Tools
# widened: text_that_bites Input "": a TypedDict has no member whose name is empty
