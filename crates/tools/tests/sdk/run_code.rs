//! What `run_code` says of itself, word for word, in each language.
//!
//! `DAYFLY_BLESS=1` writes what is said over what was expected; read the difference before it is kept.

use std::fs;
use std::path::Path;

use dayfly_runtime::Language;
use dayfly_runtime::testing::ScriptedRuntime;
use dayfly_tools::{Presentation, RUN_CODE, Registry, RegistryConfig};

#[test]
fn what_run_code_says_of_itself_is_as_it_was_read_last() {
    let bless = std::env::var("DAYFLY_BLESS").is_ok_and(|value| value == "1");
    for language in Language::ALL {
        let registry = Registry::builder()
            .config(RegistryConfig::default().mode(Presentation::Code))
            .code_runtime(ScriptedRuntime::new(language))
            .build()
            .unwrap();
        let tool = registry.scope("agent").get(RUN_CODE).unwrap();
        let schema = tool.schema();
        let said = format!("{}\n\n{}\n\n{}\n", schema.name, schema.description, schema.input.to_pretty());
        let name = format!("tests/sdk/run_code/{}.txt", language.name());
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
        if bless {
            fs::write(&path, &said).unwrap();
        }
        let expected = fs::read_to_string(&path).unwrap_or_default();
        assert!(said == expected, "{} says otherwise; DAYFLY_BLESS=1 writes this down:\n{said}", path.display());
    }
}
