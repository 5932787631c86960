//! Any schema, any name and any description give a text that CPython and pyright take.

use std::fmt;

use dayfly_tools::{Json, Tool};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

use super::pyright::{Source, agrees};
use super::python::{accepts, check};
use super::schemas::{nasty_text, schema};
use super::texts::{module_of, text_of, try_tool};

/// How large a text may be: what a schema says, some of it again where it is shared, in longer words.
fn is_linear(schemas: usize, text: &str) -> bool {
    text.len() <= 24 * schemas + 8_192
}

/// The bytes of what tools are declared by.
fn declared(tools: &[Tool]) -> usize {
    let of = |tool: &Tool| {
        let schema = tool.schema();
        let names = schema.name.len() + schema.description.len();
        names + schema.input.serialized_len() + tool.output_schema().serialized_len()
    };
    tools.iter().map(of).sum()
}

fn tools() -> impl Strategy<Value = Vec<Tool>> {
    let any = (nasty_text(), nasty_text(), schema(), schema());
    prop::collection::vec(any, 0..8).prop_map(|declarations| {
        let mut tools: Vec<Tool> = Vec::new();
        for (name, description, input, output) in declarations {
            let mut entries: Vec<(String, Json)> =
                input.entries().map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
            entries.push(("type".to_owned(), Json::from("object")));
            // What is not a schema is refused when it is declared; the rest of the tool still is one.
            let plain = Json::object([("type", "object")]);
            let declared = [(&Json::object(entries), &output), (&plain, &output), (&plain, &Json::from(true))]
                .into_iter()
                .find_map(|(input, output)| try_tool(&name, &description, input, output).ok());
            tools.extend(declared.filter(|tool| tools.iter().all(|other| other.name() != tool.name())));
        }
        tools
    })
}

/// Many at once, for one process; which of them failed is said by the failure.
#[derive(Clone)]
struct Batch<T>(Vec<T>);

impl<T> fmt::Debug for Batch<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of them", self.0.len())
    }
}

fn batch<T: fmt::Debug + Clone>(one: impl Strategy<Value = T>, number: usize) -> impl Strategy<Value = Batch<T>> {
    prop::collection::vec(one, number).prop_map(Batch)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, max_shrink_iters: 40, ..ProptestConfig::default() })]

    #[test]
    fn any_schema_gives_a_type_that_cpython_compiles(schemas in batch(schema(), 50)) {
        let modules: Vec<String> = schemas
            .0
            .iter()
            .map(|schema| {
                let (module, ty) = module_of(schema);
                let size = schema.serialized_len();
                assert!(is_linear(size, &module), "{} bytes from {size}: {schema}", module.len());
                format!("{module}value: {ty}\n")
            })
            .collect();
        for (answer, (module, schema)) in check(&modules).answers.iter().zip(modules.iter().zip(&schemas.0)) {
            let problem = answer.get("problem").map(|problem| problem.to_owned());
            prop_assert_eq!(problem, None, "{}\n{}", module, schema);
        }
    }

    #[test]
    fn any_tools_give_declarations_that_cpython_compiles(sets in batch(tools(), 12)) {
        let texts: Vec<String> = sets.0.iter().map(|tools| text_of(tools).to_string()).collect();
        for (tools, text) in sets.0.iter().zip(&texts) {
            let size = declared(tools);
            prop_assert!(is_linear(size, text), "{} bytes from {}: {}", text.len(), size, text);
        }
        for (answer, text) in check(&texts).answers.iter().zip(&texts) {
            let problem = answer.get("problem").map(|problem| problem.to_owned());
            prop_assert_eq!(problem, None, "{}", text);
        }
    }
}

#[test]
fn pyright_takes_the_declarations_of_any_tools() {
    let mut runner = TestRunner::deterministic();
    let texts: Vec<String> =
        (0..120).map(|_| text_of(&tools().new_tree(&mut runner).unwrap().current()).to_string()).collect();
    accepts(&texts);
    agrees(&texts.iter().map(|text| Source::new(text)).collect::<Vec<_>>());
}
