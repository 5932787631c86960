//! Readable programs beside what is left of them: `tests/golden/*.ts` and `*.js`.
//!
//! `DAYFLY_BLESS=1` writes the `.js` files anew.

use dayfly_strip::{StripLimits, strip};
use std::path::Path;

#[test]
fn every_golden_program_strips_to_the_text_beside_it() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut seen = 0;
    for entry in std::fs::read_dir(&directory).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "ts") {
            continue;
        }
        let source = std::fs::read_to_string(&path).unwrap();
        let stripped = strip(&source, &StripLimits::default()).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        let beside = path.with_extension("js");
        if std::env::var_os("DAYFLY_BLESS").is_some() {
            std::fs::write(&beside, &stripped.code).unwrap();
        }
        assert_eq!(stripped.code, std::fs::read_to_string(&beside).unwrap(), "{path:?}");
        assert_eq!(stripped.code.len(), source.len(), "{path:?}");
        assert_eq!(stripped.code.encode_utf16().count(), source.encode_utf16().count(), "{path:?}");
        seen += 1;
    }
    assert_eq!(seen, 4);
}
