//! Schemas of the simple kind that most tools have, laid out so that a value which surely fits is
//! accepted at once.
//!
//! It only ever says yes. Uncertain cases, such as a number with an exponent, a key with escapes or
//! a repeated one, are left to the full validator, and so is the explanation of a mismatch.

use std::collections::HashSet;

use mcp_assay_json::{KeyHash, Kind, Node, Token};

use super::dialect::Dialect;

/// No schema with more parts or members, or nested deeper, is simple.
const MAX_PARTS: usize = 256;
const MAX_MEMBERS: usize = 32;
const MAX_DEPTH: usize = 16;

/// Every integer up to here is a double of its own.
const MAX_EXACT: u64 = 1 << 53;

/// Keywords that do not restrict values; `format` and the content keywords are annotations here.
const ANNOTATIONS: &[&str] = &[
    "title",
    "description",
    "default",
    "examples",
    "format",
    "$comment",
    "deprecated",
    "readOnly",
    "writeOnly",
    "contentEncoding",
    "contentMediaType",
];

/// A schema that uses common keywords alone.
#[derive(Debug)]
pub(super) struct Simple {
    /// The root is the first; no part is its own ancestor.
    parts: Vec<Part>,
}

/// A subschema.
#[derive(Debug, Default)]
struct Part {
    /// A bit for each kind of value that is not allowed.
    refused: u8,
    /// A bit for each kind of value without further conditions.
    free: u8,
    members: Vec<Member>,
    /// A bit for each member that is required.
    required: u32,
    /// Whether no other members are allowed.
    closed: bool,
    items: Option<usize>,
    minimum: Option<i64>,
    maximum: Option<i64>,
    shortest: usize,
    longest: Option<usize>,
    /// The strings that are allowed.
    choices: Option<HashSet<Box<str>>>,
    /// One of these has to accept the value, too.
    any_of: Option<Vec<usize>>,
}

#[derive(Debug)]
struct Member {
    hash: KeyHash,
    /// The same as in its part, so that most members are settled here.
    refused: u8,
    free: u8,
    part: usize,
    name: Box<str>,
}

/// Numbers that are integers are a kind of their own; so are other numbers.
const FRACTION: u8 = 1 << 7;
const EVERY_KIND: u8 = bit(Kind::Null)
    | bit(Kind::True)
    | bit(Kind::False)
    | bit(Kind::Number)
    | bit(Kind::String)
    | bit(Kind::Array)
    | bit(Kind::Object)
    | FRACTION;

const fn bit(kind: Kind) -> u8 {
    1 << kind as u8
}

/// The bit of a value's kind.
#[inline(always)]
fn kind_of(token: &Token) -> u8 {
    if token.kind == Kind::Number && token.complex {
        FRACTION
    } else {
        bit(token.kind)
    }
}

impl Simple {
    /// Lays out a schema; `None` if it is not simple.
    pub(super) fn read(schema: Node<'_>, dialect: Dialect) -> Option<Self> {
        // In older dialects the same words mean other things.
        if !matches!(dialect, Dialect::Draft7 | Dialect::Draft202012) {
            return None;
        }
        let mut simple = Self { parts: Vec::new() };
        simple.part(schema, 0)?;
        Some(simple)
    }

    /// Whether a value surely fits.
    pub(super) fn surely_accepts(&self, value: Node<'_>) -> bool {
        self.accepts(0, value)
    }

    /// Lays out a subschema. Recurses on schemas up to a fixed depth.
    fn part(&mut self, schema: Node<'_>, depth: usize) -> Option<usize> {
        if self.parts.len() >= MAX_PARTS || depth >= MAX_DEPTH || schema.kind() != Kind::Object {
            return None;
        }
        let at = self.parts.len();
        self.parts.push(Part::default());
        let mut part = Part::default();
        let mut seen = Vec::new();
        let mut required = None;
        for (key, value) in schema.members() {
            let word = core::str::from_utf8(key.plain()?).ok()?;
            if seen.contains(&word) {
                return None;
            }
            seen.push(word);
            match word {
                "$schema" if depth == 0 => {}
                "type" => part.refused |= !kinds(value)?,
                "properties" => self.members(value, &mut part, depth)?,
                "required" => required = Some(value),
                "additionalProperties" => match value.kind() {
                    Kind::False => part.closed = true,
                    Kind::True => {}
                    _ => return None,
                },
                "items" => part.items = Some(self.part(value, depth + 1)?),
                "minimum" => part.minimum = Some(bound(value)?),
                "maximum" => part.maximum = Some(bound(value)?),
                "minLength" => part.shortest = usize::try_from(bound(value)?).ok()?,
                "maxLength" => part.longest = Some(usize::try_from(bound(value)?).ok()?),
                "enum" => part.choices = Some(texts(value)?.into_iter().collect()),
                "anyOf" => {
                    let branches = value.items().map(|branch| self.part(branch, depth + 1));
                    part.any_of = Some(branches.collect::<Option<_>>()?);
                }
                _ if ANNOTATIONS.contains(&word) => {}
                _ => return None,
            }
        }
        if let Some(required) = required {
            for name in texts(required)? {
                part.require(&name)?;
            }
        }
        part.free = part.free_kinds();
        self.parts[at] = part;
        Some(at)
    }

    fn members(&mut self, properties: Node<'_>, part: &mut Part, depth: usize) -> Option<()> {
        if properties.kind() != Kind::Object {
            return None;
        }
        for (key, schema) in properties.members() {
            let name = core::str::from_utf8(key.plain()?).ok()?;
            let own = self.part(schema, depth + 1)?;
            let (refused, free) = (self.parts[own].refused, self.parts[own].free);
            part.member(name, own, refused, free)?;
        }
        Some(())
    }

    /// Recurses as deep as the schema does.
    #[inline]
    fn accepts(&self, part: usize, value: Node<'_>) -> bool {
        let Some(part) = self.parts.get(part) else {
            return false;
        };
        let token = value.token();
        let kind = kind_of(&token);
        if part.refused & kind != 0 {
            return false;
        }
        part.free & kind != 0 || self.fits(part, value, token)
    }

    fn fits(&self, part: &Part, value: Node<'_>, token: Token) -> bool {
        let fits = match token.kind {
            Kind::Object => self.fits_members(part, value, token),
            Kind::Array => match part.items {
                Some(items) => value.items().all(|item| self.accepts(items, item)),
                None => true,
            },
            Kind::String => part.fits_text(value, token),
            Kind::Number => part.fits_number(value, token),
            _ => true,
        };
        fits && (part.choices.is_none() || token.kind == Kind::String)
            && match &part.any_of {
                None => true,
                Some(branches) => branches.iter().any(|branch| self.accepts(*branch, value)),
            }
    }

    fn fits_members(&self, part: &Part, object: Node<'_>, token: Token) -> bool {
        let end = token.past(object.index());
        let tokens = object.tokens();
        let mut at = object.index() + 1;
        let mut found = 0u32;
        while at < end {
            let (Some(key), Some(value)) = (tokens.get(at as usize), tokens.get(at as usize + 1))
            else {
                return false;
            };
            if key.complex {
                return false;
            }
            let hash = key.key_hash();
            let known = part.members.iter().position(|member| {
                member.hash == hash && key.is_plain(object.bytes(), &member.name)
            });
            match known.and_then(|position| Some((position, part.members.get(position)?))) {
                Some((position, member)) => {
                    let (place, kind) = (1 << position, kind_of(value));
                    // Most receivers use only the last one of a repeated member.
                    if found & place != 0 || member.refused & kind != 0 {
                        return false;
                    }
                    found |= place;
                    if member.free & kind == 0 && !self.accepts(member.part, object.at(at + 1)) {
                        return false;
                    }
                }
                None if part.closed => return false,
                None => {}
            }
            at = value.past(at + 1);
        }
        part.required & !found == 0
    }
}

impl Part {
    /// The place of a member; `None` if there are too many.
    fn member(&mut self, name: &str, part: usize, refused: u8, free: u8) -> Option<usize> {
        if self.members.len() >= MAX_MEMBERS
            || self.members.iter().any(|known| *known.name == *name)
        {
            return None;
        }
        self.members.push(Member {
            hash: KeyHash::of(name.as_bytes()),
            refused,
            free,
            part,
            name: name.into(),
        });
        Some(self.members.len() - 1)
    }

    fn free_kinds(&self) -> u8 {
        if self.choices.is_some() || self.any_of.is_some() {
            return 0;
        }
        let mut free = bit(Kind::Null) | bit(Kind::True) | bit(Kind::False);
        if self.shortest == 0 && self.longest.is_none() {
            free |= bit(Kind::String);
        }
        if self.minimum.is_none() && self.maximum.is_none() {
            free |= bit(Kind::Number) | FRACTION;
        }
        if self.items.is_none() {
            free |= bit(Kind::Array);
        }
        if self.members.is_empty() && !self.closed {
            free |= bit(Kind::Object);
        }
        free
    }

    fn require(&mut self, name: &str) -> Option<()> {
        let known = self.members.iter().position(|known| *known.name == *name);
        let position = match known {
            Some(position) => position,
            // A closed object would know it then.
            None if self.closed => return None,
            None => self.member(name, 0, 0, EVERY_KIND)?,
        };
        self.required |= 1 << position;
        Some(())
    }

    fn fits_text(&self, value: Node<'_>, token: Token) -> bool {
        // Characters are counted by the standard; a character has one to four bytes, or up to
        // twelve as an escape.
        let bytes = token.text_len() as usize;
        let least = bytes.div_ceil(if token.complex { 12 } else { 4 });
        if least < self.shortest || self.longest.is_some_and(|longest| bytes > longest) {
            return false;
        }
        match &self.choices {
            None => true,
            Some(choices) => {
                let text = value.plain().map(core::str::from_utf8);
                text.is_some_and(|text| text.is_ok_and(|text| choices.contains(text)))
            }
        }
    }

    fn fits_number(&self, value: Node<'_>, token: Token) -> bool {
        if self.minimum.is_none() && self.maximum.is_none() {
            return true;
        }
        if token.complex {
            return false;
        }
        value.as_i64().is_some_and(|value| {
            value.unsigned_abs() < MAX_EXACT
                && self.minimum.is_none_or(|minimum| value >= minimum)
                && self.maximum.is_none_or(|maximum| value <= maximum)
        })
    }
}

/// The kinds that `type` allows.
fn kinds(names: Node<'_>) -> Option<u8> {
    let one = |name: Node<'_>| {
        Some(match name.plain()? {
            b"null" => bit(Kind::Null),
            b"boolean" => bit(Kind::True) | bit(Kind::False),
            // Whether a number with a fraction or an exponent is an integer is left to the
            // validator.
            b"integer" => bit(Kind::Number),
            b"number" => bit(Kind::Number) | FRACTION,
            b"string" => bit(Kind::String),
            b"array" => bit(Kind::Array),
            b"object" => bit(Kind::Object),
            _ => return None,
        })
    };
    let kinds = match names.kind() {
        Kind::String => one(names)?,
        Kind::Array => names
            .items()
            .try_fold(0, |kinds, name| Some(kinds | one(name)?))?,
        _ => return None,
    };
    Some(kinds | !EVERY_KIND)
}

/// An integer that bounds something.
fn bound(value: Node<'_>) -> Option<i64> {
    value
        .as_i64()
        .filter(|bound| !value.token().complex && bound.unsigned_abs() < MAX_EXACT)
}

/// An array of strings without escapes.
fn texts(list: Node<'_>) -> Option<Vec<Box<str>>> {
    if list.kind() != Kind::Array {
        return None;
    }
    let text = |item: Node<'_>| {
        let plain = item.plain().filter(|_| item.kind() == Kind::String)?;
        core::str::from_utf8(plain).ok().map(Into::into)
    };
    list.items().map(text).collect()
}
