//! Detects patterns that take exponential time in backtracking engines: repetitions of repetitions
//! that can be split in many ways.
//!
//! Only plain cases are reported: a repeated group with at most one required part, which is
//! repeated itself.

use crate::rules::prelude::*;
use crate::session::message::mentions_patterns;

/// The patterns of a schema.
pub(super) fn patterns(schema: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let end = if mentions_patterns(schema) {
        schema.end()
    } else {
        schema.index()
    };
    (schema.index()..end)
        .map(move |index| schema.at(index))
        .filter(|node| node.kind() == Kind::Key)
        .flat_map(move |key| {
            let value = schema.at(key.index() + 1);
            let own =
                Some(value).filter(|value| value.kind() == Kind::String && key.is_text("pattern"));
            let named = Some(value)
                .filter(|value| value.kind() == Kind::Object && key.is_text("patternProperties"));
            let keys = named.into_iter().flat_map(Node::members);
            own.into_iter().chain(keys.map(|(key, _)| key))
        })
}

/// Whether a pattern repeats a repetition.
pub(super) fn is_catastrophic(pattern: Node<'_>) -> bool {
    let Some(text) = pattern.text() else {
        return false;
    };
    let mut reader = Reader {
        rest: text.as_bytes(),
        found: false,
    };
    reader.alternatives(0);
    reader.found
}

/// The maximum depth of nested groups that is read: nothing recurses on the depth of the input. No
/// pattern that somebody wrote comes near; the part up to there is checked.
const MAX_DEPTH: usize = 64;

struct Reader<'t> {
    rest: &'t [u8],
    found: bool,
}

/// The number of times that an item may occur.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Times {
    /// Whether it may be missing.
    optional: bool,
    /// Whether it has no upper bound.
    unbounded: bool,
}

/// The items of an alternative.
#[derive(Default)]
struct Items {
    /// The number of required items.
    needed: usize,
    /// The number of required items without an upper bound.
    needed_unbounded: usize,
    /// The number of items without an upper bound.
    unbounded: usize,
}

impl Items {
    fn add(&mut self, times: Times) {
        self.unbounded += usize::from(times.unbounded);
        self.needed += usize::from(!times.optional);
        self.needed_unbounded += usize::from(!times.optional && times.unbounded);
    }

    /// Whether a repetition of these items can be split in many ways.
    fn is_ambiguous(&self) -> bool {
        self.unbounded > 0 && self.needed <= 1 && self.needed == self.needed_unbounded
    }
}

impl Reader<'_> {
    /// Reads up to the end of a group or of the pattern; returns whether an alternative is
    /// ambiguous when repeated.
    fn alternatives(&mut self, depth: usize) -> bool {
        let mut ambiguous = false;
        let mut items = Items::default();
        while let Some(byte) = self.next() {
            match byte {
                b')' => break,
                b'|' => {
                    ambiguous |= items.is_ambiguous();
                    items = Items::default();
                }
                b'^' | b'$' => {}
                b'(' if depth >= MAX_DEPTH => {
                    self.rest = &[];
                }
                b'(' => {
                    // A look-around consumes nothing.
                    let is_look_around = self.group_head();
                    let inner = self.alternatives(depth + 1);
                    let times = self.quantifier();
                    if times.unbounded && inner && !is_look_around {
                        self.found = true;
                    }
                    if !is_look_around {
                        items.add(times);
                    }
                }
                b'[' => {
                    self.class();
                    let times = self.quantifier();
                    items.add(times);
                }
                b'\\' => {
                    let escaped = self.next();
                    if !matches!(escaped, Some(b'b' | b'B')) {
                        self.braces_of_escape(escaped);
                        let times = self.quantifier();
                        items.add(times);
                    }
                }
                _ => {
                    let times = self.quantifier();
                    items.add(times);
                }
            }
        }
        ambiguous | items.is_ambiguous()
    }

    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    fn skip(&mut self, prefix: &[u8]) -> bool {
        match self.rest.strip_prefix(prefix) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// Reads the head of a group after its parenthesis; returns whether it is a look-around.
    fn group_head(&mut self) -> bool {
        let heads = [&b"?="[..], b"?!", b"?<=", b"?<!"];
        if heads.into_iter().any(|head| self.skip(head)) {
            return true;
        }
        if !self.skip(b"?:") && (self.skip(b"?<") || self.skip(b"?P<")) {
            while self.next().is_some_and(|byte| byte != b'>') {}
        }
        false
    }

    fn class(&mut self) {
        self.skip(b"^");
        while let Some(byte) = self.next() {
            match byte {
                b'\\' => {
                    self.next();
                }
                b']' => break,
                _ => {}
            }
        }
    }

    /// Reads the braces after `\p`, `\P` and `\u`.
    fn braces_of_escape(&mut self, escaped: Option<u8>) {
        if matches!(escaped, Some(b'p' | b'P' | b'u')) && self.skip(b"{") {
            while self.next().is_some_and(|byte| byte != b'}') {}
        }
    }

    fn quantifier(&mut self) -> Times {
        let times = match self.rest.first() {
            Some(b'*') => (true, true),
            Some(b'+') => (false, true),
            Some(b'?') => (true, false),
            Some(b'{') => return self.range(),
            _ => {
                return Times {
                    optional: false,
                    unbounded: false,
                };
            }
        };
        self.next();
        self.skip(b"?");
        Times {
            optional: times.0,
            unbounded: times.1,
        }
    }

    /// Reads `{n}`, `{n,}` or `{n,m}`; any other brace is a plain character.
    fn range(&mut self) -> Times {
        let after = self.rest.get(1..).unwrap_or_default();
        let is_bound = |byte: &&u8| byte.is_ascii_digit() || **byte == b',';
        let (inner, rest) = after.split_at(after.iter().take_while(is_bound).count());
        let is_range = inner.first().is_some_and(u8::is_ascii_digit) && rest.first() == Some(&b'}');
        if !is_range {
            return Times {
                optional: false,
                unbounded: false,
            };
        }
        let unbounded = inner.ends_with(b",");
        let optional = inner.split(|byte| *byte == b',').next() == Some(b"0");
        self.rest = rest;
        self.skip(b"}");
        self.skip(b"?");
        Times {
            optional,
            unbounded,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Limits;
    use crate::syntax::{Tape, scan};

    fn catastrophic(pattern: &str) -> bool {
        let json = format!("{pattern:?}");
        let mut tape = Tape::new();
        scan(json.as_bytes(), &Limits::DEFAULT.for_scan(), &mut tape).expect("JSON");
        is_catastrophic(tape.root(json.as_bytes()).expect("a value"))
    }

    #[test]
    fn repetitions_of_repetitions_are_found() {
        for pattern in [
            r"^(a+)+$",
            r"(a*)*",
            r"^([a-zA-Z0-9]+)*$",
            r"^(\d+,?)+$",
            r"(?:\s*\w+\s*)+x",
            r"^((a+)+b)+$",
            r"(x|y+)*z",
            r"(a{2,})+",
            r"^(?<word>\w+)*$",
        ] {
            assert!(catastrophic(pattern), "{pattern}");
        }
    }

    #[test]
    fn others_are_not() {
        for pattern in [
            r"",
            r"^[a-z]+$",
            r"^[a-z]+(-[a-z]+)*$",
            r"^(\w+\s+)+$",
            r"^(ab)+$",
            r"^(\d{3})+$",
            r"^(a+)?$",
            r"^(a+){2}$",
            r"^[(a+)+]$",
            r"\(a+\)+",
            r"^(?=.*\d)(?=.*[a-z]).{8,}$",
            r"^\p{L}+$",
            r"^([0-9]{1,3}\.){3}[0-9]{1,3}$",
            r"^(https?://)?([\w-]+\.)+[a-z]{2,}$",
            r"((((",
            r"a{,3}b",
        ] {
            assert!(!catastrophic(pattern), "{pattern}");
        }
    }
}
