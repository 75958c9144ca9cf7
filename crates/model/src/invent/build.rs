//! Values of a shape: the least, the fullest, one for each thing that can vary, and random ones.

use std::collections::HashMap;
use std::rc::Rc;

use super::random::Random;
use super::tables::Tables;
use super::value::Value;
use crate::tables::{
    Arm, ArmTag, ENUMS, Format, Revision, STRUCTS, Shape, ShapeId, Struct, UNIONS,
};

/// A tag that no branch and no enum has.
pub(super) const UNKNOWN: &str = "x-unknown";

/// Makes values of shapes in one revision.
#[derive(Debug)]
pub(super) struct Builder {
    tables: Tables,
    variants: HashMap<u16, Rc<[Value]>>,
}

impl Builder {
    pub(super) fn new(revision: Revision) -> Self {
        Self {
            tables: Tables { revision },
            variants: HashMap::new(),
        }
    }

    /// One value for each thing that can vary: each member alone, all but each member, each branch,
    /// each value of an enum, the ends of each range. The first is the least.
    pub(super) fn variants(&mut self, shape: ShapeId) -> Rc<[Value]> {
        if let Some(known) = self.variants.get(&shape.0) {
            return Rc::clone(known);
        }
        let made: Rc<[Value]> = self.make_variants(shape).into();
        self.variants.insert(shape.0, Rc::clone(&made));
        made
    }

    fn make_variants(&mut self, shape: ShapeId) -> Vec<Value> {
        match shape.get() {
            Some(&Shape::Array { item, max }) => {
                let items = self.variants(item);
                let least = items.first().cloned().unwrap_or(Value::Null);
                let mut made = vec![Value::Array(vec![])];
                made.extend(items.iter().map(|item| Value::Array(vec![item.clone()])));
                made.push(Value::Array(vec![least.clone(); 3]));
                if max < 1000 {
                    made.push(Value::Array(vec![least; max as usize]));
                }
                made
            }
            Some(&Shape::Map(item)) => {
                let items = self.variants(item);
                let mut made = vec![Value::object([])];
                made.extend(
                    items
                        .iter()
                        .map(|item| Value::object([("key", item.clone())])),
                );
                made.extend(
                    items
                        .first()
                        .map(|least| Value::object(KEYS.iter().map(|key| (*key, least.clone())))),
                );
                made
            }
            Some(&Shape::Struct(id)) => self.struct_variants(&STRUCTS[usize::from(id)]),
            Some(&Shape::Union(id)) => {
                let union = &UNIONS[usize::from(id)];
                let mut made = vec![];
                for arm in self.tables.arms(union) {
                    let values = self.variants(arm.shape);
                    made.extend(
                        values
                            .iter()
                            .filter_map(|value| tag(arm, union.tag, value.clone())),
                    );
                }
                made
            }
            Some(shape) => leaves(shape, self.tables.revision),
            None => leaves(&Shape::Any, self.tables.revision),
        }
    }

    fn struct_variants(&mut self, item: &'static Struct) -> Vec<Value> {
        let fields: Vec<_> = self.tables.fields(item).collect();
        let least = Value::object(
            fields
                .iter()
                .filter(|field| field.2)
                .map(|(field, shape, _)| (field.name, self.least(*shape))),
        );
        let full = Value::object(
            fields
                .iter()
                .map(|(field, shape, _)| (field.name, self.full(*shape))),
        );
        let mut made = vec![least.clone(), full.clone()];
        for (field, shape, required) in fields {
            if !required {
                let mut without = full.clone();
                without.remove(field.name);
                made.push(without);
            }
            for value in self.variants(shape).iter() {
                let mut with = least.clone();
                with.set(field.name, value.clone());
                made.push(with);
            }
        }
        made
    }

    /// The smallest value: nothing optional, first branches, empty arrays.
    pub(super) fn least(&mut self, shape: ShapeId) -> Value {
        self.variants(shape).first().cloned().unwrap_or(Value::Null)
    }

    /// A value with every member, and one item in each array.
    pub(super) fn full(&mut self, shape: ShapeId) -> Value {
        match shape.get() {
            Some(&Shape::Array { item, .. }) => Value::Array(vec![self.full(item)]),
            Some(&Shape::Map(item)) => Value::object([("key", self.full(item))]),
            Some(&Shape::Struct(id)) => {
                let fields: Vec<_> = self.tables.fields(&STRUCTS[usize::from(id)]).collect();
                Value::object(
                    fields
                        .into_iter()
                        .map(|(field, shape, _)| (field.name, self.full(shape))),
                )
            }
            Some(&Shape::Union(id)) => {
                let union = &UNIONS[usize::from(id)];
                let first = self.tables.arms(union).next();
                let full = first.and_then(|arm| tag(arm, union.tag, self.full(arm.shape)));
                full.unwrap_or_else(|| self.least(shape))
            }
            Some(Shape::Object) => Value::object([("key", Value::text("value"))]),
            _ => self.least(shape),
        }
    }

    /// Any value, made of choices.
    pub(super) fn random(&mut self, shape: ShapeId, random: &mut Random) -> Value {
        match shape.get() {
            Some(&Shape::Array { item, max }) => {
                let count = random.below(4).min(max as usize);
                Value::Array((0..count).map(|_| self.random(item, random)).collect())
            }
            Some(&Shape::Map(item)) => {
                let count = random.below(3);
                Value::object((0..count).map(|index| (KEYS[index], self.random(item, random))))
            }
            Some(&Shape::Struct(id)) => {
                let fields: Vec<_> = self.tables.fields(&STRUCTS[usize::from(id)]).collect();
                let mut made = Value::object([]);
                for (field, shape, required) in fields {
                    if required || random.once_in(3) {
                        made.set(field.name, self.random(shape, random));
                    }
                }
                made
            }
            Some(&Shape::Union(id)) => {
                let union = &UNIONS[usize::from(id)];
                let arms: Vec<_> = self.tables.arms(union).collect();
                let arm = random.pick(&arms);
                let made = arm.and_then(|arm| tag(arm, union.tag, self.random(arm.shape, random)));
                made.unwrap_or_else(|| self.least(shape))
            }
            _ => {
                let values = self.variants(shape);
                random.pick(&values).cloned().unwrap_or(Value::Null)
            }
        }
    }
}

/// Names of members in maps; pointers have to escape the second and the third.
const KEYS: [&str; 4] = ["key", "a/b", "~", "é \"\\"];

/// Gives a value the tag that picks its branch; none if it belongs to another branch for good.
fn tag(arm: &Arm, tag: Option<&str>, mut value: Value) -> Option<Value> {
    match (arm.tag, tag) {
        (ArmTag::Value(name), Some(tag)) => {
            // A union inside a union is picked by the same member: its branches have tags of their
            // own.
            let is_union = matches!(arm.shape.get(), Some(Shape::Union(_)));
            if is_union
                && value
                    .get(tag)
                    .is_some_and(|inner| *inner != Value::text(name))
            {
                return None;
            }
            value.set(tag, Value::text(name));
        }
        (ArmTag::Else, Some(tag)) => value.set(tag, Value::text(UNKNOWN)),
        (ArmTag::Absent, Some(tag)) => value.remove(tag),
        _ => {}
    }
    Some(value)
}

/// Values of shapes that hold no other shape.
fn leaves(shape: &Shape, revision: Revision) -> Vec<Value> {
    let texts = |texts: &[&str]| texts.iter().map(|text| Value::text(text)).collect();
    match *shape {
        Shape::Null => vec![Value::Null],
        Shape::Bool => vec![Value::Bool(true), Value::Bool(false)],
        Shape::String(Format::Plain) => texts(&[
            "text",
            "",
            "naïve 日本語 🦀",
            "line\nbreak \"quoted\" \\ / \u{0}\u{1f}\u{7f}",
            "a text that is longer than the sixty-four bytes of one block, so that its end is in another",
        ]),
        Shape::String(Format::Uri) => texts(&[
            "file:///a%20b.txt",
            "https://example.com:8080/a?b=c#d",
            "urn:example:1",
        ]),
        Shape::String(Format::UriTemplate) => {
            texts(&["file:///{path}", "https://example.com/{a}/{b*}{?c,d}"])
        }
        Shape::String(Format::Byte) => texts(&["AAEC", "", "/+8=", "aGVsbG8gd29ybGQ="]),
        Shape::Literal(text) => vec![Value::text(text)],
        Shape::Enum(id) => ENUMS[usize::from(id)]
            .values
            .iter()
            .filter(|(_, revisions)| revisions.contains(revision))
            .map(|(value, _)| Value::text(value))
            .collect(),
        Shape::Int { min, max } => {
            let mut numbers: Vec<String> = [1, 0, -1, 9_007_199_254_740_991]
                .into_iter()
                .filter(|number| (min..=max).contains(number))
                .map(|number: i64| number.to_string())
                .collect();
            if (min..=max).contains(&100) {
                numbers.extend(["1.0", "1e2", "1E+2", "10.0e0"].map(str::to_owned));
            }
            let ends = [min, max]
                .into_iter()
                .filter(|end| ![i64::MIN, i64::MAX].contains(end));
            numbers.extend(ends.map(|end| end.to_string()));
            numbers.into_iter().map(Value::Number).collect()
        }
        Shape::Number { min, max } => {
            let range = min..=max;
            let mut numbers: Vec<String> = [
                "1", "0", "0.5", "1.0", "1e0", "25e-2", "0.0", "1e2", "-1.5", "1e300",
            ]
            .into_iter()
            .filter(|text| text.parse().is_ok_and(|number| range.contains(&number)))
            .map(str::to_owned)
            .collect();
            numbers.extend(
                [min, max]
                    .into_iter()
                    .filter(|end| end.is_finite())
                    .map(|end| end.to_string()),
            );
            numbers.into_iter().map(Value::Number).collect()
        }
        Shape::Object => [
            vec![],
            vec![("key", Value::text("value"))],
            vec![(
                "key",
                Value::object([(
                    "nested",
                    Value::Array(vec![Value::number("1"), Value::Bool(true)]),
                )]),
            )],
            vec![("key", Value::Null)],
            vec![("key", Value::number("1.5"))],
        ]
        .map(Value::object)
        .into(),
        _ => vec![
            Value::text("any"),
            Value::Null,
            Value::Bool(false),
            Value::number("-1.5e-3"),
            Value::Array(vec![Value::Null, Value::number("1")]),
            Value::object([("key", Value::Null)]),
        ],
    }
}
