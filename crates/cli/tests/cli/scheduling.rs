//! Which calls overlap.

use serde_json::json;

use crate::bench::{Bench, both};

#[test]
fn calls_that_are_not_safe_run_alone_and_in_order() {
    let bench = Bench::with_tools(
        "[[tools]]\nname = \"write\"\nargv = [\"sh\", \"-c\", \"n=$(tr -dc 0-9); echo begin $n >> log; echo end $n >> log\"]\n",
    );
    for (file, program) in both(
        "await Promise.all([...Array(12).keys()].map((n) => tools.write({n})))",
        "import asyncio\nawait asyncio.gather(*(tools.write(n=n) for n in range(12)))",
    ) {
        bench.file("log", "");
        bench.value(file, program);
        let expected: String = (0..12).map(|n| format!("begin {n}\nend {n}\n")).collect();
        assert_eq!(bench.text("log"), expected, "{file}");
    }
}

#[test]
fn safe_calls_overlap() {
    // Each of the two opens what the other holds open at the same time: one alone would wait until its timeout.
    let bench = Bench::with_tools(
        "[[tools]]\nname = \"left\"\nargv = [\"sh\", \"-c\", \"echo 1 > a; cat b\"]\nconcurrency_safe = true\ntimeout = \"60s\"\n\
         [[tools]]\nname = \"right\"\nargv = [\"sh\", \"-c\", \"cat a; echo 2 > b\"]\nconcurrency_safe = true\ntimeout = \"60s\"\n",
    );
    bench.pipe("a");
    bench.pipe("b");
    for (file, program) in both(
        "return await Promise.all([tools.left(), tools.right()])",
        "import asyncio\nreturn await asyncio.gather(tools.left(), tools.right())",
    ) {
        assert_eq!(bench.value(file, program), json!([2, 1]), "{file}");
    }
}

#[test]
fn an_unsafe_call_waits_for_the_safe_ones_before_it_and_bars_the_ones_after_it() {
    let bench = Bench::with_tools(
        "[[tools]]\nname = \"read\"\nargv = [\"cat\", \"value\"]\nconcurrency_safe = true\n\
         [[tools]]\nname = \"add\"\nargv = [\"sh\", \"-c\", \"echo $(($(cat value) + 1)) > value\"]\n",
    );
    for (file, program) in both(
        "const {read, add} = tools; return await Promise.all([read(), read(), add(), read(), add(), add(), read()])",
        "import asyncio\nr, a = tools.read, tools.add\nreturn await asyncio.gather(r(), r(), a(), r(), a(), a(), r())",
    ) {
        bench.file("value", "0\n");
        assert_eq!(bench.value(file, program), json!([0, 0, null, 1, null, null, 3]), "{file}");
    }
}
