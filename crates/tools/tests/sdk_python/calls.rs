//! Programs that call tools, as a type checker sees them.

use dayfly_tools::Tool;

use super::pyright::{Source, agrees};
use super::python::accepts;
use super::texts::{declare, json, text_of, tool};

fn tools() -> Vec<Tool> {
    let any = json("true");
    let item = json(
        r#"{"type": "array", "items": {"type": "object", "properties": {"title": {"type": "string"}, "score": {"type": "number"}},
            "required": ["title"]}}"#,
    );
    let search = json(
        r#"{"type": "object", "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}}, "required": ["query"],
            "additionalProperties": false}"#,
    );
    let optional = json(r#"{"type": "object", "properties": {"deep": {"type": "boolean"}}}"#);
    let nothing = json(r#"{"type": "object", "additionalProperties": false}"#);
    let words = json(
        r#"{"type": "object", "properties": {"method": {"type": "string"}, "self": {"type": "string"}, "args": {"type": "array",
            "items": {"type": "string"}}, "name": {"type": "string"}, "default": {"type": "integer"}},
            "required": ["method", "self", "args", "name", "default"]}"#,
    );
    vec![
        tool("search", "Looks for pages.", &search, &item),
        tool("list", "Named as a type is.", &optional, &json(r#"{"type": "integer"}"#)),
        tool("status", "Takes what it is given, or nothing.", &optional, &json(r#"{"type": "string"}"#)),
        tool("ping", "", &nothing, &json(r#"{"type": "null"}"#)),
        tool("self_words", "", &words, &any),
        tool("get-weather", "Says how the weather is.", &search, &item),
        tool("get-status", "", &optional, &json(r#"{"type": "string"}"#)),
        tool("__init__", "", &nothing, &json(r#"{"type": "integer"}"#)),
    ]
}

#[test]
fn programs_that_call_tools_check_as_the_calls_would_go() {
    let mut source = Source::new(&text_of(&tools()));
    source.right("import asyncio");
    source.right("async def program() -> None:");
    for line in [
        r#"found = await tools.search({"query": "a", "limit": 3})"#,
        r#"title: str = found[0]["title"]"#,
        r#"score: float = found[0].get("score", 1)"#,
        r#"number: int = await tools["list"]({"deep": True})"#,
        r#"number = await tools["list"]()"#,
        r#"text: str = await tools.status()"#,
        r#"text = await tools.status({"deep": True})"#,
        r#"none: None = await tools.ping()"#,
        r#"await tools.self_words({"method": "m", "self": "s", "args": ["a"], "name": "n", "default": 1})"#,
        r#"sunny: str = (await tools["get-weather"]({"query": "a"}))[0]["title"]"#,
        r#"text = await tools["get-status"]()"#,
        r#"number = await tools["__init__"]()"#,
        r#"both = await asyncio.gather(tools.search({"query": "a"}), tools["get-weather"]({"query": "b"}))"#,
        r#"titles: list[str] = [page["title"] for pages in both for page in pages]"#,
        r#"task = asyncio.create_task(tools["get-weather"]({"query": "a"}))"#,
    ] {
        source.right(&format!("    {line}"));
    }
    for line in [
        r#"await tools.search()"#,
        r#"await tools.search({"limit": 3})"#,
        r#"await tools.search({"query": 3})"#,
        r#"await tools.search({"query": "a", "max": 3})"#,
        r#"await tools.serch({"query": "a"})"#,
        r#"await tools.search(args={"query": "a"})"#,
        r#"wrong: int = await tools.status()"#,
        r#"(await tools.search({"query": "a"}))[0]["name"]"#,
        r#"tools.search({"query": "a"})[0]"#,
        r#"await tools["get-weather"]()"#,
        r#"await tools["get-weather"]({"query": 3})"#,
        r#"await tools["get-wether"]({"query": "a"})"#,
        r#"await tools["get-status"]({"deep": "very"})"#,
    ] {
        source.wrong(&format!("    {line}"));
    }
    for line in [
        "    try:",
        "        await tools.ping()",
        "    except ToolCallError as e:",
        "        name: str = e.tool_name + e.toolName + str(e)",
    ] {
        source.right(line);
    }
    agrees(&[source]);
}

#[test]
fn a_single_tool_by_subscript_and_no_tools_at_all_are_declared_as_well() {
    let any = json(r#"{"type": "object"}"#);
    let mut one = Source::new(&text_of(&[tool("a-b", "", &any, &any)]));
    one.right("async def program() -> None:");
    one.right("    await tools[\"a-b\"]({\"x\": 1})");
    one.right("    await tools[\"a-b\"]()");
    one.wrong("    await tools[\"a-c\"]()");
    let none = declare(&[]);
    assert!(none.bytes.is_empty() && none.widened.is_empty());
    accepts(&[none.text.to_string()]);
    agrees(&[one, Source::new(&none.text)]);
}

#[test]
fn what_a_model_is_told_of_one_tool_is_short() {
    let text = text_of(&tools()[..1]);
    assert_eq!(
        &*text,
        r#"from __future__ import annotations
from typing import NotRequired, Protocol, TypedDict

class ToolCallError(Exception):
    """A tool call failed; str(e) says why."""
    tool_name: str
    toolName: str

class SearchArgs(TypedDict):
    query: str
    limit: NotRequired[int]

class SearchOutputItem(TypedDict):
    title: str
    score: NotRequired[float]

class Tools(Protocol):
    async def search(self, args: SearchArgs, /) -> list[SearchOutputItem]:
        """Looks for pages."""
        ...

tools: Tools
"#
    );
}

#[test]
fn the_instructions_say_what_a_program_may_count_on() {
    let text = dayfly_tools::sdk::instructions(dayfly_runtime::Language::Python).unwrap();
    for said in [
        "`code`",
        "`description`",
        "await tools.name(",
        "key=value",
        "tools[\"my-tool\"]",
        "ToolCallError",
        "tool_name",
        "str(e)",
        "asyncio.gather",
        "up to a limit",
        "alone",
        "cancelled",
        "`return`",
        "print(",
        "ONLY",
        "lossless JSON",
        "sets",
        "bytes",
        "datetime",
        "NaN",
        "keys that are not strings",
        "Tuples become lists",
        "starts fresh",
        "standard library",
        "`os.environ`",
        "Computing time",
        "total time",
        "not computing time",
    ] {
        assert!(text.contains(said), "{said}");
    }
    assert!(text.len() < 2_600, "{} bytes", text.len());
}
