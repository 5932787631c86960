//! Runs one program in each language with tools that are functions of this process.
//!
//! `cargo run --example embed`

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use dayfly::prelude::*;

const TYPESCRIPT: &str = r#"
const prices: number[] = await Promise.all(["tea", "cake"].map((item) => tools.price({ item })));
console.log(`two prices: ${prices.join(" and ")}`);
return { total: prices.reduce((sum, price) => sum + price, 0) };
"#;

const PYTHON: &str = r#"
try:
    await tools.price(item="unicorn")
except ToolCallError as error:
    print("failed call:", error)
return {"total": await tools.price(item="cake") * 2}
"#;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let asked = Arc::new(AtomicU64::new(0));
    let supervisor = Supervisor::new(ProcessConfig::default().max_concurrent_runs(2))?;
    for (language, program) in [(Language::TypeScript, TYPESCRIPT), (Language::Python, PYTHON)] {
        let request = RunRequest::new(program).bind(price_tools(&asked));
        let result = supervisor.runtime(language).run(request).await?;
        for entry in &result.logs {
            println!("{language} printed: {}", entry.text);
        }
        match (&result.failure, &result.value) {
            (Some(failure), _) => println!("{language} failed: {failure}"),
            (None, Some(value)) => println!("{language} returned: {value}"),
            (None, None) => println!("{language} returned nothing"),
        }
    }
    println!("prices asked for: {}", asked.load(Ordering::Relaxed));
    supervisor.shutdown().await;
    Ok(())
}

/// One tool that knows two prices and counts how often it is asked.
fn price_tools(asked: &Arc<AtomicU64>) -> Namespace {
    let asked = Arc::clone(asked);
    Namespace::tools().async_fn("price", move |call| {
        asked.fetch_add(1, Ordering::Relaxed);
        async move {
            match call.arguments.get("item").and_then(|item| item.as_str()) {
                Some("tea") => Ok(Json::from(3)),
                Some("cake") => Ok(Json::from(4)),
                _ => Err(CallError::new("there is no such item; ask for tea or cake")),
            }
        }
    })
}
