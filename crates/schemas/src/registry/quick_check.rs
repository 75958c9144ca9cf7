//! Recognises schemas that surely compile, at a fraction of the cost of compiling them.
//!
//! It only ever says yes. A keyword, name or value that it does not know, a reference that leads
//! elsewhere, or a schema that comes near a limit is left to the compiler, and so is the
//! explanation of a fault.

use mcp_assay_json::{Kind, Node};

use super::dialect::Dialect;
use super::limits::SchemaLimits;
use super::pattern_syntax::is_plain_pattern;

/// Subschemas that are visited, those behind references once for each reference. Each leads to at
/// most as many others about the same value, so that composition cannot exceed the limits.
const MAX_VISITS: u32 = 512;

/// Subschemas within subschemas, and levels of nesting that follow from them.
const MAX_DEPTH: u32 = 32;
const MAX_NESTING: usize = 2 * MAX_DEPTH as usize + 4;

/// Patterns of one schema, and names in a list that must not be repeated.
const MAX_PATTERNS: u32 = 64;
const MAX_NAMES: usize = 32;

/// Whether a schema surely compiles within these limits; `default` is its dialect if it does not
/// name one.
pub(super) fn surely_compiles(schema: Node<'_>, default: Dialect, limits: &SchemaLimits) -> bool {
    let visits = u64::from(MAX_VISITS);
    let is_within = schema.raw().len() <= limits.bytes
        && limits.depth >= MAX_NESTING
        && limits.subschemas > MAX_VISITS as usize
        && limits.branches >= visits
        && limits.branches.saturating_mul(100) >= visits * visits
        && limits.chain > MAX_DEPTH
        && limits.patterns > MAX_PATTERNS as usize;
    let Some(dialect) = dialect(schema, default).filter(|_| is_within) else {
        return false;
    };
    let mut visit = Visit {
        root: schema,
        dialect,
        subschemas: MAX_VISITS,
        patterns: MAX_PATTERNS,
        // References may lead to the same tokens again.
        steps: (schema.end() - schema.index()).saturating_mul(4),
    };
    schema.kind() == Kind::Object && visit.schema(schema, 0).is_some()
}

/// The dialect of a schema, if it is one of the two that nearly all have.
fn dialect(schema: Node<'_>, default: Dialect) -> Option<Dialect> {
    match schema.get("$schema").map(Node::plain) {
        None => Some(default).filter(|_| matches!(default, Dialect::Draft7 | Dialect::Draft202012)),
        Some(Some(
            b"http://json-schema.org/draft-07/schema#" | b"http://json-schema.org/draft-07/schema",
        )) => Some(Dialect::Draft7),
        Some(Some(b"https://json-schema.org/draft/2020-12/schema")) => Some(Dialect::Draft202012),
        Some(_) => None,
    }
}

/// A visit to the subschemas of a schema, with what it may still spend. Its functions return `None`
/// for everything that is not surely right.
struct Visit<'a> {
    root: Node<'a>,
    dialect: Dialect,
    subschemas: u32,
    patterns: u32,
    steps: u32,
}

impl<'a> Visit<'a> {
    /// Recurses up to [`MAX_DEPTH`].
    fn schema(&mut self, schema: Node<'a>, depth: u32) -> Option<()> {
        self.subschemas = self.subschemas.checked_sub(1)?;
        match schema.kind() {
            Kind::True | Kind::False => return Some(()),
            Kind::Object if depth < MAX_DEPTH => {}
            _ => return None,
        }
        let mut seen = 0_u64;
        for (key, value) in schema.members() {
            self.step()?;
            let name = key.plain()?;
            let place = self.keyword(name, value, depth)?;
            // Of a repeated keyword some receivers read the first one.
            if seen >> place & 1 == 1 && place != UNKNOWN {
                return None;
            }
            seen |= 1 << place;
        }
        Some(())
    }

    /// Checks the value of a keyword; returns a number of its own for each known one.
    fn keyword(&mut self, name: &[u8], value: Node<'a>, depth: u32) -> Option<u32> {
        let kind = value.kind();
        let is = |sound: bool| sound.then_some(());
        let (place, sound) = match name {
            b"type" => (1, self.types(value)),
            b"properties" => (2, self.named(value, depth)),
            b"required" => (3, self.names(value)),
            b"description" => (4, is(kind == Kind::String)),
            b"title" => (5, is(kind == Kind::String)),
            b"format" => (6, is(kind == Kind::String)),
            b"$comment" => (7, is(kind == Kind::String)),
            b"contentEncoding" => (8, is(kind == Kind::String)),
            b"contentMediaType" => (9, is(kind == Kind::String)),
            b"deprecated" => (10, is(matches!(kind, Kind::True | Kind::False))),
            b"readOnly" => (11, is(matches!(kind, Kind::True | Kind::False))),
            b"writeOnly" => (12, is(matches!(kind, Kind::True | Kind::False))),
            b"uniqueItems" => (13, is(matches!(kind, Kind::True | Kind::False))),
            b"default" => (14, self.values(value)),
            b"const" => (15, self.values(value)),
            b"examples" => (
                16,
                is(kind == Kind::Array).and_then(|()| self.values(value)),
            ),
            b"enum" => (17, is(is_list(value)).and_then(|()| self.values(value))),
            b"minimum" => (18, is(is_plain_number(value))),
            b"maximum" => (19, is(is_plain_number(value))),
            b"exclusiveMinimum" => (20, is(is_plain_number(value))),
            b"exclusiveMaximum" => (21, is(is_plain_number(value))),
            b"multipleOf" => (22, is(is_count(value) && value.as_i64() != Some(0))),
            b"minLength" => (23, is(is_count(value))),
            b"maxLength" => (24, is(is_count(value))),
            b"minItems" => (25, is(is_count(value))),
            b"maxItems" => (26, is(is_count(value))),
            b"minProperties" => (27, is(is_count(value))),
            b"maxProperties" => (28, is(is_count(value))),
            b"pattern" => (29, self.pattern(value)),
            b"patternProperties" => (30, self.patterned(value, depth)),
            b"additionalProperties" => (31, self.schema(value, depth + 1)),
            b"propertyNames" => (32, self.schema(value, depth + 1)),
            b"items" => (33, self.schema(value, depth + 1)),
            b"not" => (34, self.schema(value, depth + 1)),
            b"if" => (35, self.schema(value, depth + 1)),
            b"then" => (36, self.schema(value, depth + 1)),
            b"else" => (37, self.schema(value, depth + 1)),
            b"anyOf" => (38, self.list(value, depth)),
            b"oneOf" => (39, self.list(value, depth)),
            b"allOf" => (40, self.list(value, depth)),
            b"prefixItems" if self.dialect == Dialect::Draft202012 => (41, self.list(value, depth)),
            b"$defs" => (42, self.named(value, depth)),
            b"definitions" => (43, self.named(value, depth)),
            b"$ref" => (44, self.reference(value, depth)),
            b"$schema" => (45, is(depth == 0)),
            // Of generators, and without meaning in JSON Schema.
            b"nullable" => (UNKNOWN, is(is_scalar(kind))),
            _ if name.starts_with(b"x-") => (UNKNOWN, is(is_scalar(kind))),
            _ => return None,
        };
        sound.map(|()| place)
    }

    fn types(&mut self, value: Node<'a>) -> Option<()> {
        const TYPES: [&[u8]; 7] = [
            b"string", b"integer", b"object", b"array", b"boolean", b"number", b"null",
        ];
        let place = |name: Node<'_>| {
            let text = name.plain().filter(|_| name.kind() == Kind::String)?;
            TYPES.iter().position(|known| *known == text)
        };
        if value.kind() == Kind::String {
            return place(value).map(|_| ());
        }
        let mut seen = 0_u32;
        for name in list(value)? {
            self.step()?;
            let bit = 1 << place(name)?;
            if seen & bit != 0 {
                return None;
            }
            seen |= bit;
        }
        Some(())
    }

    /// A list of different texts.
    fn names(&mut self, value: Node<'a>) -> Option<()> {
        if value.kind() != Kind::Array {
            return None;
        }
        let mut seen = [&[][..]; MAX_NAMES];
        for (position, name) in value.items().enumerate() {
            self.step()?;
            let text = name.plain().filter(|_| name.kind() == Kind::String)?;
            if seen.get(..position)?.contains(&text) {
                return None;
            }
            *seen.get_mut(position)? = text;
        }
        Some(())
    }

    /// Values that nothing is demanded of. Deep ones would count against the limit of nesting.
    fn values(&mut self, value: Node<'a>) -> Option<()> {
        let mut around = [0_u32; 3];
        let mut depth = 0;
        for index in value.index()..value.end() {
            self.step()?;
            let node = value.at(index);
            while depth > 0 && around[depth - 1] <= index {
                depth -= 1;
            }
            match node.kind() {
                Kind::Object | Kind::Array => {
                    *around.get_mut(depth)? = node.end();
                    depth += 1;
                }
                Kind::Number if !is_plain_number(node) => return None,
                _ => {}
            }
        }
        Some(())
    }

    fn named(&mut self, value: Node<'a>, depth: u32) -> Option<()> {
        if value.kind() != Kind::Object {
            return None;
        }
        for (_, schema) in value.members() {
            self.step()?;
            self.schema(schema, depth + 1)?;
        }
        Some(())
    }

    fn patterned(&mut self, value: Node<'a>, depth: u32) -> Option<()> {
        if value.kind() != Kind::Object {
            return None;
        }
        for (key, schema) in value.members() {
            self.pattern(key)?;
            self.schema(schema, depth + 1)?;
        }
        Some(())
    }

    fn list(&mut self, value: Node<'a>, depth: u32) -> Option<()> {
        for schema in list(value)? {
            self.step()?;
            self.schema(schema, depth + 1)?;
        }
        Some(())
    }

    fn pattern(&mut self, pattern: Node<'a>) -> Option<()> {
        self.patterns = self.patterns.checked_sub(1)?;
        let is_text = matches!(pattern.kind(), Kind::String | Kind::Key);
        (is_text && is_plain_pattern(pattern.raw())).then_some(())
    }

    /// A reference to a definition of the schema itself. The target is visited again for each, so
    /// that a cycle ends at [`MAX_DEPTH`].
    fn reference(&mut self, value: Node<'a>, depth: u32) -> Option<()> {
        let text = value.plain().filter(|_| value.kind() == Kind::String)?;
        let (holder, name) = if let Some(name) = text.strip_prefix(b"#/$defs/") {
            ("$defs", name)
        } else {
            ("definitions", text.strip_prefix(b"#/definitions/")?)
        };
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
        if name.is_empty() || !name.iter().all(is_plain) {
            return None;
        }
        let mut target = None;
        for (key, schema) in self.root.get(holder)?.members() {
            self.step()?;
            if key.plain()? == name {
                target = Some(schema);
            }
        }
        self.schema(target?, depth + 1)
    }

    fn step(&mut self) -> Option<()> {
        self.steps = self.steps.checked_sub(1)?;
        Some(())
    }
}

/// The place of keywords that nobody defines: they may be repeated.
const UNKNOWN: u32 = 0;

fn is_list(value: Node<'_>) -> bool {
    value.kind() == Kind::Array && value.items().next().is_some()
}

/// The items of an array that has some.
fn list(value: Node<'_>) -> Option<impl Iterator<Item = Node<'_>>> {
    is_list(value).then(|| value.items())
}

fn is_scalar(kind: Kind) -> bool {
    !matches!(kind, Kind::Object | Kind::Array)
}

/// A number without an exponent that a double can hold.
fn is_plain_number(value: Node<'_>) -> bool {
    value.kind() == Kind::Number
        && value.raw().len() <= 18
        && !value.raw().iter().any(|byte| matches!(byte, b'e' | b'E'))
}

/// An integer that is not negative.
fn is_count(value: Node<'_>) -> bool {
    is_plain_number(value) && value.raw().iter().all(u8::is_ascii_digit)
}
