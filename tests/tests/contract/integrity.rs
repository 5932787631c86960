//! A program that rewrites what a worker is made of hurts only itself: its values cross exactly, or its run fails as an
//! exception of its own. It is never taken for a breach of the protocol, and never an error of the host.
//!
//! The workers' own tests rewrite everything that there is; here each kind of thing is rewritten once, end to end.

use std::sync::{Arc, Mutex};

use dayfly::{Call, CallError, FailureKind, Json, Language, Namespace, RunRequest, RunResult};
use dayfly_tests::{Both, Host};

use crate::in_both;
use crate::rewritten::{FALSIFIED, REWRITTEN};

/// What a replacement does: it throws, or it lies.
const THROWS: Both<&str> = Both::new(r#"throw new Error("sabotaged")"#, r#"raise kind("sabotaged")"#);
const LIES: Both<&str> = Both::new(r#"return "a lie""#, r#"return "a lie""#);

const TYPESCRIPT: (&str, &str) = (
    r#"
{
  const { getOwnPropertyDescriptor: describe, defineProperty } = Object;
  const { ownKeys } = Reflect;
  const objects = ["#,
    r#"];
  const all = [];
  for (const object of objects) for (const key of ownKeys(object)) if (key !== "tools") all.push({ __proto__: null, object, key });
  const count = all.length;
  for (let i = 0; i < count; i++) {
    const descriptor = { __proto__: null, value: hostile, enumerable: true, writable: true, configurable: true };
    try { defineProperty(all[i].object, all[i].key, descriptor) } catch {}
  }
}
const value = { none: null, yes: true, numbers: [0, -1, 0.1, 1e300, 9007199254740991], text: "é\u0000\n工具😀", list: [[], {}, [[1]]], "odd key": { "": 1 } };
const back = await tools.echo(value);
console.log("still here");
let told = "";
try { await tools.fail() } catch (error) { told = error.message }
return { back, again: await tools.echo("a text"), told };"#,
);

const PYTHON: (&str, &str) = (
    r#"def rewrite(thing, set=setattr, names=dir, keep=("__name__", "__dict__", "__class__")):
    for name in names(thing):
        if name not in keep:
            try: set(thing, name, hostile)
            except (AttributeError, TypeError, ValueError): pass
"#,
    r#"
value = {"none": None, "yes": True, "numbers": [0, -1, 0.1, 1e300, 9007199254740991], "text": "é\u0000\n工具😀", "list": [[], {}, [[1]]], "odd key": {"": 1}}
back = await tools.echo(value)
print("still here")
told = ""
try: await tools.fail()
except ToolCallError as error: told = error.args[0]
return {"back": back, "again": await tools.echo("a text"), "told": told}"#,
);

const VALUE: &str = r#"{"none":null,"yes":true,"numbers":[0,-1,0.1,1e300,9007199254740991],"text":"é\u0000\n工具😀","list":[[],{},[[1]]],"odd key":{"":1}}"#;

/// The rows with which a language's programs fail, and what those failures say: what was put in the place of something
/// that the program itself asks for. A table that held because its programs fail would hold nothing.
const FAILING: Both<&[(&str, &str)]> = Both::new(
    &[("what is awaited", SABOTAGED), ("the output", SABOTAGED), ("all the globals", "console.log is not a function")],
    &[
        ("the root of all objects", SABOTAGED),
        ("timers and events", SABOTAGED),
        ("all the globals", "catching classes that do not inherit from BaseException is not allowed"),
    ],
);

const SABOTAGED: &str = "sabotaged";

/// The program of `language` that rewrites this in this way, and then works.
fn program(language: Language, way: &str, rewritten: &str) -> String {
    if language == Language::Python {
        let (before, after) = PYTHON;
        return format!(
            "import builtins, sys\ndef hostile(*_, kind=ValueError, **__): {way}\n{before}{rewritten}{after}"
        );
    }
    let (before, after) = TYPESCRIPT;
    format!("const hostile = () => {{ {way} }};{before}{rewritten}{after}")
}

#[tokio::test]
async fn what_a_program_rewrites_costs_no_value_its_exactness_and_no_run_its_own_ending() {
    let host = Host::new();
    let rows = || REWRITTEN.iter().map(|row| (THROWS, row)).chain(FALSIFIED.iter().map(|row| (LIES, row)));
    in_both(async |language| {
        for (way, (what, rewritten)) in rows() {
            let program = program(language, way.of(language), rewritten.of(language));
            let heard = Arc::new(Mutex::new(Vec::new()));
            let result = host.run(language, RunRequest::new(program).bind(tools(&heard))).await;
            match FAILING.of(language).iter().find(|(row, _)| row == what) {
                None => completes(language, what, &result),
                Some((_, says)) => fails(language, what, says, &result),
            }
            for arguments in heard.lock().unwrap().iter() {
                let exact = [VALUE, r#""a text""#].map(|text| Json::parse(text).unwrap());
                assert!(exact.contains(arguments), "{language}, {what}: a call with {arguments}");
            }
            host.still_serves(language).await;
        }
    })
    .await;
    host.supervisor.shutdown().await;
}

/// The run completed, with the exact value.
fn completes(language: Language, what: &str, result: &RunResult) {
    assert_eq!(result.failure, None, "{language}, {what}");
    let wanted = format!(r#"{{"back":{VALUE},"again":"a text","told":"the disk is full"}}"#);
    assert_eq!(result.value, Some(Json::parse(&wanted).unwrap()), "{language}, {what}");
}

/// The run failed as an exception of the program's own.
fn fails(language: Language, what: &str, says: &str, result: &RunResult) {
    let Some(failure) = &result.failure else { panic!("{language}, {what}: it completes now") };
    assert_eq!(failure.kind(), FailureKind::Exception, "{language}, {what}: {failure:?}");
    assert!(failure.message.starts_with(says), "{language}, {what}: {failure:?}");
}

/// `echo` keeps what it hears.
fn tools(heard: &Arc<Mutex<Vec<Json>>>) -> Namespace {
    let heard = Arc::clone(heard);
    Namespace::tools()
        .async_fn("echo", move |call: Call| {
            heard.lock().unwrap().push(call.arguments.clone());
            async move { Ok(call.arguments) }
        })
        .async_fn("fail", |_| async { Err(CallError::new("the disk is full")) })
}
