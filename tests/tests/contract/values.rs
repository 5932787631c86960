//! Values cross whole or are refused with their path.

use dayfly::{Fault, Json, Language, Namespace, RunRequest, RunResult};
use dayfly_tests::{Both, Host, tools};

use crate::{gives, in_both, value};

/// A program that nests a list `levels` deep, sends it through `echo`, and returns the depth of what came back.
fn nested(levels: usize) -> Both<String> {
    Both::new(
        format!(
            "let v: any = [];\nfor (let i = 1; i < {levels}; i++) v = [v];\nlet back = await tools.echo(v);\nlet depth = 0;\nfor (; back; back = back[0]) depth++;\nreturn depth"
        ),
        format!(
            "v = []\nfor i in range(1, {levels}): v = [v]\nback = await tools.echo(v)\ndepth = 1\nwhile back:\n    back = back[0]\n    depth += 1\nreturn depth"
        ),
    )
}

async fn run(host: &Host, language: Language, program: &str) -> RunResult {
    host.run(language, RunRequest::new(program).bind(tools())).await
}

#[tokio::test]
async fn ten_thousand_levels_cross_a_call_both_ways() {
    let host = Host::new();
    let programs = nested(10_000);
    in_both(async |language| {
        let result = run(&host, language, programs.of(language)).await;
        assert_eq!(value(language, &result).as_u64(), Some(10_000), "{language}");
    })
    .await;
}

#[tokio::test]
async fn one_level_more_fails_that_call_alone() {
    let host = Host::new();
    let programs = nested(10_001);
    let caught = Both::new(
        format!(
            "try {{\n{}\n}} catch (e) {{ return [/10,?000/.test(e.message), await tools.ping()] }}",
            programs.typescript
        ),
        format!(
            "import re\ntry:\n    {}\nexcept ToolCallError as e:\n    return [bool(re.search('10,?000', str(e))), await tools.ping()]",
            programs.python.replace('\n', "\n    ")
        ),
    );
    in_both(async |language| {
        let result = run(&host, language, caught.of(language)).await;
        assert_eq!(value(language, &result).to_string(), r#"[true,"pong"]"#, "{language}");
    })
    .await;
}

#[tokio::test]
async fn a_completion_may_be_as_deep_and_no_deeper() {
    let program = |levels: usize| {
        Both::new(
            format!("let v: any = [];\nfor (let i = 1; i < {levels}; i++) v = [v];\nreturn v"),
            format!("v = []\nfor i in range(1, {levels}): v = [v]\nreturn v"),
        )
    };
    let host = Host::new();
    in_both(async |language| {
        let deep = value(language, &run(&host, language, program(10_000).of(language)).await);
        assert_eq!(deep.depth(), 10_000, "{language}");
        let deeper = run(&host, language, program(10_001).of(language)).await;
        let failure = deeper.failure.unwrap_or_else(|| panic!("{language}: 10,001 levels came back"));
        assert!(matches!(failure.fault, Fault::InvalidOutput { .. }), "{language}: {failure}");
        host.still_serves(language).await;
    })
    .await;
}

#[tokio::test]
async fn every_double_crosses_exactly() {
    // A linear congruential generator over all bit patterns: subnormal, huge and ordinary alike.
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let doubles: Vec<f64> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        f64::from_bits(state)
    })
    .filter(|double| double.is_finite() && *double != 0.0)
    .take(5_000)
    .collect();
    let numbers = Json::array(doubles.iter().map(|double| Json::try_from(*double).unwrap()));
    let request = |program: &str| {
        let numbers = numbers.clone();
        RunRequest::new(program).bind(Namespace::tools().async_fn("numbers", move |_| {
            let numbers = numbers.clone();
            async move { Ok(numbers) }
        }))
    };
    let host = Host::new();
    in_both(async |language| {
        let program = Both::new("return await tools.numbers()", "return await tools.numbers()");
        let back = value(language, &host.run(language, request(program.of(language))).await);
        let back: Vec<u64> = back.items().map(|number| number.as_f64().unwrap().to_bits()).collect();
        let sent: Vec<u64> = doubles.iter().map(|double| double.to_bits()).collect();
        assert!(back == sent, "{language}: some double was altered");
    })
    .await;
}

#[tokio::test]
async fn an_integer_that_a_double_cannot_hold_is_never_rounded() {
    let request = |program: &str| {
        RunRequest::new(program).bind(tools().async_fn("big", |_| async { Ok(Json::from(9_007_199_254_740_993_i64)) }))
    };
    let programs = Both::new(
        "try { return await tools.big() } catch (e) { return [e.toolName, /double/.test(e.message), await tools.ping()] }",
        "n = await tools.big()\nassert n == 2**53 + 1\nassert (await tools.echo(n=n))['n'] == n\nreturn ['big', True, 'pong']",
    );
    gives(programs, request, r#"["big",true,"pong"]"#).await;
}

#[tokio::test]
async fn what_a_program_gets_is_its_own_to_change() {
    let programs = Both::new(
        "const one = await tools.echo({ list: [1] });\none.list.push(2);\nconst two = await tools.echo({ list: [1] });\nreturn [one, two]",
        "one = await tools.echo(list=[1])\none['list'].append(2)\ntwo = await tools.echo(list=[1])\nreturn [one, two]",
    );
    gives(programs, |program| RunRequest::new(program).bind(tools()), r#"[{"list":[1,2]},{"list":[1]}]"#).await;
}

#[tokio::test]
async fn a_python_body_behaves_as_a_module_does_and_a_typescript_body_as_a_function() {
    let programs = Both::new(
        "let count = 0;\nfunction add() { count += 1 }\nadd(); add();\nif (count !== 2) return 'no';\nreturn [count, typeof (globalThis as any).count]",
        "count = 0\ndef add():\n    global count\n    count += 1\nadd(); add()\nfrom math import *\nassert floor(1.5) == 1\nreturn [count, 'undefined' if globals()['count'] == 2 else 'no']",
    );
    gives(programs, |program| RunRequest::new(program), r#"[2,"undefined"]"#).await;
}
