//! What a model reads, word for word: programs and what is shown of them, side by side by situation.
//!
//! `DAYFLY_BLESS=1` writes what is shown over what was expected; read the difference before it is kept.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use dayfly::tools::{Execution, PreDecision, Tool, ToolFailure};
use dayfly::{ByteSize, Json, Language};
use dayfly_tests::code_mode::{safe_tool, waiting_tool};
use dayfly_tests::{Both, CodeMode, Host};
use futures_util::{StreamExt as _, stream};

use crate::json;

/// Files that are not there, as tools: two to read, one to write alone, and one that policy denies; one that never ends by itself, and
/// one that is answered when that one runs.
fn office(host: &Host, language: Language) -> CodeMode {
    let read = json(
        r#"{"type":"object","properties":{"path":{"type":"string"},"limit":{"type":"integer","minimum":1}},"required":["path"],"additionalProperties":false}"#,
    );
    let read =
        Tool::raw("read_file", read).output_plain(json(r#"{"type":"string"}"#)).concurrency_safe(|_| true).execute(
            async |arguments: Json, _| match arguments.get("path").and_then(|path| path.as_str().map(str::to_owned)) {
                Some(path) if path == "a.txt" || path == "b.txt" => Ok(Json::from(format!("This is {path}."))),
                path => Err(ToolFailure::new(format!(
                    "there is no file `{}`; list the files first",
                    path.unwrap_or_default()
                ))),
            },
        );
    let list = Tool::raw("list_files", json(r#"{"type":"object","additionalProperties":false}"#))
        .output_plain(json(r#"{"type":"array","items":{"type":"string"}}"#))
        .concurrency_safe(|_| true)
        .execute(async |_, _| Ok(Json::array(["a.txt", "b.txt"])));
    let change = |name| {
        let schema = json(r#"{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}"#);
        Tool::raw(name, schema).output_plain(json(r#"{"type":"null"}"#)).execute(async |_, _| Ok(Json::null())).unwrap()
    };
    let (wait, begun, _) = waiting_tool("wait_for_mail");
    let watch = safe_tool("watch_mail", move |_, _| {
        let begun = begun.clone();
        async move {
            begun.cancelled().await;
            Ok(Json::from("somebody waits"))
        }
    });
    let mode = CodeMode::new(host, language);
    let policy = mode.registry.on_pre_execute(async |execution: Execution, so_far| match execution.name() {
        "delete_file" => PreDecision::deny("files are deleted by people alone"),
        _ => so_far,
    });
    policy.keep();
    let tools = [read.unwrap(), list.unwrap(), change("write_file"), change("delete_file"), wait, watch];
    tools.into_iter().fold(mode, CodeMode::with_tool)
}

/// One file: a title, and for each language a program and what is shown of it.
struct Situation {
    path: PathBuf,
    title: String,
    sides: Vec<(Language, String, String)>,
}

impl Situation {
    fn read(path: PathBuf) -> Self {
        let text = fs::read_to_string(&path).unwrap();
        let title = text
            .lines()
            .next()
            .and_then(|line| line.strip_prefix("# "))
            .unwrap_or_else(|| panic!("{}", path.display()));
        let side = |language: Language| {
            let (_, rest) = text
                .split_once(&format!("\n## {language}\n"))
                .unwrap_or_else(|| panic!("{language}: {}", path.display()));
            // A file that is being written has a program and nothing that is shown yet.
            let mut blocks =
                rest.split("\n~~~").skip(1).step_by(2).map(|block| block.split_once('\n').map_or("", |(_, text)| text));
            let mut block = || blocks.next().unwrap_or_default().to_owned();
            (language, block(), block())
        };
        Self { title: title.to_owned(), sides: Language::ALL.into_iter().map(side).collect(), path }
    }

    fn written(&self) -> String {
        let sides = self.sides.iter().map(|(language, program, shown)| {
            format!("\n## {language}\n\n~~~{}\n{program}\n~~~\n\n~~~text\n{shown}\n~~~\n", language.name())
        });
        format!("# {}\n{}", self.title, sides.collect::<String>())
    }
}

fn situations() -> Vec<Situation> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/run_code/golden");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() > 15, "only {} situations were found", paths.len());
    paths.into_iter().map(Situation::read).collect()
}

/// Without the figure that no two runs share, and without the columns of CPython's frames, which 3.10 does not know.
fn without_figures(shown: &str) -> String {
    let lines = shown.lines().map(|line| {
        if let Some((before, rest)) = line.split_once(" of busy CPU time") {
            let (before, _) = before.rsplit_once(": ").unwrap_or((before, ""));
            return format!("{before}: … of busy CPU time{rest}");
        }
        let Some((before, place)) = line.split_once("program.py:") else { return line.to_owned() };
        let (number, rest) = digits(place);
        let rest =
            rest.strip_prefix(':').map(digits).filter(|(column, _)| !column.is_empty()).map_or(rest, |(_, rest)| rest);
        format!("{before}program.py:{number}{rest}")
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn digits(text: &str) -> (&str, &str) {
    text.split_at(text.bytes().take_while(u8::is_ascii_digit).count())
}

async fn shown(host: &Host, language: Language, program: &str) -> String {
    without_figures(&office(host, language).run(program).await.text())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_model_is_shown_is_as_it_was_read_last() {
    let bless = std::env::var("DAYFLY_BLESS").is_ok_and(|value| value == "1");
    let host = Host::with(|config| config.max_output_bytes(ByteSize::kib(4)));
    // Where a budget is the subject it is near, and nowhere else.
    let hasty = Host::with(|config| config.wall(Duration::from_secs(5)));
    let thrifty = Host::with(|config| config.compute(Duration::from_secs(1)));
    let offences: Vec<String> = stream::iter(situations())
        .map(async |mut situation| {
            let expected = fs::read_to_string(&situation.path).unwrap();
            // What a program does before its budget is spent needs a machine that does not stand still meanwhile.
            let (host, tries) = match situation.path.file_name().and_then(|name| name.to_str()) {
                Some("wall.md") => (&hasty, 3),
                Some("compute.md") => (&thrifty, 3),
                _ => (&host, 1),
            };
            for (language, program, text) in &mut situation.sides {
                let wanted = std::mem::take(text);
                for _ in 0..tries {
                    *text = shown(host, *language, program).await;
                    if *text == wanted {
                        break;
                    }
                }
            }
            let made = situation.written();
            if bless {
                fs::write(&situation.path, &made).unwrap();
            }
            (made != expected && !bless).then(|| format!("{}:\n{made}", situation.path.display()))
        })
        .buffer_unordered(2)
        .filter_map(std::future::ready)
        .collect()
        .await;
    assert!(offences.is_empty(), "not as expected (DAYFLY_BLESS=1 writes them):\n{}", offences.join("\n"));
    host.supervisor.shutdown().await;
    hasty.supervisor.shutdown().await;
    thrifty.supervisor.shutdown().await;
}

#[tokio::test]
async fn what_an_earlier_program_left_in_every_place_is_gone_in_the_next_one() {
    let leaves = Both::new(
        "globalThis.total = 1;\n(Object.prototype as any).total = 1;\nprocess.env.TOTAL = '1';\nrequire('node:fs').writeFileSync('total', '1');\nreturn total",
        "global total\ntotal = 1\nimport builtins, os\nbuiltins.total = 1\nos.environ['TOTAL'] = '1'\nopen('total', 'w').write('1')\nreturn total",
    );
    let looks = Both::new(
        "console.log(Object.keys(process.env).length, require('node:fs').readdirSync('.').length, ({} as any).total);\nreturn total",
        "import os\nprint(len(os.environ), len(os.listdir('.')), getattr(__builtins__, 'total', 'undefined'))\nreturn total",
    );
    let host = Host::new();
    for language in Language::ALL {
        let mode = office(&host, language);
        assert_eq!(mode.run(leaves.of(language)).await.text(), "1", "{language}");
        let text = mode.run(looks.of(language)).await.text();
        let (told, printed) = text.split_once("\nCaptured output:\n").unwrap_or((&text, ""));
        assert!(
            told.starts_with("Error: code run failed (exception): ") && told.contains("Every run starts fresh"),
            "{text}"
        );
        assert_eq!(printed, "0 0 undefined", "{language}: {text}");
    }
    host.supervisor.shutdown().await;
}
