//! What no type says: negations, conditions, what some item or every name must fit, and what members ask of others.

use dayfly_runtime::JsonRef;
use dayfly_runtime::json::JsonKind;

use super::facets::Facets;
use super::paths::Step;
use super::types::Types;
use super::{Lowering, notes};
use crate::sdk::shape::ShapeId;

impl<'a> Lowering<'a> {
    /// Lists what was given up, and says it in words where its words are not those of a limit.
    pub(super) fn conditions(&mut self, facets: &[Facets<'a>], types: Types, words: ShapeId) {
        for facet in facets {
            self.limits_by_schemas(facet, types);
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
                    let path = self.paths.step(facet.at.path, Step::Key(keyword));
                    let path = self.paths.step(path, Step::Key(name));
                    self.widen(path, "no type says what holds when a member is there");
                    self.note(words, format!("with {}, fits {}", notes::quoted(name), notes::value(schema)));
                }
            }
        }
    }

    /// Lists what is said in the words of a limit, and is more than one: what some item or every name must fit, and which members
    /// go with which.
    fn limits_by_schemas(&mut self, facet: &Facets<'a>, types: Types) {
        if types.has(Types::ARRAY)
            && facet.contains.is_some_and(notes::is_schema)
            && !notes::may_be_without(facet.at.schema)
        {
            let path = self.paths.step(facet.at.path, Step::Key("contains"));
            self.widen(path, "no type says what some of the items must fit");
        }
        if !types.has(Types::OBJECT) {
            return;
        }
        if facet.property_names.is_some_and(notes::is_schema) && !facet.lists_names() {
            let path = self.paths.step(facet.at.path, Step::Key("propertyNames"));
            self.widen(path, "no type says what the names must fit");
        }
        let required = facet.dependent_required.map(|names| ("dependentRequired", names));
        let old = facet.dependencies.map(|names| ("dependencies", names));
        for (keyword, members) in required.into_iter().chain(old) {
            for (name, needed) in members.entries() {
                if needed.kind() == JsonKind::Array && !needed.is_empty() {
                    let path = self.paths.step(facet.at.path, Step::Key(keyword));
                    let path = self.paths.step(path, Step::Key(name));
                    self.widen(path, "no type says which members go with which");
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
