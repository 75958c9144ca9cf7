//! The kinds of values that a shape accepts.

use mcp_assay_json::Kind;

use crate::tables::{Revision, SHAPES, Shape, UNIONS, Union};

/// The kinds of values that have a shape, a bit for each.
#[derive(Clone, Copy)]
pub(crate) struct Kinds {
    /// Every value of the kind has the shape: its content is not checked.
    fitting: u8,
    /// A value of the kind can have the shape.
    possible: u8,
}

impl Kinds {
    pub(super) const NONE: Self = Self {
        fitting: 0,
        possible: 0,
    };

    #[inline(always)]
    pub(crate) fn fit(self, kind: Kind) -> bool {
        self.fitting >> kind as u8 & 1 == 1
    }

    #[inline(always)]
    pub(crate) fn may_be(self, kind: Kind) -> bool {
        self.possible >> kind as u8 & 1 == 1
    }

    /// A bit for each kind of which a value can have the shape.
    pub(super) const fn possible(self) -> u8 {
        self.possible
    }

    pub(super) const fn of(shape: &Shape, revision: Revision) -> Self {
        let bits = match shape {
            Shape::Any => !0,
            Shape::String(_) | Shape::Literal(_) | Shape::Enum(_) => 1 << Kind::String as u8,
            Shape::Bool => 1 << Kind::True as u8 | 1 << Kind::False as u8,
            Shape::Null => 1 << Kind::Null as u8,
            Shape::Int { .. } | Shape::Number { .. } => 1 << Kind::Number as u8,
            Shape::Array { .. } => 1 << Kind::Array as u8,
            Shape::Object | Shape::Map(_) | Shape::Struct(_) => 1 << Kind::Object as u8,
            Shape::Union(id) => return Self::of_union(&UNIONS[*id as usize], revision),
        };
        let all = match shape {
            Shape::Any | Shape::String(_) | Shape::Bool | Shape::Null | Shape::Object => true,
            Shape::Number { min, max } => *min == f64::NEG_INFINITY && *max == f64::INFINITY,
            _ => false,
        };
        Self {
            fitting: if all { bits } else { 0 },
            possible: bits,
        }
    }

    const fn of_union(union: &Union, revision: Revision) -> Self {
        let mut kinds = Self::NONE;
        if union.tag.is_some() {
            kinds.possible = 1 << Kind::Object as u8;
            return kinds;
        }
        let mut index = 0;
        while index < union.arms.len() {
            let arm = &union.arms[index];
            if arm.revisions.contains(revision) {
                let more = Self::of(&SHAPES[arm.shape.0 as usize], revision);
                kinds.fitting |= more.fitting;
                kinds.possible |= more.possible;
            }
            index += 1;
        }
        kinds
    }
}
