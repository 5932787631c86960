//! What a program can rewrite of the world that its worker stands in.

use dayfly_tests::Both;

/// What is rewritten before the work begins: in TypeScript a list of objects whose every property becomes `hostile`,
/// in Python statements that may use `rewrite(module or class)`.
pub(crate) const REWRITTEN: &[(&str, Both<&str>)] = &[
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

/// The same for replacements that do not fail, and are wrong.
pub(crate) const FALSIFIED: &[(&str, Both<&str>)] = &[
    (
        "the codec, lying",
        Both::new(
            "JSON, Number, Number.prototype, String, String.prototype, Buffer, Buffer.prototype, TextEncoder.prototype, TextDecoder.prototype",
            "import codecs, json, json.decoder, json.encoder, math, struct\nrewrite(codecs)\nrewrite(json)\nrewrite(json.decoder)\nrewrite(json.encoder)\nrewrite(math)\nrewrite(struct)",
        ),
    ),
    (
        "lists, tables and the system, lying",
        Both::new(
            "Array, Array.prototype, Object, Reflect, Map.prototype, Set.prototype, process, require('fs'), require('net')",
            "import collections, functools, io, itertools, os, posix, select, selectors, socket\nfor module in (collections, functools, io, itertools, os, posix, select, selectors, socket): rewrite(module)",
        ),
    ),
];
