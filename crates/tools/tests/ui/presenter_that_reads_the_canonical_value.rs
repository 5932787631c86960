//! A presenter has the arguments and what is durable of a result: the canonical value is never replayed.

use dayfly_tools::present::ResultView;
use dayfly_tools::{NoArguments, Tool};

fn main() {
    let _ = Tool::typed::<NoArguments, String>("greet").render_plain().present_result(|_, result| {
        let title = result.value.as_str().map(str::to_owned);
        Some(ResultView::Generic { title, content: None })
    });
}
