//! A value against a shape: the one interpreter of the model's tables.
//!
//! Recursion follows the model, which has a finite depth, never the input.

use core::ops::ControlFlow;

use crate::Revision;
use crate::envelope::raise;
use crate::model::{
    Arm, ArmTag, ENUMS, Field, SHAPES, STRUCTS, Shape, ShapeId, Struct, UNIONS, Union, middle,
};
use crate::rules::inline;
use crate::syntax::{Kind, Node, Tape, Token};
use crate::violation::{Detail, First, Owner, Sink, Violation};

const SHAPE_COUNT: usize = SHAPES.len();

/// A message and the revision it is judged under.
#[derive(Clone, Copy)]
pub(crate) struct Walk<'a> {
    pub(crate) tape: &'a Tape,
    pub(crate) bytes: &'a [u8],
    pub(crate) revision: Revision,
}

impl<'a> Walk<'a> {
    fn node(&self, index: u32) -> Node<'a> {
        self.tape.node(self.bytes, index)
    }

    /// Checks the value at a token.
    pub(crate) fn value(&self, index: u32, shape: ShapeId, sink: &mut dyn Sink) -> ControlFlow<()> {
        let (Some(shape_row), Some(token)) = (
            SHAPES.get(usize::from(shape.0)),
            self.tape.tokens().get(index as usize),
        ) else {
            return ControlFlow::Continue(());
        };
        match (*shape_row, token.kind) {
            (Shape::Any, _)
            | (Shape::String(_), Kind::String)
            | (Shape::Object, Kind::Object)
            | (Shape::Bool, Kind::True | Kind::False)
            | (Shape::Null, Kind::Null) => ControlFlow::Continue(()),
            (Shape::Struct(id), Kind::Object) => {
                self.object(index, *token, &STRUCTS[usize::from(id)], sink)
            }
            (Shape::Array { item, max }, Kind::Array) => self.array(index, *token, item, max, sink),
            (Shape::Map(item), Kind::Object) => self.map(index, *token, item, sink),
            (Shape::Literal(text), Kind::String) => self.literal(index, shape, text, sink),
            (Shape::Enum(id), Kind::String) => self.one_of(index, shape, id, sink),
            (Shape::Union(id), _) => {
                self.union(index, *token, shape, &UNIONS[usize::from(id)], sink)
            }
            (Shape::Int { min, max }, Kind::Number) => self.integer(index, shape, min, max, sink),
            (Shape::Number { min, max }, Kind::Number) => self.number(index, shape, min, max, sink),
            _ => self.wrong_type(index, shape, sink),
        }
    }

    #[cold]
    fn wrong_type(&self, index: u32, expected: ShapeId, sink: &mut dyn Sink) -> ControlFlow<()> {
        let at = self.node(index);
        raise(
            &inline::WRONG_TYPE,
            at,
            Detail::Type {
                expected,
                found: at.kind(),
            },
            sink,
        )
    }

    fn object(
        &self,
        index: u32,
        token: Token,
        item: &'static Struct,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        let revision = self.revision.index();
        let tokens = self.tape.tokens();
        let required = item.required.get(revision).copied().unwrap_or(0);
        let end = token.link as usize;
        let mut seen = 0u64;
        let mut at = index as usize + 1;
        while at < end {
            let Some([key, value]) = tokens.get(at..).and_then(<[Token]>::first_chunk) else {
                break;
            };
            let value_at = at as u32 + 1;
            let field = self.field(item, at as u32, *key);
            at = value.past(value_at) as usize;
            let Some((position, field)) = field else {
                continue;
            };
            let shape = field
                .shape
                .get(revision)
                .copied()
                .unwrap_or(ShapeId::ABSENT);
            if shape == ShapeId::ABSENT {
                continue;
            }
            seen |= 1 << position;
            if fits(shape, value.kind) {
                continue;
            }
            if value.kind == Kind::Null && required >> position & 1 == 0 && !self.takes_null(shape)
            {
                raise(
                    &inline::NO_NULL_OPTIONAL,
                    self.node(value_at),
                    Detail::Null,
                    sink,
                )?;
                continue;
            }
            self.value(value_at, shape, sink)?;
        }
        let missing = required & !seen;
        if missing == 0 {
            ControlFlow::Continue(())
        } else {
            self.missing(index, item, missing, sink)
        }
    }

    #[cold]
    fn missing(
        &self,
        index: u32,
        item: &'static Struct,
        missing: u64,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        for (position, field) in item.fields.iter().enumerate() {
            if missing >> position & 1 == 1 {
                let detail = Detail::Missing {
                    member: field.name,
                    owner: Owner::Struct(item),
                };
                raise(&inline::MISSING_MEMBER, self.node(index), detail, sink)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The field that a key names.
    #[inline(always)]
    fn field(
        &self,
        item: &'static Struct,
        index: u32,
        key: Token,
    ) -> Option<(usize, &'static Field)> {
        if key.complex {
            return self.escaped_field(item, index);
        }
        let length = key.text_len() as usize;
        let ends = key.ends(self.bytes);
        let hash = if length <= 16 {
            ends.hash()
        } else {
            ends.hash() ^ middle(self.node(index).plain()?)
        };
        let position = item.lookup.candidate(hash)?;
        let field = item.fields.get(position)?;
        // Up to sixteen bytes the ends are all of the name.
        let equal = length == field.name.len()
            && ends == field.ends
            && (length <= 16 || self.node(index).plain() == Some(field.name.as_bytes()));
        equal.then_some((position, field))
    }

    #[cold]
    fn escaped_field(&self, item: &'static Struct, index: u32) -> Option<(usize, &'static Field)> {
        let key = self.node(index);
        item.fields
            .iter()
            .enumerate()
            .find(|(_, field)| key.is_text(field.name))
    }

    fn takes_null(&self, shape: ShapeId) -> bool {
        match shape.get() {
            Some(Shape::Any | Shape::Null) => true,
            Some(Shape::Union(id)) => self
                .arms(&UNIONS[usize::from(*id)])
                .any(|arm| self.takes_null(arm.shape)),
            _ => false,
        }
    }

    fn array(
        &self,
        index: u32,
        token: Token,
        item: ShapeId,
        max: u32,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        if max == u32::MAX && matches!(item.get(), Some(Shape::Any)) {
            return ControlFlow::Continue(());
        }
        let tokens = self.tape.tokens();
        let mut found = 0;
        let mut at = index + 1;
        while at < token.link {
            let Some(value) = tokens.get(at as usize) else {
                break;
            };
            self.value(at, item, sink)?;
            found += 1;
            at = value.past(at);
        }
        if found > max {
            raise(
                &inline::OUT_OF_RANGE,
                self.node(index),
                Detail::Items { max, found },
                sink,
            )?;
        }
        ControlFlow::Continue(())
    }

    fn map(&self, index: u32, token: Token, item: ShapeId, sink: &mut dyn Sink) -> ControlFlow<()> {
        let tokens = self.tape.tokens();
        let mut at = index + 2;
        while at < token.link {
            let Some(value) = tokens.get(at as usize) else {
                break;
            };
            self.value(at, item, sink)?;
            at = value.past(at) + 1;
        }
        ControlFlow::Continue(())
    }

    fn literal(
        &self,
        index: u32,
        expected: ShapeId,
        text: &str,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        let at = self.node(index);
        if at.is_text(text) {
            return ControlFlow::Continue(());
        }
        raise(&inline::UNKNOWN_VALUE, at, Detail::Value { expected }, sink)
    }

    fn one_of(
        &self,
        index: u32,
        expected: ShapeId,
        id: u16,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        let at = self.node(index);
        let values = ENUMS[usize::from(id)].values;
        if values
            .iter()
            .any(|(value, revisions)| revisions.contains(self.revision) && at.is_text(value))
        {
            return ControlFlow::Continue(());
        }
        raise(&inline::UNKNOWN_VALUE, at, Detail::Value { expected }, sink)
    }

    fn integer(
        &self,
        index: u32,
        expected: ShapeId,
        min: i64,
        max: i64,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        let at = self.node(index);
        if !at.is_integer() {
            return self.wrong_type(index, expected, sink);
        }
        if min == i64::MIN && max == i64::MAX {
            return ControlFlow::Continue(());
        }
        #[expect(
            clippy::cast_precision_loss,
            reason = "bounds of the protocol are small"
        )]
        let fits = match at.as_i64() {
            Some(value) => (min..=max).contains(&value),
            // Too large for an integer of ours: an end without a bound takes it.
            None => {
                let value = at.as_f64();
                (min == i64::MIN || min as f64 <= value) && (max == i64::MAX || value <= max as f64)
            }
        };
        if fits {
            ControlFlow::Continue(())
        } else {
            raise(&inline::OUT_OF_RANGE, at, Detail::Range { expected }, sink)
        }
    }

    fn number(
        &self,
        index: u32,
        expected: ShapeId,
        min: f64,
        max: f64,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        if min == f64::NEG_INFINITY && max == f64::INFINITY {
            return ControlFlow::Continue(());
        }
        let at = self.node(index);
        if (min..=max).contains(&at.as_f64()) {
            return ControlFlow::Continue(());
        }
        raise(&inline::OUT_OF_RANGE, at, Detail::Range { expected }, sink)
    }

    fn arms(&self, union: &'static Union) -> impl Iterator<Item = &'static Arm> + Clone {
        union
            .arms
            .iter()
            .filter(move |arm| arm.revisions.contains(self.revision))
    }

    fn union(
        self,
        index: u32,
        token: Token,
        shape: ShapeId,
        union: &'static Union,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        match union.tag {
            Some(_) if token.kind != Kind::Object => self.wrong_type(index, shape, sink),
            Some(tag) => self.tagged(index, tag, union, sink),
            None => self.untagged(index, token, shape, union, sink),
        }
    }

    fn tagged(
        &self,
        index: u32,
        tag: &'static str,
        union: &'static Union,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        let object = self.node(index);
        let Some(value) = object.get(tag) else {
            return match self.arms(union).find(|arm| arm.tag == ArmTag::Absent) {
                Some(arm) => self.value(index, arm.shape, sink),
                None => {
                    let detail = Detail::Missing {
                        member: tag,
                        owner: Owner::Union(union),
                    };
                    raise(&inline::MISSING_MEMBER, object, detail, sink)
                }
            };
        };
        if value.kind() != Kind::String {
            let detail = Detail::EnvelopeType {
                expected: "a string",
                found: value.kind(),
            };
            return raise(&inline::WRONG_TYPE, value, detail, sink);
        }
        let named = self
            .arms(union)
            .find(|arm| matches!(arm.tag, ArmTag::Value(name) if value.is_text(name)));
        match named.or_else(|| self.arms(union).find(|arm| arm.tag == ArmTag::Else)) {
            Some(arm) => self.value(index, arm.shape, sink),
            None => raise(&inline::UNKNOWN_VARIANT, value, Detail::Tag { union }, sink),
        }
    }

    fn untagged(
        self,
        index: u32,
        token: Token,
        shape: ShapeId,
        union: &'static Union,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        if self.arms(union).any(|arm| fits(arm.shape, token.kind)) {
            return ControlFlow::Continue(());
        }
        let mut fitting = self
            .arms(union)
            .filter(|arm| self.may_be(arm.shape, token.kind));
        let Some(first) = fitting.next() else {
            return self.wrong_type(index, shape, sink);
        };
        let Some(second) = fitting.next() else {
            return self.value(index, first.shape, sink);
        };
        let candidates = || [first, second].into_iter().chain(fitting.clone());
        if candidates().any(|arm| {
            self.value(index, arm.shape, &mut First::default())
                .is_continue()
        }) {
            return ControlFlow::Continue(());
        }
        // None fits: report the branch that comes nearest, as if it alone were allowed.
        match candidates().min_by_key(|arm| self.distance(index, arm.shape)) {
            Some(arm) => self.value(index, arm.shape, &mut Nearest { sink, union }),
            None => ControlFlow::Continue(()),
        }
    }

    /// How far a value is from a branch. Most weighs a tag that names another branch, then members that the branch does not
    /// know, then those it misses. What is wrong further down says little about which branch was meant.
    fn distance(&self, index: u32, shape: ShapeId) -> usize {
        let value = self.node(index);
        let mut distance = Distance {
            value,
            near: 0,
            deep: 0,
        };
        let _stopped = self.value(index, shape, &mut distance);
        let strangers = value
            .members()
            .filter(|(key, _)| !self.knows(shape, *key))
            .count();
        distance.near + distance.deep + strangers * 64
    }

    /// Whether a member means something to a shape.
    fn knows(&self, shape: ShapeId, key: Node<'_>) -> bool {
        match shape.get() {
            Some(Shape::Struct(id)) => {
                let mut fields = STRUCTS[usize::from(*id)].fields.iter();
                fields.any(|field| {
                    field.shape[self.revision.index()] != ShapeId::ABSENT && key.is_text(field.name)
                })
            }
            Some(Shape::Union(id)) => self
                .arms(&UNIONS[usize::from(*id)])
                .any(|arm| self.knows(arm.shape, key)),
            _ => true,
        }
    }

    /// Whether a value of this kind can have the shape at all.
    fn may_be(&self, shape: ShapeId, kind: Kind) -> bool {
        match (shape.get(), kind) {
            (Some(Shape::Any), _)
            | (Some(Shape::String(_) | Shape::Literal(_) | Shape::Enum(_)), Kind::String)
            | (Some(Shape::Int { .. } | Shape::Number { .. }), Kind::Number)
            | (Some(Shape::Bool), Kind::True | Kind::False)
            | (Some(Shape::Null), Kind::Null)
            | (Some(Shape::Array { .. }), Kind::Array)
            | (Some(Shape::Object | Shape::Map(_) | Shape::Struct(_)), Kind::Object) => true,
            (Some(Shape::Union(id)), _) => {
                let union = &UNIONS[usize::from(*id)];
                if union.tag.is_some() {
                    kind == Kind::Object
                } else {
                    self.arms(union).any(|arm| self.may_be(arm.shape, kind))
                }
            }
            _ => false,
        }
    }
}

/// Whether every value of this kind has the shape, so that there is nothing to look into.
#[inline(always)]
fn fits(shape: ShapeId, kind: Kind) -> bool {
    /// For each shape a bit for each kind of which every value fits.
    static FITTING: [u8; SHAPE_COUNT] = {
        let mut fitting = [0; SHAPE_COUNT];
        let mut index = 0;
        while index < SHAPE_COUNT {
            fitting[index] = match SHAPES[index] {
                Shape::Any => !0,
                Shape::String(_) => 1 << Kind::String as u8,
                Shape::Object => 1 << Kind::Object as u8,
                Shape::Bool => 1 << Kind::True as u8 | 1 << Kind::False as u8,
                Shape::Null => 1 << Kind::Null as u8,
                Shape::Number { min, max } if min == f64::NEG_INFINITY && max == f64::INFINITY => {
                    1 << Kind::Number as u8
                }
                _ => 0,
            };
            index += 1;
        }
        fitting
    };
    FITTING
        .get(usize::from(shape.0))
        .is_some_and(|kinds| kinds >> kind as u8 & 1 == 1)
}

/// Weighs what is wrong with a value of several members.
struct Distance<'a> {
    value: Node<'a>,
    /// The weight of its own members.
    near: usize,
    /// How much is wrong further down.
    deep: usize,
}

impl Distance<'_> {
    /// More would say nothing new, and each costs a look at all members.
    const MOST: usize = 15;

    fn is_own(&self, token: u32) -> bool {
        let is_member = || self.value.members().any(|(_, own)| own.index() == token);
        token == self.value.index() || self.deep < Self::MOST && is_member()
    }
}

impl Sink for Distance<'_> {
    fn push(&mut self, violation: Violation) -> ControlFlow<()> {
        if violation.token.is_some_and(|token| self.is_own(token)) {
            self.near += match violation.detail {
                Detail::Value { .. } | Detail::Tag { .. } => 256,
                Detail::Missing { .. } => 32,
                _ => 16,
            };
        } else {
            self.deep = Self::MOST.min(self.deep + 1);
        }
        ControlFlow::Continue(())
    }
}

/// Marks violations as those of the nearest branch.
struct Nearest<'s> {
    sink: &'s mut dyn Sink,
    union: &'static Union,
}

impl Sink for Nearest<'_> {
    fn push(&mut self, mut violation: Violation) -> ControlFlow<()> {
        violation.nearest_of.get_or_insert(self.union);
        self.sink.push(violation)
    }
}
