//! The keywords that hold schemas, and the relation of these to a value. For all dialects at once.

use self::Holds::{Many, Named, One, OneOrMany};
use self::Reach::{Below, Nothing, Same};

/// A keyword that holds schemas.
pub(super) struct Applicator {
    pub(super) name: &'static str,
    pub(super) holds: Holds,
    pub(super) reach: Reach,
    /// Whether a laxer schema in it never makes the keyword stricter.
    pub(super) monotone: bool,
}

/// The value of a keyword.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Holds {
    /// A schema.
    One,
    /// A list of schemas.
    Many,
    /// A schema, or a list of them.
    OneOrMany,
    /// An object whose members are schemas. Members that are lists are names.
    Named,
}

/// The values that the schemas of a keyword check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reach {
    /// The same value.
    Same,
    /// Members, items or names of the value.
    Below,
    /// Nothing: they are there to be referred to.
    Nothing,
}

const fn applies(name: &'static str, holds: Holds, reach: Reach, monotone: bool) -> Applicator {
    Applicator {
        name,
        holds,
        reach,
        monotone,
    }
}

static APPLICATORS: [Applicator; 22] = [
    applies("$defs", Named, Nothing, true),
    applies("additionalItems", One, Below, true),
    applies("additionalProperties", One, Below, true),
    applies("allOf", Many, Same, true),
    applies("anyOf", Many, Same, true),
    // With `maxContains` an item too many can fit.
    applies("contains", One, Below, false),
    applies("contentSchema", One, Nothing, true),
    applies("definitions", Named, Nothing, true),
    applies("dependencies", Named, Same, true),
    applies("dependentSchemas", Named, Same, true),
    applies("else", One, Same, true),
    applies("if", One, Same, false),
    applies("items", OneOrMany, Below, true),
    applies("not", One, Same, false),
    applies("oneOf", Many, Same, false),
    applies("patternProperties", Named, Below, true),
    applies("prefixItems", Many, Below, true),
    applies("properties", Named, Below, true),
    applies("propertyNames", One, Below, true),
    applies("then", One, Same, true),
    applies("unevaluatedItems", One, Below, true),
    applies("unevaluatedProperties", One, Below, true),
];

/// The keyword of this name, if it holds schemas.
pub(super) fn applicator(name: &str) -> Option<&'static Applicator> {
    APPLICATORS.iter().find(|found| found.name == name)
}
