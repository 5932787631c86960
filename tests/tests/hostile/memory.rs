//! Programs that take all the memory there is.

use dayfly::ByteSize;
use dayfly_tests::hostile::{Ends, Row};

rows! {
    h38_a_program_that_fills_its_heap_is_out_of_memory_and_said_to_be: h38,
}

fn h38() -> Row {
    // V8 ends the process, with a page about it; CPython has an exception for it.
    let filled = |row: Row, name, typescript: &str, python: &str| {
        let typescript = format!("require('node:fs').writeSync(2, 'mine\\n');\n{typescript}");
        let python = format!("import os\nos.write(2, b'mine\\n')\n{python}");
        row.each(name, (&typescript, Ends::OutOfMemory), (&python, Ends::Exception("MemoryError"))).also(|seen| {
            let message =
                seen.result.failure.as_ref().map(|failure| failure.message.to_lowercase()).unwrap_or_default();
            seen.must("it is said", message.contains("memory"))?;
            seen.must("no page of the interpreter's is in the logs", seen.printed() == "mine")
        })
    };
    let row = Row::new("H38").config(|config| {
        config.old_space(ByteSize::mib(32)).memory(ByteSize::gib(1)).address_space(ByteSize::mib(320))
    });
    let row = filled(
        row,
        "objects",
        "const all: unknown[] = [];\nfor (;;) all.push({ a: all.length, b: [1, 2, 3], c: { d: 4 } })",
        "all = []\nwhile True: all.append([0] * 1_000)",
    );
    let row = filled(
        row,
        "closures",
        "const all: unknown[] = [];\nfor (;;) { const one = all.length; all.push(() => one) }",
        "all = [()]\nwhile True: all.append(lambda one=bytes(1_000): one)",
    );
    let row = filled(
        row,
        "strings",
        "const all: string[] = [];\nfor (let i = 0; ; i++) all.push('x'.repeat(1000) + i + 'y')",
        "all = []\nfor i in range(10**12): all.append('x' * 1_000 + str(i))",
    );
    filled(
        row,
        "a rope that is made flat",
        "let rope = 'x'.repeat(1024);\nfor (let i = 0; i < 18; i++) rope = rope + rope;\nconst all: string[] = [];\nfor (let i = 0; ; i++) { const next = rope + i; if (/z/.test(next)) break; all.push(next) }",
        "rope = 'x' * 1024\nwhile True: rope = ''.join([rope, rope])",
    )
}
