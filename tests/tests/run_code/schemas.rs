//! What the declarations say can be written is what runs: each tool is called as it is declared, with arguments that its schema takes.

use dayfly::tools::Tool;
use dayfly::{Json, Language};
use dayfly_tests::{Both, CodeMode, Host};

use crate::{declared, json, result};

/// Schemas of arguments, each with arguments that fit.
const TOOLS: &[(&str, &str, &[&str])] = &[
    ("nothing", r#"{"type":"object","additionalProperties":false}"#, &["{}"]),
    (
        "all-optional",
        r#"{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}}}"#,
        &["{}", r#"{"b":1}"#],
    ),
    (
        "fields",
        r#"{"type":"object","properties":{"self":{},"args":{},"name":{},"default":{},"method":{},"kwargs":{},"cls":{},"this":{},"code":{},"tool_name":{}},"required":["self","args","name","default","method"]}"#,
        &[
            r#"{"self":1,"args":[2],"name":"three","default":null,"method":{"m":5}}"#,
            r#"{"self":1,"args":2,"name":3,"default":4,"method":5,"kwargs":6,"cls":7,"this":8,"code":9,"tool_name":10}"#,
        ],
    ),
    (
        "keywords",
        r#"{"type":"object","properties":{"class":{"type":"string"},"from":{"type":"integer"},"import":{},"None":{},"await":{},"__proto__":{},"constructor":{},"toJSON":{},"then":{}},"required":["class","from"]}"#,
        &[r#"{"class":"a","from":1,"import":2,"None":3,"await":4,"__proto__":5,"constructor":6,"toJSON":7,"then":8}"#],
    ),
    (
        "odd members",
        r#"{"type":"object","properties":{"a-b":{"type":"string"},"":{"type":"integer"},"q\"\n":{"type":"integer"},"工具":{"type":"string"}},"required":["a-b"]}"#,
        &[r#"{"a-b":"x","":1,"q\"\n":1,"工具":"z"}"#],
    ),
    ("any", r#"{}"#, &["{}", r#"{"a":[null,{"b":[]}]}"#]),
    ("yes", "true", &[r#"{"a":1}"#]),
    (
        "tuple",
        r#"{"type":"object","properties":{"a":{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"items":false,"minItems":2}},"required":["a"]}"#,
        &[r#"{"a":["x",1]}"#],
    ),
    (
        "union",
        r#"{"oneOf":[{"type":"object","properties":{"k":{"const":"a"},"x":{"type":"number"}},"required":["k","x"]},{"type":"object","properties":{"k":{"const":"b"}},"required":["k"]}]}"#,
        &[r#"{"k":"a","x":1.5}"#, r#"{"k":"b"}"#],
    ),
    (
        "map",
        r#"{"type":"object","additionalProperties":{"type":"number"},"patternProperties":{"^s_":{"type":"string"}}}"#,
        &["{}", r#"{"n":1,"s_n":"x"}"#],
    ),
    (
        "tree",
        r##"{"type":"object","properties":{"v":{"type":"integer"},"kids":{"type":"array","items":{"$ref":"#"}}},"required":["v"]}"##,
        &[r#"{"v":1,"kids":[{"v":2,"kids":[]},{"v":3}]}"#],
    ),
    (
        "literals",
        r#"{"type":"object","properties":{"e":{"enum":["a",1,null,true,{"o":[1]}]},"c":{"const":[1,"two",null]},"n":{"type":["string","null"]}},"required":["e","c"]}"#,
        &[r#"{"e":{"o":[1]},"c":[1,"two",null],"n":null}"#],
    ),
    (
        "text that bites",
        r#"{"type":"object","description":"*/ \"\"\" ${x} ```","properties":{"a":{"type":"string","description":"ends */ and \"\"\" here"}}}"#,
        &[r#"{"a":"*/ \"\"\" ${x} \\ '"}"#],
    ),
    (
        "large",
        r#"{"type":"object","properties":{"n":{"type":"integer"},"f":{"type":"number"}}}"#,
        &[r#"{"n":9007199254740991,"f":1e-7}"#],
    ),
];

/// A tool that gives its arguments back, and whose value has the same schema.
fn echo(name: &str, nth: usize, schema: Json) -> Tool {
    let declared = Tool::raw(name, schema.clone()).description(format!("Tool number {nth:03}."));
    let tool = declared.output_plain(schema).concurrency_safe(|_| true).execute(async |arguments, _| Ok(arguments));
    tool.unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Every tool, with every argument as the language writes it; the program returns what came back, and a failure's text in its place.
fn program(language: Language, calls: &[String]) -> String {
    let each = calls.iter().enumerate().map(|(nth, call)| {
        if language == Language::Python {
            format!("async def call{nth}():\n    try:\n        return {call}\n    except Exception as e:\n        return str(e)\n")
        } else {
            format!("const call{nth} = async () => {{ try {{ return {call} }} catch (e) {{ return String(e) }} }};\n")
        }
    });
    let all: Vec<String> = (0..calls.len()).map(|nth| format!("await call{nth}()")).collect();
    format!("{}return [{}]", each.collect::<String>(), all.join(", "))
}

/// A value of JSON as Python writes it.
fn python(json: &str) -> String {
    format!("__import__('json').loads({})", Json::from(json))
}

fn written(language: Language, json: &str) -> String {
    if language == Language::Python { python(json) } else { format!("JSON.parse({})", Json::from(json)) }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tools_of_odd_schemas_are_called_as_they_are_declared() {
    let host = Host::new();
    for language in Language::ALL {
        let mode = TOOLS.iter().enumerate().fold(CodeMode::new(&host, language), |mode, (nth, (name, schema, _))| {
            mode.with_tool(echo(name, nth, json(schema)))
        });
        let text = declared::text(&mode).await;
        let (mut calls, mut wanted) = (Vec::new(), Vec::new());
        for (nth, (name, _, arguments)) in TOOLS.iter().enumerate() {
            let access = declared::access(language, &text, &format!("Tool number {nth:03}."));
            for argument in *arguments {
                // Each way that the instructions know of.
                let mut ways = vec![format!("await {access}({})", written(language, argument))];
                ways.push(format!("await tools[{}]({})", Json::from(*name), written(language, argument)));
                if language == Language::Python {
                    ways.push(format!("await {access}(**{})", python(argument)));
                }
                if *argument == "{}" {
                    ways.push(format!("await {access}()"));
                }
                wanted.extend(ways.iter().map(|_| json(argument)));
                calls.extend(ways);
            }
        }
        let outcome = mode.run(&program(language, &calls)).await;
        let result = result(&outcome);
        for ((call, wanted), got) in calls.iter().zip(&wanted).zip(result.items()) {
            assert_eq!(got.to_owned(), *wanted, "{language}: {call}");
        }
        assert_eq!(result.len(), wanted.len(), "{language}");
    }
    host.supervisor.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_type_checker_takes_runs_and_comes_back_the_same() {
    let host = Host::new();
    let lists = [
        include_str!("../../../crates/tools/tests/sdk/schema-types.json"),
        include_str!("../../../crates/tools/tests/sdk/more-types.json"),
    ];
    // The expressions are TypeScript's: what arrives of them is what Python sends.
    let mut sent: Vec<Json> = Vec::new();
    for language in Language::ALL {
        let mut mode = CodeMode::new(&host, language);
        let mut calls = Vec::new();
        let cases: Vec<Json> =
            lists.iter().flat_map(|list| json(list).items().map(|case| case.to_owned()).collect::<Vec<_>>()).collect();
        let mut expressions = Vec::new();
        for (nth, case) in cases.iter().enumerate() {
            mode = mode.with_tool(echo(&format!("case-{nth}"), nth, case.get("schema").unwrap().to_owned()));
            let accepted = case.get("accept").unwrap();
            expressions
                .extend(accepted.items().map(|expression| (nth, expression.as_str().unwrap_or_default().to_owned())));
        }
        let text = declared::text(&mode).await;
        for (sending, (nth, expression)) in expressions.iter().enumerate() {
            let access = declared::access(language, &text, &format!("Tool number {nth:03}."));
            let python = || python(&sent[sending].to_string());
            let argument = if language == Language::Python { python() } else { expression.clone() };
            calls.push(format!("await {access}({argument})"));
        }
        let outcome = mode.run(&program(language, &calls)).await;
        let result = result(&outcome);
        let got: Vec<Json> = result.items().map(|value| value.to_owned()).collect();
        assert!(got.len() > 60, "{language}: {}", got.len());
        let failed: Vec<String> = calls
            .iter()
            .zip(&got)
            .filter_map(|(call, got)| got.as_str().map(|text| format!("{call}: {text}")))
            .collect();
        assert!(failed.is_empty(), "{language}:\n{}", failed.join("\n"));
        if sent.is_empty() {
            sent = got;
        } else {
            assert_eq!(got, sent, "{language}");
        }
    }
    host.supervisor.shutdown().await;
}

#[tokio::test]
async fn p18_and_p19_the_declaration_says_which_argument_may_be_left_out_and_so_it_is() {
    let host = Host::new();
    let may_be_left_out = Both::new("{} extends ToolArgsMap[K]", "= {}, /)");
    for language in Language::ALL {
        let required = json(r#"{"type":"object","properties":{"self":{"type":"string"}},"required":["self"]}"#);
        let optional = json(r#"{"type":"object","properties":{"self":{"type":"string"}}}"#);
        let mode = CodeMode::new(&host, language)
            .with_tool(echo("required", 1, required))
            .with_tool(echo("optional", 2, optional));
        assert!(declared::text(&mode).await.contains(may_be_left_out.of(language)), "{language}");
        let outcome = mode.run("return await tools.optional()").await;
        assert_eq!(outcome.text(), "{}", "{language}");
        let text = mode.run("return await tools.required()").await.text();
        assert!(
            text.starts_with(
                "Error: code run failed (exception): ToolCallError: tools.required failed: the arguments of `required`"
            ),
            "{language}: {text}"
        );
        assert!(text.contains("self"), "{language}: {text}");
    }
    host.supervisor.shutdown().await;
}
