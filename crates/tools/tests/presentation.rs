//! The cards, as they are in a session's log and in front of a user interface.

#![expect(clippy::expect_used, reason = "helpers of tests, which may panic")]

use dayfly_tools::present::{
    CallView, Diff, DurableResult, FetchSummary, FileMatches, Location, Match, ReadLine, ReadView, ResultView,
    SearchHits, SearchView, WebHits, WebSource, WebView,
};
use dayfly_tools::{Content, Json};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The card is exactly this JSON, and comes back from it.
fn golden<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(card: &T, expected: &str) {
    let expected = Json::parse(expected).expect("the test's own JSON");
    let written = Json::from_serialize(card).expect("a card");
    assert_eq!(written.to_string(), expected.to_string());
    assert_eq!(written.deserialize::<T>().expect("a card"), *card);
}

fn diff() -> Diff {
    Diff { path: "/a".to_owned(), old_text: None, new_text: "x".to_owned() }
}

#[test]
fn call_views_are_generic_terminal_or_diff() {
    golden(
        &CallView::Generic {
            title: "Run".to_owned(),
            kind: Some("execute".to_owned()),
            raw_input: Some(Json::object([("code", "return 1")])),
            content: Some(vec![Content::text("…")]),
            locations: Some(vec![Location { path: "/a".to_owned(), line: Some(3) }]),
        },
        r#"{"card":"generic","title":"Run","kind":"execute","rawInput":{"code":"return 1"},
            "content":[{"type":"text","text":"…"}],"locations":[{"path":"/a","line":3}]}"#,
    );
    let bare = CallView::Generic { title: "t".into(), kind: None, raw_input: None, content: None, locations: None };
    golden(&bare, r#"{"card":"generic","title":"t"}"#);
    golden(
        &CallView::Terminal { title: "ls".into(), description: Some("List".into()), cwd: Some("/".into()) },
        r#"{"card":"terminal","title":"ls","description":"List","cwd":"/"}"#,
    );
    golden(
        &CallView::Diff { title: "Edit".into(), diffs: vec![diff()], locations: None },
        r#"{"card":"diff","title":"Edit","diffs":[{"path":"/a","newText":"x"}]}"#,
    );
}

#[test]
fn result_views_are_generic_terminal_or_diff() {
    golden(&ResultView::Generic { title: None, content: None }, r#"{"card":"generic"}"#);
    golden(
        &ResultView::Terminal {
            title: None,
            output: Some("a\n".into()),
            exit_code: Some(-1),
            signal: Some("SIGKILL".into()),
        },
        r#"{"card":"terminal","output":"a\n","exitCode":-1,"signal":"SIGKILL"}"#,
    );
    golden(
        &ResultView::Diff { title: Some("Edited".into()), diffs: vec![Diff { old_text: Some("w".into()), ..diff() }] },
        r#"{"card":"diff","title":"Edited","diffs":[{"path":"/a","oldText":"w","newText":"x"}]}"#,
    );
}

#[test]
fn a_search_is_grouped_by_file_or_a_flat_list_of_paths_and_says_whether_it_is_complete() {
    let files = vec![FileMatches { path: "/a".into(), matches: vec![Match { line: 3, text: "x".into() }] }];
    golden(
        &ResultView::Search(SearchView {
            title: Some("grep x".into()),
            truncated: true,
            total: 40,
            hits: SearchHits::Matches { files },
        }),
        r#"{"card":"search","title":"grep x","truncated":true,"total":40,"shape":"matches",
            "files":[{"path":"/a","matches":[{"line":3,"text":"x"}]}]}"#,
    );
    golden(
        &ResultView::Search(SearchView {
            title: None,
            truncated: false,
            total: 1,
            hits: SearchHits::Paths { paths: vec!["/a".into()] },
        }),
        r#"{"card":"search","truncated":false,"total":1,"shape":"paths","paths":["/a"]}"#,
    );
}

#[test]
fn a_read_keeps_its_offset_when_there_are_no_lines_and_each_lines_own_number() {
    let read = ReadView {
        title: None,
        path: "/a".into(),
        offset: 12,
        lines: vec![ReadLine { number: 12, text: "x".into() }],
        total_lines: 20,
        lang: Some("rust".into()),
        content: Some("x".into()),
    };
    golden(
        &ResultView::Read(read.clone()),
        r#"{"card":"read","path":"/a","offset":12,"lines":[{"number":12,"text":"x"}],"totalLines":20,"lang":"rust",
            "content":"x"}"#,
    );
    golden(
        &ResultView::Read(ReadView { lines: vec![], lang: None, content: None, ..read }),
        r#"{"card":"read","path":"/a","offset":12,"lines":[],"totalLines":20}"#,
    );
}

#[test]
fn a_web_retrieval_is_a_search_with_sources_or_a_fetch_with_its_summary() {
    let source = WebSource { url: "https://a/".into(), title: Some("A".into()), snippet: None };
    golden(
        &ResultView::Web(WebView { title: None, hits: WebHits::Search { sources: vec![source] } }),
        r#"{"card":"web","kind":"search","sources":[{"url":"https://a/","title":"A"}]}"#,
    );
    let summary = FetchSummary {
        url: "https://a/".into(),
        status: Some(200),
        content_type: Some("text/html".into()),
        bytes: Some(10),
        truncated: false,
    };
    golden(
        &ResultView::Web(WebView { title: Some("A".into()), hits: WebHits::Fetch(summary) }),
        r#"{"card":"web","title":"A","kind":"fetch","url":"https://a/","status":200,"contentType":"text/html",
            "bytes":10,"truncated":false}"#,
    );
}

#[test]
fn a_durable_result_has_no_canonical_value() {
    golden(
        &DurableResult::new(false, vec![Content::text("x")], Some(Json::from(1))),
        r#"{"isError":false,"content":[{"type":"text","text":"x"}],"meta":1}"#,
    );
    let image = Content::Image { media_type: "image/png".into(), data: "AA==".into() };
    golden(
        &DurableResult::new(true, vec![image], None),
        r#"{"isError":true,"content":[{"type":"image","mediaType":"image/png","data":"AA=="}]}"#,
    );
}
