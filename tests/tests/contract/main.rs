//! What a program sees, the same in both languages.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod calls;
mod integrity;
mod names;
mod output;
mod rewritten;
mod surroundings;
mod values;

use dayfly::{Json, Language, RunRequest, RunResult};
use dayfly_tests::{Both, Host};

/// Runs `test` in each language.
async fn in_both(test: impl AsyncFn(Language)) {
    for language in Language::ALL {
        test(language).await;
    }
}

/// Asserts that a run completed, and gives its value.
#[track_caller]
fn value(language: Language, result: &RunResult) -> Json {
    assert_eq!(result.failure, None, "{language}: {result:?}");
    result.value.clone().unwrap_or_else(|| panic!("{language}: the run has no value: {result:?}"))
}

/// Runs programs in both languages and compares their values with one.
async fn gives(programs: Both<&str>, request: impl Fn(&str) -> RunRequest, wanted: &str) {
    let host = Host::new();
    in_both(async |language| {
        let result = host.run(language, request(programs.of(language))).await;
        assert_eq!(value(language, &result), Json::parse(wanted).unwrap(), "{language}");
    })
    .await;
    host.supervisor.shutdown().await;
}
