//! P1–P6: what a program may be written like, and what it may not.

use super::{Case, Ends, Prints, none, text};

const NO_TYPES_TO_COMPILE: &str = "Python has no types that must be compiled away";

pub(super) fn cases() -> Vec<Case> {
    [erasable(), not_erasable(), fenced(), never_called(), imports(), fresh()].concat()
}

fn erasable() -> Vec<Case> {
    vec![
        Case::new(
            "P1",
            "an annotated program runs",
            text("const x: number = 1; return x"),
            text("x: int = 1\nreturn x"),
            Ends::Value("1"),
        ),
        Case::new(
            "P1",
            "parameters of arrows and lambdas may be annotated with unions in parentheses",
            text("const id = (x: (string | number)) => x;\nconst pick = <T,>(xs: T[], i: number): T => xs[i]!;\nreturn [id(1), id('a'), pick([7, 8], 1)]"),
            text("from typing import Union\ndef id(x: (Union[str, int])): return x\ndef pick(xs: list, i: int): return xs[i]\nreturn [id(1), id('a'), pick([7, 8], 1)]"),
            Ends::Value(r#"[1,"a",8]"#),
        ),
        Case::new(
            "P1",
            "everything erasable at once is erased",
            text(
                r#"import type { Readable } from "node:stream";
interface Point { readonly x: number; y?: number }
type Named<T extends object = {}> = T & { name: string };
declare const never_there: number;
abstract class Shape<T> implements Iterable<T> {
  private items: T[] = [];
  declare tag: string;
  constructor(...items: T[]) { this.items = items as T[]; }
  abstract area(): number;
  get first(): T | undefined { return this.items[0]!; }
  public static of<U>(this: void, u: U): U[] { return [u]; }
  *[Symbol.iterator](): IterableIterator<T> { yield* this.items; }
}
class Square extends Shape<number> {
  override area(): number { return (this.first ?? 0) ** 2; }
}
function pad(text: string): string;
function pad(text: string, width: number): string;
function pad(text: string, width?: number): string { return text.padStart(width ?? 4, "·"); }
const config = { mode: "a", sizes: [1, 2] } satisfies { mode: string; sizes: number[] };
const point = { x: 1 } as const as Point;
let assigned!: number;
assigned = (<T,>(t: T): T => t)<number>(5);
function isText(value: unknown): value is string { return typeof value === "string"; }
const stream: Readable | null = null;
const { x, y = 2 }: Point = point;
for (const item of new Square(3) as Iterable<number>) assigned += item;
try { throw new Error("e"); } catch (e: unknown) { if (!(e instanceof Error)) throw e; }
return { pad: pad("a"), area: new Square(3).area(), of: Shape.of(config.mode), x, y, assigned, text: isText("t"), stream };"#,
            ),
            text(
                r#"from __future__ import annotations
import typing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypedDict, TypeVar, cast, overload
if TYPE_CHECKING:
    from nowhere import Readable
T = TypeVar("T")
class Point(TypedDict, total=False):
    x: int
    y: int
class Area(Protocol):
    def area(self) -> int: ...
class Shape(Generic[T]):
    def __init__(self, *items: T) -> None:
        self.items: list[T] = list(items)
    @staticmethod
    def of(u: T) -> list[T]:
        return [u]
@dataclass
class Square:
    side: int = 3
    def area(self: Square) -> int:
        return self.side ** 2
@overload
def pad(text: str) -> str: ...
@overload
def pad(text: str, width: int) -> str: ...
def pad(text: str, width: int | None = None) -> str:
    return text.rjust(width or 4, "·")
hints = typing.get_type_hints(Square)
assert hints == {"side": int}, hints
assigned: int = 5 + sum(Shape(3).items)
point = cast(Point, {"x": 1})
stream: Readable | None = None
return {"pad": pad("a"), "area": Square().area(), "of": Shape.of("a"), "x": point["x"], "y": point.get("y", 2),
        "assigned": assigned, "text": isinstance("t", str), "stream": stream}"#,
            ),
            Ends::Value(
                r#"{"pad":"···a","area":9,"of":["a"],"x":1,"y":2,"assigned":8,"text":true,"stream":null}"#,
            ),
        ),
        Case::new(
            "P1",
            "the line and column of an error are the source's own, below types of many lines",
            text(
                "type Wide = {\n  a: string;\n  b: number;\n};\nconst wide: Wide = { a: 'a', b: 1 };\nfunction load<T extends Wide>(\n  from: T,\n): never {\n    throw new RangeError(`no ${from.a}`);\n}\nload<Wide>(wide);",
            )
            .class("RangeError")
            .says(["no a"])
            .line(9)
            .column(11)
            .stack(["at load (program.ts:9:11)", "program.ts:11:1"]),
            text(
                "from typing import TypedDict\nclass Wide(TypedDict):\n    a: str\n    b: int\nwide: Wide = {'a': 'a', 'b': 1}\ndef load(\n    source: Wide,\n) -> None:\n    raise OverflowError(f\"no {source['a']}\")\n\nload(wide)",
            )
            .class("OverflowError")
            .says(["no a"])
            .line(9)
            .stack(["load (program.py:9", "program.py:11"]),
            Ends::Exception,
        ),
        Case::new(
            "P1",
            "an error of the language itself has its line too",
            text("const xs: number[] = [1];\nconst missing: any = undefined;\n\nreturn missing.length").class("TypeError").line(4),
            text("xs: list[int] = [1]\nmissing = None\n\nreturn len(missing)").class("TypeError").line(4),
            Ends::Exception,
        ),
    ]
}

fn not_erasable() -> Vec<Case> {
    let refused = |name, program: &str, says: &'static [&'static str], line| {
        Case::new(
            "P2",
            name,
            text(program).says(says).line(line),
            none(NO_TYPES_TO_COMPILE),
            Ends::ExceptionBeforeStart,
        )
    };
    vec![
        refused(
            "an enum is named with its line and what to write instead",
            "const a = 1;\n\nenum Color { Red, Green }\nreturn Color.Red",
            &["enum", "line 3", "as const"],
            3,
        ),
        refused(
            "a const enum is refused as an enum is",
            "const enum E { A }\nreturn E.A",
            &["enum", "line 1", "as const"],
            1,
        ),
        refused(
            "a namespace is named with its line and what to write instead",
            "const a = 1;\nnamespace Geo { export const x = 1 }\nreturn Geo.x",
            &["namespace", "line 2", "object"],
            2,
        ),
        refused(
            "a parameter property is named with its line and what to write instead",
            "class A {\n  constructor(private x: number) {}\n}\nreturn 1",
            &["parameter propert", "line 2", "this.x"],
            2,
        ),
        refused(
            "a decorator is named with its line and what to write instead",
            "function d(_: unknown, __: unknown) {}\nclass A {\n  @d\n  m() {}\n}\nreturn 1",
            &["decorator", "line 3"],
            3,
        ),
        refused(
            "an import that is an assignment is named with its line and what to write instead",
            "const a = 1;\nimport fs = require(\"node:fs\");\nreturn 1",
            &["line 2", "require("],
            2,
        ),
        Case::new(
            "P2",
            "a program that cannot be parsed is an exception at its line",
            text("const a = 1;\nconst b = [1, 2;\nreturn a").class("SyntaxError").line(2),
            text("a = 1\nb = [1, 2;\nreturn a").class("SyntaxError").line(2),
            Ends::Exception,
        ),
    ]
}

fn fenced() -> Vec<Case> {
    let fence = |name, opening: [&str; 2], around: [&str; 2]| {
        let [typescript, python] = opening;
        let [before, after] = around;
        Case::new(
            "P3",
            name,
            text(format!("{before}{typescript}\nconst x: number = 1;\nreturn x + 1\n```{after}")),
            text(format!("{before}{python}\nx: int = 1\nreturn x + 1\n```{after}")),
            Ends::Value("2"),
        )
    };
    vec![
        fence("the inside of a fence runs", ["```ts", "```python"], ["", ""]),
        fence("a fence may name the language in full or in short", ["```typescript", "```py"], ["", ""]),
        fence("a fence may name no language", ["```", "```"], ["", ""]),
        fence("blank lines may stand around a fence", ["```ts", "```python"], ["\n  \n", "\n\n"]),
        fence("a fence may end in carriage returns", ["```ts\r", "```python\r"], ["", "\r\n"]),
        Case::new(
            "P3",
            "lines in errors are those of the text as given",
            text("\n```ts\nconst x: number = 1;\n  throw new Error(`x is ${x}`)\n```").line(4).column(9),
            text("\n```python\nx: int = 1\nraise ValueError(f'x is {x}')\n```").line(4),
            Ends::Exception,
        ),
        Case::new(
            "P3",
            "lines of what cannot be parsed are those of the text as given",
            text("```ts\nconst x = 1;\nconst = 2;\n```").line(3),
            text("```python\nx = 1\nx = = 2\n```").line(3),
            Ends::Exception,
        ),
        Case::new(
            "P3",
            "a fence inside a text of the program is part of the text",
            text("const s = `\n\\`\\`\\`ts\n1\n\\`\\`\\`\n`;\nreturn s"),
            text("s = '''\n```ts\n1\n```\n'''\nreturn s"),
            Ends::Value(r#""\n```ts\n1\n```\n""#),
        ),
    ]
}

fn never_called() -> Vec<Case> {
    vec![
        Case::new(
            "P4",
            "a program that is only a function says that nobody called it",
            text("async () => 5").says(["never call"]),
            text("lambda: 5").says(["never call"]),
            Ends::Nothing,
        )
        .prints(Prints::Note),
        Case::new(
            "P4",
            "a program that only defines main says that nobody called it",
            text("async function main() {\n  console.log('in main');\n  return 5;\n}").says(["main", "never call"]),
            text("async def main():\n    print('in main')\n    return 5").says(["main", "never call"]),
            Ends::Nothing,
        )
        .prints(Prints::Note),
        Case::new(
            "P4",
            "a main that is called and not awaited is spoken of",
            text("async function main() {\n  await new Promise((go) => setTimeout(go, 60_000));\n}\nmain();")
                .says(["main", "await"]),
            text("import asyncio\nasync def main():\n    await asyncio.sleep(60)\nmain()").says(["main", "await"]),
            Ends::Nothing,
        )
        .prints(Prints::Warning),
        Case::new(
            "P4",
            "a main that is called is not spoken of",
            text("async function main(): Promise<number> {\n  return 5;\n}\nreturn await main()"),
            text("async def main():\n    return 5\nreturn await main()"),
            Ends::Value("5"),
        ),
        Case::new(
            "P4",
            "a main that is called for its output alone is not spoken of",
            text("async function main() {\n  console.log('in main');\n}\nawait main()"),
            text("async def main():\n    print('in main')\nawait main()"),
            Ends::Nothing,
        )
        .prints(Prints::Exactly("in main")),
    ]
}

fn imports() -> Vec<Case> {
    let statement = |name, program: &str, says: &'static [&'static str], line| {
        Case::new(
            "P5",
            name,
            text(program).says(says).line(line),
            none("an import statement works in a Python body"),
            Ends::ExceptionBeforeStart,
        )
    };
    vec![
        statement(
            "a static import is refused with what to use instead",
            "const a = 1;\nimport fs from \"fs\";\nreturn fs",
            &["import", "await import(\"fs\")"],
            2,
        ),
        statement(
            "a static import for its effects alone as well",
            "import \"node:fs\";\nreturn 1",
            &["await import("],
            1,
        ),
        statement("an export as well", "const a = 1;\nexport const b = 2;", &["export", "return"], 2),
        Case::new(
            "P5",
            "a module that is not there is named, and the host is not",
            text("const a: number = 1;\nreturn await import(\"left-pad\")").says(["left-pad"]),
            text("a: int = 1\nimport left_pad").class("ModuleNotFoundError").says(["left_pad"]).line(2),
            Ends::Exception,
        ),
        Case::new(
            "P5",
            "what the language ships can be imported",
            text(
                "const { createHash } = await import(\"node:crypto\");\nconst path = require(\"path\");\nreturn [createHash(\"sha256\").update(\"a\").digest(\"hex\").slice(0, 8), path.basename(\"/a/b\")]",
            ),
            text(
                "import hashlib\nfrom os import path\nreturn [hashlib.sha256(b'a').hexdigest()[:8], path.basename('/a/b')]",
            ),
            Ends::Value(r#"["ca978112","b"]"#),
        ),
    ]
}

fn fresh() -> Vec<Case> {
    vec![Case::new(
        "P6",
        "a variable of an earlier run is unknown, and the message says that every run starts fresh",
        text("const n: number = 2;\nreturn total + n").class("ReferenceError").says(["total", "starts fresh"]).line(2),
        text("n: int = 2\nreturn total + n").class("NameError").says(["total", "starts fresh"]).line(2),
        Ends::Exception,
    )]
}
