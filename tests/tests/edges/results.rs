//! What host functions give: too much, too deep, too exact, too long.

use dayfly::{ByteSize, CallError, Json, Language, Outcome, RunRequest};
use dayfly_tests::{Both, Host, tools};

use crate::{in_both, outcomes};

/// A program that gives the length of what `tools.give` gives, or how it failed, and that others still work.
const MEASURE: Both<&str> = Both::new(
    "let got;\ntry { got = (await tools.give()).length } catch (error) { got = error.message }\nreturn [got, await tools.ping()]",
    "try: got = len(await tools.give())\nexcept ToolCallError as error: got = str(error)\nreturn [got, await tools.ping()]",
);

/// Runs [`MEASURE`] with a function that gives this; the first of what it returns, as JSON.
async fn measured(host: &Host, language: Language, given: Result<Json, CallError>) -> String {
    let succeeded = if given.is_ok() { Outcome::Succeeded } else { Outcome::Failed };
    let (got, outcome) = measured_any(host, language, given).await;
    assert_eq!(outcome, succeeded, "{language}: {got}");
    got
}

/// The same for what may be refused on its way.
async fn measured_any(host: &Host, language: Language, given: Result<Json, CallError>) -> (String, Outcome) {
    let bindings = tools().async_fn("give", move |_| {
        let given = given.clone();
        async move { given }
    });
    let result = host.run(language, RunRequest::new(*MEASURE.of(language)).bind(bindings)).await;
    assert_eq!(result.failure, None, "{language}");
    let [("give", outcome), ("ping", Outcome::Succeeded)] = outcomes(&result)[..] else {
        panic!("{language}: {:?}", result.receipts)
    };
    let value = result.value.unwrap();
    assert_eq!(value.at(1).and_then(|pong| pong.as_str()), Some("pong"), "{language}");
    (value.at(0).unwrap().to_string(), outcome)
}

#[tokio::test]
async fn a_function_may_give_64_mib() {
    const LENGTH: usize = 64 << 20;
    let host = Host::new();
    in_both(async |language| {
        let got = measured(&host, language, Ok(Json::from("x".repeat(LENGTH)))).await;
        assert_eq!(got, LENGTH.to_string(), "{language}");
    })
    .await;
}

#[tokio::test]
async fn a_result_that_fits_the_frame_to_the_byte_arrives_and_one_byte_more_fails_that_call() {
    const FRAME: usize = 64 << 10;
    let host = Host::with(|config| config.max_frame_bytes(ByteSize::kib(64)));
    in_both(async |language| {
        let quotes = 2;
        let got = measured(&host, language, Ok(Json::from("x".repeat(FRAME - quotes)))).await;
        assert_eq!(got, (FRAME - quotes).to_string(), "{language}");
        for length in [FRAME - quotes + 1, 4 * FRAME] {
            let (got, outcome) = measured_any(&host, language, Ok(Json::from("x".repeat(length)))).await;
            assert_eq!(outcome, Outcome::Failed, "{language}");
            assert!(got.contains("tools.give") && got.contains("65536"), "{language}: {got}");
        }
        host.still_serves(language).await;
    })
    .await;
}

#[tokio::test]
async fn a_result_as_deep_as_may_be_arrives_and_a_deeper_one_fails_that_call() {
    const DEPTH: usize = 10_000;
    let nested = |depth: usize| Json::parse(&format!("{}{}", "[".repeat(depth), "]".repeat(depth)));
    let host = Host::new();
    in_both(async |language| {
        let got = measured(&host, language, Ok(nested(DEPTH).unwrap())).await;
        assert_eq!(got, "1", "{language}");
        let (got, outcome) = measured_any(&host, language, Ok(nested(DEPTH + 1).unwrap())).await;
        assert_eq!(outcome, Outcome::Failed, "{language}");
        assert!(got.contains("tools.give") && got.contains("10000"), "{language}: {got}");
        host.still_serves(language).await;
    })
    .await;
}

#[tokio::test]
async fn an_integer_that_no_double_holds_fails_the_call_of_typescript_and_reaches_python_whole() {
    let host = Host::new();
    let programs = Both::new(
        "try { return String(await tools.give()) } catch (error) { return error.message }",
        "return str(await tools.give())",
    );
    for integer in ["9007199254740993", "-9007199254740993", "1267650600228229401496703205377"] {
        in_both(async |language| {
            let given = Json::parse(integer).unwrap();
            let bindings = tools().async_fn("give", move |_| {
                let given = given.clone();
                async move { Ok(given) }
            });
            let result = host.run(language, RunRequest::new(*programs.of(language)).bind(bindings)).await;
            assert_eq!(result.failure, None, "{language}");
            let (told, refused) = (result.value.as_ref().and_then(|value| value.as_str()), Outcome::Failed);
            let told = told.unwrap();
            if language == Language::Python {
                assert_eq!(told, integer);
            } else {
                assert!(told.contains("tools.give") && told.contains("string"), "{told}");
                assert_eq!(outcomes(&result), [("give", refused)]);
            }
        })
        .await;
    }
}

#[tokio::test]
async fn an_error_text_of_any_length_and_any_characters_reaches_the_program_cut_and_whole() {
    let host = Host::new();
    in_both(async |language| {
        let hostile = "\u{0}\u{1b}[31m\"\\\u{2028}工具\n";
        let got = measured(&host, language, Err(CallError::new(hostile))).await;
        assert_eq!(Json::parse(&got).unwrap(), Json::from(hostile), "{language}");

        let enormous = "é\u{1}".repeat(10 << 20);
        let got = measured(&host, language, Err(CallError::new(enormous.as_str()))).await;
        let told = Json::parse(&got).unwrap();
        let told = told.as_str().unwrap();
        assert!(told.len() < 100 << 10, "{language}: {} bytes", told.len());
        assert!(
            told.starts_with("é\u{1}é") && told.ends_with("more bytes)"),
            "{language}: {:?}",
            &told[told.len() - 80..]
        );
        host.still_serves(language).await;
    })
    .await;
}

#[tokio::test]
async fn a_value_that_json_cannot_hold_cannot_be_made() {
    for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0] {
        assert!(Json::try_from(number).is_err(), "{number}");
    }
}
