//! Schemas with values that their types must take and must refuse.

use std::path::Path;

use dayfly_tools::Json;

use super::pyright::{Source, agrees};
use super::python::accepts;
use super::texts::{json, module_of};

/// Each: a name, a schema, Python values that it admits, values that it does not, and values that it does not but the type
/// does, because Python cannot say it.
fn cases() -> Json {
    json(include_str!("cases.json"))
}

fn texts<'a>(case: dayfly_runtime::JsonRef<'a>, key: &str) -> impl Iterator<Item = &'a str> + use<'a> {
    case.get(key).into_iter().flat_map(|values| values.items()).map(|value| value.as_str().unwrap())
}

#[test]
fn types_take_the_values_that_their_schemas_admit_and_refuse_the_others() {
    let cases = cases();
    let mut modules = Vec::new();
    let mut sources = Vec::new();
    for case in cases.items() {
        let (module, ty) = module_of(&case.get("schema").unwrap().to_owned());
        modules.push(format!("{module}value: {ty}\n"));
        let mut source = Source::new(&module);
        let mut number = 0;
        let mut line = |value: &str| {
            number += 1;
            format!("value{number}: {ty} = {value}")
        };
        texts(case, "accept").for_each(|value| source.right(&line(value)));
        texts(case, "reject").for_each(|value| source.wrong(&line(value)));
        // Taken, though it should not be: were it refused, the list of what Python cannot say would be out of date.
        texts(case, "taken").for_each(|value| source.right(&line(value)));
        sources.push(source);
    }
    assert!(sources.len() >= 30, "{} cases", sources.len());
    accepts(&modules);
    agrees(&sources);
}

/// The declarations that stand beside their tools for both languages, as they stand there.
#[test]
fn every_golden_declaration_is_taken_by_cpython_and_by_the_type_checker() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sdk/golden");
    let folders = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path());
    let texts: Vec<String> =
        folders.map(|folder| std::fs::read_to_string(folder.join("expected.py")).unwrap()).collect();
    assert!(texts.len() > 10, "only {} golden declarations were found", texts.len());
    accepts(&texts);
    agrees(&texts.iter().map(|text| Source::new(text)).collect::<Vec<_>>());
}
