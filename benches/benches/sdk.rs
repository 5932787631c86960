//! What the declarations of a thousand real-looking tools cost, by themselves and as a registry assembles them into a prompt: when
//! none of the tools has been declared before, when one of them has not, and when all have.
//!
//! By themselves they are put together again each time from what is kept with each tool; the registry keeps whole sets besides.

#![expect(clippy::expect_used, reason = "a bench that cannot be set up has failed")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use dayfly::testing::ScriptedRuntime;
use dayfly::tools::{Content, Presentation, Registration, Registry, RegistryConfig, Tool, sdk};
use dayfly::{Json, Language};
use tokio::runtime::{Builder, Runtime};

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

/// One that has not been declared yet.
fn tool(nth: usize) -> Tool {
    let parse = |text: &str| Json::parse(text).expect("the bench's own JSON");
    let (name, description, input, output) = TEMPLATES[nth % TEMPLATES.len()];
    Tool::raw(format!("{name}_{nth}"), parse(input))
        .description(description)
        .output(parse(output), |_, _| vec![Content::text("")])
        .execute(|_, _| std::future::ready(Ok(Json::null())))
        .expect("a tool")
}

fn tools() -> Vec<Tool> {
    (0..TOOLS).map(tool).collect()
}

/// Something that declares the tools, and in which one can be put in the place of another.
trait Declares {
    fn of(language: Language, tools: Vec<Tool>) -> Self;
    fn replace(&mut self, nth: usize);
    fn declare(&self);
}

/// The declarations by themselves.
struct Alone(Language, Vec<Tool>);

impl Declares for Alone {
    fn of(language: Language, tools: Vec<Tool>) -> Self {
        Self(language, tools)
    }

    fn replace(&mut self, nth: usize) {
        self.1[nth] = tool(nth);
    }

    fn declare(&self) {
        black_box(sdk::declare(self.0, &self.1));
    }
}

/// The prompt of a registry whose tools are called from programs alone.
struct Assembled {
    runtime: Runtime,
    registry: Registry,
    handles: Vec<Option<Registration>>,
}

impl Assembled {
    fn register(&self, tool: Tool) -> Option<Registration> {
        Some(self.registry.register(tool).expect("a name of its own"))
    }
}

impl Declares for Assembled {
    fn of(language: Language, tools: Vec<Tool>) -> Self {
        let config = RegistryConfig::default().mode(Presentation::Code);
        let registry = Registry::builder().config(config).code_runtime(ScriptedRuntime::new(language)).build();
        let runtime = Builder::new_current_thread().build().expect("a runtime");
        let mut assembled = Self { runtime, registry: registry.expect("a registry"), handles: Vec::new() };
        assembled.handles = tools.into_iter().map(|tool| assembled.register(tool)).collect();
        assembled
    }

    fn replace(&mut self, nth: usize) {
        self.handles[nth] = None;
        self.handles[nth] = self.register(tool(nth));
    }

    fn declare(&self) {
        black_box(self.runtime.block_on(self.registry.assemble()).expect("a prompt"));
    }
}

fn time(declares: &impl Declares) -> Duration {
    let start = Instant::now();
    declares.declare();
    start.elapsed()
}

fn rows<D: Declares>(criterion: &mut Criterion, what: &str) {
    let mut group = criterion.benchmark_group(what);
    group.sample_size(10);
    for language in Language::ALL {
        group.bench_function(BenchmarkId::new("first", language), |bencher| {
            bencher.iter_custom(|rounds| (0..rounds).map(|_| time(&D::of(language, tools()))).sum());
        });
        let mut declares = D::of(language, tools());
        declares.declare();
        group.bench_function(BenchmarkId::new("one is new", language), |bencher| {
            bencher.iter_custom(|rounds| {
                let round = |(_, nth)| {
                    declares.replace(nth);
                    time(&declares)
                };
                (0..rounds).zip((0..TOOLS).cycle()).map(round).sum()
            });
        });
        group.bench_function(BenchmarkId::new("again", language), |bencher| bencher.iter(|| declares.declare()));
    }
    group.finish();
}

fn declarations(criterion: &mut Criterion) {
    rows::<Alone>(criterion, "sdk of 1,000 tools");
    rows::<Assembled>(criterion, "prompt with the sdk of 1,000 tools");
}

criterion_group!(benches, declarations);
criterion_main!(benches);
