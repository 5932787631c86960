from __future__ import annotations
from typing import Any, Literal, Never, NotRequired, Protocol, TypeAlias, TypedDict

class ToolCallError(Exception):
    """A tool call failed; str(e) says why."""
    tool_name: str
    toolName: str

class ChoicesById(TypedDict):
    """Looks one up."""
    kind: Literal["id"]
    id: str

class ChoicesByQuery(TypedDict):
    kind: Literal["query"]
    query: str  # at least 1 character

ChoicesOverlap: TypeAlias = str  # exactly one of the alternatives; or matches /^x/; at most 3 characters

class ChoicesMixed(TypedDict, total=False):
    a: float

class ChoicesConditional(TypedDict, total=False):
    """if {"required":["a"]}, then {"required":["b"]}, else {"required":["c"]}"""
    a: str

class ChoicesArgs(TypedDict):
    by: ChoicesById | ChoicesByQuery
    nullable: NotRequired[str | None]  # default null; str: A name.
    overlap: NotRequired[ChoicesOverlap]
    not_null: NotRequired[str]
    not_that: NotRequired[str]  # not {"const":"root"}
    openapi: NotRequired[Literal["a", "b"] | None]
    mixed: NotRequired[ChoicesMixed | list[str]]
    anything: NotRequired[Any]
    nothing: NotRequired[Never]
    conditional: NotRequired[ChoicesConditional]

class ChoicesArgs2(TypedDict):
    by: NotRequired[ChoicesById | ChoicesByQuery]
    nullable: str | None  # default null; str: A name.
    overlap: NotRequired[ChoicesOverlap]
    not_null: NotRequired[str]
    not_that: NotRequired[str]  # not {"const":"root"}
    openapi: NotRequired[Literal["a", "b"] | None]
    mixed: NotRequired[ChoicesMixed | list[str]]
    anything: NotRequired[Any]
    nothing: NotRequired[Never]
    conditional: NotRequired[ChoicesConditional]

class Tools(Protocol):
    async def choices(self, args: ChoicesArgs | ChoicesArgs2, /) -> None: ...

tools: Tools
# widened: choices Input "/properties/overlap/oneOf": no type says that only one of the alternatives fits
# widened: choices Input "/properties/not_that/not": no type says what `not` excludes
# widened: choices Input "/properties/conditional/if": no type says what holds under a condition
