//! Annotations in a tool's `inputSchema` that mirror arguments into headers: `x-mcp-header`.
//!
//! Finds all of them, also in forbidden places; the rules report their faults. References are not
//! followed.

use mcp_assay_json::{Kind, Node};

use super::keywords::{Holds, applicator};

/// An annotation.
#[derive(Clone)]
#[non_exhaustive]
pub struct ParamHeader<'a> {
    /// The value of the annotation: the name of the header if it is a string.
    pub name: Node<'a>,
    /// The keys of `properties` on the way from the root of the schema, outermost first.
    pub path: Vec<Node<'a>>,
    /// The schema that is annotated.
    pub schema: Node<'a>,
    /// The type it is declared with.
    pub declared: ParamType,
    /// Whether keys of `properties` alone lead there. Not so for the root itself, which is no
    /// property.
    pub is_static: bool,
}

impl ParamHeader<'_> {
    /// The argument that is mirrored, if it is there and the annotation is where it may be.
    #[must_use]
    pub fn argument<'b>(&self, arguments: Node<'b>) -> Option<Node<'b>> {
        if !self.is_static {
            return None;
        }
        let mut here = arguments;
        for key in &self.path {
            here = here.get(&key.text()?)?;
        }
        Some(here)
    }
}

/// The type of an annotated property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParamType {
    /// `string`
    String,
    /// `integer`
    Integer,
    /// `boolean`
    Boolean,
    /// Another one, or several.
    Other,
    /// None is declared.
    Undeclared,
}

/// The annotations of a schema, in no particular order.
pub struct ParamHeaders<'a> {
    open: Vec<Place<'a>>,
    /// The keys of `properties` that were passed: each with the one before it.
    keys: Vec<(Option<usize>, Node<'a>)>,
}

/// A subschema to visit.
struct Place<'a> {
    schema: Node<'a>,
    /// The last key on the path, as a position in [`ParamHeaders::keys`].
    key: Option<usize>,
    is_static: bool,
}

impl<'a> ParamHeaders<'a> {
    /// The annotations of an `inputSchema`.
    #[must_use]
    pub fn of(schema: Node<'a>) -> Self {
        Self {
            open: vec![Place {
                schema,
                key: None,
                is_static: true,
            }],
            keys: Vec::new(),
        }
    }

    fn path(&self, mut last: Option<usize>) -> Vec<Node<'a>> {
        let mut path = Vec::new();
        while let Some((before, key)) = last.and_then(|position| self.keys.get(position)) {
            path.push(*key);
            last = *before;
        }
        path.reverse();
        path
    }

    /// Adds the subschemas inside a subschema.
    fn enter(&mut self, place: &Place<'a>) {
        for (keyword, held) in place.schema.members() {
            let Some(known) = keyword.text().and_then(|name| applicator(&name)) else {
                continue;
            };
            match (known.holds, held.kind()) {
                (Holds::Named, Kind::Object) => {
                    let is_property = known.name == "properties";
                    for (key, schema) in held.members() {
                        let mut last = place.key;
                        if is_property {
                            last = Some(self.keys.len());
                            self.keys.push((place.key, key));
                        }
                        self.open.push(Place {
                            schema,
                            key: last,
                            is_static: place.is_static && is_property,
                        });
                    }
                }
                (Holds::Many | Holds::OneOrMany, Kind::Array) => {
                    let items = held.items();
                    self.open.extend(items.map(|schema| Place {
                        schema,
                        key: place.key,
                        is_static: false,
                    }));
                }
                (Holds::One | Holds::OneOrMany, _) => self.open.push(Place {
                    schema: held,
                    key: place.key,
                    is_static: false,
                }),
                _ => {}
            }
        }
    }
}

impl<'a> Iterator for ParamHeaders<'a> {
    type Item = ParamHeader<'a>;

    fn next(&mut self) -> Option<ParamHeader<'a>> {
        loop {
            let place = self.open.pop()?;
            if place.schema.kind() != Kind::Object {
                continue;
            }
            self.enter(&place);
            if let Some(name) = place.schema.get("x-mcp-header") {
                return Some(ParamHeader {
                    name,
                    path: self.path(place.key),
                    schema: place.schema,
                    declared: declared(place.schema),
                    is_static: place.is_static && place.key.is_some(),
                });
            }
        }
    }
}

fn declared(schema: Node<'_>) -> ParamType {
    let Some(declared) = schema.get("type") else {
        return ParamType::Undeclared;
    };
    let types = [
        ("string", ParamType::String),
        ("integer", ParamType::Integer),
        ("boolean", ParamType::Boolean),
    ];
    types
        .into_iter()
        .find(|(name, _)| declared.kind() == Kind::String && declared.is_text(name))
        .map_or(ParamType::Other, |(_, found)| found)
}
