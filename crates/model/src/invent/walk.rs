//! Changes inside params, results and error data, one at a time.

use std::borrow::Cow;

use mcp_assay_json::Kind;

use super::build::UNKNOWN;
use super::message::{Change, Outcome};
use super::tables::{Resolved, Tables};
use super::value::{Step, Value};
use crate::tables::{ArmTag, ENUMS, STRUCTS, Shape, ShapeId, Struct, Union};

const MISSING: &[&str] = &["schema/missing-member"];
const WRONG_TYPE: &[&str] = &["schema/wrong-type"];
const NULL: &[&str] = &["schema/no-null-optional"];
const NULL_TAG: &[&str] = &["schema/no-null-optional", "schema/wrong-type"];
const UNKNOWN_VALUE: &[&str] = &["schema/unknown-value"];
const UNKNOWN_VARIANT: &[&str] = &["schema/unknown-variant"];
const OUT_OF_RANGE: &[&str] = &["schema/out-of-range"];

/// Walks a value along its shape and emits the changes.
pub(super) struct Walk<'e> {
    pub(super) tables: Tables,
    pub(super) path: Vec<Step>,
    pub(super) emit: &'e mut dyn FnMut(Change<'_>),
}

/// The relation of a value to its container.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// A member that must be there.
    Required,
    /// A member that may be left out.
    Optional,
    /// An entry of a map.
    Entry,
    /// An item of an array.
    Item,
    /// The member that picks the branch of this union.
    Tag(&'static Union),
    /// Somewhere in a value of which several branches remain possible.
    Unsure,
}

impl Walk<'_> {
    /// Changes of a value and of everything in it.
    pub(super) fn value(
        &mut self,
        value: &Value,
        shape: Option<ShapeId>,
        place: Place,
        owner: &str,
    ) {
        match place {
            Place::Tag(union) => self.tag(value, union, owner),
            Place::Unsure => self.unsure(value, owner),
            Place::Required | Place::Optional | Place::Entry | Place::Item => {
                self.remove(place, owner);
                self.types(value, shape, place, owner);
                self.leaf(value, shape, owner);
            }
        }
        self.inside(value, shape);
    }

    /// Changes of the content of a value.
    pub(super) fn inside(&mut self, value: &Value, shape: Option<ShapeId>) {
        let resolved = match shape {
            Some(shape) => self.tables.resolve(shape, value),
            None => Resolved {
                shape: None,
                tagged_by: None,
            },
        };
        match (value, resolved.shape.and_then(ShapeId::get)) {
            (Value::Object(members), Some(&Shape::Struct(id))) => {
                self.members(members, &STRUCTS[usize::from(id)], resolved.tagged_by);
            }
            (Value::Object(members), Some(&Shape::Map(item))) => {
                self.add_wrong(&Step::Member("wrong".to_owned()), item, "map");
                for (key, value) in members {
                    self.down(Step::Member(key.clone()), |walk| {
                        walk.value(value, Some(item), Place::Entry, "map");
                    });
                }
            }
            (Value::Object(_), Some(Shape::Object)) => {
                for value in [Value::Null, Value::number("1.5"), Value::object([])] {
                    self.add(UNKNOWN, value, "object", Outcome::Valid);
                }
            }
            (Value::Array(items), Some(&Shape::Array { item, max })) => {
                self.items(items, item, max);
            }
            (Value::Object(members), None) if shape.is_some() => {
                // Several branches are possible: the consequence of a change is left to the
                // validators.
                let tag = resolved
                    .tagged_by
                    .and_then(|union| Some((union, union.tag?)));
                let keys: Vec<_> = members.iter().map(|(key, _)| key.as_str()).collect();
                let owner = keys.join(",");
                for (key, value) in members {
                    let place = match tag {
                        Some((union, tag)) if tag == key => Place::Tag(union),
                        _ => Place::Unsure,
                    };
                    self.down(Step::Member(key.clone()), |walk| {
                        walk.value(value, None, place, &owner);
                    });
                }
                self.add(UNKNOWN, Value::Null, &owner, Outcome::Open);
            }
            _ => {}
        }
    }

    fn members(
        &mut self,
        members: &[(String, Value)],
        item: &'static Struct,
        union: Option<&'static Union>,
    ) {
        let revision = self.tables.revision.index();
        for (position, field) in item.fields.iter().enumerate() {
            let shape = field.shape[revision];
            let value = members
                .iter()
                .find(|(key, _)| key == field.name)
                .map(|(_, value)| value);
            if shape == ShapeId::ABSENT {
                // Known elsewhere: here it is a member like any other without a definition.
                for value in [
                    Value::Null,
                    Value::number("1.5"),
                    Value::text(UNKNOWN),
                    Value::object([]),
                ] {
                    self.add(field.name, value, item.name, Outcome::Valid);
                }
                continue;
            }
            let place = match union {
                Some(union) if union.tag == Some(field.name) => Place::Tag(union),
                _ if item.required[revision] >> position & 1 == 1 => Place::Required,
                _ => Place::Optional,
            };
            match value {
                Some(value) => {
                    let step = Step::Member(field.name.to_owned());
                    self.down(step, |walk| {
                        walk.value(value, Some(shape), place, item.name);
                    });
                }
                None if matches!(place, Place::Optional)
                    && !self.tables.may_be(shape, Kind::Null) =>
                {
                    self.add(field.name, Value::Null, item.name, Outcome::Here(NULL));
                }
                None => {}
            }
        }
        self.add(UNKNOWN, Value::Null, item.name, Outcome::Valid);
    }

    fn items(&mut self, items: &[Value], item: ShapeId, max: u32) {
        if items.len() < max as usize {
            self.add_wrong(&Step::Item(items.len()), item, "array");
        }
        if let (Some(first), true) = (items.first(), max < 1000) {
            let long = Value::Array(vec![first.clone(); max as usize + 1]);
            self.change(
                Some(long),
                "too many items".into(),
                "array",
                Outcome::Here(OUT_OF_RANGE),
            );
        }
        for (index, value) in items.iter().enumerate().take(2) {
            self.down(Step::Item(index), |walk| {
                walk.value(value, Some(item), Place::Item, "array");
            });
        }
    }

    /// Removes the value.
    fn remove(&mut self, place: Place, owner: &str) {
        let outcome = match place {
            Place::Required => Outcome::Around(MISSING),
            Place::Optional | Place::Entry => Outcome::Valid,
            Place::Item => return,
            Place::Tag(_) | Place::Unsure => Outcome::Open,
        };
        self.change(None, "remove".into(), owner, outcome);
    }

    /// Puts a value of each other JSON type in its place.
    fn types(&mut self, value: &Value, shape: Option<ShapeId>, place: Place, owner: &str) {
        for (sample, name) in samples() {
            let fraction = sample == Value::number("1.5");
            if same_type(&sample, value) && !fraction || sample == *value {
                continue;
            }
            let outcome = match shape {
                Some(shape) if !self.tables.may_be(shape, sample.kind()) => {
                    match (&sample, place) {
                        (Value::Null, Place::Optional) => Outcome::Here(NULL),
                        _ => Outcome::Here(WRONG_TYPE),
                    }
                }
                Some(shape) => match self
                    .tables
                    .resolve(shape, &sample)
                    .shape
                    .and_then(ShapeId::get)
                {
                    Some(Shape::Any | Shape::String(_) | Shape::Bool | Shape::Null) => {
                        Outcome::Valid
                    }
                    Some(Shape::Int { .. }) if fraction => Outcome::Here(WRONG_TYPE),
                    _ => Outcome::Open,
                },
                None => Outcome::Open,
            };
            self.change(Some(sample), name.into(), owner, outcome);
        }
    }

    /// Values of the right type that are wrong, or right, in another way.
    fn leaf(&mut self, value: &Value, shape: Option<ShapeId>, owner: &str) {
        let resolved = shape.and_then(|shape| self.tables.resolve(shape, value).shape);
        match (resolved.and_then(ShapeId::get), value) {
            (Some(&Shape::Literal(text)), _) => self.strange_texts(text, owner),
            (Some(&Shape::Enum(id)), _) => {
                let revision = self.tables.revision;
                for (other, _) in ENUMS[usize::from(id)]
                    .values
                    .iter()
                    .filter(|(_, known)| !known.contains(revision))
                {
                    let name = format!("to `{other}`").into();
                    self.change(
                        Some(Value::text(other)),
                        name,
                        owner,
                        Outcome::Here(UNKNOWN_VALUE),
                    );
                }
                if let Value::Text(text) = value {
                    self.strange_texts(text, owner);
                }
            }
            (Some(&Shape::Int { min, max }), _) => {
                let below = (min > i64::MIN).then(|| (min - 1).to_string());
                let above = (max < i64::MAX).then(|| (max + 1).to_string());
                for number in [below, above].into_iter().flatten() {
                    self.change(
                        Some(Value::Number(number)),
                        "out of range".into(),
                        owner,
                        Outcome::Here(OUT_OF_RANGE),
                    );
                }
                if max == i64::MAX {
                    for number in ["1e300", "12345678901234567890123", "2.50e1"] {
                        self.change(
                            Some(Value::number(number)),
                            number.into(),
                            owner,
                            Outcome::Valid,
                        );
                    }
                }
            }
            (Some(&Shape::Number { min, max }), _) => {
                let below = min.is_finite().then(|| (min - 0.25).to_string());
                let above = max.is_finite().then(|| (max + 0.25).to_string());
                for number in [below, above].into_iter().flatten() {
                    self.change(
                        Some(Value::Number(number)),
                        "out of range".into(),
                        owner,
                        Outcome::Here(OUT_OF_RANGE),
                    );
                }
            }
            _ => {}
        }
    }

    fn strange_texts(&mut self, text: &str, owner: &str) {
        for (strange, name) in strangers(text) {
            self.change(
                Some(Value::Text(strange)),
                name.into(),
                owner,
                Outcome::Here(UNKNOWN_VALUE),
            );
        }
    }

    /// Changes of the member that picks a branch.
    fn tag(&mut self, value: &Value, union: &'static Union, owner: &str) {
        let has = |wanted: ArmTag| self.tables.arms(union).any(|arm| arm.tag == wanted);
        let (absent, other) = (has(ArmTag::Absent), has(ArmTag::Else));
        let removed = if absent {
            Outcome::Open
        } else {
            Outcome::Around(MISSING)
        };
        self.change(None, "remove".into(), owner, removed);
        for (sample, name) in samples() {
            match sample {
                Value::Text(_) => {}
                Value::Null => {
                    self.change(Some(sample), name.into(), owner, Outcome::Here(NULL_TAG));
                }
                _ => self.change(Some(sample), name.into(), owner, Outcome::Here(WRONG_TYPE)),
            }
        }
        let unknown = if other {
            Outcome::Open
        } else {
            Outcome::Here(UNKNOWN_VARIANT)
        };
        if let Value::Text(text) = value {
            for (strange, name) in strangers(text) {
                self.change(Some(Value::Text(strange)), name.into(), owner, unknown);
            }
        }
        for arm in union.arms {
            let ArmTag::Value(name) = arm.tag else {
                continue;
            };
            let known = self
                .tables
                .arms(union)
                .any(|arm| arm.tag == ArmTag::Value(name));
            let outcome = if known { Outcome::Open } else { unknown };
            if *value != Value::text(name) {
                self.change(
                    Some(Value::text(name)),
                    format!("to `{name}`").into(),
                    owner,
                    outcome,
                );
            }
        }
    }

    /// Changes of a value whose shape is not known.
    fn unsure(&mut self, value: &Value, owner: &str) {
        self.remove(Place::Unsure, owner);
        self.types(value, None, Place::Unsure, owner);
        if let Value::Text(text) = value {
            for (strange, name) in strangers(text) {
                self.change(
                    Some(Value::Text(strange)),
                    name.into(),
                    owner,
                    Outcome::Open,
                );
            }
        }
        match value {
            Value::Object(members) => {
                for (key, value) in members {
                    self.down(Step::Member(key.clone()), |walk| {
                        walk.value(value, None, Place::Unsure, owner);
                    });
                }
                self.add(UNKNOWN, Value::Null, owner, Outcome::Open);
            }
            Value::Array(items) => {
                for (index, value) in items.iter().enumerate().take(2) {
                    self.down(Step::Item(index), |walk| {
                        walk.value(value, None, Place::Unsure, owner);
                    });
                }
            }
            _ => {}
        }
    }

    /// Adds a value of a type that the shape does not have.
    fn add_wrong(&mut self, step: &Step, shape: ShapeId, owner: &str) {
        for (sample, name) in samples() {
            if !self.tables.may_be(shape, sample.kind()) {
                self.down(step.clone(), |walk| {
                    walk.change(
                        Some(sample),
                        format!("add, {name}").into(),
                        owner,
                        Outcome::Here(WRONG_TYPE),
                    );
                });
            }
        }
    }

    fn add(&mut self, member: &str, value: Value, owner: &str, outcome: Outcome) {
        let name = format!("add {value:?}").into();
        self.down(Step::Member(member.to_owned()), |walk| {
            walk.change(Some(value), name, owner, outcome);
        });
    }

    pub(super) fn down(&mut self, step: Step, visit: impl FnOnce(&mut Self)) {
        self.path.push(step);
        visit(self);
        self.path.pop();
    }

    pub(super) fn change(
        &mut self,
        value: Option<Value>,
        name: Cow<'static, str>,
        owner: &str,
        outcome: Outcome,
    ) {
        (self.emit)(Change {
            path: &self.path,
            value,
            name,
            owner,
            outcome,
        });
    }
}

/// A value of each JSON type, and a number with a fraction.
pub(super) fn samples() -> [(Value, &'static str); 7] {
    [
        (Value::Null, "to null"),
        (Value::Bool(true), "to boolean"),
        (Value::number("7"), "to number"),
        (Value::number("1.5"), "to fraction"),
        (Value::text(UNKNOWN), "to string"),
        (Value::Array(vec![]), "to array"),
        (Value::object([]), "to object"),
    ]
}

fn same_type(left: &Value, right: &Value) -> bool {
    core::mem::discriminant(left) == core::mem::discriminant(right)
}

/// Texts that are not this one, nor any other of the protocol.
fn strangers(text: &str) -> [(String, &'static str); 3] {
    [
        (UNKNOWN.to_owned(), "to unknown text"),
        (text.to_uppercase() + "!", "to another case"),
        (format!("{text} "), "add a space"),
    ]
}
