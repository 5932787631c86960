//! What no type says: negations, conditions, and what members ask of others.

use dayfly_runtime::JsonRef;
use dayfly_runtime::json::JsonKind;

use super::facets::Facets;
use super::paths::Step;
use super::types::Types;
use super::{Lowering, notes};
use crate::sdk::shape::ShapeId;

impl<'a> Lowering<'a> {
    /// Says in words what was given up: what depends on other members or on being something else.
    pub(super) fn conditions(&mut self, facets: &[Facets<'a>], words: ShapeId) {
        for facet in facets {
            let say = |this: &mut Self, keyword: &'static str, note: String, reason: &str| {
                let path = this.paths.step(facet.at.path, Step::Key(keyword));
                this.widen(path, reason);
                if let Some(node) = this.shapes.get_mut(words) {
                    node.notes.push(note);
                }
            };
            if let Some(not) = facet.not
                && excluded(not).is_none()
            {
                say(self, "not", format!("not {}", notes::value(not)), "no type says what `not` excludes");
            }
            if let Some(condition) = facet.condition {
                let condition = notes::value(condition);
                let then = facet.then.map(|then| format!(", then {}", notes::value(then)));
                let otherwise = facet.otherwise.map(|otherwise| format!(", else {}", notes::value(otherwise)));
                if then.is_some() || otherwise.is_some() {
                    let note = format!("if {condition}{}{}", then.unwrap_or_default(), otherwise.unwrap_or_default());
                    say(self, "if", note, "no type says what holds under a condition");
                }
            }
            let dependent = facet.dependent_schemas.map(|schemas| ("dependentSchemas", schemas));
            let old = facet.dependencies.map(|schemas| ("dependencies", schemas));
            for (keyword, schemas) in dependent.into_iter().chain(old) {
                for (name, schema) in schemas.entries().filter(|(_, schema)| schema.kind() != JsonKind::Array) {
                    let note = format!("with {}, fits {}", notes::quoted(name), notes::value(schema));
                    say(self, keyword, note, "no type says what holds when a member is there");
                }
            }
        }
    }
}

/// The kinds that `not` excludes, when that is all it says.
pub(super) fn excluded(not: JsonRef<'_>) -> Option<Types> {
    match not.as_bool() {
        Some(true) => return Some(Types::ALL),
        Some(false) => return Some(Types::NONE),
        None if not.is_empty() => return Some(Types::ALL),
        None => {}
    }
    let (keyword, kind) = not.entries().next().filter(|_| not.len() == 1)?;
    let (types, whole) = Types::read(kind).filter(|_| keyword == "type")?;
    // Of the numbers with a fraction alone there is no type.
    (whole && types.has(Types::FRACTION) == types.has(Types::INTEGER)).then_some(types)
}
