//! Cuts the TypeScript files of packages into what could be the body of a function.

use std::path::Path;

/// Packages that ship their TypeScript sources.
pub(crate) const PACKAGES: [&str; 5] = ["@tanstack/query-core", "effect", "immer", "rxjs", "zod"];

/// What a program may have by default; a few files with whole bundles in a string are longer.
const LONGEST: usize = 1 << 20;

/// Every `.ts` file of a package as one body, and each of its declarations as another.
pub(crate) fn of_package(package: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut directories = vec![package.to_owned()];
    while let Some(directory) = directories.pop() {
        let mut entries: Vec<_> = std::fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        for path in entries {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() && name != "node_modules" {
                directories.push(path);
            } else if name.ends_with(".ts") && !name.ends_with(".d.ts") {
                let body = body(&std::fs::read_to_string(&path).unwrap());
                if body.len() > LONGEST {
                    continue;
                }
                found.extend(declarations(&body));
                found.push(body);
            }
        }
    }
    found
}

/// A module's text without its imports and with what it exports declared only.
fn body(module: &str) -> String {
    let mut body = String::new();
    let mut dropping = false;
    for line in module.lines() {
        if ["import ", "export {", "export *", "export type {"].iter().any(|start| line.starts_with(start)) {
            dropping = true;
        }
        if dropping {
            // The names of a list stand on lines of their own; its end names the module, or closes it.
            let end = line.trim_end().trim_end_matches(';');
            dropping = !(end.ends_with(['"', '\'']) || end.ends_with('}') && line.starts_with(['}', 'e']));
        } else {
            body.push_str(line.strip_prefix("export default ").or(line.strip_prefix("export ")).unwrap_or(line));
        }
        body.push('\n');
    }
    body
}

/// The parts of a body that begin at the margin behind an empty line.
fn declarations(body: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut after_empty = false;
    for line in body.lines() {
        if after_empty && line.starts_with(|c: char| c.is_alphabetic() || c == '/') {
            parts.push(String::new());
        }
        after_empty = line.is_empty();
        let part = parts.last_mut().unwrap();
        part.push_str(line);
        part.push('\n');
    }
    parts.retain(|part| !part.trim().is_empty());
    parts
}
