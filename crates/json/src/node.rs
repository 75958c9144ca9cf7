//! Reading a tape: a value is a position on it.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::key_hash::KeyHash;
use super::span::Span;
use super::token::{Kind, Token};
use super::{escaped, number, string};

/// A value of a message: its tape, its bytes and a position. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Node<'a> {
    tokens: &'a [Token],
    bytes: &'a [u8],
    index: u32,
}

impl<'a> Node<'a> {
    /// The value at a token of a tape, whose bytes are those that were scanned.
    #[inline]
    #[must_use]
    pub fn new(tokens: &'a [Token], bytes: &'a [u8], index: u32) -> Self {
        debug_assert!((index as usize) < tokens.len());
        Self {
            tokens,
            bytes,
            index,
        }
    }

    /// The value at another token of the same tape.
    #[inline]
    #[must_use]
    pub fn at(self, index: u32) -> Self {
        Self { index, ..self }
    }

    /// The tokens of its tape.
    #[inline]
    #[must_use]
    pub fn tokens(self) -> &'a [Token] {
        self.tokens
    }

    /// The bytes of its message.
    #[inline]
    #[must_use]
    pub fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// The index of the token.
    #[inline]
    #[must_use]
    pub fn index(self) -> u32 {
        self.index
    }

    /// The token.
    #[inline]
    #[must_use]
    pub fn token(self) -> Token {
        self.tokens[self.index as usize]
    }

    /// The kind of value.
    #[inline]
    #[must_use]
    pub fn kind(self) -> Kind {
        self.token().kind
    }

    /// The span of its bytes.
    #[inline]
    #[must_use]
    pub fn span(self) -> Span {
        Span {
            start: self.token().start,
            end: self.token().end,
        }
    }

    /// Its bytes as they were sent.
    #[inline]
    #[must_use]
    pub fn raw(self) -> &'a [u8] {
        let token = self.token();
        self.bytes
            .get(token.start as usize..token.end as usize)
            .unwrap_or_default()
    }

    /// The index past its last token.
    #[inline]
    #[must_use]
    pub fn end(self) -> u32 {
        let token = self.token();
        if token.kind == Kind::Key {
            return self.index + 1;
        }
        token.past(self.index)
    }

    /// The text of a string or key between its quotes if it has no escapes.
    #[inline]
    #[must_use]
    pub fn plain(self) -> Option<&'a [u8]> {
        let token = self.token();
        if token.complex || !matches!(token.kind, Kind::String | Kind::Key) {
            return None;
        }
        self.bytes
            .get(token.start as usize + 1..token.end as usize - 1)
    }

    /// The text of a string or key, escapes resolved; half a surrogate pair becomes U+FFFD.
    #[must_use]
    pub fn text(self) -> Option<Cow<'a, str>> {
        let token = self.token();
        if !matches!(token.kind, Kind::String | Kind::Key) {
            return None;
        }
        let inner = self
            .bytes
            .get(token.start as usize + 1..token.end as usize - 1)?;
        if token.complex {
            let mut decoded = Vec::with_capacity(inner.len());
            string::decode(inner, &mut decoded);
            Some(Cow::Owned(match String::from_utf8(decoded) {
                Ok(text) => text,
                Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
            }))
        } else {
            Some(match core::str::from_utf8(inner) {
                Ok(text) => Cow::Borrowed(text),
                Err(_) => String::from_utf8_lossy(inner),
            })
        }
    }

    /// Appends the text of a string or key, escapes resolved, to a buffer that the caller reuses.
    pub fn text_into(self, out: &mut Vec<u8>) {
        let token = self.token();
        if !matches!(token.kind, Kind::String | Kind::Key) {
            return;
        }
        let inner = self
            .bytes
            .get(token.start as usize + 1..token.end as usize - 1)
            .unwrap_or_default();
        if token.complex {
            string::decode(inner, out);
        } else {
            out.extend_from_slice(inner);
        }
    }

    /// Whether it is a string (or key) with this text.
    #[inline]
    #[must_use]
    pub fn is_text(self, text: &str) -> bool {
        let token = self.token();
        if token.complex {
            return self.is_escaped_text(text);
        }
        token.is_plain(self.bytes, text)
    }

    #[cold]
    fn is_escaped_text(self, text: &str) -> bool {
        self.compare_text(text.as_bytes())
            .is_some_and(Ordering::is_eq)
    }

    /// Whether it is a string or key with this text, however long.
    #[must_use]
    pub fn has_text(self, text: &[u8]) -> bool {
        let token = self.token();
        if !matches!(token.kind, Kind::String | Kind::Key) {
            return false;
        }
        let inner = self
            .bytes
            .get(token.start as usize + 1..token.end as usize - 1)
            .unwrap_or_default();
        if token.complex {
            escaped::is_escaped(inner, text)
        } else {
            inner == text
        }
    }

    /// The order of the text of a string or key and another text, byte by byte; `None` for other
    /// kinds.
    #[must_use]
    pub fn compare_text(self, text: &[u8]) -> Option<Ordering> {
        matches!(self.kind(), Kind::String | Kind::Key)
            .then(|| self.decoded().cmp(text.iter().copied()))
    }

    /// The bytes of the text of a string or key, escapes resolved, without a copy of it.
    pub(super) fn decoded(self) -> impl Iterator<Item = u8> {
        let token = self.token();
        string::decoded(
            self.bytes
                .get(token.start as usize + 1..token.end as usize - 1)
                .unwrap_or_default(),
        )
    }

    /// Whether it is a number without fractional part.
    #[inline]
    #[must_use]
    pub fn is_integer(self) -> bool {
        let token = self.token();
        token.kind == Kind::Number && number::is_integer(self.raw(), token.complex)
    }

    /// Whether it is an integer that a double represents exactly.
    #[must_use]
    pub fn is_exact_integer(self) -> bool {
        self.as_i64()
            .is_some_and(|value| value.unsigned_abs() < 1 << 53)
    }

    /// The value of a number, if it is an integer that fits.
    #[inline(always)]
    #[must_use]
    pub fn as_i64(self) -> Option<i64> {
        let token = self.token();
        if token.kind != Kind::Number {
            return None;
        }
        short_integer(token, self.bytes).or_else(|| number::as_i64(self.raw(), token.complex))
    }

    /// The value of a number, rounded to a double; not a number for anything else.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        let token = self.token();
        if token.kind != Kind::Number {
            return f64::NAN;
        }
        match short_integer(token, self.bytes) {
            // Eight digits are exact.
            #[expect(clippy::cast_precision_loss, reason = "at most eight digits")]
            Some(value) => value as f64,
            None => number::as_f64(self.raw()),
        }
    }

    /// The members of an object, in order; none of anything else.
    #[inline]
    #[must_use]
    pub fn members(self) -> Members<'a> {
        let end = if self.kind() == Kind::Object {
            self.end()
        } else {
            self.index + 1
        };
        Members {
            next: self.at(self.index + 1),
            end,
        }
    }

    /// The items of an array, in order; none of anything else.
    #[inline]
    #[must_use]
    pub fn items(self) -> Items<'a> {
        let end = if self.kind() == Kind::Array {
            self.end()
        } else {
            self.index + 1
        };
        Items {
            next: self.at(self.index + 1),
            end,
        }
    }

    /// The member of this name; of repeated ones the last, as most receivers read it.
    #[inline(always)]
    #[must_use]
    pub fn get(self, name: &str) -> Option<Node<'a>> {
        // If the name is known at compile time, so are its hash and the way to compare it.
        let hash = KeyHash::of(name.as_bytes());
        let at = match self.find(name, hash) {
            0 => return None,
            at => at,
        };
        let is_found = match self.tokens.get(at as usize - 1) {
            Some(key) => key.is_plain(self.bytes, name),
            None => false,
        };
        if is_found {
            return Some(self.at(at));
        }
        match self.find_unusual(name, hash) {
            0 => None,
            at => Some(self.at(at)),
        }
    }

    /// The position of the first member whose key has this hash, or of the member with this name if
    /// a key may be repeated; zero, where no member can be, if there is none. A number is returned
    /// in a register, a node is not.
    #[inline(never)]
    fn find(&self, name: &str, hash: KeyHash) -> u32 {
        let token = self.token();
        if token.kind != Kind::Object {
            return 0;
        }
        if token.complex {
            return self.find_unusual(name, hash);
        }
        let end = token.past(self.index);
        let members = self.tokens.get(self.index as usize + 1..end as usize);
        let mut rest = members.unwrap_or_default();
        while let [key, value, others @ ..] = rest {
            // Most often there is no such member: only the hashes are compared here, which needs
            // few registers.
            if key.key_hash() == hash {
                return end - rest.len() as u32 + 1;
            }
            rest = match others.get(value.inside() as usize..) {
                Some(next) => next,
                None => break,
            };
        }
        0
    }

    /// The same for a member that may be repeated, may have escapes, or has a neighbour with the
    /// same hash.
    #[cold]
    fn find_unusual(&self, name: &str, hash: KeyHash) -> u32 {
        let mut found = 0;
        for (key, value) in self.members() {
            if key.token().key_hash() == hash && key.is_text(name) {
                found = value.index;
                if !self.token().complex {
                    break;
                }
            }
        }
        found
    }

    /// The same as [`Node::get`], compiled anew for each name.
    #[inline(always)]
    #[must_use]
    pub fn member(self, name: &str) -> Option<Node<'a>> {
        let end = if self.kind() == Kind::Object {
            self.end()
        } else {
            0
        };
        let mut at = self.index + 1;
        let mut found = None;
        while at < end {
            let (Some(key), Some(value)) = (
                self.tokens.get(at as usize),
                self.tokens.get(at as usize + 1),
            ) else {
                break;
            };
            if key.is_plain(self.bytes, name) || (key.complex && self.at(at).is_text(name)) {
                found = Some(at + 1);
            }
            at = value.past(at + 1);
        }
        found.map(|index| self.at(index))
    }

    /// The JSON Pointer (RFC 6901) of this value, from the root of the tape. For a key, that of its
    /// value.
    #[must_use]
    pub fn pointer(self) -> String {
        let target = if self.kind() == Kind::Key {
            self.index + 1
        } else {
            self.index
        };
        let mut pointer = String::new();
        let mut here = self.at(0);
        while here.index < target {
            let child =
                match here.kind() {
                    Kind::Object => here.members().find(|(_, value)| target < value.end()).map(
                        |(key, value)| {
                            let name = key.text().unwrap_or_default();
                            pointer.push('/');
                            pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
                            value
                        },
                    ),
                    Kind::Array => here
                        .items()
                        .enumerate()
                        .find(|(_, item)| target < item.end())
                        .map(|(position, item)| {
                            pointer.push('/');
                            pointer.push_str(&position.to_string());
                            item
                        }),
                    _ => None,
                };
            match child {
                Some(child) => here = child,
                None => break,
            }
        }
        pointer
    }
}

/// The value of an integer of up to eight digits, all of them at once.
#[inline(always)]
fn short_integer(token: Token, bytes: &[u8]) -> Option<i64> {
    let (start, end) = (token.start as usize, token.end as usize);
    let negative = *bytes.get(start)? == b'-';
    let digits = (token.end - token.start).wrapping_sub(u32::from(negative));
    if token.complex || !(1..=8).contains(&digits) {
        return None;
    }
    let eight = bytes.get(end.checked_sub(8)?..end)?.first_chunk()?;
    // Bytes before the number become leading zeros.
    let ones = u64::from_le_bytes(*eight) & 0x0f0f_0f0f_0f0f_0f0f & u64::MAX << (64 - 8 * digits);
    // Neighbours are joined: digits to pairs, pairs to fours, fours to all eight.
    let pairs = ones.wrapping_mul(10 << 8 | 1) >> 8 & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(100 << 16 | 1) >> 16 & 0x0000_ffff_0000_ffff;
    let value = (fours.wrapping_mul(10_000 << 32 | 1) >> 32).cast_signed();
    Some(if negative { -value } else { value })
}

/// The members of an object: key and value.
#[derive(Clone)]
pub struct Members<'a> {
    next: Node<'a>,
    end: u32,
}

impl<'a> Iterator for Members<'a> {
    type Item = (Node<'a>, Node<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.next.index >= self.end {
            return None;
        }
        let key = self.next;
        let value = key.at(key.index + 1);
        self.next = key.at(value.end());
        Some((key, value))
    }
}

/// The items of an array.
#[derive(Clone)]
pub struct Items<'a> {
    next: Node<'a>,
    end: u32,
}

impl<'a> Iterator for Items<'a> {
    type Item = Node<'a>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.next.index >= self.end {
            return None;
        }
        let item = self.next;
        self.next = item.at(item.end());
        Some(item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ScanLimits, Tape, scan};

    /// The value of a member as it was sent.
    fn member(text: &str, name: &str) -> Option<String> {
        let mut tape = Tape::new();
        scan(text.as_bytes(), &ScanLimits::DEFAULT, &mut tape).expect("JSON");
        let root = tape.root(text.as_bytes()).expect("a value");
        let value = root.get(name)?;
        Some(String::from_utf8_lossy(value.raw()).into_owned())
    }

    #[test]
    fn of_repeated_members_the_last_counts() {
        let repeated = r#"{"a":1,"b":{"a":2},"a":3,"\u0061":4,"c":5}"#;
        assert_eq!(member(repeated, "a").as_deref(), Some("4"));
        assert_eq!(member(r#"{"a":1,"b":{"a":2}}"#, "a").as_deref(), Some("1"));
        assert_eq!(member(r#"{"a":1,"a":3}"#, "a").as_deref(), Some("3"));
        assert_eq!(member(r#"{"b":{"a":2}}"#, "a"), None);
        assert_eq!(member(r#"["a",1]"#, "a"), None);
    }

    #[test]
    fn what_looks_like_a_member_is_passed_over() {
        let hash = KeyHash::of(b"name");
        let alike = ('a'..='z').map(|last| format!("nam{last}"));
        let mut alike =
            alike.filter(|other| other != "name" && KeyHash::of(other.as_bytes()) == hash);
        let other = alike
            .next()
            .expect("only the first bytes and the length are looked at");
        let both = format!(r#"{{"{other}":1,"name":2}}"#);
        assert_eq!(member(&both, "name").as_deref(), Some("2"));
        let only = format!(r#"{{"{other}":1}}"#);
        assert_eq!(member(&only, "name"), None);
    }
}
