//! Tools that run programs themselves, called by programs.

use std::time::Duration;

use dayfly::tools::{Presentation, Registry, RegistryConfig, RunContext, Tool, ToolCall};
use dayfly::{Json, Language};
use dayfly_tests::{Both, Host};

const OUTER: Both<&str> = Both::new("return await tools.composite({})", "return await tools.composite({})");
const INNER: Both<&str> = Both::new("return 6 * 7", "return 6 * 7");

fn run_code(program: &str) -> Json {
    Json::object([("code", program), ("description", "Do it")])
}

/// The bridge runs tools in tasks of their own, where nothing of the outer run's task is seen.
#[tokio::test]
async fn a_tool_that_runs_a_program_does_not_wait_for_the_place_of_the_program_that_called_it() {
    for language in Language::ALL {
        let host = Host::with(|config| config.max_concurrent_runs(1).queue_wait(Duration::from_secs(2)));
        let config = RegistryConfig::default().mode(Presentation::Code);
        let registry = Registry::builder().config(config).code_runtime(host.runtime(language).clone()).build().unwrap();
        let composite = Tool::raw("composite", Json::object([("type", "object")]))
            .output_plain(Json::from(true))
            .execute(move |_: Json, run: RunContext| async move {
                let inner = run.nested("inner", "run_code", run_code(INNER.of(language)));
                let outcome = run.scope().execute(inner).await;
                Ok(outcome.result?.get("result").map(Json::from).unwrap_or_default())
            })
            .unwrap();
        registry.register(composite).unwrap().keep();
        let outcome = registry.execute(ToolCall::new("call", "run_code", run_code(OUTER.of(language)))).await;
        assert_eq!(outcome.text(), "42", "{language}");
        host.supervisor.shutdown().await;
    }
}
