//! A model that was written down: it needs no key, and says the same every time.

use dayfly::tools::{Presentation, RUN_CODE};
use dayfly::{Json, Language};

use crate::model::{AskedCall, Message, Model, ModelError, Reply, Request};

const TYPESCRIPT: &str = "\
const stocks = await Promise.all([\"tea\", \"cake\"].map((item) => tools.get_stock({ item })));
const dollars = stocks.reduce((sum, stock) => sum + stock.count * stock.price, 0);
console.log(`${dollars} dollars`);
return { euros: await tools.convert({ amount: dollars, from: \"USD\", to: \"EUR\" }) };";

const PYTHON: &str = "\
import asyncio
stocks = await asyncio.gather(*(tools.get_stock(item=item) for item in [\"tea\", \"cake\"]))
dollars = sum(stock[\"count\"] * stock[\"price\"] for stock in stocks)
print(f\"{dollars:g} dollars\")
return {\"euros\": await tools.convert({\"amount\": dollars, \"from\": \"USD\", \"to\": \"EUR\"})}";

/// The model.
pub(crate) struct ScriptedModel {
    language: Language,
    mode: Presentation,
}

impl ScriptedModel {
    pub(crate) const fn new(language: Language, mode: Presentation) -> Self {
        Self { language, mode }
    }

    /// What it says in its first turn under each mode.
    fn first(&self) -> AskedCall {
        match self.mode {
            // It was told that only `run_code` may be called, and forgets it once.
            Presentation::Code | Presentation::Native => asked("call-1", "get_stock", Json::object([("item", "tea")])),
            Presentation::Both => asked("call-1", "get_stock", Json::object([("item", "coffee")])),
        }
    }

    fn program(&self) -> AskedCall {
        let program = if self.language == Language::Python { PYTHON } else { TYPESCRIPT };
        let arguments = Json::object([("code", program), ("description", "Values the stock in euros")]);
        asked("call-2", RUN_CODE, arguments)
    }
}

fn asked(id: &str, name: &str, arguments: Json) -> AskedCall {
    AskedCall { id: id.to_owned(), name: name.to_owned(), arguments }
}

impl Model for ScriptedModel {
    async fn reply(&self, request: Request<'_>) -> Result<Reply, ModelError> {
        let results: Vec<&str> = request
            .messages
            .iter()
            .filter_map(|message| match message {
                Message::Tool { text, .. } => Some(text.as_str()),
                Message::User(_) | Message::Assistant(_) => None,
            })
            .collect();
        Ok(match results.as_slice() {
            [] => Reply { calls: vec![self.first()], ..Reply::default() },
            [_] => Reply { text: "I'll write a program.".to_owned(), calls: vec![self.program()] },
            [.., result] => {
                // What was printed stands before the value.
                let (_, value) = result.split_once('\n').unwrap_or_default();
                let value =
                    Json::parse(value).map_err(|error| ModelError(format!("it cannot read {result}: {error}")))?;
                let euros = value.get("euros").and_then(|euros| euros.as_f64());
                let euros = euros.ok_or_else(|| ModelError(format!("there are no euros in {result}")))?;
                Reply { text: format!("The stock of tea and cake is worth {euros} euros."), calls: Vec::new() }
            }
        })
    }
}
