use crate::{StripLimits, strip};

/// `tools.search 1`: the callee as it is written, and the line. What the language has, the caller leaves out.
fn found(source: &str) -> Vec<String> {
    let stripped = strip(source, &StripLimits::default()).unwrap_or_else(|error| panic!("{error}: {source}"));
    let of_language = |namespace: Option<&str>| matches!(namespace, Some("Array" | "JSON" | "Object"));
    let found = stripped.used_promises.iter().filter(|it| !of_language(it.namespace.as_deref()));
    found.map(|it| format!("{} {}", it.callee, it.position.line)).collect()
}

#[test]
fn a_promise_that_is_used_like_its_value_is_found_with_the_call_that_gave_it() {
    for (source, expected) in [
        ("const a = tools.search({ q: 1 });\nawait tools.deploy({});\nreturn a.length", "tools.search 1"),
        ("const a = tools.search({});\nreturn a.map((one) => one)", "tools.search 1"),
        ("const a: any = tools[\"odd-name\"]({});\nreturn (a as any)!?.rows[0]", "tools[\"odd-name\"] 1"),
        ("let n = 0;\nn += tools.count()", "tools.count 2"),
        ("const n = tools.count() + 1", "tools.count 1"),
        ("for (const one of tools.list()) { await one }", "tools.list 1"),
        ("const all = tools.list();\nfor (const one of all) {}", "tools.list 1"),
        ("return [...tools.list()]", "tools.list 1"),
        ("const { rows } = tools.list()", "tools.list 1"),
        ("let rows; [rows] = tools.list()", "tools.list 1"),
        ("const [a, b] = Promise.all([tools.a(), tools.b()])", "Promise.all 1"),
        ("return `there are ${tools.count()}`", "tools.count 1"),
        ("if (tools.exists({})) { await tools.rm() }", "tools.exists 1"),
        ("const there = tools.exists({});\nif (!there) await tools.make()", "tools.exists 1"),
        ("console.log(tools.count())", "tools.count 1"),
        ("const c = tools.count();\nconsole.log(c)", "tools.count 1"),
        ("const c = tools.count();\nreturn JSON.stringify(c)", "tools.count 1"),
        ("return await tools.list().filter(Boolean)", "tools.list 1"),
        ("async function load() { return await tools.list() }\nconst all = load();\nreturn all.length", "load 2"),
        ("const load = async () => 1;\nreturn load() * 2", "load 2"),
        ("return tools\n  .list({}).length", "tools.list 1"),
        // It is wrong before it is waited for as well.
        ("const a = tools.list();\nconsole.log(a.length);\nreturn await a", "tools.list 1"),
        ("const a = tools.list();\nif (!Array.isArray(a)) throw new Error('none');\nreturn a.length", "tools.list 1"),
        ("return Array.isArray(tools.list())", "tools.list 1"),
        ("const c = tools.count();\nreturn 'there are ' + c", "tools.count 1"),
        ("const c = tools.count();\nreturn String(c)", "tools.count 1"),
        ("const c = tools.get();\nreturn c.hasOwnProperty('x')", "tools.get 1"),
        ("const c = tools.get();\nreturn c['rows']", "tools.get 1"),
        ("const c = tools.get();\nreturn c[Symbol.iterator]()", "tools.get 1"),
        ("const a = tools.list();\nreturn [1, 2].map((n) => a[n])", "tools.list 1"),
        ("if (true) {\n  const a = tools.list();\n  console.log(a.length)\n}", "tools.list 2"),
        ("const f = async (q) => {\n  const a = tools.list(q);\n  return a[0]\n};\nawait f()", "tools.list 2"),
    ] {
        assert_eq!(found(source), [expected], "{source}");
    }
}

#[test]
fn a_promise_that_may_be_waited_for_is_not() {
    for source in [
        "const p = tools.a(); const q = tools.b(); const [x, y] = await Promise.all([p, q]); return x.n + y.n",
        "const p = tools.a(); await tools.b(); const x = await p; return x.length",
        "void tools.log({ text: 1 }); await tools.b(); return 1",
        "tools.log({}); const p = tools.a(); doIt(p); return 1\nfunction doIt(x) { return x.then((y) => y.length) }",
        "let p = tools.a(); p = await p; return p.length",
        "let a = tools.a(); if (a) a = await a; return `${a}`",
        "const p = tools.a().then((x) => x.length); return (await p) + 1",
        "const p = tools.a(); p.catch(() => {}); await tools.b(); return await p",
        "const p = tools.a(); const all = [p]; for (const one of await Promise.all(all)) console.log(one.x)",
        "const p = tools.a(); console.log(p); return await p",
        "const p = tools.a(); const q = p; return (await q).length",
        "const pending = {}; pending.a = tools.a(); return (await pending.a).length",
        "const p = tools.a(); return p",
        "const load = () => tools.a(); return (await load()).length",
        "const all = await Promise.all([1, 2].map((n) => tools.a({ n }))); return all.length",
        "const p = tools.a(); p.label = 'a'; return (await p).length",
        "const p = tools.a(); const t = p instanceof Promise; return [t, typeof p, await p]",
        "const p = cond() ? tools.a() : null; if (p) await p;\nfunction cond() { return true }",
        // Something is noted on the promise, and read from it.
        "const job: any = tools.list({}); job.label = 'x'; job.finally(() => console.log(job.label)); await Promise.all([job])",
        "const job: any = tools.list({}); (job as any)['n'] ??= 1; job.n++; console.log(job.n); await job",
        "const job: any = tools.list({}); ({ a: job.n } = { a: 1 }); console.log(job.n); await job",
        "const job: any = tools.list({}); [job.n = 2] = []; console.log(job.n); await job",
        "const job: any = tools.list({}); for (job.n of [1]) console.log(job.n); await job",
        "const job: any = Object.assign(tools.list({}), { n: 1 }); return [job.n, await job]",
        "const job: any = tools.list({}); Object.assign(job, { n: 1 }); return [job.n, await job]",
        // It is asked whether it is a promise.
        "const r: any = tools.list({}); const v = Array.isArray(r) ? r : await r; return v",
        "const r: any = tools.list({}); return r instanceof Array ? r.length : (await r).length",
        "const r: any = tools.list({}); return typeof r.then === 'function' ? await r : r.length",
        "const r: any = tools.list({}); return typeof r === 'string' ? r.length : (await r).length",
        "const r: any = tools.list({}); return r instanceof Promise",
        // Nobody knows whether that ran.
        "async function load(){ return [1] } function unused(){ return load().length } return await load()",
        "async function load(){ return [1] } const p = load(); const unused = () => p.length; return await p",
        "async function load(){ return [1] } class Unused { n = load().length } return await load()",
        // The name is another one's elsewhere.
        "async function main() { const performance = tools.list({}); return await performance }\nconst t0 = performance.now(); return await main()",
        "if (true) { const performance = tools.list({}); await performance }\nreturn performance.now()",
        "{ const fetch = async () => 1; await fetch() }\nreturn fetch().length",
        "const f = async function fetch() {}; await f(); return fetch().length",
        // What is called is not the async function any more.
        "let load = async () => [1]; load = (() => [2, 3]) as any; return load().length",
        "async function load() { return [1] } (load as any) = () => [2, 3]; return load().length",
        "async function load() { return [1] } ({ load } = { load: () => [2] } as any); return load().length",
        "async function load() { return [1] } [load] = [() => [2]] as any; return load().length",
        // Members of every promise, and mere printing of one that is waited for.
        "const p = tools.a(); return await p['then']((r) => r.length)",
        "return await tools.a()['then']((r) => r.length)",
        "const p: any = tools.a(); console.log(`${p}`, String(p), 'p: ' + p, p.toString(), JSON.stringify(p)); return await p",
        "const p: any = tools.a(); console.log(p.hasOwnProperty('x'), p[Symbol.toStringTag]); return await p",
        // The same name in two places, and a namespace of the program's own.
        "{ const a = tools.a(); await a }\n{ const a = [1]; return a.length }",
        "const tools2 = { a: () => [1] }; return tools2.a().length",
        "function load() { return [1] }\nreturn load().length",
        "async function* load() { yield 1 }\nfor await (const x of load()) console.log(x)",
        "const a = await tools.a(); return a.length",
        "return (await tools.a()).length",
        "const results = []; for (const n of [1, 2]) results.push(tools.a({ n })); return (await Promise.all(results)).length",
        "const wait = Promise.race([tools.a(), new Promise((r) => setTimeout(r, 5))]); return (await wait) ?? 1",
    ] {
        assert_eq!(found(source), Vec::<String>::new(), "{source}");
    }
}

#[test]
fn calls_of_other_objects_are_found_with_their_object_so_that_the_caller_can_tell() {
    let stripped = strip("return rows.map(String).length + load().x", &StripLimits::default()).unwrap();
    let found: Vec<_> =
        stripped.used_promises.iter().map(|it| (it.namespace.as_deref(), it.function.as_str())).collect();
    assert_eq!(found, [(Some("rows"), "map")]);
}

#[test]
fn of_ever_so_many_only_the_first_are_kept_and_each_callee_once_in_a_line() {
    let many = format!("async function f() {{}}\n{}", "f()+1; f()+1\n".repeat(5_000));
    let found = found(&many);
    assert_eq!(found.len(), super::MOST_KEPT);
    assert_eq!(found[..2], ["f 2", "f 3"]);
}
