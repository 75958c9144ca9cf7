//! Faults of a shape as violations: the rule for each fault that the model finds.

use core::ops::ControlFlow;

use crate::catalogue::{Detail, Owner, SchemaRef, Sink, Violation, inline};
use crate::model::ShapeId;
use crate::model::shape::{ShapeFault, ShapeFaultKind, ShapeSink, Walk};
use crate::syntax::Tape;
use crate::{Revision, Rule};

/// Checks the value at a token of a message against a shape.
#[inline(always)]
pub fn check_value(
    (tape, bytes): (&Tape, &[u8]),
    index: u32,
    shape: ShapeId,
    revision: Revision,
    sink: &mut dyn Sink,
) -> ControlFlow<()> {
    let root = index;
    let sink = &mut Violations { sink, root, shape };
    Walk::new(tape, bytes, revision, sink).value(index, shape)
}

/// Turns faults into violations.
struct Violations<'s> {
    sink: &'s mut dyn Sink,
    root: u32,
    shape: ShapeId,
}

impl ShapeSink for Violations<'_> {
    #[cold]
    fn push(&mut self, fault: ShapeFault<'_>) -> ControlFlow<()> {
        let (rule, detail) = explain(&fault);
        let at = fault.at;
        self.sink.push(Violation {
            nearest_of: fault.nearest_of,
            schema: Some(SchemaRef::Model {
                root: self.root,
                shape: self.shape,
            }),
            ..Violation::new(rule, at.span(), Some(at.index()), detail)
        })
    }
}

fn explain(fault: &ShapeFault<'_>) -> (&'static Rule, Detail) {
    let found = fault.at.kind();
    match fault.kind {
        ShapeFaultKind::WrongType { expected } => {
            (&inline::WRONG_TYPE, Detail::Type { expected, found })
        }
        ShapeFaultKind::TagNotString => {
            let expected = "a string";
            (
                &inline::WRONG_TYPE,
                Detail::EnvelopeType { expected, found },
            )
        }
        ShapeFaultKind::NullOptional => (&inline::NO_NULL_OPTIONAL, Detail::Null),
        ShapeFaultKind::MissingMember { member, item } => {
            let owner = Owner::Struct(item);
            (&inline::MISSING_MEMBER, Detail::Missing { member, owner })
        }
        ShapeFaultKind::MissingTag { tag, union } => {
            let (member, owner) = (tag, Owner::Union(union));
            (&inline::MISSING_MEMBER, Detail::Missing { member, owner })
        }
        ShapeFaultKind::UnknownValue { expected } => {
            (&inline::UNKNOWN_VALUE, Detail::Value { expected })
        }
        ShapeFaultKind::UnknownVariant { union } => {
            (&inline::UNKNOWN_VARIANT, Detail::Tag { union })
        }
        ShapeFaultKind::OutOfRange { expected } => {
            (&inline::OUT_OF_RANGE, Detail::Range { expected })
        }
        ShapeFaultKind::TooManyItems { max, found } => {
            (&inline::OUT_OF_RANGE, Detail::Items { max, found })
        }
    }
}
