//! Static imports of what needs none, in words: one answer that leads to a program that runs.

use dayfly_runtime::Namespace;
use dayfly_strip::StaticImport;

/// Functions that are shown as they are called.
const MOST_SHOWN: usize = 3;

/// What to write instead of these imports, if the module of one of them is a namespace of the run.
pub(super) fn instead(imports: &[StaticImport], namespaces: &[Namespace]) -> Option<String> {
    let meant = |import: &StaticImport| namespaces.iter().find(|namespace| names(&import.module, &namespace.global));
    imports.iter().find_map(meant)?;
    let parts = imports.iter().map(|import| {
        let StaticImport { line, instead, .. } = import;
        match meant(import) {
            Some(namespace) => format!(
                "leave the import in line {line} out, because `{0}` is there without an import, and write {1}",
                namespace.global,
                calls(import, namespace)
            ),
            None => format!("in line {line} write `{instead}`"),
        }
    });
    Some(parts.collect::<Vec<_>>().join("; "))
}

/// Whether a module's name means the global: `tools`, `tools/read`, `./tools`, `@host/tools.js`.
fn names(module: &str, global: &str) -> bool {
    module.split('/').any(|part| part.split('.').next() == Some(global))
}

/// How the imported functions are called, those that there are.
fn calls(import: &StaticImport, namespace: &Namespace) -> String {
    let global = &namespace.global;
    let known = import.names.iter().filter(|name| namespace.functions.iter().any(|(function, _)| function == *name));
    let calls: Vec<String> = known.take(MOST_SHOWN).map(|name| format!("`await {global}.{name}({{ … }})`")).collect();
    if calls.is_empty() { format!("`await {global}.name({{ … }})`") } else { calls.join(", ") }
}
