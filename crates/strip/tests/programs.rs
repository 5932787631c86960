//! The programs people and models write, and what should come of them.

use dayfly_strip::{StripError, StripErrorKind, StripLimits, Stripped, strip};

fn stripped(source: &str) -> Stripped {
    strip(source, &StripLimits::default()).unwrap_or_else(|error| panic!("{source:?} was refused: {error}"))
}

fn refused(source: &str) -> StripError {
    match strip(source, &StripLimits::default()) {
        Err(error) => error,
        Ok(Stripped { code, .. }) => panic!("{source:?} was not refused but gave {code:?}"),
    }
}

#[test]
fn erasable_syntax_leaves_every_kept_character_in_place() {
    for (source, code) in [
        ("const x: number = 1; return x", "const x         = 1; return x"),
        ("const f = (x: (string | number)) => x", "const f = (x                   ) => x"),
        ("function id<T>(x: T): T { return x }", "function id   (x   )    { return x }"),
        ("return tools.a({ n: 1 } as Args)!", "return tools.a({ n: 1 }        ) "),
        ("const c = { a: 1 } satisfies Config", "const c = { a: 1 }                 "),
        ("import type { A } from \"a\"\nreturn 1", "                          \nreturn 1"),
        ("export type B = { c: string }\nreturn 1", "                             \nreturn 1"),
        ("interface D { e(): void }\nreturn 1", "                         \nreturn 1"),
        ("let x = 1\ntype T = string\n(f)()", "let x = 1\n;              \n(f)()"),
        ("return (<T>\n(x: T) => x)", "return (   \n(x   ) => x)"),
        ("const g = ():\n  number => 1", "const g = (  \n       ) => 1"),
        ("class A { private x?: number; static readonly [k] = 1; abstract y(): void }", ""),
    ] {
        let Stripped { code: given, .. } = stripped(source);
        assert_eq!(given.len(), source.len(), "{source:?}");
        if !code.is_empty() {
            assert_eq!(given, code, "{source:?}");
        }
    }
}

#[test]
fn what_is_not_a_type_is_refused_by_name_and_line_with_what_to_write_instead() {
    for (source, name, instead) in [
        ("\nenum Color { Red }", "enum Color", "const Color"),
        ("\nconst enum Color { Red }", "enum Color", "const Color"),
        ("\nnamespace N { export const a = 1 }", "namespace N", "plain object"),
        ("\nclass A { constructor(private x: number) {} }", "parameter property `x`", "this.x = x"),
        ("\n@sealed class A {}", "decorators", "call the function"),
        (
            "\nimport fs, { a as b } from \"node:fs\"",
            "static `import`",
            "const { default: fs, a: b } = await import(\"node:fs\")",
        ),
        ("\nimport * as fs from \"node:fs\"", "static `import`", "const fs = await import(\"node:fs\")"),
        ("\nimport fs = require(\"fs\")", "import … = …", "await import(\"fs\")"),
        ("\nexport const a = 1", "`export`", "return"),
        ("\nexport default async function main() {}", "`export default`", "return"),
        ("\nexport = a", "`export =`", "return"),
        ("\nconst x = <any>y", "<any>", "as any"),
        ("\nreturn import.meta.url", "import.meta", "process.cwd()"),
    ] {
        let error = refused(source);
        assert_eq!(error.kind, StripErrorKind::Unsupported, "{source:?}: {error}");
        assert_eq!(error.position.map(|at| at.line), Some(2), "{source:?}: {error}");
        assert!(error.message.contains(name), "{source:?}: {error}");
        assert!(error.hint.as_deref().is_some_and(|hint| hint.contains(instead)), "{source:?}: {error}");
    }
}

#[test]
fn a_program_that_only_defines_functions_says_which_one_was_never_called() {
    for (source, name) in [
        ("async () => 5", Some("(anonymous)")),
        ("(async function go() { return 1 });", Some("go")),
        ("async function main() { return 1 }", Some("main")),
        ("type T = 1\nconst main = async (): Promise<T> => 1\nfunction other() {}", Some("main")),
        ("const LIMIT = 3\nasync function run() {}", Some("run")),
        ("async function main() {}\nawait main()", None),
        ("(async () => 5)()", None),
        ("const x = 1", None),
        ("return 1", None),
        ("", None),
    ] {
        assert_eq!(stripped(source).uncalled.as_deref(), name, "{source:?}");
    }
}

#[test]
fn mentions_are_the_members_of_global_objects_each_once_with_their_place() {
    let stripped = stripped(
        "const { one, \"two-b\": two } = tools as Tools;\nawait tools.three!();\nawait (tools as any)[\"four 型\"]();\n\
         await tools?.five;\nawait tools.three();\ntools[six]; a.b.c; tools[`seven`]",
    );
    let mentions: Vec<_> = stripped
        .mentions
        .iter()
        .map(|it| (it.namespace.as_str(), it.member.as_str(), it.position.line, it.position.column))
        .collect();
    assert_eq!(
        mentions,
        [
            ("tools", "one", 1, 9),
            ("tools", "two-b", 1, 14),
            ("tools", "three", 2, 7),
            ("tools", "four 型", 3, 8),
            ("tools", "five", 4, 7),
            ("a", "b", 6, 13),
            ("tools", "seven", 6, 20),
        ]
    );
}

#[test]
fn a_syntax_error_shows_its_line_with_a_caret_at_its_utf16_column() {
    let error = refused("const a = 1\nconst \u{1F600}s = [1, 2\nreturn a");
    assert_eq!(error.kind, StripErrorKind::Syntax);
    assert_eq!(error.position.map(|at| at.line), Some(2));
    let error = refused("const s = \"\u{1F600}\" 5");
    assert_eq!(error.position.map(|at| (at.line, at.column)), Some((1, 15)));
    let shown = format!("\n  const s = \"\u{1F600}\" 5\n  {}^\n", " ".repeat(13));
    assert!(error.to_string().contains(&shown), "{error}");
    let excerpt = refused(&format!("{}(]{}", "a; ".repeat(500), "b".repeat(500))).excerpt.unwrap();
    assert!(excerpt.text.chars().count() < 170, "{excerpt:?}");
    assert_eq!(excerpt.text.chars().nth(excerpt.caret), Some(']'));
}

#[test]
fn what_a_function_body_reads_otherwise_than_a_module_is_refused_or_made_plain() {
    assert_eq!(refused("return a<!--b").kind, StripErrorKind::Unsupported);
    assert_eq!(stripped("return a < !--b").code, "return a < !--b");
    assert_eq!(stripped("#!/usr/bin/env node\nreturn 1").code, "///usr/bin/env node\nreturn 1");
    assert_eq!(refused("}, async function () {").kind, StripErrorKind::Syntax);
}

#[test]
fn a_program_that_would_mean_something_else_without_its_types_is_refused() {
    for source in ["return -x as number ** 2", "if (a) function f(): void;", "({ a } as any) = b"] {
        let error = refused(source);
        assert!(matches!(error.kind, StripErrorKind::Unsupported | StripErrorKind::Syntax), "{source:?}: {error}");
    }
}

#[test]
fn stripping_works_from_many_small_threads_at_once() {
    let threads: Vec<_> = (0..8)
        .map(|_| {
            std::thread::Builder::new()
                .stack_size(256 << 10)
                .spawn(|| {
                    let deep = format!("return {}1 as number{}", "(".repeat(200), ")".repeat(200));
                    assert_eq!(stripped(&deep).code, deep.replace(" as number", "          "));
                    assert_eq!(refused(&"(".repeat(1_000_000)).kind, StripErrorKind::Limit);
                    assert_eq!(refused(&"a?(b):c=>".repeat(100_000)).kind, StripErrorKind::Limit);
                })
                .unwrap()
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
}
