//! A lookup of a method by its name.

use core::slice;

use mcp_assay_json::{Kind, Node, Token};

use super::lookup::{Ends, hash_key};
use super::{METHOD_LOOKUP, METHODS, Method};

/// The method of this name, in any revision.
#[inline]
#[must_use]
pub fn method_named(name: &[u8]) -> Option<&'static Method> {
    if name.len() <= 16 {
        return short_method(Ends::of(name), name.len());
    }
    let method = METHODS.get(METHOD_LOOKUP.candidate(hash_key(name))?)?;
    (method.name.as_bytes() == name).then_some(method)
}

/// The ends of the names of all methods.
static ENDS: [Ends; METHODS.len()] = {
    let mut ends = [Ends::of(b""); METHODS.len()];
    let mut index = 0;
    while index < METHODS.len() {
        ends[index] = Ends::of(METHODS[index].name.as_bytes());
        index += 1;
    }
    ends
};

/// The method whose name has this length, up to sixteen bytes, and these ends, which are then all
/// of it.
#[inline(always)]
fn short_method(ends: Ends, length: usize) -> Option<&'static Method> {
    let index = METHOD_LOOKUP.candidate(ends.hash())?;
    let method = METHODS.get(index)?;
    (ENDS.get(index) == Some(&ends) && method.name.len() == length).then_some(method)
}

/// The method that a string of a message names, in any revision.
#[inline(always)]
#[must_use]
pub fn method_at(name: &Token, bytes: &[u8]) -> Option<&'static Method> {
    if name.kind != Kind::String {
        return None;
    }
    if let Some(ends) = short_name(*name, bytes) {
        return short_method(ends, name.text_len() as usize);
    }
    if name.complex {
        return escaped_method(name, bytes);
    }
    let (start, end) = (name.start as usize + 1, name.end as usize - 1);
    let hash = hash_key(bytes.get(start..end)?);
    let method = METHODS.get(METHOD_LOOKUP.candidate(hash)?)?;
    name.is_plain(bytes, method.name).then_some(method)
}

#[cold]
fn escaped_method(name: &Token, bytes: &[u8]) -> Option<&'static Method> {
    let name = Node::new(slice::from_ref(name), bytes, 0);
    METHODS.iter().find(|method| name.is_text(method.name))
}

/// The ends of a string or key without escapes of up to sixteen bytes, which are then all of it.
/// Not of one that ends at the first bytes of a message.
#[inline(always)]
fn short_name(token: Token, bytes: &[u8]) -> Option<Ends> {
    let length = token.text_len();
    if token.complex || length > 16 {
        return None;
    }
    // The bytes before the closing quote.
    let last = token.end.wrapping_sub(9) as usize;
    let last = u64::from_le_bytes(*bytes.get(last..last + 8)?.first_chunk()?);
    if length < 8 {
        // The bytes before the name are shifted out.
        let head = last >> 8 >> (56 - 8 * length);
        return Some(Ends { head, tail: 0 });
    }
    let start = token.start as usize + 1;
    let head = u64::from_le_bytes(*bytes.get(start..start + 8)?.first_chunk()?);
    Some(Ends { head, tail: last })
}
