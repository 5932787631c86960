//! A program runs, calls and returns, in each language.

use dayfly_process::{ProcessConfig, Supervisor};
use dayfly_runtime::{CodeRuntime as _, Json, Language, Namespace, RunRequest};

async fn run(language: Language, program: &str) {
    let supervisor = Supervisor::new(ProcessConfig::default()).unwrap();
    let tools = Namespace::tools().async_fn("double", |call| async move {
        let number = call.arguments.get("n").and_then(|n| n.as_i64()).unwrap_or(0);
        Ok(Json::from(number * 2))
    });
    let result = supervisor.runtime(language).run(RunRequest::new(program).bind(tools)).await.unwrap();
    assert_eq!(result.failure, None, "{}", result.to_json());
    assert_eq!(result.value, Some(Json::from(42)));
    assert_eq!(result.logs[0].text, "hello");
    supervisor.shutdown().await;
}

#[cfg(feature = "python")]
#[tokio::test]
async fn a_python_program_calls_and_returns() {
    run(Language::Python, "print('hello')\nreturn await tools.double(n=21)").await;
}

#[cfg(feature = "typescript")]
#[tokio::test]
async fn a_typescript_program_calls_and_returns() {
    run(Language::TypeScript, "console.log('hello')\nreturn await tools.double({ n: 21 as number })").await;
}
