//! Declaring tools: what is mandatory, what is checked, and what of it is asked when.

#![expect(clippy::expect_used, reason = "helpers of tests, which may panic")]

use std::time::Duration;

use dayfly_tools::present::{CallView, DurableResult, ResultView};
use dayfly_tools::schema::{Parameters, ValueSpec};
use dayfly_tools::{
    Content, DeclarationError, Json, NoArguments, Registry, Tool, ToolCall, ToolFailure, ToolMode, Warning,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Reads a file.
#[derive(Debug, Deserialize, JsonSchema)]
struct ReadFile {
    /// Absolute file path
    path: String,
    offset: Option<u64>,
    #[serde(default)]
    limit: Option<u64>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Page {
    text: String,
    lines: u64,
}

fn json(text: &str) -> Json {
    Json::parse(text).expect("the test's own JSON")
}

/// Ten lines, as promised.
fn read_file() -> Tool {
    Tool::typed::<ReadFile, Page>("read_file")
        .description("Read a file from disk.")
        .render(|_, page| page.text.clone())
        .concurrency_safe(|arguments| arguments.offset.is_some())
        .execute(|arguments, _| async move {
            Ok(Page {
                text: format!("{} from {:?}", arguments.path, arguments.offset),
                lines: arguments.limit.unwrap_or(1),
            })
        })
        .expect("a declaration")
}

fn echo(input: impl dayfly_tools::schema::IntoSchema) -> Result<Tool, DeclarationError> {
    Tool::raw("echo", input).output_plain(ValueSpec::json()).execute(|arguments, _| async move { Ok(arguments) })
}

/// The outcome's value or failure, of a call through a registry of this one tool.
async fn call(tool: Tool, arguments: &str) -> Result<Json, ToolFailure> {
    let registry = Registry::new();
    let name = tool.name().to_owned();
    let _registration = registry.register(tool).expect("a free name");
    registry.execute(ToolCall::new("1", name, json(arguments))).await.result
}

fn refused(tool: &Tool, arguments: &str) -> String {
    let failure = tool.check_arguments(&json(arguments)).expect_err("a violation");
    assert_eq!(failure.code(), Some("INVALID_ARGS"));
    assert_eq!(failure.info.map(|info| info.name).as_deref(), Some("ToolArgsError"));
    failure.message
}

#[test]
fn a_typed_tool_shows_the_model_its_exact_name_description_and_schema() {
    let tool = read_file();
    assert_eq!(tool.name(), "read_file");
    assert_eq!(tool.schema().description, "Read a file from disk.");
    let expected = json(
        r#"{"description": "Reads a file.", "type": "object", "properties": {
            "path": {"description": "Absolute file path", "type": "string"},
            "offset": {"type": ["integer", "null"], "format": "uint64", "minimum": 0},
            "limit": {"type": ["integer", "null"], "format": "uint64", "minimum": 0, "default": null}},
            "required": ["path"]}"#,
    );
    assert_eq!(tool.schema().input, expected);
    assert_eq!(tool.output_schema().get("required").map(|names| names.len()), Some(2));
    assert_eq!(tool.warnings(), []);
}

#[tokio::test]
async fn a_body_returns_only_the_canonical_json_value_that_its_output_declares() {
    let value = call(read_file(), r#"{"path": "/a", "offset": 3}"#).await.expect("a success");
    assert_eq!(value, json(r#"{"text": "/a from Some(3)", "lines": 1}"#));
}

#[test]
fn missing_required_values_wrong_primitives_enum_members_and_nested_violations_are_invalid_args_with_every_path() {
    let input = Parameters::new()
        .required("path", ValueSpec::string())
        .optional("mode", ValueSpec::string().enum_values(["fast", "slow"]))
        .optional("edits", ValueSpec::array().items(ValueSpec::closed_object().required("line", ValueSpec::integer())));
    let tool = echo(input).expect("a declaration");
    let message = refused(&tool, r#"{"mode": "slwo", "edits": [{"line": 1}, {"line": "2", "col": 3}, {}]}"#);
    let expected = [
        "the arguments of `echo` do not match its schema; correct them and call again: ",
        r#"mode: must be one of "fast", "slow", not the string "slwo""#,
        r#"edits[1].line: must be an integer, not the string "2""#,
        r#"edits[1]: has the unknown property "col"; known are "line""#,
        "edits[2].line: is required but missing",
        "path: is required but missing",
    ];
    for part in expected {
        assert!(message.contains(part), "{part:?} is missing from {message:?}");
    }
    assert_eq!(message.matches("; ").count(), 6, "nothing but these five, one with a hint: {message}");
}

#[test]
fn the_implicit_parameter_root_is_open() {
    let tool = echo(Parameters::new().required("path", ValueSpec::string())).expect("a declaration");
    assert!(tool.check_arguments(&json(r#"{"path": "/a", "extra": [1]}"#)).is_ok());
    assert!(read_file().check_arguments(&json(r#"{"path": "/a", "extra": [1]}"#)).is_ok());
}

#[tokio::test]
async fn defaults_are_not_applied() {
    let input = Parameters::new().optional("limit", ValueSpec::integer().keyword("default", 10));
    let value = call(echo(input).expect("a declaration"), "{}").await.expect("a success");
    assert_eq!(value, json("{}"));
}

#[tokio::test]
async fn what_only_the_rust_type_refuses_is_invalid_args_with_its_path_too() {
    #[derive(Deserialize, JsonSchema)]
    struct Port {
        #[schemars(with = "u64")]
        port: std::num::NonZeroU16,
    }
    let tool = Tool::typed::<Port, u16>("port")
        .render_plain()
        .execute(|arguments, _| async move { Ok(arguments.port.get()) })
        .expect("a declaration");
    assert!(tool.check_arguments(&json(r#"{"port": 0}"#)).is_ok(), "the schema has no minimum of one");
    let failure = call(tool.clone(), r#"{"port": 0}"#).await.expect_err("zero");
    assert_eq!(failure.code(), Some("INVALID_ARGS"));
    assert!(failure.message.contains("at port:"), "{}", failure.message);
    assert_eq!(call(tool, r#"{"port": 80}"#).await.expect("a port"), json("80"));
}

#[test]
fn a_non_positive_or_non_finite_timeout_fails_when_it_is_declared() {
    let with = |timeout| {
        let declaration = Tool::typed::<NoArguments, ()>("wait").render_plain().timeout(timeout);
        declaration.execute(|_, _| async { Ok(()) })
    };
    for timeout in [Duration::ZERO, Duration::MAX] {
        assert!(matches!(with(timeout), Err(DeclarationError::Timeout { tool }) if tool == "wait"));
    }
    let tool = with(Duration::from_millis(1)).expect("a millisecond");
    assert_eq!(tool.timeout(), Some(Duration::from_millis(1)));
    assert!(!tool.schema().input.to_string().contains("imeout"), "it is not shown to the model");
}

#[test]
fn every_name_that_is_not_empty_or_over_long_can_be_declared() {
    for name in ["", &"n".repeat(1_025)] {
        let declared = Tool::typed::<NoArguments, ()>(name).render_plain().execute(|_, _| async { Ok(()) });
        assert!(matches!(declared, Err(DeclarationError::Name { .. })), "{name:?}");
    }
    for name in ["my-tool", "constructor", "ネコ", "a b", "it's\n\"quoted\"", "\u{0}", &"工".repeat(200)] {
        let declared = Tool::typed::<NoArguments, ()>(name).render_plain().execute(|_, _| async { Ok(()) });
        assert_eq!(declared.expect("an exotic name").name(), name);
    }
}

#[test]
fn only_an_exact_true_of_the_classifier_on_valid_arguments_is_parallel() {
    let tool = read_file();
    assert_eq!(tool.classify(&json(r#"{"path": "/a", "offset": 1}"#)), ToolMode::Parallel);
    for (arguments, why) in [
        (r#"{"path": "/a"}"#, "false"),
        (r#"{"offset": 1}"#, "invalid"),
        (r#"{"path": "/a", "offset": -1}"#, "invalid"),
        ("null", "invalid"),
    ] {
        assert_eq!(tool.classify(&json(arguments)), ToolMode::Exclusive, "{why}: {arguments}");
    }
    let undeclared = echo(Parameters::new()).expect("a declaration");
    assert_eq!(undeclared.classify(&json("{}")), ToolMode::Exclusive);
}

#[test]
fn a_throwing_classification_is_exclusive() {
    let tool = Tool::typed::<NoArguments, ()>("panics")
        .render_plain()
        .concurrency_safe(|_| panic!("the classifier's own defect"))
        .execute(|_, _| async { Ok(()) })
        .expect("a declaration");
    assert_eq!(tool.classify(&json("{}")), ToolMode::Exclusive);
}

#[test]
fn the_output_is_checked_against_its_schema_and_rendered_by_the_tool_alone() {
    let tool = read_file();
    let arguments = json(r#"{"path": "/a"}"#);
    let value = json(r#"{"text": "hello", "lines": 1}"#);
    assert!(tool.check_output(&value).is_ok());
    assert_eq!(tool.render(&arguments, &value).expect("rendered"), [Content::text("hello")]);
    assert_eq!(tool.presentation_meta(&arguments, &value).expect("none declared"), None);
    let failure = tool.check_output(&json(r#"{"text": 1}"#)).expect_err("two violations");
    assert_eq!(failure.code(), Some("INVALID_OUTPUT"));
    assert!(failure.message.contains("text: must be a string, not 1"), "{}", failure.message);
    assert!(failure.message.contains("lines: is required but missing"), "{}", failure.message);
}

#[test]
fn presentation_metadata_is_derived_from_arguments_and_value() {
    let tool = Tool::typed::<ReadFile, Page>("read_file")
        .render(|_, page| page.text.clone())
        .presentation_meta(|arguments, page| {
            Json::object([("path", Json::from(&arguments.path)), ("lines", Json::from(page.lines))])
        })
        .execute(|_, _| async { Err(ToolFailure::new("not run here")) })
        .expect("a declaration");
    let meta = tool.presentation_meta(&json(r#"{"path": "/a"}"#), &json(r#"{"text": "", "lines": 7}"#));
    assert_eq!(meta.expect("derived"), Some(json(r#"{"path": "/a", "lines": 7}"#)));
}

#[test]
fn strings_render_raw_and_every_other_json_root_as_pretty_json_when_that_is_asked_for() {
    let tool = echo(Parameters::new()).expect("a declaration");
    let rendered = |value: &str| tool.render(&json("{}"), &json(value)).expect("rendered");
    assert_eq!(rendered(r#""a\nb""#), [Content::text("a\nb")]);
    assert_eq!(rendered("null"), [Content::text("null")]);
    assert_eq!(rendered(r#"{"a":[1]}"#), [Content::text("{\n  \"a\": [\n    1\n  ]\n}")]);
}

#[test]
fn raw_tools_are_validated_unless_they_do_it_themselves() {
    let declare = |own: bool| {
        let declaration = Tool::raw("raw", Parameters::new().required("path", ValueSpec::string()));
        let declaration = if own { declaration.validates_itself() } else { declaration };
        declaration.output_plain(ValueSpec::string()).execute(|_, _| async { Ok(Json::from("done")) })
    };
    let (checked, own) = (declare(false).expect("a declaration"), declare(true).expect("a declaration"));
    assert!(checked.check_arguments(&json("{}")).is_err());
    assert!(own.check_arguments(&json("{}")).is_ok());
    assert_eq!(checked.schema().input, own.schema().input, "the model is shown the same");
    assert!(own.check_output(&json("1")).is_err(), "the output is enforced all the same");
}

#[test]
fn an_unusable_schema_is_refused_with_the_tool_and_the_place() {
    let error = echo(json(r#"{"type": "object", "properties": {"a": {"type": "strin"}}}"#)).expect_err("no such type");
    let text = error.to_string();
    assert!(text.contains("the input schema of the tool `echo` is refused"), "{text}");
    assert!(text.contains("properties.a.type"), "{text}");
    let output = Tool::raw("out", Parameters::new())
        .output_plain(json(r##"{"$ref": "#/$defs/nowhere"}"##))
        .execute(|_, _| async { Ok(Json::null()) });
    assert!(matches!(output, Err(DeclarationError::OutputSchema { .. })));
}

#[test]
fn parameters_that_are_no_object_are_declared_with_a_warning() {
    let tool = echo(json("true")).expect("a declaration");
    assert_eq!(tool.warnings(), [Warning::InputNotAnObject]);
}

#[test]
fn presenters_are_pure_and_fall_back_on_older_arguments_and_panics_instead_of_failing() {
    let tool = Tool::typed::<ReadFile, Page>("read_file")
        .render(|_, page| page.text.clone())
        .present_call(|arguments| {
            assert_ne!(arguments.path, "/panic", "the presenter's own defect");
            Some(CallView::Terminal { title: arguments.path.clone(), description: None, cwd: None })
        })
        .present_result(|arguments, result| {
            let title = format!("{} {}", arguments.path, if result.is_error { "failed" } else { "read" });
            Some(ResultView::Generic { title: Some(title), content: None })
        })
        .execute(|_, _| async { Err(ToolFailure::new("not run here")) })
        .expect("a declaration");
    let good = json(r#"{"path": "/a"}"#);
    let shown = CallView::Terminal { title: "/a".to_owned(), description: None, cwd: None };
    assert_eq!(tool.present_call(&good), Some(shown));
    let result = DurableResult::new(true, vec![], None);
    let title = Some("/a failed".to_owned());
    assert_eq!(tool.present_result(&good, &result), Some(ResultView::Generic { title, content: None }));
    for old in [r#"{"file": "/a"}"#, "[]", r#"{"path": 1}"#] {
        assert_eq!(tool.present_call(&json(old)), None, "{old}");
        assert_eq!(tool.present_result(&json(old), &result), None, "{old}");
    }
    assert_eq!(tool.present_call(&json(r#"{"path": "/panic"}"#)), None);
    assert_eq!(read_file().present_call(&good), None, "no presenter is the generic card");
}

#[test]
fn a_tool_is_shared_by_its_clones_and_says_only_its_name_in_debug() {
    let tool = read_file();
    assert!(std::ptr::eq(tool.clone().schema(), tool.schema()));
    assert_eq!(format!("{tool:?}"), r#"Tool { name: "read_file", .. }"#);
}
