//! Digests of values that only have to be recognised later: 64 bits instead of a copy.

use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

use crate::syntax::{Kind, Node};

/// The maximum depth at which a value is hashed by recursion; deeper parts need memory.
const MAX_DEPTH: u32 = 48;

// Arbitrary, with about as many ones as zeros.
const LEFT: u64 = 0x9e37_79b9_7f4a_7c15;
const RIGHT: u64 = 0xd6e8_feb8_6659_fd93;

/// Makes digests. The seed is random, so that nobody can construct two values with the same digest.
#[derive(Clone, Debug)]
pub(crate) struct Digester {
    seed: u64,
}

impl Default for Digester {
    fn default() -> Self {
        // The same everywhere: an unused part of the state makes digests, too.
        static OF_PROCESS: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(LEFT));
        Self { seed: *OF_PROCESS }
    }
}

impl Digester {
    /// The digest of the text of a string or key, escapes resolved.
    pub(crate) fn text(&self, node: Node<'_>) -> u64 {
        if let Some(plain) = node.plain() {
            return self.bytes(plain);
        }
        let mut text = Vec::new();
        node.text_into(&mut text);
        self.bytes(&text)
    }

    /// The digest of a value; white space, the order of members and escapes do not matter.
    pub(crate) fn value(&self, node: Node<'_>) -> u64 {
        self.nested(node, MAX_DEPTH)
    }

    /// The digest of the members of an object whose names pass. An empty object equals an absent
    /// one.
    pub(crate) fn members(&self, object: Node<'_>, passes: impl Fn(Node<'_>) -> bool) -> u64 {
        object
            .members()
            .filter(|(key, value)| passes(*key) && !is_empty(*value))
            .fold(0, |sum: u64, (key, value)| {
                sum.wrapping_add(mix(self.text(key), self.value(value)))
            })
    }

    fn nested(&self, node: Node<'_>, depth: u32) -> u64 {
        let Some(depth) = depth.checked_sub(1) else {
            return self.deep(node);
        };
        let content = match node.kind() {
            Kind::Array => node
                .items()
                .fold(0, |all, item| mix(all, self.nested(item, depth))),
            Kind::Object => node.members().fold(0, |sum: u64, (key, value)| {
                sum.wrapping_add(mix(self.text(key), self.nested(value, depth)))
            }),
            _ => self.scalar(node),
        };
        mix(content ^ self.seed, node.kind() as u64)
    }

    /// The same without recursion: from the last token to the first, so that the digests of the
    /// parts of a container are on the stack, the first on top.
    #[cold]
    fn deep(&self, node: Node<'_>) -> u64 {
        let mut stack = Vec::new();
        for index in (node.index()..node.end()).rev() {
            let part = node.at(index);
            let mut pop = || stack.pop().unwrap_or_default();
            let content = match part.kind() {
                Kind::Key => {
                    let member = mix(self.text(part), pop());
                    stack.push(member);
                    continue;
                }
                Kind::Array => part.items().fold(0, |all, _| mix(all, pop())),
                Kind::Object => {
                    let members = part.members();
                    members.fold(0, |sum: u64, _| sum.wrapping_add(pop()))
                }
                _ => self.scalar(part),
            };
            stack.push(mix(content ^ self.seed, part.kind() as u64));
        }
        stack.pop().unwrap_or_default()
    }

    /// The content of a value that has no parts.
    fn scalar(&self, node: Node<'_>) -> u64 {
        match node.kind() {
            Kind::Number => match node.as_i64() {
                Some(value) => value.cast_unsigned(),
                None => node.as_f64().to_bits(),
            },
            Kind::String | Kind::Key => self.text(node),
            _ => 0,
        }
    }

    fn bytes(&self, bytes: &[u8]) -> u64 {
        let (words, rest) = bytes.as_chunks::<8>();
        let mut hash = self.seed ^ bytes.len() as u64;
        for word in words {
            hash = mix(hash ^ u64::from_le_bytes(*word), self.seed);
        }
        let tail = rest
            .iter()
            .fold(1, |tail: u64, byte| tail << 8 | u64::from(*byte));
        mix(hash ^ tail, self.seed)
    }
}

fn is_empty(value: Node<'_>) -> bool {
    value.kind() == Kind::Object && value.members().next().is_none()
}

/// Folds both halves of the product into one word.
fn mix(left: u64, right: u64) -> u64 {
    let product = u128::from(left ^ LEFT) * u128::from(right ^ RIGHT);
    (product >> 64) as u64 ^ product as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Limits;
    use crate::syntax::{Tape, scan};

    fn digest(digester: &Digester, json: &str) -> u64 {
        let mut tape = Tape::new();
        scan(json.as_bytes(), &Limits::DEFAULT.for_scan(), &mut tape).expect("JSON");
        digester.value(tape.root(json.as_bytes()).expect("a value"))
    }

    #[test]
    fn the_same_value_has_the_same_digest_however_it_is_written() {
        let digester = Digester::default();
        for (left, right) in [
            (
                r#"{"a":1,"b":[true,null]}"#,
                r#"{ "b": [true, null], "a": 1.0 }"#,
            ),
            (r#"{"a":"\u0041"}"#, r#"{"\u0061":"A"}"#),
            ("0.50", "5e-1"),
        ] {
            assert_eq!(digest(&digester, left), digest(&digester, right), "{left}");
        }
    }

    #[test]
    fn other_values_have_other_digests() {
        let digester = Digester::default();
        let values = [
            "1",
            "2",
            "\"1\"",
            "null",
            "true",
            "false",
            "[]",
            "{}",
            "[[]]",
            "[1,2]",
            "[2,1]",
            r#"{"a":1}"#,
            r#"{"a":2}"#,
            r#"{"b":1}"#,
            r#"{"a":{"b":1}}"#,
            r#"["a",1]"#,
            "\"\"",
            "\"\\u0000\"",
            "\"12345678\"",
            "\"123456781\"",
        ];
        for (position, left) in values.iter().enumerate() {
            for right in &values[position + 1..] {
                assert_ne!(
                    digest(&digester, left),
                    digest(&digester, right),
                    "{left} {right}"
                );
            }
        }
    }

    #[test]
    fn depth_is_no_danger() {
        let digester = Digester::default();
        let wrapped = |inner: &str, levels: usize| {
            let (open, close) = (
                r#"[1,{"a":"#.repeat(levels),
                r#","b":[]},2]"#.repeat(levels),
            );
            format!("{open}{inner}{close}")
        };
        for levels in [1, 12, 23, 24, 25, 30] {
            let one = digest(&digester, &wrapped(r#"{"x":1,"y":["\u0041"]}"#, levels));
            let same = digest(&digester, &wrapped(r#"{ "y": ["A"], "x": 1.0 }"#, levels));
            let other = digest(&digester, &wrapped(r#"{"x":1,"y":["B"]}"#, levels));
            assert_eq!(one, same, "{levels}");
            assert_ne!(one, other, "{levels}");
        }
        // Both ways give the same.
        let json = wrapped("null", 5);
        let mut tape = Tape::new();
        scan(json.as_bytes(), &Limits::DEFAULT.for_scan(), &mut tape).expect("JSON");
        let root = tape.root(json.as_bytes()).expect("a value");
        assert_eq!(digester.deep(root), digester.value(root));
    }
}
