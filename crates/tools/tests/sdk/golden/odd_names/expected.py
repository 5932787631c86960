from __future__ import annotations
from typing import Literal, Protocol, TypedDict, overload

class ToolCallError(Exception):
    """A tool call failed; str(e) says why."""
    tool_name: str
    toolName: str

class Type1stNode(TypedDict, total=False):
    next: Type1stNode

class Type1stArgs(TypedDict, total=False):
    node: Type1stNode

class Type1stCall(Protocol):
    async def __call__(self, args: Type1stArgs = {}, /) -> str: ...

class ProtoNode(TypedDict, total=False):
    next: ProtoNode

class ProtoArgs(TypedDict, total=False):
    node: ProtoNode

class ProtoCall(Protocol):
    async def __call__(self, args: ProtoArgs = {}, /) -> str: ...

class ArrayNode(TypedDict, total=False):
    next: ArrayNode

class ArrayArgs(TypedDict, total=False):
    node: ArrayNode

class ClassNode(TypedDict, total=False):
    next: ClassNode

class ClassArgs(TypedDict, total=False):
    node: ClassNode

class ClassCall(Protocol):
    async def __call__(self, args: ClassArgs = {}, /) -> str: ...

class ConstructorNode(TypedDict, total=False):
    next: ConstructorNode

class ConstructorArgs(TypedDict, total=False):
    node: ConstructorNode

class GetStockNode(TypedDict, total=False):
    next: GetStockNode

class GetStockArgs(TypedDict, total=False):
    node: GetStockNode

class GetStockCall(Protocol):
    async def __call__(self, args: GetStockArgs = {}, /) -> str: ...

class GetStock2Node(TypedDict, total=False):
    next: GetStock2Node

class GetStock2Args(TypedDict, total=False):
    node: GetStock2Node

class NnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnNode(TypedDict, total=False):
    next: NnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnNode

class NnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnArgs(TypedDict, total=False):
    node: NnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnNode

class QuoteLineNode(TypedDict, total=False):
    next: QuoteLineNode

class QuoteLineArgs(TypedDict, total=False):
    node: QuoteLineNode

class QuoteLineCall(Protocol):
    async def __call__(self, args: QuoteLineArgs = {}, /) -> str: ...

class TypeNode(TypedDict, total=False):
    next: TypeNode

class TypeArgs(TypedDict, total=False):
    node: TypeNode

class TypeCall(Protocol):
    async def __call__(self, args: TypeArgs = {}, /) -> str: ...

class Tools(Protocol):
    async def array(self, args: ArrayArgs = {}, /) -> str:
        """Like a global's name."""
        ...
    async def constructor(self, args: ConstructorArgs = {}, /) -> str:
        """A member of every object."""
        ...
    async def get_stock(self, args: GetStock2Args = {}, /) -> str:
        """With an underscore."""
        ...
    async def nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn(self, args: NnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnArgs = {}, /) -> str:
        """Long."""
        ...
    @overload
    def __getitem__(self, name: Literal["1st"], /) -> Type1stCall:
        """A digit."""
        ...
    @overload
    def __getitem__(self, name: Literal["__proto__"], /) -> ProtoCall:
        """Another."""
        ...
    @overload
    def __getitem__(self, name: Literal["class"], /) -> ClassCall:
        """A keyword."""
        ...
    @overload
    def __getitem__(self, name: Literal["get-stock"], /) -> GetStockCall:
        """With a dash."""
        ...
    @overload
    def __getitem__(self, name: Literal["quote\"\nline"], /) -> QuoteLineCall:
        """Two lines."""
        ...
    @overload
    def __getitem__(self, name: Literal["工具"], /) -> TypeCall:
        """A tool."""
        ...

tools: Tools
