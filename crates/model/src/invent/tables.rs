//! The model's tables as seen from one revision.

use mcp_assay_json::Kind;

use super::value::Value;
use crate::tables::{
    Arm, ArmTag, Field, METHODS, Method, MethodForm, MethodKind, Revision, Shape, ShapeId, Struct,
    UNIONS, Union,
};

#[derive(Clone, Copy, Debug)]
pub(super) struct Tables {
    pub(super) revision: Revision,
}

impl Tables {
    /// The methods that are messages of their own.
    pub(super) fn methods(self) -> impl Iterator<Item = (&'static Method, &'static MethodForm)> {
        METHODS
            .iter()
            .filter_map(move |method| Some((method, method.forms[self.revision.index()]?)))
            .filter(|(_, form)| form.kind != MethodKind::Input)
    }

    /// The members of a struct: the field, its shape and whether it must be there.
    pub(super) fn fields(
        self,
        item: &'static Struct,
    ) -> impl Iterator<Item = (&'static Field, ShapeId, bool)> {
        let index = self.revision.index();
        item.fields
            .iter()
            .enumerate()
            .filter_map(move |(position, field)| {
                let shape = field.shape[index];
                let required = item.required[index] >> position & 1 == 1;
                (shape != ShapeId::ABSENT).then_some((field, shape, required))
            })
    }

    /// The branches of a union.
    pub(super) fn arms(self, union: &'static Union) -> impl Iterator<Item = &'static Arm> {
        union
            .arms
            .iter()
            .filter(move |arm| arm.revisions.contains(self.revision))
    }

    /// Whether a value of this kind can have the shape.
    pub(super) fn may_be(self, shape: ShapeId, kind: Kind) -> bool {
        match shape.get() {
            None | Some(Shape::Any) => true,
            Some(Shape::Null) => kind == Kind::Null,
            Some(Shape::Bool) => matches!(kind, Kind::True | Kind::False),
            Some(Shape::String(_) | Shape::Literal(_) | Shape::Enum(_)) => kind == Kind::String,
            Some(Shape::Int { .. } | Shape::Number { .. }) => kind == Kind::Number,
            Some(Shape::Array { .. }) => kind == Kind::Array,
            Some(Shape::Object | Shape::Map(_) | Shape::Struct(_)) => kind == Kind::Object,
            Some(Shape::Union(id)) => {
                let union = &UNIONS[usize::from(*id)];
                match union.tag {
                    Some(_) => kind == Kind::Object,
                    None => self.arms(union).any(|arm| self.may_be(arm.shape, kind)),
                }
            }
        }
    }

    /// Follows unions down to the only branch that a value can belong to.
    pub(super) fn resolve(self, shape: ShapeId, value: &Value) -> Resolved {
        let mut resolved = Resolved {
            shape: Some(shape),
            tagged_by: None,
        };
        while let Some(Shape::Union(id)) = resolved.shape.and_then(ShapeId::get) {
            let union = &UNIONS[usize::from(*id)];
            resolved.shape = if let Some(tag) = union.tag {
                resolved.tagged_by.get_or_insert(union);
                self.branch(union, value.get(tag)).map(|arm| arm.shape)
            } else {
                let mut fitting = self
                    .arms(union)
                    .filter(|arm| self.may_be(arm.shape, value.kind()));
                let only = fitting.next();
                if fitting.next().is_some() {
                    None
                } else {
                    only.map(|arm| arm.shape)
                }
            };
        }
        resolved
    }

    /// The branch that a tag picks.
    fn branch(self, union: &'static Union, tag: Option<&Value>) -> Option<&'static Arm> {
        let find = |wanted: ArmTag| self.arms(union).find(|arm| arm.tag == wanted);
        match tag {
            None => find(ArmTag::Absent),
            Some(Value::Text(text)) => self
                .arms(union)
                .find(|arm| matches!(arm.tag, ArmTag::Value(name) if name == text))
                .or_else(|| find(ArmTag::Else)),
            Some(_) => None,
        }
    }
}

/// The rest of a shape once its unions are resolved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Resolved {
    /// The shape, unless several branches remain.
    pub(super) shape: Option<ShapeId>,
    /// The outermost union with a tag on the way.
    pub(super) tagged_by: Option<&'static Union>,
}
