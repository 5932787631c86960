//! The tools of a small shop.

use std::error::Error;

use dayfly::tools::{Registry, RunContext, Tool, ToolFailure};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema)]
struct StockQuery {
    /// What is looked for, such as `tea`.
    item: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Stock {
    count: u32,
    /// The price of one, in dollars.
    price: f64,
}

#[derive(Deserialize, JsonSchema)]
struct Conversion {
    amount: f64,
    from: Currency,
    to: Currency,
}

#[derive(Deserialize, JsonSchema, Clone, Copy, PartialEq)]
#[serde(rename_all = "UPPERCASE")]
enum Currency {
    Usd,
    Eur,
}

/// Puts the tools and what the model is told of the shop into the registry.
pub(crate) fn open(registry: &Registry) -> Result<(), Box<dyn Error>> {
    let stock = Tool::typed::<StockQuery, Stock>("get_stock")
        .description("How many of an item are in stock, and what one costs.")
        .render(|query, stock| format!("{} {} at ${}", stock.count, query.item, stock.price))
        .concurrency_safe(|_| true)
        .execute(async |query: StockQuery, _: RunContext| match query.item.as_str() {
            "tea" => Ok(Stock { count: 40, price: 3.5 }),
            "cake" => Ok(Stock { count: 12, price: 5.0 }),
            other => Err(ToolFailure::new(format!("nothing named `{other}` is sold here; there are tea and cake"))),
        })?;
    let convert = Tool::typed::<Conversion, f64>("convert")
        .description("Converts an amount of money at today's rate.")
        .render(|asked, amount| format!("{} {}", amount, if asked.to == Currency::Eur { "EUR" } else { "USD" }))
        .concurrency_safe(|_| true)
        .execute(async |asked: Conversion, _: RunContext| {
            Ok(match (asked.from, asked.to) {
                (Currency::Usd, Currency::Eur) => asked.amount * 0.75,
                (Currency::Eur, Currency::Usd) => asked.amount / 0.75,
                (Currency::Usd, Currency::Usd) | (Currency::Eur, Currency::Eur) => asked.amount,
            })
        })?;
    registry.register(stock)?.keep();
    registry.register(convert)?.keep();
    registry.global().section("shop", 10, |agent| format!("You are the {} of a small shop.", agent.name()))?.keep();
    Ok(())
}
