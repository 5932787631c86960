//! A program that rewrites what a worker is made of hurts only itself: its values cross exactly, or its run fails as an
//! exception of its own. It is never taken for a breach of the protocol, and never an error of the host.
//!
//! The workers' own tests rewrite everything that there is; here each kind of thing is rewritten once, end to end.

use std::sync::{Arc, Mutex};

use dayfly::{Call, CallError, FailureKind, Json, Language, Namespace, RunRequest, RunResult};
use dayfly_tests::{Both, Host};

use crate::in_both;

/// What is rewritten before the work begins: in TypeScript a list of objects whose every property becomes `hostile`,
/// in Python statements that may use `rewrite(module or class)`.
const REWRITTEN: &[(&str, Both<&str>)] = &[
    ("nothing", Both::new("", "")),
    ("the root of all objects", Both::new("Object.prototype, Object", "rewrite(builtins)")),
    (
        "the codec",
        Both::new(
            "JSON",
            "import json, json.decoder, json.encoder\nrewrite(json)\nrewrite(json.decoder)\nrewrite(json.encoder)",
        ),
    ),
    (
        "what is awaited",
        Both::new(
            "Promise, Promise.prototype, queueMicrotask",
            "import asyncio, asyncio.events, asyncio.futures, asyncio.tasks\nrewrite(asyncio)\nrewrite(asyncio.events)\nrewrite(asyncio.futures)\nrewrite(asyncio.tasks)",
        ),
    ),
    (
        "the system",
        Both::new(
            "process, require('fs'), require('net'), require('os')",
            "import os, posix, io\nrewrite(os)\nrewrite(posix)\nrewrite(io)",
        ),
    ),
    (
        "the list of modules",
        Both::new(
            "require, require.cache, require('module'), require('module').prototype",
            "for name in list(sys.modules): sys.modules[name] = None",
        ),
    ),
    (
        "no module at all",
        Both::new(
            "require('module').builtinModules",
            "sys.modules.clear()\nsys.path[:] = sys.meta_path[:] = sys.path_hooks[:] = []",
        ),
    ),
    (
        "texts and bytes",
        Both::new(
            "String, String.prototype, Buffer, Buffer.prototype, TextEncoder.prototype, TextDecoder.prototype, RegExp.prototype",
            "import codecs, struct, re, string\nrewrite(codecs)\nrewrite(struct)\nrewrite(re)\nrewrite(string)",
        ),
    ),
    (
        "memory",
        Both::new(
            "Uint8Array, Object.getPrototypeOf(Uint8Array.prototype), ArrayBuffer, ArrayBuffer.prototype, DataView.prototype, Atomics",
            "import gc, weakref, copy, marshal\nrewrite(gc)\nrewrite(weakref)\nrewrite(copy)\nrewrite(marshal)",
        ),
    ),
    (
        "errors and their traces",
        Both::new(
            "Error, Error.prototype, TypeError, TypeError.prototype",
            "import traceback, linecache, warnings\nrewrite(traceback)\nrewrite(linecache)\nrewrite(warnings)\nsys.excepthook = sys.unraisablehook = hostile",
        ),
    ),
    (
        "lists and their iteration",
        Both::new(
            "Array, Array.prototype, Object.getPrototypeOf([][Symbol.iterator]()), Symbol",
            "import collections, collections.abc, itertools, functools, operator\nrewrite(collections)\nrewrite(collections.abc)\nrewrite(itertools)\nrewrite(functools)\nrewrite(operator)",
        ),
    ),
    (
        "tables",
        Both::new(
            "Map, Map.prototype, Set, Set.prototype, WeakMap.prototype, WeakSet.prototype",
            "import types, typing, contextvars\nrewrite(types)\nrewrite(typing)\nrewrite(contextvars)",
        ),
    ),
    (
        "functions",
        Both::new(
            "Function, Function.prototype, Reflect, Proxy",
            "import inspect, ast, dis\nrewrite(inspect)\nrewrite(ast)\nrewrite(dis)",
        ),
    ),
    (
        "numbers",
        Both::new(
            "Number, Number.prototype, Math, BigInt, BigInt.prototype",
            "import math, decimal, numbers\nrewrite(math)\nrewrite(decimal)\nrewrite(numbers)",
        ),
    ),
    (
        "timers and events",
        Both::new(
            "require('timers'), require('events'), require('events').prototype, globalThis.performance",
            "import select, selectors, socket, threading, time, signal\nrewrite(select)\nrewrite(selectors)\nrewrite(socket)\nrewrite(threading)\nrewrite(time)\nrewrite(signal)",
        ),
    ),
    (
        "the output",
        Both::new(
            "console, require('util'), require('stream'), require('string_decoder')",
            "import logging\nrewrite(logging)\nsys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = None",
        ),
    ),
    (
        "all the globals",
        Both::new(
            "globalThis",
            "for name in list(globals()):\n    if name not in ('tools', 'hostile', 'rewrite', '__builtins__'): globals()[name] = hostile",
        ),
    ),
];

const TYPESCRIPT: (&str, &str) = (
    r#"const hostile = () => { throw new Error("sabotaged") };
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
    r#"import builtins, sys
def hostile(*_, **__): raise ValueError("sabotaged")
def rewrite(thing, set=setattr, names=dir, keep=("__name__", "__dict__", "__class__")):
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

/// The programs of a language that may fail: a table that held because all of them fail would hold nothing.
const MOST_FAILURES: usize = 9;

#[tokio::test]
async fn what_a_program_rewrites_costs_no_value_its_exactness_and_no_run_its_own_ending() {
    let host = Host::new();
    in_both(async |language| {
        let mut failures = Vec::new();
        for (what, rewritten) in REWRITTEN {
            let (before, after) = if language == Language::Python { PYTHON } else { TYPESCRIPT };
            let program = format!("{before}{}{after}", rewritten.of(language));
            let heard = Arc::new(Mutex::new(Vec::new()));
            let result = host.run(language, RunRequest::new(program).bind(tools(&heard))).await;
            if !completes(language, what, &result) {
                failures.push(*what);
            }
            for arguments in heard.lock().unwrap().iter() {
                let exact = [VALUE, r#""a text""#].map(|text| Json::parse(text).unwrap());
                assert!(exact.contains(arguments), "{language}, {what}: a call with {arguments}");
            }
            host.still_serves(language).await;
        }
        assert!(!failures.contains(&"nothing"), "{language}: {failures:?}");
        assert!(failures.len() <= MOST_FAILURES, "{language}: {failures:?}");
    })
    .await;
    host.supervisor.shutdown().await;
}

/// Whether the run completed, with the exact value; else it must have failed as an exception.
fn completes(language: Language, what: &str, result: &RunResult) -> bool {
    match &result.failure {
        None => {
            let wanted = format!(r#"{{"back":{VALUE},"again":"a text","told":"the disk is full"}}"#);
            assert_eq!(result.value, Some(Json::parse(&wanted).unwrap()), "{language}, {what}");
            true
        }
        Some(failure) => {
            assert_eq!(failure.kind(), FailureKind::Exception, "{language}, {what}: {failure:?}");
            assert!(!failure.message.is_empty(), "{language}, {what}");
            false
        }
    }
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
