//! P15 and P16: what is printed, and that all of it is kept.

use dayfly::ByteSize;

use super::{Case, Ends, Prints, text};

pub(super) fn cases() -> Vec<Case> {
    [as_printed(), in_order(), many()].concat()
}

fn as_printed() -> Vec<Case> {
    let printed = |name, typescript: &str, python: &str| {
        Case::new("P15", name, text(typescript), text(python), Ends::Nothing).prints(Prints::AsTheInterpreterDoes)
    };
    vec![
        printed(
            "a table, and what is printed without a line break",
            "console.table([{ a: 1, b: 'x' }, { a: 2, c: true }]);\nconsole.table([[1, 2], [3, 4]]);\nconsole.table('no table')",
            "print('a', end='')\nprint('b', 'c', sep='-')\nprint('d\\n', end='')\nprint('last', end='')",
        ),
        printed(
            "directories of objects, and pretty printing",
            "console.dir({ a: { b: { c: { d: 1 } } } });\nconsole.dir({ a: { b: { c: { d: 1 } } } }, { depth: 0 });\nconsole.log(new Map([['k', new Set([1])]]), [1.5, -0], null, undefined, Symbol('s'), 10n)",
            "from pprint import pprint\npprint({'b': list(range(40)), 'a': {'nested': ['text'] * 12}})\nprint({1, 2}, b'x', None, 1.5, -0.0, ('a',))",
        ),
        printed(
            "groups, and texts of many lines",
            "console.group('outer');\nconsole.log('one\\ntwo');\nconsole.group('inner');\nconsole.info('three');\nconsole.groupEnd();\nconsole.log('four');\nconsole.groupEnd();\nconsole.log('five')",
            "print('one\\ntwo')\nprint()\nprint('three', 'four', 5, sep='\\n')\nprint('a\\r\\nb')\nprint('five')",
        ),
        printed(
            "formats, counters and empty lines",
            "console.log('%s is %d and %i, %j %o %%', 'x', 1.5, 2.7, { a: 1 }, [1]);\nconsole.count();\nconsole.count('c');\nconsole.count();\nconsole.log();\nconsole.log('')",
            "print('%s is %d and %r' % ('x', 1.5, [1]))\nprint('')\nprint()\nprint(f'{1.5:>8}|')",
        ),
        printed(
            "everything on standard error",
            "console.error({ a: [1, { b: 2 }] });\nconsole.warn('careful', [1]);\nconsole.error('%s', 'formatted');\nconsole.assert(1 === 2, 'not equal');\nconsole.assert(true, 'silent')",
            "import sys\nsys.stderr.write('part ')\nsys.stderr.write('whole\\n')\nprint({'a': [1, {'b': 2}]}, file=sys.stderr)\nimport logging\nlogging.warning('careful %s', [1])\nlogging.error('formatted')",
        ),
        printed(
            "what is written to the streams themselves",
            "process.stdout.write('part ');\nprocess.stdout.write('whole\\n');\nprocess.stdout.write(Buffer.from('bytes 工具\\n'));\nprocess.stdout.write('last')",
            "import sys\nsys.stdout.write('part ')\nsys.stdout.write('whole\\n')\nsys.stdout.flush()\nsys.stdout.buffer.write('bytes 工具\\n'.encode())\nsys.stdout.writelines(['a', 'b\\n'])\nprint('last', end='', flush=True)",
        ),
        printed(
            "an error as it is shown, without its stack",
            "class Odd extends Error {}\nconst e = new Odd('shown');\ne.stack = 'Odd: shown';\nconsole.log(e, [e.message])",
            "print(ValueError('shown'), [ValueError('shown')])",
        ),
    ]
}

fn in_order() -> Vec<Case> {
    vec![
        Case::new(
            "P15",
            "what goes through the language's own objects stays in order",
            text("console.log('1');\nprocess.stdout.write('2\\n');\nconsole.error('3');\nprocess.stderr.write('4\\n');\nconsole.debug('5')"),
            text("import sys, logging\nprint('1')\nsys.stdout.write('2\\n')\nprint('3', file=sys.stderr)\nsys.stderr.write('4\\n')\nprint('5')"),
            Ends::Nothing,
        )
        .prints(Prints::Exactly("1\n2\n3\n4\n5")),
        Case::new(
            "P15",
            "output around calls stays where it was",
            text("console.log('1');\nawait tools.ping();\nconsole.log('2');\nawait tools.ping();\nprocess.stdout.write('3')"),
            text("print('1')\nawait tools.ping()\nprint('2')\nawait tools.ping()\nprint('3', end='')"),
            Ends::Nothing,
        )
        .prints(Prints::Exactly("1\n2\n3"))
        .calls([("ping", dayfly::Outcome::Succeeded), ("ping", dayfly::Outcome::Succeeded)]),
        Case::new(
            "P15",
            "native writes are kept",
            text("const fs = await import('node:fs');\nfs.writeSync(1, 'native\\n');\nfs.writeSync(1, 'writes')"),
            text("import os\nos.write(1, b'native\\n')\nos.write(1, b'writes')"),
            Ends::Nothing,
        )
        .prints(Prints::Exactly("native\nwrites")),
        Case::new(
            "P15",
            "bytes that are no text are printed as well as they can be",
            text("const fs = await import('node:fs');\nfs.writeSync(1, Buffer.from([0x61, 0xff, 0x62, 0x0a]))"),
            text("import os\nos.write(1, b'a\\xffb\\n')"),
            Ends::Nothing,
        )
        .prints(Prints::Exactly("a\u{fffd}b")),
    ]
}

fn many() -> Vec<Case> {
    const LINES: usize = 10_000;
    let then = |name, typescript: &str, python: &str, ends| {
        Case::new(
            "P16",
            name,
            text(format!("for (let i = 0; i < {LINES}; i++) console.log(`line ${{i}}`);\n{typescript}")),
            text(format!("import os, sys\nfor i in range({LINES}): print(f'line {{i}}')\n{python}")),
            ends,
        )
        .prints(Prints::Numbered(LINES))
    };
    vec![
        then("10,000 lines before an exception are all there", "throw new Error('end')", "raise ValueError('end')", Ends::Exception),
        then("10,000 lines before an abort are all there", "process.abort()", "os.abort()", Ends::Signal(6)),
        then("10,000 lines before an exit are all there", "process.exit(3)", "os._exit(3)", Ends::Exit(3)),
        then(
            "10,000 lines before a kill are all there",
            "process.kill(process.pid, 'SIGKILL'); for (;;);",
            "os.kill(os.getpid(), 9)",
            Ends::Signal(9),
        ),
        then("10,000 lines before a spin are all there", "for (;;);", "while True: pass", Ends::Compute)
            .config(|config| config.compute(std::time::Duration::from_secs(2))),
        Case::new(
            "P16",
            "10,000 lines of native writes before an abort are all there",
            text(format!("const fs = require('node:fs');\nfor (let i = 0; i < {LINES}; i++) fs.writeSync(1, `line ${{i}}\\n`);\nprocess.abort()")),
            text(format!("import os\nfor i in range({LINES}): os.write(1, f'line {{i}}\\n'.encode())\nos.abort()")),
            Ends::Signal(6),
        )
        .prints(Prints::Numbered(LINES)),
        Case::new(
            "P16",
            "of more lines than fit, those that fit are there",
            text(format!("for (let i = 0; i < {LINES}; i++) console.log(`line ${{i}}`);\nreturn 1")),
            text(format!("for i in range({LINES}): print(f'line {{i}}')\nreturn 1")),
            Ends::OutputLimit,
        )
        .prints(Prints::NumberedUntilFull(LINES))
        .config(|config| config.max_output_bytes(ByteSize::kib(64))),
        Case::new(
            "P16",
            "a flood that never yields is ended by the cap, and what fits is there",
            text("for (let i = 0; ; i++) console.log(`line ${i}`)"),
            text("i = 0\nwhile True:\n    print(f'line {i}')\n    i += 1"),
            Ends::OutputLimit,
        )
        .prints(Prints::NumberedUntilFull(1_000_000))
        .config(|config| config.max_output_bytes(ByteSize::kib(64))),
        Case::new(
            "P16",
            "a flood of native writes is ended by the cap, and what fits is there",
            text("const fs = require('node:fs');\nfor (let i = 0; ; i++) fs.writeSync(1, `line ${i}\\n`)"),
            text("import os\ni = 0\nwhile True:\n    os.write(1, f'line {i}\\n'.encode())\n    i += 1"),
            Ends::OutputLimit,
        )
        .prints(Prints::NumberedUntilFull(1_000_000))
        .config(|config| config.max_output_bytes(ByteSize::kib(64))),
    ]
}
