//! What one schema says, keyword by keyword.

use dayfly_runtime::JsonRef;
use dayfly_runtime::json::JsonKind;

use super::paths::At;
use super::types::Types;

/// The keywords of one schema that types depend on. A keyword whose value is of the wrong kind is as good as absent.
#[derive(Debug, Clone)]
pub(super) struct Facets<'a> {
    pub(super) at: At<'a>,
    pub(super) kind: Option<JsonRef<'a>>,
    pub(super) nullable: bool,
    pub(super) constant: Option<JsonRef<'a>>,
    pub(super) enumeration: Option<JsonRef<'a>>,
    pub(super) properties: Option<JsonRef<'a>>,
    pub(super) required: Option<JsonRef<'a>>,
    pub(super) additional: Option<JsonRef<'a>>,
    pub(super) patterns: Option<JsonRef<'a>>,
    pub(super) property_names: Option<JsonRef<'a>>,
    pub(super) unevaluated: Option<JsonRef<'a>>,
    pub(super) items: Option<JsonRef<'a>>,
    pub(super) prefix: Option<JsonRef<'a>>,
    pub(super) additional_items: Option<JsonRef<'a>>,
    pub(super) unevaluated_items: Option<JsonRef<'a>>,
    pub(super) min_items: u64,
    pub(super) max_items: Option<u64>,
    pub(super) all_of: Option<JsonRef<'a>>,
    pub(super) any_of: Option<JsonRef<'a>>,
    pub(super) one_of: Option<JsonRef<'a>>,
    pub(super) not: Option<JsonRef<'a>>,
    pub(super) condition: Option<JsonRef<'a>>,
    pub(super) then: Option<JsonRef<'a>>,
    pub(super) otherwise: Option<JsonRef<'a>>,
    pub(super) dependent_schemas: Option<JsonRef<'a>>,
    pub(super) dependent_required: Option<JsonRef<'a>>,
    pub(super) dependencies: Option<JsonRef<'a>>,
    pub(super) contains: Option<JsonRef<'a>>,
    pub(super) references: Vec<(&'static str, &'a str)>,
    /// Whether anything stands here besides references.
    pub(super) siblings: bool,
}

impl<'a> Facets<'a> {
    /// What an object says as a schema. With `lone_references`, as the drafts before 2019 have it, nothing but words counts
    /// beside a `$ref`.
    pub(super) fn read(at: At<'a>, lone_references: bool) -> Self {
        let mut facets = Self::nothing(at);
        if lone_references && let Some(text) = at.schema.get("$ref").and_then(JsonRef::as_str) {
            facets.references.push(("$ref", text));
            facets.nullable = at.schema.get("nullable").and_then(JsonRef::as_bool) == Some(true);
            return facets;
        }
        for (keyword, value) in at.schema.entries() {
            facets.keyword(keyword, value);
        }
        facets
    }

    fn keyword(&mut self, keyword: &str, value: JsonRef<'a>) {
        let schema = matches!(value.kind(), JsonKind::Object | JsonKind::Bool).then_some(value);
        let object = (value.kind() == JsonKind::Object).then_some(value);
        let list = (value.kind() == JsonKind::Array && !value.is_empty()).then_some(value);
        match keyword {
            "type" => self.kind = Some(value),
            "nullable" => self.nullable = value.as_bool() == Some(true),
            "const" => self.constant = Some(value),
            "enum" => self.enumeration = (value.kind() == JsonKind::Array).then_some(value),
            "properties" => self.properties = object,
            "required" => self.required = list,
            "additionalProperties" => self.additional = schema,
            "patternProperties" => self.patterns = object.filter(|patterns| !patterns.is_empty()),
            "propertyNames" => self.property_names = schema,
            "unevaluatedProperties" => self.unevaluated = schema,
            "items" => self.items = schema.or_else(|| (value.kind() == JsonKind::Array).then_some(value)),
            "prefixItems" => self.prefix = list,
            "additionalItems" => self.additional_items = schema,
            "unevaluatedItems" => self.unevaluated_items = schema,
            "minItems" => self.min_items = value.as_u64().unwrap_or(0),
            "maxItems" => self.max_items = value.as_u64(),
            "allOf" => self.all_of = list,
            "anyOf" => self.any_of = list,
            "oneOf" => self.one_of = list,
            "not" => self.not = schema,
            "if" => self.condition = schema,
            "then" => self.then = schema,
            "else" => self.otherwise = schema,
            "dependentSchemas" => self.dependent_schemas = object.filter(|members| !members.is_empty()),
            "dependentRequired" => self.dependent_required = object,
            "dependencies" => self.dependencies = object,
            "contains" => self.contains = schema,
            "$ref" => self.reference("$ref", value),
            "$dynamicRef" => self.reference("$dynamicRef", value),
            "$recursiveRef" => self.reference("$recursiveRef", value),
            _ => return,
        }
        self.siblings |= !matches!(keyword, "$ref" | "$dynamicRef" | "$recursiveRef");
    }

    fn reference(&mut self, keyword: &'static str, value: JsonRef<'a>) {
        if let Some(text) = value.as_str() {
            self.references.push((keyword, text));
        }
    }

    const fn nothing(at: At<'a>) -> Self {
        Self {
            at,
            kind: None,
            nullable: false,
            constant: None,
            enumeration: None,
            properties: None,
            required: None,
            additional: None,
            patterns: None,
            property_names: None,
            unevaluated: None,
            items: None,
            prefix: None,
            additional_items: None,
            unevaluated_items: None,
            min_items: 0,
            max_items: None,
            all_of: None,
            any_of: None,
            one_of: None,
            not: None,
            condition: None,
            then: None,
            otherwise: None,
            dependent_schemas: None,
            dependent_required: None,
            dependencies: None,
            contains: None,
            references: Vec::new(),
            siblings: false,
        }
    }

    /// The kinds that this says more about than that they are allowed.
    pub(super) fn structure(&self) -> Types {
        let mut types = Types::NONE;
        if self.properties.is_some()
            || self.required.is_some()
            || self.additional.is_some()
            || self.patterns.is_some()
            || self.property_names.is_some()
            || self.closes()
        {
            types |= Types::OBJECT;
        }
        if self.items.is_some() || self.prefix.is_some() {
            types |= Types::ARRAY;
        }
        types
    }

    /// Whether `propertyNames` is a list of names and no more, which a type says.
    pub(super) fn lists_names(&self) -> bool {
        let plain = |keyword: &str| matches!(keyword, "enum" | "type" | "title" | "description" | "$comment");
        self.named_members().is_some()
            && self.property_names.is_some_and(|names| names.entries().all(|(keyword, _)| plain(keyword)))
    }

    /// The names that `propertyNames` lists, where they are all that there can be.
    pub(super) fn named_members(&self) -> Option<JsonRef<'a>> {
        if self.patterns.is_some() || self.additional.and_then(JsonRef::as_bool) == Some(false) {
            return None;
        }
        self.property_names.and_then(|names| names.get("enum"))
    }

    /// Whether `unevaluatedProperties` closes the object.
    pub(super) fn closes(&self) -> bool {
        self.unevaluated.and_then(JsonRef::as_bool) == Some(false)
    }

    /// Whether other schemas are held against the same value, other than those of `allOf`.
    pub(super) fn branches(&self) -> bool {
        self.any_of.is_some()
            || self.one_of.is_some()
            || self.condition.is_some()
            || self.dependent_schemas.is_some()
            || self.dependencies.is_some()
            || !self.references.is_empty()
    }
}
