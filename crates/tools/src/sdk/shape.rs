//! What a type system can say of a JSON Schema: the form between a schema and a language.
//!
//! A schema is lowered into shapes once; each language writes them in its own words. Shapes lie in an arena and name each other
//! by number, so neither making nor writing nor dropping them needs a frame per level.

use dayfly_runtime::Json;

/// The shapes of one tool, with what was lost on the way to them.
#[derive(Debug, Default)]
pub(crate) struct Shapes {
    nodes: Vec<Node>,
    /// What is referred to by name: the targets of `$ref`, in the order in which they were met.
    pub(crate) named: Vec<Named>,
    /// Where the shapes admit more than the schema does, beyond what comments can say.
    pub(crate) widened: Vec<Widened>,
}

/// A shape in its arena.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ShapeId(u32);

/// A named shape of its arena.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct NameId(u32);

/// A shape and what is said of it in comments.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    /// The description as it was written, by line; empty for most shapes.
    pub(crate) doc: Vec<String>,
    /// What no type says, each a short phrase without a line break: `at least 1`, `format date-time`, `default 10`.
    ///
    /// What is said of an array's items stands at the array, as `each: at least 1`.
    pub(crate) notes: Vec<String>,
    /// The [ordinal](dayfly_runtime::JsonRef::ordinal) of the schema that it was lowered from; 0 until the lowering says it.
    ///
    /// A language that cannot say a shape lists it by its place, and finds that by this.
    pub(crate) origin: usize,
}

/// What values a shape admits.
#[derive(Debug)]
pub(crate) enum Kind {
    /// Any JSON value.
    Any,
    /// None.
    Never,
    Null,
    Boolean,
    /// A number without a fraction.
    Integer,
    Number,
    String,
    /// Exactly this value, of any JSON type.
    Literal(Json),
    /// Items of one shape.
    Array(ShapeId),
    /// Items by position: `required` of `prefix` are always there, and what follows all of them is `rest`, if anything may.
    Tuple {
        prefix: Vec<ShapeId>,
        required: usize,
        rest: Option<ShapeId>,
    },
    Object(Object),
    /// What at least one of them admits; at least two.
    Union(Vec<ShapeId>),
    /// What all of them admit; at least two.
    Intersection(Vec<ShapeId>),
    /// What the name stands for.
    Named(NameId),
}

/// An object by its members.
#[derive(Debug)]
pub(crate) struct Object {
    /// In the order of the schema; no name twice.
    pub(crate) fields: Vec<Field>,
    pub(crate) rest: Rest,
}

/// A declared member.
#[derive(Debug)]
pub(crate) struct Field {
    /// The exact name.
    pub(crate) name: String,
    pub(crate) shape: ShapeId,
    pub(crate) required: bool,
}

/// Members that are not declared.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Rest {
    /// There are none.
    Closed,
    /// They may be anything, though the schema does not say so: few authors who leave `additionalProperties` out mean it.
    /// Nothing need be written for it beside declared fields.
    Unstated,
    /// They may be anything, and the schema says so.
    Open,
    /// Each has this shape.
    Each(ShapeId),
}

/// A shape that has a name.
#[derive(Debug)]
pub(crate) struct Named {
    /// The last word of the reference, such as `Node` of `#/$defs/Node`: any text, and not unique; empty for the schema
    /// itself (`#`), which then is [`Kind::Named`] at the root as well.
    pub(crate) hint: String,
    pub(crate) shape: ShapeId,
}

/// A place where a shape admits more than its schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Widened {
    /// The JSON pointer into the schema, such as `/properties/a/items`.
    pub(crate) path: String,
    /// What could not be said, as a phrase.
    pub(crate) reason: String,
}

impl Shapes {
    /// Puts a shape into the arena.
    pub(crate) fn add(&mut self, kind: Kind) -> ShapeId {
        // A schema has a size cap far below this many nodes.
        let id = ShapeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(Node { kind, doc: Vec::new(), notes: Vec::new(), origin: 0 });
        id
    }

    /// How many shapes there are: their numbers are below it.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// All shapes by number. What a shape is made of has higher numbers than the shape itself, but for what it names.
    pub(crate) fn ids(&self) -> impl DoubleEndedIterator<Item = ShapeId> + use<> {
        self.ids_from(0)
    }

    /// The shapes that were put into the arena when it had so many.
    pub(crate) fn ids_from(&self, first: usize) -> impl DoubleEndedIterator<Item = ShapeId> + use<> {
        let number = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        (number(first)..number(self.nodes.len())).map(ShapeId)
    }

    /// A shape of this arena, to change.
    pub(crate) fn get_mut(&mut self, id: ShapeId) -> Option<&mut Node> {
        self.nodes.get_mut(id.index())
    }

    /// Gives a name to a shape that may not be known yet: [`Shapes::define`] says it.
    pub(crate) fn declare(&mut self, hint: String) -> NameId {
        let unknown = self.add(Kind::Any);
        let id = NameId(u32::try_from(self.named.len()).unwrap_or(u32::MAX));
        self.named.push(Named { hint, shape: unknown });
        id
    }

    /// Says what a name stands for.
    pub(crate) fn define(&mut self, name: NameId, shape: ShapeId) {
        if let Some(named) = self.named.get_mut(name.index()) {
            named.shape = shape;
        }
    }

    /// A shape of this arena.
    pub(crate) fn get(&self, id: ShapeId) -> &Node {
        static NOTHING: Node = Node { kind: Kind::Any, doc: Vec::new(), notes: Vec::new(), origin: 0 };
        self.nodes.get(id.index()).unwrap_or(&NOTHING)
    }

    /// A named shape of this arena.
    pub(crate) fn name(&self, id: NameId) -> Option<&Named> {
        self.named.get(id.index())
    }
}

impl ShapeId {
    /// Its place in the arena.
    pub(crate) fn index(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

impl NameId {
    /// Its place among the names.
    pub(crate) fn index(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}
