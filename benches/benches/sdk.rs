//! What the declarations of a thousand real-looking tools cost: when none of them has been declared before, and when the set is a new
//! one of tools that have.

#![expect(clippy::expect_used, reason = "a bench that cannot be set up has failed")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use dayfly::tools::{Content, Tool, sdk};
use dayfly::{Json, Language};

const TOOLS: usize = 1_000;

/// Five tools as servers have them: a search, a file, an issue that refers to types of its own, a query in alternatives, and one that
/// takes nothing.
const TEMPLATES: [(&str, &str, &str, &str); 5] = [
    (
        "search",
        "Searches the index for documents that match a query.\n\nReturns the best matches first. Quote a phrase to match it whole.",
        r#"{"type": "object", "properties": {
            "query": {"type": "string", "description": "What to look for.", "minLength": 1, "maxLength": 512},
            "limit": {"type": "integer", "description": "How many matches to return.", "minimum": 1, "maximum": 100, "default": 10},
            "filters": {"type": "object", "description": "Only documents with these values.", "properties": {
                "kind": {"type": "array", "items": {"type": "string", "enum": ["page", "file", "message", "ticket"]}},
                "since": {"type": "string", "format": "date-time"}, "author": {"type": ["string", "null"]}}},
            "sort": {"type": "string", "enum": ["relevance", "newest", "oldest"], "default": "relevance"}},
            "required": ["query"]}"#,
        r#"{"type": "object", "properties": {"total": {"type": "integer"}, "matches": {"type": "array", "items": {"type": "object",
            "properties": {"id": {"type": "string"}, "title": {"type": "string"}, "score": {"type": "number"}, "snippet": {"type": "string"}},
            "required": ["id", "title", "score"]}}}, "required": ["total", "matches"]}"#,
    ),
    (
        "read_file",
        "Reads a file from disk.",
        r#"{"type": "object", "properties": {"path": {"type": "string", "description": "Absolute path."},
            "offset": {"type": "integer", "minimum": 1, "description": "First line, counted from 1."},
            "limit": {"type": "integer", "minimum": 1, "description": "Lines to read."}}, "required": ["path"], "additionalProperties": false}"#,
        r#"{"type": "string"}"#,
    ),
    (
        "create_issue",
        "Creates an issue in a repository.",
        r##"{"type": "object", "properties": {"owner": {"type": "string"}, "repo": {"type": "string"}, "title": {"type": "string"},
            "body": {"type": "string", "description": "Markdown."}, "labels": {"type": "array", "items": {"type": "string"}},
            "assignees": {"type": "array", "items": {"$ref": "#/$defs/User"}}, "reporter": {"$ref": "#/$defs/User"}},
            "required": ["owner", "repo", "title"], "$defs": {"User": {"type": "object", "description": "Somebody.", "properties": {
                "login": {"type": "string"}, "id": {"type": "integer"}, "email": {"type": "string", "format": "email"}},
                "required": ["login"]}}}"##,
        r##"{"type": "object", "properties": {"number": {"type": "integer"}, "url": {"type": "string", "format": "uri"},
            "parent": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}}, "required": ["number", "url"]}"##,
    ),
    (
        "query_database",
        "Runs a read-only query and returns rows.",
        r#"{"type": "object", "properties": {"database": {"type": "string"}, "statement": {"oneOf": [
            {"type": "object", "properties": {"kind": {"const": "sql"}, "text": {"type": "string"}, "parameters": {"type": "array"}},
                "required": ["kind", "text"], "additionalProperties": false},
            {"type": "object", "properties": {"kind": {"const": "table"}, "name": {"type": "string"}, "columns": {"type": "array",
                "items": {"type": "string"}}}, "required": ["kind", "name"], "additionalProperties": false}]},
            "timeout_ms": {"type": "integer", "minimum": 0, "maximum": 60000}}, "required": ["database", "statement"]}"#,
        r#"{"type": "object", "properties": {"columns": {"type": "array", "items": {"type": "string"}}, "rows": {"type": "array",
            "items": {"type": "array", "items": {"type": ["string", "number", "boolean", "null"]}}}}, "required": ["columns", "rows"]}"#,
    ),
    (
        "list_projects",
        "Lists the projects that the caller may see.",
        r#"{"type": "object", "properties": {}}"#,
        r#"{"type": "array",
        "items": {"type": "object", "properties": {"id": {"type": "string"}, "name": {"type": "string"}, "archived": {"type": "boolean"}},
        "required": ["id", "name"]}}"#,
    ),
];

/// Tools that have not been declared yet.
fn tools() -> Vec<Tool> {
    let parse = |text: &str| Json::parse(text).expect("the bench's own JSON");
    (0..TOOLS)
        .map(|nth| {
            let (name, description, input, output) = TEMPLATES[nth % TEMPLATES.len()];
            Tool::raw(format!("{name}_{nth}"), parse(input))
                .description(description)
                .output(parse(output), |_, _| vec![Content::text("")])
                .execute(|_, _| std::future::ready(Ok(Json::null())))
                .expect("a tool")
        })
        .collect()
}

/// The time of so many first declarations; making the tools is not in it.
fn cold(language: Language, rounds: u64) -> Duration {
    (0..rounds)
        .map(|_| {
            let tools = tools();
            let start = Instant::now();
            black_box(sdk::declare(language, &tools));
            start.elapsed()
        })
        .sum()
}

fn declarations(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("sdk of 1,000 tools");
    group.sample_size(10);
    for language in Language::ALL {
        group.bench_function(BenchmarkId::new("first", language), |bencher| {
            bencher.iter_custom(|rounds| cold(language, rounds));
        });
        let tools = tools();
        group.bench_function(BenchmarkId::new("again", language), |bencher| {
            bencher.iter(|| black_box(sdk::declare(language, &tools)));
        });
    }
    group.finish();
}

criterion_group!(benches, declarations);
criterion_main!(benches);
