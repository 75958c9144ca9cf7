//! The inventor leaves nothing out: every member present and absent, every branch, every value of
//! every enum.

use std::collections::BTreeSet;

use mcp_assay::model::{
    ArmTag, ENUMS, ERRORS, METHODS, MethodKind, STRUCTS, Shape, ShapeId, UNIONS, Union,
};
use mcp_assay::{MessageKind, Revision};
use mcp_assay_testkit::messages;
use serde_json::Value;

#[test]
fn every_thing_that_can_vary_varies() {
    for revision in Revision::ALL {
        let mut all = Coverage {
            revision,
            things: BTreeSet::new(),
        };
        let mut seen = Coverage {
            revision,
            things: BTreeSet::new(),
        };
        for form in METHODS
            .iter()
            .filter_map(|method| method.forms[revision.index()])
        {
            if form.kind != MethodKind::Input {
                all.reach(form.params);
                all.reach(form.result);
            }
        }
        for error in ERRORS
            .iter()
            .filter(|error| error.revisions.contains(revision))
        {
            all.reach(error.data);
        }
        for message in messages(revision, 0) {
            let value: Value =
                serde_json::from_slice(&message.bytes).expect("the inventor writes JSON");
            let form = message.method.forms[revision.index()].expect("the method exists");
            match message.kind {
                MessageKind::Response => seen.mark(form.result, &value["result"]),
                MessageKind::Error => {
                    let code = value["error"]["code"].as_i64();
                    let known = ERRORS.iter().find(|known| {
                        Some(i64::from(known.code)) == code && known.revisions.contains(revision)
                    });
                    if let Some(known) = known {
                        seen.mark(known.data, &value["error"]["data"]);
                    }
                }
                MessageKind::Batch => {}
                _ => value
                    .get("params")
                    .into_iter()
                    .for_each(|params| seen.mark(form.params, params)),
            }
        }
        assert!(
            all.things.len() > 200,
            "{revision} has only {} things",
            all.things.len()
        );
        let left_out: Vec<_> = all.things.difference(&seen.things).collect();
        assert!(left_out.is_empty(), "{revision}: {left_out:#?}");
    }
}

/// Things that can vary, in words.
struct Coverage {
    revision: Revision,
    things: BTreeSet<String>,
}

impl Coverage {
    /// Adds everything under a shape. Shapes have a finite depth.
    fn reach(&mut self, shape: ShapeId) {
        match shape.get() {
            Some(&Shape::Array { item, .. } | &Shape::Map(item)) => self.reach(item),
            Some(&Shape::Struct(id)) => {
                let item = &STRUCTS[usize::from(id)];
                for (position, field) in item.fields.iter().enumerate() {
                    let shape = field.shape[self.revision.index()];
                    if shape == ShapeId::ABSENT {
                        continue;
                    }
                    let first = self
                        .things
                        .insert(format!("{}.{} present", item.name, field.name));
                    if item.required[self.revision.index()] >> position & 1 == 0 {
                        self.things
                            .insert(format!("{}.{} absent", item.name, field.name));
                    }
                    if first {
                        self.reach(shape);
                    }
                }
            }
            Some(&Shape::Enum(id)) => {
                let item = &ENUMS[usize::from(id)];
                let values = item
                    .values
                    .iter()
                    .filter(|(_, revisions)| revisions.contains(self.revision));
                self.things
                    .extend(values.map(|(value, _)| format!("{} = {value}", item.name)));
            }
            Some(&Shape::Union(id)) => {
                let union = &UNIONS[usize::from(id)];
                for (position, arm) in union.arms.iter().enumerate() {
                    if arm.revisions.contains(self.revision) {
                        self.things.insert(branch(union, position));
                        self.reach(arm.shape);
                    }
                }
            }
            _ => {}
        }
    }

    /// Marks what a value shows.
    fn mark(&mut self, shape: ShapeId, value: &Value) {
        match shape.get() {
            Some(&Shape::Array { item, .. }) => {
                value
                    .as_array()
                    .into_iter()
                    .flatten()
                    .for_each(|value| self.mark(item, value));
            }
            Some(&Shape::Map(item)) => {
                value
                    .as_object()
                    .into_iter()
                    .flatten()
                    .for_each(|(_, value)| self.mark(item, value));
            }
            Some(&Shape::Struct(id)) => {
                let item = &STRUCTS[usize::from(id)];
                for field in item.fields {
                    let shape = field.shape[self.revision.index()];
                    match value.get(field.name) {
                        _ if shape == ShapeId::ABSENT => {}
                        Some(value) => {
                            self.things
                                .insert(format!("{}.{} present", item.name, field.name));
                            self.mark(shape, value);
                        }
                        None => drop(
                            self.things
                                .insert(format!("{}.{} absent", item.name, field.name)),
                        ),
                    }
                }
            }
            Some(&Shape::Enum(id)) => {
                let text = value.as_str().unwrap_or_default();
                self.things
                    .insert(format!("{} = {text}", ENUMS[usize::from(id)].name));
            }
            Some(&Shape::Union(id)) => {
                let union = &UNIONS[usize::from(id)];
                for (position, arm) in union.arms.iter().enumerate() {
                    if arm.revisions.contains(self.revision) && self.picks(union, position, value) {
                        self.things.insert(branch(union, position));
                        self.mark(arm.shape, value);
                    }
                }
            }
            _ => {}
        }
    }

    /// Whether a value belongs to a branch.
    fn picks(&self, union: &Union, position: usize, value: &Value) -> bool {
        let arm = &union.arms[position];
        let tag = union.tag.and_then(|tag| value.get(tag));
        match arm.tag {
            ArmTag::Value(name) => tag.is_some_and(|tag| tag == name),
            ArmTag::Absent => tag.is_none(),
            ArmTag::Else => tag.is_some_and(|tag| {
                !union
                    .arms
                    .iter()
                    .any(|arm| matches!(arm.tag, ArmTag::Value(name) if tag == name))
            }),
            ArmTag::Untagged => self.could_be(arm.shape, value),
        }
    }

    fn could_be(&self, shape: ShapeId, value: &Value) -> bool {
        match shape.get() {
            None | Some(Shape::Any) => true,
            Some(Shape::Null) => value.is_null(),
            Some(Shape::Bool) => value.is_boolean(),
            Some(Shape::String(_) | Shape::Enum(_)) => value.is_string(),
            Some(&Shape::Literal(text)) => value == text,
            Some(Shape::Int { .. } | Shape::Number { .. }) => value.is_number(),
            Some(Shape::Array { .. }) => value.is_array(),
            Some(Shape::Object | Shape::Map(_)) => value.is_object(),
            Some(&Shape::Struct(id)) => {
                let item = &STRUCTS[usize::from(id)];
                value.is_object()
                    && item.fields.iter().enumerate().all(|(position, field)| {
                        let optional = item.required[self.revision.index()] >> position & 1 == 0;
                        optional || value.get(field.name).is_some()
                    })
            }
            Some(&Shape::Union(id)) => {
                let union = &UNIONS[usize::from(id)];
                (0..union.arms.len()).any(|position| self.picks(union, position, value))
            }
        }
    }
}

fn branch(union: &Union, position: usize) -> String {
    format!(
        "branch {position} of {} ({:?})",
        union.name, union.arms[position].tag
    )
}
