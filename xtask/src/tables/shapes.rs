//! Types to shapes, each shape once.

use std::collections::BTreeMap;

use super::scope::Scope;
use super::{ArmRow, EnumRow, Set, Shape, StructRow, UnionRow};
use crate::wire::ast::{ArmTag, Format, Item, ItemKind, Type, TypeKind};

/// The shapes found so far, and the numbers of everything that has a name.
pub(super) struct Shapes<'a> {
    scope: &'a Scope<'a>,
    rows: Vec<Shape>,
    by_text: BTreeMap<String, u16>,
    structs: BTreeMap<&'a str, u16>,
    enums: BTreeMap<&'a str, u16>,
    /// By name and tag: a union whose tag changed in time has two rows.
    unions: BTreeMap<(&'a str, Option<&'a str>), u16>,
    /// Unions written in place, by their text, numbered after the named ones.
    places: Vec<Place>,
    places_by_text: BTreeMap<String, usize>,
}

/// A union written in place: for each alternative its shape in each revision that uses it.
struct Place {
    text: String,
    shapes: Vec<Vec<Option<u16>>>,
}

impl<'a> Shapes<'a> {
    pub(super) fn new(scope: &'a Scope<'a>) -> Self {
        let mut shapes = Self {
            scope,
            rows: Vec::new(),
            by_text: BTreeMap::new(),
            structs: BTreeMap::new(),
            enums: BTreeMap::new(),
            unions: BTreeMap::new(),
            places: Vec::new(),
            places_by_text: BTreeMap::new(),
        };
        for &(item, _) in &scope.items {
            let name = item.name.text.as_str();
            match &item.kind {
                ItemKind::Struct(_) => number(&mut shapes.structs, name),
                ItemKind::Enum(_) => number(&mut shapes.enums, name),
                ItemKind::Union(union) => number(
                    &mut shapes.unions,
                    (name, union.tag.as_ref().map(|tag| tag.text.as_str())),
                ),
                _ => {}
            }
        }
        shapes
    }

    /// The shape of a type in a revision; `None` if it does not exist there, which the checks have
    /// ruled out.
    pub(super) fn shape(&mut self, ty: &'a Type, revision: usize) -> Option<u16> {
        let shape = match &ty.kind {
            TypeKind::Any => Shape::Any,
            TypeKind::Null => Shape::Null,
            TypeKind::Bool => Shape::Bool,
            TypeKind::String(format) => Shape::String(*format),
            TypeKind::Literal(text) => Shape::Literal(text.clone()),
            TypeKind::Int(min, max) => Shape::Int(*min, *max),
            TypeKind::Number(min, max) => Shape::Number(*min, *max),
            TypeKind::Object => Shape::Object,
            TypeKind::Array(item, max) => Shape::Array(self.shape(item, revision)?, *max),
            TypeKind::Map(value) => Shape::Map(self.shape(value, revision)?),
            TypeKind::Either(alternatives) => self.either(ty, alternatives, revision)?,
            TypeKind::Name(name) => {
                let (_, item) = self.scope.find(name, revision)?;
                match &item.kind {
                    ItemKind::Alias(target) => return self.shape(target, revision),
                    _ => self.named(item)?,
                }
            }
        };
        Some(self.intern(shape))
    }

    /// Gives a struct, enum or union a shape, if nothing has referred to it yet.
    pub(super) fn add_named(&mut self, item: &Item) {
        if let Some(shape) = self.named(item) {
            self.intern(shape);
        }
    }

    /// The shape behind an id.
    pub(super) fn get(&self, id: u16) -> &Shape {
        &self.rows[usize::from(id)]
    }

    /// The number of a union's row.
    pub(super) fn union_index(&self, name: &str, tag: Option<&str>) -> Option<usize> {
        self.unions
            .get(&(name, tag))
            .map(|&index| usize::from(index))
    }

    /// The rows of all shapes, and those of the unions written in place, which come after the named
    /// ones.
    pub(super) fn finish(self) -> (Vec<Shape>, Vec<UnionRow>) {
        let places = self.places.into_iter().map(|place| {
            let arms: Vec<ArmRow> = place
                .shapes
                .iter()
                .flat_map(|shapes| arm_rows(&ArmTag::Untagged, shapes))
                .collect();
            let set = arms
                .iter()
                .fold(Set::default(), |set, arm| set.union(arm.set));
            UnionRow {
                name: place.text,
                doc: String::new(),
                set,
                tag: None,
                arms,
            }
        });
        (self.rows, places.collect())
    }

    fn named(&self, item: &Item) -> Option<Shape> {
        let name = item.name.text.as_str();
        match &item.kind {
            ItemKind::Struct(_) => self.structs.get(name).copied().map(Shape::Struct),
            ItemKind::Enum(_) => self.enums.get(name).copied().map(Shape::Enum),
            ItemKind::Union(union) => self
                .unions
                .get(&(name, union.tag.as_ref().map(|tag| tag.text.as_str())))
                .copied()
                .map(Shape::Union),
            _ => None,
        }
    }

    fn either(&mut self, ty: &Type, alternatives: &'a [Type], revision: usize) -> Option<Shape> {
        let mut found = Vec::new();
        for alternative in alternatives {
            found.push(self.shape(alternative, revision)?);
        }
        let text = text(ty);
        let revisions = self.scope.revisions.len();
        let index = *self.places_by_text.entry(text.clone()).or_insert_with(|| {
            self.places.push(Place {
                text,
                shapes: vec![vec![None; revisions]; alternatives.len()],
            });
            self.places.len() - 1
        });
        for (shapes, shape) in self.places[index].shapes.iter_mut().zip(found) {
            shapes[revision] = Some(shape);
        }
        Some(Shape::Union((self.unions.len() + index) as u16))
    }

    fn intern(&mut self, shape: Shape) -> u16 {
        let next = self.rows.len() as u16;
        let id = *self.by_text.entry(format!("{shape:?}")).or_insert(next);
        if id == next {
            self.rows.push(shape);
        }
        id
    }
}

fn number<K: Ord>(map: &mut BTreeMap<K, u16>, key: K) {
    let next = map.len() as u16;
    map.entry(key).or_insert(next);
}

/// A branch as one row for each shape that it has in time.
pub(super) fn arm_rows(tag: &ArmTag, shapes: &[Option<u16>]) -> Vec<ArmRow> {
    let mut rows: Vec<ArmRow> = Vec::new();
    for (revision, shape) in shapes.iter().enumerate() {
        let Some(shape) = *shape else { continue };
        match rows.iter_mut().find(|row| row.shape == shape) {
            Some(row) => row.set = row.set.with(revision),
            None => rows.push(ArmRow {
                tag: tag.clone(),
                shape,
                set: Set::default().with(revision),
            }),
        }
    }
    rows
}

/// A type as it is written.
pub(super) fn text(ty: &Type) -> String {
    match &ty.kind {
        TypeKind::Any => "any".to_owned(),
        TypeKind::Null => "null".to_owned(),
        TypeKind::Bool => "bool".to_owned(),
        TypeKind::Object => "object".to_owned(),
        TypeKind::String(Format::Plain) => "string".to_owned(),
        TypeKind::String(Format::Uri) => "string(uri)".to_owned(),
        TypeKind::String(Format::UriTemplate) => "string(uri-template)".to_owned(),
        TypeKind::String(Format::Byte) => "string(byte)".to_owned(),
        TypeKind::Literal(text) => format!("\"{text}\""),
        TypeKind::Int(i64::MIN, i64::MAX) => "int".to_owned(),
        TypeKind::Int(min, max) => {
            let end = |value: i64, open: i64| {
                if value == open {
                    String::new()
                } else {
                    value.to_string()
                }
            };
            format!("int({}..{})", end(*min, i64::MIN), end(*max, i64::MAX))
        }
        TypeKind::Number(min, max) if min.is_infinite() && max.is_infinite() => "num".to_owned(),
        TypeKind::Number(min, max) => {
            let end = |value: f64| {
                if value.is_infinite() {
                    String::new()
                } else {
                    value.to_string()
                }
            };
            format!("num({}..{})", end(*min), end(*max))
        }
        TypeKind::Array(item, u32::MAX) => format!("[{}]", text(item)),
        TypeKind::Array(item, max) => format!("[{}](..{max})", text(item)),
        TypeKind::Map(value) => format!("map {}", text(value)),
        TypeKind::Name(name) => name.clone(),
        TypeKind::Either(alternatives) => alternatives
            .iter()
            .map(text)
            .collect::<Vec<_>>()
            .join(" | "),
    }
}

/// Whether every value of the shape is an object.
pub(super) fn is_object(shapes: &Shapes<'_>, unions: &[UnionRow], shape: u16) -> bool {
    match shapes.get(shape) {
        Shape::Object | Shape::Map(_) | Shape::Struct(_) => true,
        Shape::Union(index) => match unions.get(usize::from(*index)) {
            Some(union) => union
                .arms
                .iter()
                .all(|arm| is_object(shapes, unions, arm.shape)),
            None => shapes.places[usize::from(*index) - unions.len()]
                .shapes
                .iter()
                .flatten()
                .flatten()
                .all(|&arm| is_object(shapes, unions, arm)),
        },
        _ => false,
    }
}

/// The literal that a member of a struct must be in a revision, if it is one.
pub(super) fn literal<'s>(
    shapes: &'s Shapes<'_>,
    structs: &[StructRow],
    shape: u16,
    member: &str,
    revision: usize,
) -> Option<&'s str> {
    let Shape::Struct(index) = shapes.get(shape) else {
        return None;
    };
    let field = structs
        .get(usize::from(*index))?
        .fields
        .iter()
        .find(|field| field.name == member)?;
    match shapes.get(field.shape[revision]?) {
        Shape::Literal(text) => Some(text),
        _ => None,
    }
}

/// Rows of the enums of all items.
pub(super) fn enums(scope: &Scope<'_>) -> Vec<EnumRow> {
    let mut rows: Vec<EnumRow> = Vec::new();
    for &(item, set) in &scope.items {
        let ItemKind::Enum(values) = &item.kind else {
            continue;
        };
        let index = rows
            .iter()
            .position(|row| row.name == item.name.text)
            .unwrap_or_else(|| {
                rows.push(EnumRow {
                    name: item.name.text.clone(),
                    doc: item.doc.clone(),
                    set: Set::default(),
                    values: Vec::new(),
                });
                rows.len() - 1
            });
        let row = &mut rows[index];
        row.set = row.set.union(set);
        for value in values {
            let range = scope.checked(&value.marks, set, &value.name);
            match row
                .values
                .iter_mut()
                .find(|(text, _)| *text == value.name.text)
            {
                Some((_, known)) => *known = known.union(range),
                None => row.values.push((value.name.text.clone(), range)),
            }
        }
    }
    rows
}
