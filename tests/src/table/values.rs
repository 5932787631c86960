//! P13 and P14: what may be returned, and how much.

use dayfly::ByteSize;

use super::{Case, Ends, Prints, none, text};

/// The default cap on logs, value and diagnostic together.
const CAP: usize = 64 << 20;

/// The quotation marks of a serialized text.
const QUOTES: usize = 2;

pub(super) fn cases() -> Vec<Case> {
    [refused(), accepted(), sizes()].concat()
}

fn refused() -> Vec<Case> {
    let at = |name, typescript, python, path| Case::new("P13", name, typescript, python, Ends::Invalid(path));
    vec![
        at(
            "a map, and a dictionary with keys that are not texts",
            text("return new Map([['a', 1]])").says(["Map", "Object.fromEntries"]),
            text("return {1: 'a'}").says(["key", "str("]),
            "result",
        ),
        at(
            "a set, deep inside",
            text("return { items: [1, new Set([2])] }").says(["Set", "Array.from"]),
            text("return {'items': [1, {2}]}").says(["set", "list("]),
            "result.items[1]",
        ),
        at(
            "a date",
            text("return { at: new Date(0) }").says(["Date", "toISOString"]),
            text("import datetime\nreturn {'at': datetime.datetime(1970, 1, 1)}").says(["datetime", "isoformat"]),
            "result.at",
        ),
        at(
            "bytes",
            text("return [new Uint8Array(3)]").says(["Uint8Array"]),
            text("return [b'abc']").says(["bytes", "decode"]),
            "result[0]",
        ),
        at(
            "an integer of a kind that JSON has not, or a decimal",
            text("return { n: 10n }").says(["BigInt"]),
            text("from decimal import Decimal\nreturn {'n': Decimal('1.5')}").says(["Decimal"]),
            "result.n",
        ),
        at(
            "an instance of a class",
            text("class Row { id = 1 }\nreturn { rows: [new Row()] }").says(["Row"]),
            text("class Row:\n    id = 1\nreturn {'rows': [Row()]}").says(["Row"]),
            "result.rows[0]",
        ),
        at(
            "NaN",
            text("return { mean: NaN }").says(["NaN"]),
            text("return {'mean': float('nan')}").says(["nan"]),
            "result.mean",
        ),
        at(
            "infinity",
            text("return [1, -Infinity]").says(["Infinity"]),
            text("return [1, float('-inf')]").says(["inf"]),
            "result[1]",
        ),
        at("negative zero", text("return { z: -0 }").says(["-0"]), text("return {'z': -0.0}").says(["-0"]), "result.z"),
        at(
            "a value inside itself",
            text("const a: any = { list: [] };\na.list.push(a);\nreturn a").says(["contains it"]),
            text("a = {'list': []}\na['list'].append(a)\nreturn a").says(["itself"]),
            "result.list[0]",
        ),
        at(
            "a function",
            text("return { f: () => 1 }").says(["function"]),
            text("return {'f': lambda: 1}").says(["function"]),
            "result.f",
        ),
        at(
            "a promise or a coroutine that was not awaited",
            text("return { later: Promise.resolve(1) }").says(["await"]),
            text("async def later(): return 1\nreturn {'later': later()}").says(["await"]),
            "result.later",
        ),
        at(
            "half of a surrogate pair",
            text("return { t: 'a\\ud800' }").says(["surrogate"]),
            text("return {'t': 'a\\ud800'}").says(["surrogate"]),
            "result.t",
        ),
        at(
            "half of a surrogate pair in a key that is no name",
            text("return { 'an odd key': [undefined] }").says(["undefined", "null"]),
            text("return {'an odd key': [...]}").says(["ellipsis"]),
            "result[\"an odd key\"][0]",
        ),
        at(
            "a symbol",
            text("return [Symbol('s')]").says(["symbol"]),
            text("return [object()]").says(["object"]),
            "result[0]",
        ),
        at(
            "a hole in an array",
            text("return [1, , 3]").says(["hole"]),
            none("a Python list has no holes"),
            "result[1]",
        ),
        at(
            "a property that is computed when it is read",
            text("return { get now() { return 1 } }").says(["getter"]),
            none("a Python dictionary has no accessors"),
            "result.now",
        ),
        at(
            "a property that would be dropped",
            text("return { a: 1, b: undefined }").says(["undefined"]),
            none("a Python dictionary has no undefined"),
            "result.b",
        ),
        at(
            "a number that only looks like one",
            text("return [new Number(1)]").says(["valueOf"]),
            text("import fractions\nreturn [fractions.Fraction(1, 2)]").says(["Fraction"]),
            "result[0]",
        ),
    ]
}

fn accepted() -> Vec<Case> {
    let exact = |name, typescript, python, value| Case::new("P13", name, typescript, python, Ends::Value(value));
    vec![
        exact("null is a value", text("return null"), text("return None"), "null"),
        Case::new("P13", "undefined is none", text("return undefined"), text("pass"), Ends::Nothing),
        Case::new("P13", "a program without a return has none", text("const a = 1;"), text("a = 1"), Ends::Nothing),
        Case::new("P13", "an empty program has none", text(""), text(""), Ends::Nothing),
        Case::new("P13", "a program of a comment has none", text("// nothing"), text("# nothing"), Ends::Nothing),
        exact(
            "numbers are exact",
            text("return [0.1 + 0.2, 5e-324, 1.7976931348623157e308, 9007199254740991, 1e21, -2.5e-7]"),
            text("return [0.1 + 0.2, 5e-324, 1.7976931348623157e308, 9007199254740991, 1e21, -2.5e-7]"),
            "[0.30000000000000004,5e-324,1.7976931348623157e308,9007199254740991,1e21,-2.5e-7]",
        ),
        exact(
            "texts are exact",
            text(r#"return ["\u0000\u001f\u007f\u2028", "\ud83d\udc1d 工具", "\"\\/"]"#),
            text(r#"return ["\u0000\u001f\u007f\u2028", "\U0001f41d 工具", "\"\\/"]"#),
            r#"["\u0000\u001f\u007f\u2028","🐝 工具","\"\\/"]"#,
        ),
        exact(
            "names that mean something to the language are ordinary keys",
            text(r#"return JSON.parse('{"__proto__":1,"constructor":2,"toJSON":3,"then":4,"":5}')"#),
            text("return {'__proto__': 1, 'constructor': 2, 'toJSON': 3, 'then': 4, '': 5}"),
            r#"{"__proto__":1,"constructor":2,"toJSON":3,"then":4,"":5}"#,
        ),
        exact(
            "one value in two places is no ring",
            text("const one = [1];\nreturn { a: one, b: one }"),
            text("one = [1]\nreturn {'a': one, 'b': one}"),
            r#"{"a":[1],"b":[1]}"#,
        ),
        exact(
            "an integer beyond a double's is exact where the language has it",
            none("JavaScript's numbers are doubles"),
            text("return 2**53 + 1"),
            "9007199254740993",
        ),
    ]
}

fn sizes() -> Vec<Case> {
    let returned = |name, characters: usize, ends| {
        Case::new(
            "P14",
            name,
            text(format!("return 'x'.repeat({characters})")).says(["67108864 bytes"]),
            text(format!("return 'x' * {characters}")).says(["67108864 bytes"]),
            ends,
        )
    };
    vec![
        returned("a megabyte of text is exact", 1_000_000, Ends::Text(1_000_000)),
        returned("64 MiB exactly are exact", CAP - QUOTES, Ends::Text(CAP - QUOTES)),
        returned("one byte more is too much", CAP - QUOTES + 1, Ends::OutputLimit),
        Case::new(
            "P14",
            "the logs that fit are kept when the value does not",
            text(format!("console.log('kept');\nreturn 'x'.repeat({})", CAP - QUOTES)).says(["67108864 bytes"]),
            text(format!("print('kept')\nreturn 'x' * {}", CAP - QUOTES)).says(["67108864 bytes"]),
            Ends::OutputLimit,
        )
        .prints(Prints::Exactly("kept")),
        Case::new(
            "P14",
            "a smaller cap is counted as exactly",
            text(format!("return 'x'.repeat({})", 10_000 - QUOTES)),
            text(format!("return 'x' * {}", 10_000 - QUOTES)),
            Ends::Text(10_000 - QUOTES),
        )
        .config(|config| config.max_output_bytes(ByteSize::bytes(10_000))),
        Case::new(
            "P14",
            "one byte beyond a smaller cap is too much",
            text(format!("return 'x'.repeat({})", 10_001 - QUOTES)),
            text(format!("return 'x' * {}", 10_001 - QUOTES)),
            Ends::OutputLimit,
        )
        .config(|config| config.max_output_bytes(ByteSize::bytes(10_000))),
        Case::new(
            "P14",
            "what counts is what a text takes when it is written",
            text("return '\\n'.repeat(5_000)"),
            text("return '\\n' * 5_000"),
            Ends::OutputLimit,
        )
        .config(|config| config.max_output_bytes(ByteSize::bytes(10_000))),
    ]
}
