//! Checks a value against a shape: the one interpreter of the model's tables.
//!
//! Recursion follows the model, which has a finite depth, never the input.

mod branch;

use core::ops::ControlFlow;
use core::slice;

use mcp_assay_json::{Kind, Node, Tape, Token};

pub(crate) use self::branch::branch;
use crate::tables::{
    Arm, ArmTag, Candidate, Compiled, CompiledStruct, ENUMS, Kinds, Member, Name, Revision,
    STRUCTS, Shape, ShapeId, Struct, UNIONS, Union,
};

/// A place at which a value does not have its shape.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct ShapeFault<'a> {
    /// The value at fault, or the object that lacks a member.
    pub at: Node<'a>,
    /// The kind of fault.
    pub kind: ShapeFaultKind,
    /// The union whose nearest branch was reported, if no branch fits.
    pub nearest_of: Option<&'static Union>,
}

/// The difference between a value and its shape.
#[derive(Clone, Copy, Debug)]
pub enum ShapeFaultKind {
    /// The value is of the wrong JSON type.
    WrongType {
        /// The shape that it had to have.
        expected: ShapeId,
    },
    /// The tag of a union is not a string.
    TagNotString,
    /// An optional member is null instead of absent.
    NullOptional,
    /// A required member is not there.
    MissingMember {
        /// Its name.
        member: &'static str,
        /// The struct that requires it.
        item: &'static Struct,
    },
    /// The tag that picks the branch of a union is not there.
    MissingTag {
        /// Its name.
        tag: &'static str,
        /// The union.
        union: &'static Union,
    },
    /// The string is none of those allowed.
    UnknownValue {
        /// The literal or enum.
        expected: ShapeId,
    },
    /// The tag of a union names no branch.
    UnknownVariant {
        /// The union.
        union: &'static Union,
    },
    /// The number is out of range.
    OutOfRange {
        /// The shape with the bounds.
        expected: ShapeId,
    },
    /// The array has too many items.
    TooManyItems {
        /// The number of items allowed.
        max: u32,
        /// The number of items found.
        found: u32,
    },
}

/// The destination of faults. The same walk stops at the first one or reports all, depending on the
/// sink.
pub trait ShapeSink {
    /// Takes a fault; `Break` ends the walk.
    fn push(&mut self, fault: ShapeFault<'_>) -> ControlFlow<()>;
}

/// A message and the revision it is checked under.
///
/// It takes the sink along: few arguments keep the steps of the walk cheap.
pub struct Walk<'a, 's> {
    tokens: &'a [Token],
    bytes: &'a [u8],
    revision: Revision,
    /// The model in the revision.
    compiled: &'static Compiled,
    /// Whether no object of the message has a key twice, so that the first of a name is also the
    /// last.
    unique: bool,
    sink: &'s mut dyn ShapeSink,
}

/// Checks whether a value fits a shape, for rules that know the shape only from the session.
#[must_use]
pub fn fits(value: Node<'_>, shape: ShapeId, revision: Revision) -> bool {
    let mut first = First;
    let mut walk = Walk {
        tokens: value.tokens(),
        bytes: value.bytes(),
        revision,
        compiled: Compiled::of(revision),
        unique: false,
        sink: &mut first,
    };
    walk.value(value.index(), shape).is_continue()
}

impl<'a, 's> Walk<'a, 's> {
    /// A walk over a message that was scanned to `tape`.
    #[inline(always)]
    pub fn new(
        tape: &'a Tape,
        bytes: &'a [u8],
        revision: Revision,
        sink: &'s mut dyn ShapeSink,
    ) -> Self {
        Self {
            tokens: tape.tokens(),
            bytes,
            revision,
            compiled: Compiled::of(revision),
            unique: tape.repeated_keys().is_empty(),
            sink,
        }
    }

    /// The same walk with another sink.
    fn with<'t>(&self, sink: &'t mut dyn ShapeSink) -> Walk<'a, 't> {
        Walk {
            tokens: self.tokens,
            bytes: self.bytes,
            revision: self.revision,
            compiled: self.compiled,
            unique: self.unique,
            sink,
        }
    }

    /// Checks the value at a token.
    pub fn value(&mut self, index: u32, shape: ShapeId) -> ControlFlow<()> {
        let Some(token) = self.tokens.get(index as usize) else {
            return ControlFlow::Continue(());
        };
        if token.kind == Kind::Object
            && let Some(item) = self.compiled.item_of(shape)
        {
            return self.object(index, token.inside(), item);
        }
        let Some(shape_row) = shape.get() else {
            return ControlFlow::Continue(());
        };
        match (shape_row, token.kind) {
            (Shape::Array { item, max }, Kind::Array) => {
                self.array(index, token.past(index), *item, *max)
            }
            (Shape::Map(item), Kind::Object) => self.map(index, token.past(index), *item),
            (Shape::Literal(text), Kind::String) => self.literal(index, shape, text),
            (Shape::Enum(id), Kind::String) => self.one_of(index, shape, *id),
            (Shape::Union(id), kind) => {
                let union = &UNIONS[usize::from(*id)];
                match union.tag {
                    Some(tag) if kind == Kind::Object => {
                        self.tagged(index, token.past(index), tag, *id)
                    }
                    Some(_) => self.wrong_type(index, shape),
                    None => self.untagged(index, shape, *id),
                }
            }
            (Shape::Int { min, max }, Kind::Number) => {
                if !token.complex && *min == i64::MIN && *max == i64::MAX {
                    return ControlFlow::Continue(());
                }
                self.integer(index, shape, *min, *max)
            }
            (Shape::Number { min, max }, Kind::Number) => self.number(index, shape, *min, *max),
            (_, kind) if self.kinds_of(shape).fit(kind) => ControlFlow::Continue(()),
            _ => self.wrong_type(index, shape),
        }
    }

    #[inline(always)]
    fn kinds_of(&self, shape: ShapeId) -> Kinds {
        self.compiled.kinds(shape)
    }

    fn node(&self, index: u32) -> Node<'a> {
        Node::new(self.tokens, self.bytes, index)
    }

    /// Reports a fault of the value at a token.
    #[cold]
    fn raise(&mut self, index: u32, kind: ShapeFaultKind) -> ControlFlow<()> {
        let at = self.node(index);
        self.sink.push(ShapeFault {
            at,
            kind,
            nearest_of: None,
        })
    }

    #[cold]
    fn wrong_type(&mut self, index: u32, expected: ShapeId) -> ControlFlow<()> {
        self.raise(index, ShapeFaultKind::WrongType { expected })
    }

    #[inline(always)]
    fn object(&mut self, index: u32, inside: u32, item: &CompiledStruct) -> ControlFlow<()> {
        if inside == 0 && item.required == 0 {
            return ControlFlow::Continue(());
        }
        self.members(index, inside, item)
    }

    fn members(&mut self, index: u32, inside: u32, item: &CompiledStruct) -> ControlFlow<()> {
        let first = index as usize + 1;
        let end = first + inside as usize;
        let mut rest = self.tokens.get(first..end).unwrap_or_default();
        let mut seen = 0u64;
        while let [key, value, others @ ..] = rest {
            let Some(next) = others.get(value.inside() as usize..) else {
                break;
            };
            rest = next;
            let Some(member) = self.named(item, key) else {
                continue;
            };
            seen |= 1u64.wrapping_shl(u32::from(member.position));
            if member.kinds.fit(value.kind) {
                continue;
            }
            let value_at = (end - others.len() - 1) as u32;
            if value.kind == Kind::Object
                && let Some(item) = self.compiled.item(member.item)
            {
                self.object(value_at, value.inside(), item)?;
            } else if value.kind == Kind::Null {
                self.null(value_at, member, item)?;
            } else {
                self.value(value_at, member.shape)?;
            }
        }
        let missing = item.required & !seen;
        if missing == 0 {
            ControlFlow::Continue(())
        } else {
            self.missing(index, item.item(), missing)
        }
    }

    /// A member that is null. An optional one is better left out.
    #[cold]
    fn null(&mut self, index: u32, member: &Member, item: &CompiledStruct) -> ControlFlow<()> {
        let required = item.required >> (member.position & 63) & 1 == 1;
        if required || takes_null(member.shape, self.revision) {
            return self.value(index, member.shape);
        }
        self.raise(index, ShapeFaultKind::NullOptional)
    }

    #[cold]
    fn missing(&mut self, index: u32, item: &'static Struct, missing: u64) -> ControlFlow<()> {
        for (position, field) in item.fields.iter().enumerate() {
            if missing >> position & 1 == 1 {
                let member = field.name;
                self.raise(index, ShapeFaultKind::MissingMember { member, item })?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The member that a key names.
    ///
    /// A call of its own: it needs all registers, and so does the loop around it.
    #[inline(never)]
    fn named(&self, item: &CompiledStruct, key: &Token) -> Option<&'static Member> {
        match self.compiled.member(item, key, self.bytes) {
            Candidate::Found(member) => Some(member),
            Candidate::Doubtful => self.unusually_named(item, key),
            Candidate::None => None,
        }
    }

    /// The member of a key that is long or has escapes.
    #[inline(never)]
    fn unusually_named(&self, item: &CompiledStruct, key: &Token) -> Option<&'static Member> {
        let node = Node::new(slice::from_ref(key), self.bytes, 0);
        let mut fields = item.item().fields.iter();
        let position = fields.position(|field| node.is_text(field.name))?;
        self.compiled.member_at(item, position)
    }

    fn array(&mut self, index: u32, end: u32, item: ShapeId, max: u32) -> ControlFlow<()> {
        if max == u32::MAX && matches!(item.get(), Some(Shape::Any)) {
            return ControlFlow::Continue(());
        }
        let mut found = 0;
        let mut at = index + 1;
        while at < end {
            let Some(value) = self.tokens.get(at as usize) else {
                break;
            };
            if !self.kinds_of(item).fit(value.kind) {
                self.value(at, item)?;
            }
            found += 1;
            at = value.past(at);
        }
        if found > max {
            self.raise(index, ShapeFaultKind::TooManyItems { max, found })?;
        }
        ControlFlow::Continue(())
    }

    fn map(&mut self, index: u32, end: u32, item: ShapeId) -> ControlFlow<()> {
        let mut at = index + 2;
        while at < end {
            let Some(value) = self.tokens.get(at as usize) else {
                break;
            };
            if !self.kinds_of(item).fit(value.kind) {
                self.value(at, item)?;
            }
            at = value.past(at) + 1;
        }
        ControlFlow::Continue(())
    }

    fn literal(&mut self, index: u32, expected: ShapeId, text: &str) -> ControlFlow<()> {
        let Some(token) = self.tokens.get(index as usize) else {
            return ControlFlow::Continue(());
        };
        let name = self.compiled.literal(expected);
        if name.is_some_and(|name| name.is_at(token.start, self.bytes)) {
            return ControlFlow::Continue(());
        }
        self.unusual_literal(index, expected, text)
    }

    /// A value of a literal that is long, has escapes, or is another.
    #[inline(never)]
    fn unusual_literal(&mut self, index: u32, expected: ShapeId, text: &str) -> ControlFlow<()> {
        if self.node(index).is_text(text) {
            return ControlFlow::Continue(());
        }
        self.unknown_value(index, expected)
    }

    fn one_of(&mut self, index: u32, expected: ShapeId, id: u16) -> ControlFlow<()> {
        let Some(token) = self.tokens.get(index as usize) else {
            return ControlFlow::Continue(());
        };
        let mut values = self.compiled.values(id).iter();
        if values.any(|value| value.is_at(token.start, self.bytes)) {
            return ControlFlow::Continue(());
        }
        self.unusual_value(index, expected, id)
    }

    /// A value of an enum that is long, has escapes, or is none of it.
    #[inline(never)]
    fn unusual_value(&mut self, index: u32, expected: ShapeId, id: u16) -> ControlFlow<()> {
        let value = self.node(index);
        let mut values = ENUMS[usize::from(id)].values.iter();
        if values.any(|(name, revisions)| value.is_text(name) && revisions.contains(self.revision))
        {
            return ControlFlow::Continue(());
        }
        self.unknown_value(index, expected)
    }

    #[cold]
    fn unknown_value(&mut self, index: u32, expected: ShapeId) -> ControlFlow<()> {
        self.raise(index, ShapeFaultKind::UnknownValue { expected })
    }

    fn integer(&mut self, index: u32, expected: ShapeId, min: i64, max: i64) -> ControlFlow<()> {
        let at = self.node(index);
        if !at.is_integer() {
            return self.wrong_type(index, expected);
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
            self.raise(index, ShapeFaultKind::OutOfRange { expected })
        }
    }

    fn number(&mut self, index: u32, expected: ShapeId, min: f64, max: f64) -> ControlFlow<()> {
        let at = self.node(index);
        if (min..=max).contains(&at.as_f64()) {
            return ControlFlow::Continue(());
        }
        self.raise(index, ShapeFaultKind::OutOfRange { expected })
    }

    fn tagged(&mut self, index: u32, end: u32, tag: &'static str, id: u16) -> ControlFlow<()> {
        let compiled = self.compiled.union(id);
        let union = &UNIONS[usize::from(id)];
        let Some((value_at, value)) = self.member(index, end, tag, &compiled.tag) else {
            return self.untold(index, tag, union);
        };
        if value.kind != Kind::String {
            return self.unnamed(index, value_at, union);
        }
        let mut branches = self.compiled.branches(compiled).iter();
        match branches.find(|branch| branch.name.is_at(value.start, self.bytes)) {
            Some(branch) => self.value(index, branch.shape),
            None => self.unusually_tagged(index, value_at, union),
        }
    }

    /// An object of a union whose tag is long, has escapes, or names no branch.
    #[inline(never)]
    fn unusually_tagged(
        &mut self,
        index: u32,
        value_at: u32,
        union: &'static Union,
    ) -> ControlFlow<()> {
        let value = self.node(value_at);
        let named = |arm: &&Arm| matches!(arm.tag, ArmTag::Value(name) if value.is_text(name));
        match arms(union, self.revision).find(named) {
            Some(arm) => self.value(index, arm.shape),
            None => self.unnamed(index, value_at, union),
        }
    }

    /// The member of this name; of repeated ones the last.
    #[inline(always)]
    fn member(&self, index: u32, end: u32, text: &str, name: &Name) -> Option<(u32, &'a Token)> {
        let mut found = None;
        let mut at = index + 1;
        while at < end {
            let Some([key, value]) = self.tokens.get(at as usize..at as usize + 2) else {
                break;
            };
            if name.is_at(key.start, self.bytes) || key.complex && self.node(at).is_text(text) {
                found = Some((at + 1, value));
                if self.unique {
                    break;
                }
            }
            at = value.past(at + 1);
        }
        found
    }

    /// An object of a union that does not have the tag.
    #[inline(never)]
    fn untold(&mut self, index: u32, tag: &'static str, union: &'static Union) -> ControlFlow<()> {
        if let Some(arm) = arms(union, self.revision).find(|arm| arm.tag == ArmTag::Absent) {
            return self.value(index, arm.shape);
        }
        self.raise(index, ShapeFaultKind::MissingTag { tag, union })
    }

    /// An object of a union whose tag names no branch.
    #[inline(never)]
    fn unnamed(&mut self, index: u32, tag_at: u32, union: &'static Union) -> ControlFlow<()> {
        let tag = self.node(tag_at);
        if tag.kind() != Kind::String {
            return self.raise(tag_at, ShapeFaultKind::TagNotString);
        }
        match arms(union, self.revision).find(|arm| arm.tag == ArmTag::Else) {
            Some(arm) => self.value(index, arm.shape),
            None => self.raise(tag_at, ShapeFaultKind::UnknownVariant { union }),
        }
    }

    fn untagged(&mut self, index: u32, shape: ShapeId, id: u16) -> ControlFlow<()> {
        let kind = self.node(index).kind();
        if self.kinds_of(shape).fit(kind) {
            return ControlFlow::Continue(());
        }
        if self.compiled.is_shared(id, kind) {
            return self.any_of(index, kind, id);
        }
        match self.candidates(kind, id).next() {
            Some(only) => self.value(index, only),
            None => self.wrong_type(index, shape),
        }
    }

    /// The branches that a value of this kind can have.
    #[inline(always)]
    fn candidates(&self, kind: Kind, id: u16) -> impl Iterator<Item = ShapeId> + Clone + use<> {
        let compiled = self.compiled;
        let branches = compiled.branches(compiled.union(id)).iter();
        branches
            .map(|branch| branch.shape)
            .filter(move |shape| compiled.kinds(*shape).may_be(kind))
    }

    /// Checks that at least one of several branches fits.
    fn any_of(&mut self, index: u32, kind: Kind, id: u16) -> ControlFlow<()> {
        let candidates = self.candidates(kind, id);
        for shape in candidates.clone() {
            let mut first = First;
            if self.with(&mut first).value(index, shape).is_continue() {
                return ControlFlow::Continue(());
            }
        }
        let union = &UNIONS[usize::from(id)];
        // None fits: report the branch that comes nearest, as if it alone were allowed.
        let Some(nearest) = candidates.min_by_key(|shape| self.distance(index, *shape)) else {
            return ControlFlow::Continue(());
        };
        let sink = &mut Nearest {
            sink: &mut *self.sink,
            union,
        };
        let mut walk = Walk {
            tokens: self.tokens,
            bytes: self.bytes,
            revision: self.revision,
            compiled: self.compiled,
            unique: self.unique,
            sink,
        };
        walk.value(index, nearest)
    }

    /// The distance of a value from a branch. A tag that names another branch weighs most, then
    /// members that the branch does not know, then those it misses. Faults further down say little
    /// about which branch was meant.
    fn distance(&self, index: u32, shape: ShapeId) -> usize {
        let value = self.node(index);
        let mut distance = Distance {
            value,
            near: 0,
            deep: 0,
        };
        let _stopped = self.with(&mut distance).value(index, shape);
        let strangers = value
            .members()
            .filter(|(key, _)| !knows(shape, *key, self.revision))
            .count();
        distance.near + distance.deep + strangers * 64
    }
}

/// The branches that a revision has.
fn arms(union: &'static Union, revision: Revision) -> impl Iterator<Item = &'static Arm> + Clone {
    union
        .arms
        .iter()
        .filter(move |arm| arm.revisions.contains(revision))
}

/// Whether a member means something to a shape.
fn knows(shape: ShapeId, key: Node<'_>, revision: Revision) -> bool {
    match shape.get() {
        Some(Shape::Struct(id)) => {
            let mut fields = STRUCTS[usize::from(*id)].fields.iter();
            fields.any(|field| {
                field.shape[revision.index()] != ShapeId::ABSENT && key.is_text(field.name)
            })
        }
        Some(Shape::Union(id)) => {
            arms(&UNIONS[usize::from(*id)], revision).any(|arm| knows(arm.shape, key, revision))
        }
        _ => true,
    }
}

#[cold]
fn takes_null(shape: ShapeId, revision: Revision) -> bool {
    match shape.get() {
        Some(Shape::Any | Shape::Null) => true,
        Some(Shape::Union(id)) => {
            arms(&UNIONS[usize::from(*id)], revision).any(|arm| takes_null(arm.shape, revision))
        }
        _ => false,
    }
}

/// Weighs the faults of a value with several members.
struct Distance<'a> {
    value: Node<'a>,
    /// The weight of its own members.
    near: usize,
    /// The number of faults further down.
    deep: usize,
}

impl Distance<'_> {
    /// More faults would say nothing new, and each costs a pass over all members.
    const MAX_FAULTS: usize = 15;

    fn is_own(&self, token: u32) -> bool {
        let is_member = || self.value.members().any(|(_, own)| own.index() == token);
        token == self.value.index() || self.deep < Self::MAX_FAULTS && is_member()
    }
}

impl ShapeSink for Distance<'_> {
    fn push(&mut self, fault: ShapeFault<'_>) -> ControlFlow<()> {
        if self.is_own(fault.at.index()) {
            self.near += match fault.kind {
                ShapeFaultKind::UnknownVariant { .. } => 256,
                // Only a literal distinguishes branches; a value outside its enum is wrong in the
                // branch that was meant, too.
                ShapeFaultKind::UnknownValue { expected }
                    if matches!(expected.get(), Some(Shape::Literal(_))) =>
                {
                    256
                }
                ShapeFaultKind::MissingMember { .. } | ShapeFaultKind::MissingTag { .. } => 32,
                _ => 16,
            };
        } else {
            self.deep = Self::MAX_FAULTS.min(self.deep + 1);
        }
        ControlFlow::Continue(())
    }
}

/// Marks faults as those of the nearest branch.
struct Nearest<'s> {
    sink: &'s mut dyn ShapeSink,
    union: &'static Union,
}

impl ShapeSink for Nearest<'_> {
    fn push(&mut self, mut fault: ShapeFault<'_>) -> ControlFlow<()> {
        fault.nearest_of.get_or_insert(self.union);
        self.sink.push(fault)
    }
}

/// Stops at the first fault.
struct First;

impl ShapeSink for First {
    fn push(&mut self, _: ShapeFault<'_>) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}
