//! Results beyond what a model can read: long ones are kept and read in parts, deep ones are shown all the same.

use dayfly::tools::spill::{DirectoryStore, Spill};
use dayfly::tools::{SessionEvent, Tool};
use dayfly::{Json, Language};
use dayfly_tests::code_mode::{run_code, tool};
use dayfly_tests::{Both, CodeMode, Host};

use crate::{json, result};

const MEBIBYTE: usize = 1 << 20;

#[tokio::test]
async fn a_megabyte_is_shown_as_a_preview_and_the_next_program_reads_slices_of_it() {
    let writes = Both::new(
        "const lines = [];\nfor (let i = 0; lines.length * 32 < 1 << 20; i++) lines.push(`line ${i}`.padEnd(31, '.'));\nreturn lines.join('\\n') + '\\n'",
        "return ''.join(f'line {i}'.ljust(31, '.') + '\\n' for i in range((1 << 20) // 32))",
    );
    let reads = Both::new(
        "const part = await tools.read_spilled({ locator: 'spill-1', offset: 20000 * 32, length: 64 });\nlet all = '', offset: number | undefined = 0;\nwhile (offset !== undefined) {\n  const slice = await tools.read_spilled({ locator: 'spill-1', offset, length: 300_000 });\n  all += slice.text;\n  offset = slice.next;\n}\nreturn [part.text, part.total, all.length, all.split('\\n').length, all.slice(-32)]",
        "part = await tools.read_spilled(locator='spill-1', offset=20000 * 32, length=64)\nwhole, offset = '', 0\nwhile offset is not None:\n    slice = await tools.read_spilled(locator='spill-1', offset=offset, length=300_000)\n    whole += slice['text']\n    offset = slice.get('next')\nreturn [part['text'], part['total'], len(whole), len(whole.split('\\n')), whole[-32:]]",
    );
    let host = Host::new();
    for language in Language::ALL {
        let directory = tempfile::tempdir().unwrap();
        let mode = CodeMode::new(&host, language);
        Spill::new(DirectoryStore::open(directory.path()).unwrap()).limit(2_000).install(&mode.agent).unwrap().keep();
        let shown = mode.run(writes.of(language)).await.text();
        assert!(shown.starts_with("line 0....") && shown.len() < 3_000, "{language}: {} bytes", shown.len());
        assert!(shown.contains("`spill-1`") && shown.contains("of 1048576 in 32768 lines"), "{language}: {shown}");
        assert!(shown.ends_with(&format!("line 32767{}\n", ".".repeat(21))), "{language}: {shown}");
        let outcome = mode.run(reads.of(language)).await;
        let line = |n: usize| format!("{:.<31}\n", format!("line {n}"));
        let wanted = Json::array([
            Json::from(line(20_000) + &line(20_001)),
            Json::from(1_048_576),
            Json::from(1_048_576),
            Json::from(32_769),
            Json::from(line(32_767)),
        ]);
        assert_eq!(result(&outcome), wanted, "{language}");
    }
    host.supervisor.shutdown().await;
}

#[tokio::test]
async fn sixty_four_mebibytes_of_a_tool_reach_the_program_whole_and_nothing_else_in_full() {
    let programs = Both::new(
        "const text = await tools.long();\nreturn `${text.length} ${text.slice(-3)} ${text.slice(0, 1 << 25)}`",
        "text = await tools.long()\nreturn f'{len(text)} {text[-3:]} {text[:1 << 25]}'",
    );
    let host = Host::new();
    for language in Language::ALL {
        let directory = tempfile::tempdir().unwrap();
        let long = Json::from("x".repeat(64 * MEBIBYTE - 3) + "end");
        let mode =
            CodeMode::new(&host, language).with_tool(tool("long", move |_, _| std::future::ready(Ok(long.clone()))));
        Spill::new(DirectoryStore::open(directory.path()).unwrap()).install(&mode.agent).unwrap().keep();
        let outcome = mode.run(programs.of(language)).await;
        let shown = outcome.text();
        let begins = shown.starts_with("67108864 end xxx") && shown.contains("`spill-2`");
        assert!(
            begins && shown.len() < 20_000,
            "{language}: {} bytes: {}",
            shown.len(),
            &shown[..shown.len().min(300)]
        );
        // What is kept of the call is a preview as well.
        let kept: Vec<usize> = mode
            .kept
            .all()
            .iter()
            .filter_map(SessionEvent::result)
            .map(|kept| kept.content.iter().filter_map(|content| content.as_text()).map(str::len).sum())
            .collect();
        assert!(kept.len() == 2 && kept.iter().all(|bytes| *bytes < 20_000), "{language}: {kept:?}");
        let sizes = ["spill-1", "spill-2"].map(|name| directory.path().join(name).metadata().unwrap().len());
        assert_eq!(sizes, [64 << 20, (32 << 20) + 13], "{language}");
    }
    host.supervisor.shutdown().await;
}

/// Lists in lists.
fn nested(levels: usize) -> String {
    "[".repeat(levels) + &"]".repeat(levels)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_levels_go_to_a_tool_and_back_and_are_shown() {
    const LEVELS: usize = 10_000;
    let programs = Both::new(
        "let deep: unknown = [];\nfor (let i = 1; i < 9_998; i++) deep = [deep];\nconst back = await tools.echo({ deep });\nreturn [(back as any).deep]",
        "deep = []\nfor _ in range(9_997): deep = [deep]\nback = await tools.echo(deep=deep)\nreturn [back['deep']]",
    );
    let host = Host::new();
    for language in Language::ALL {
        // No schema asks anything of the arguments, so their depth is the seam's matter alone.
        let echo = Tool::raw("echo", json(r#"{"type":"object"}"#)).validates_itself().output_plain(Json::from(true));
        let mode = CodeMode::new(&host, language).with_tool(echo.execute(async |arguments, _| Ok(arguments)).unwrap());
        let outcome = mode.run(programs.of(language)).await;
        assert!(result(&outcome).to_string() == nested(LEVELS - 1), "{language}: {}", result(&outcome).depth());
        let shown = outcome.text();
        // Five levels are indented; what is deeper stays on one line.
        let inner = nested(LEVELS - 6);
        let wanted = format!("[\n  [\n    [\n      [\n        [\n          {inner}\n        ]\n      ]\n    ]\n  ]\n]");
        assert!(shown == wanted, "{language}: {} bytes begin with {:?}", shown.len(), &shown[..shown.len().min(120)]);
        let written = mode.kept.all().iter().map(|event| event.to_json().to_string().len()).max();
        assert!(written.is_some_and(|bytes| bytes > 2 * LEVELS), "{language}: {written:?}");
    }
    host.supervisor.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_nested_deeper_than_its_schema_or_the_seam_allows_fails_alone_and_says_so() {
    let programs = Both::new(
        "const nest = (n: number) => { let deep: unknown = []; for (let i = 1; i < n; i++) deep = [deep]; return deep };\nconst said: string[] = [];\nfor (const n of [300, 20_000]) {\n  try { await tools.strict({ deep: nest(n) }) } catch (e) { said.push((e as Error).message) }\n}\nsaid.push(await tools.strict({ deep: nest(2) }));\nconsole.log(said.join('\\n'));\nreturn nest(20_000)",
        "def nest(n):\n    deep = []\n    for _ in range(n - 1): deep = [deep]\n    return deep\nsaid = []\nfor n in [300, 20_000]:\n    try:\n        await tools.strict(deep=nest(n))\n    except ToolCallError as e:\n        said.append(str(e))\nsaid.append(await tools.strict(deep=nest(2)))\nprint('\\n'.join(said))\nreturn nest(20_000)",
    );
    let host = Host::new();
    for language in Language::ALL {
        let schema = json(r#"{"type":"object","properties":{"deep":{"type":"array"}},"required":["deep"]}"#);
        let strict = Tool::raw("strict", schema).output_plain(json(r#"{"type":"string"}"#));
        let mode =
            CodeMode::new(&host, language).with_tool(strict.execute(async |_, _| Ok(Json::from("fits"))).unwrap());
        let text = mode.agent.execute(run_code("call", programs.of(language))).await.text();
        assert!(text.len() < 16_000, "{language}: {} bytes", text.len());
        let start = "Error: code run failed (invalid-output): ";
        let (reason, printed) = text.split_once("\nCaptured output:\n").unwrap_or((&text, ""));
        assert!(reason.starts_with(start) && reason.contains("10000") && reason.len() < 1_000, "{language}: {text}");
        let printed: Vec<&str> = printed.lines().collect();
        assert_eq!(printed.len(), 3, "{language}: {text}");
        assert!(
            printed[0].starts_with("the arguments of `strict` do not match") && printed[0].contains("256"),
            "{language}: {text}"
        );
        assert!(printed[1].contains("10000"), "{language}: {text}");
        assert_eq!(printed[2], "fits", "{language}: {text}");
    }
    host.supervisor.shutdown().await;
}
