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
