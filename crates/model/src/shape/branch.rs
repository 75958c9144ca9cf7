//! The branch of a union that a walk takes for a value, for reports.

use mcp_assay_json::{Kind, Node};

use super::{First, Walk, arms};
use crate::tables::{ArmTag, Compiled, Revision, ShapeId, UNIONS};

/// The branch that a value is checked against: the one that its tag names, or of those that are
/// tried the nearest. `None` if it can have none of them.
pub(crate) fn branch(value: Node<'_>, union: u16, revision: Revision) -> Option<ShapeId> {
    let row = &UNIONS[usize::from(union)];
    let Some(tag) = row.tag else {
        let mut first = First;
        let walk = Walk {
            tokens: value.tokens(),
            bytes: value.bytes(),
            revision,
            compiled: Compiled::of(revision),
            unique: false,
            sink: &mut first,
        };
        return walk
            .candidates(value.kind(), union)
            .min_by_key(|shape| walk.distance(value.index(), *shape));
    };
    if value.kind() != Kind::Object {
        return None;
    }
    let find = |wanted: ArmTag| arms(row, revision).find(|arm| arm.tag == wanted);
    let arm = match value.get(tag) {
        None => find(ArmTag::Absent),
        Some(tag) if tag.kind() != Kind::String => None,
        Some(tag) => arms(row, revision)
            .find(|arm| matches!(arm.tag, ArmTag::Value(name) if tag.is_text(name)))
            .or_else(|| find(ArmTag::Else)),
    };
    arm.map(|arm| arm.shape)
}
