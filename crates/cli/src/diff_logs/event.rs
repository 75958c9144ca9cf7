//! An event of a log as the places and values in it that count.

use mcp_assay::Limits;
use mcp_assay::syntax::{Kind, Tape};
use sha2::{Digest, Sha256};

use super::fields::Ignored;
use crate::json::{self, Fate, Step};

/// The longest line, and the deepest nesting, of a log. A message of the largest size fits, with
/// its body.
pub(super) const LIMITS: Limits = {
    let mut limits = Limits::DEFAULT;
    limits.bytes = 1 << 30;
    limits.depth = 1 << 12;
    limits.tokens = 1 << 24;
    limits
};

/// The members that identify the subject of an event: events that agree in these differ in the
/// rest.
const ABOUT: &[&str] = &[
    "/event",
    "/session",
    "/direction",
    "/kind",
    "/method",
    "/id",
];

/// An event: each value with its JSON Pointer, in the order of the pointers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Event {
    pub(super) leaves: Vec<Leaf>,
}

/// A value that holds no other: a scalar as JSON, `{}` or `[]`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Leaf {
    pub(super) pointer: String,
    pub(super) value: String,
}

/// The keys by which an event is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Print {
    /// The hash of all members that count.
    pub(super) whole: u128,
    /// The hash of its subject.
    pub(super) about: u128,
}

/// A member whose value differs; `None` where it is absent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Change {
    pub(super) pointer: String,
    pub(super) old: Option<String>,
    pub(super) new: Option<String>,
}

impl Event {
    /// Reads a line; fails with the reason if that is no object.
    pub(super) fn read(line: &[u8], ignored: &Ignored, tape: &mut Tape) -> Result<Self, String> {
        let root = json::read(line, &LIMITS, tape)
            .map_err(|at| format!("it stops being JSON at byte {at}"))?
            .filter(|root| root.kind() == Kind::Object)
            .ok_or("it is no JSON object")?;
        let mut leaves = Vec::new();
        json::walk(root, |step, pointer| {
            let value = match step {
                Step::Key(name) if ignored.has_member(name, pointer) => return Fate::Skip,
                Step::Item if ignored.has_place(pointer) => return Fate::Skip,
                Step::Begin(node) if node.members().next().is_some() => return Fate::Enter,
                Step::Begin(node) if node.items().next().is_some() => return Fate::Enter,
                Step::Begin(node) if node.kind() == Kind::Object => "{}".to_owned(),
                Step::Begin(_) => "[]".to_owned(),
                Step::Scalar(node) => json::scalar(node).into_owned(),
                Step::Key(_) | Step::Item | Step::End(_) => return Fate::Enter,
            };
            let pointer = pointer.to_owned();
            leaves.push(Leaf { pointer, value });
            Fate::Enter
        });
        leaves.sort();
        Ok(Self { leaves })
    }

    /// The keys by which it is compared.
    pub(super) fn print(&self) -> Print {
        let (mut whole, mut about) = (Sha256::new(), Sha256::new());
        for Leaf { pointer, value } in &self.leaves {
            // Neither has a raw line end.
            let line = format!("{pointer}\n{value}\n");
            whole.update(&line);
            if ABOUT.contains(&pointer.as_str()) {
                about.update(&line);
            }
        }
        Print {
            whole: half(whole),
            about: half(about),
        }
    }

    /// The subject, in a few words.
    pub(super) fn title(&self) -> String {
        let words = ABOUT.iter().filter_map(|name| {
            let value = self.value(name)?;
            match *name {
                _ if value == "null" => None,
                "/id" => Some(format!("id {value}")),
                "/session" => Some(format!("session {value}")),
                _ => Some(value.trim_matches('"').to_owned()),
            }
        });
        let words: Vec<_> = words.collect();
        if words.is_empty() {
            "event".to_owned()
        } else {
            words.join(" ")
        }
    }

    /// The differences from another one.
    pub(super) fn changes(&self, new: &Self) -> Vec<Change> {
        let mut changes = Vec::new();
        let (mut old, mut new) = (self.leaves.iter().peekable(), new.leaves.iter().peekable());
        loop {
            let (left, right) = match (old.peek(), new.peek()) {
                (None, None) => return changes,
                (Some(left), Some(right)) if left.pointer == right.pointer => {
                    (old.next(), new.next())
                }
                (Some(left), Some(right)) if left.pointer > right.pointer => (None, new.next()),
                (None, Some(_)) => (None, new.next()),
                (Some(_), _) => (old.next(), None),
            };
            let value = |leaf: Option<&Leaf>| leaf.map(|leaf| leaf.value.clone());
            if let Some(leaf) = left.or(right)
                && left != right
            {
                changes.push(Change {
                    pointer: leaf.pointer.clone(),
                    old: value(left),
                    new: value(right),
                });
            }
        }
    }

    fn value(&self, pointer: &str) -> Option<&str> {
        let found = self.leaves.iter().find(|leaf| leaf.pointer == pointer)?;
        Some(&found.value)
    }
}

/// Half of a digest is more than enough to distinguish events.
fn half(digest: Sha256) -> u128 {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest.finalize()[..16]);
    u128::from_be_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::super::fields::Ids;
    use super::*;

    fn event(text: &str) -> Event {
        Event::read(
            text.as_bytes(),
            &Ignored::volatile(Ids::Ignored),
            &mut Tape::new(),
        )
        .unwrap()
    }

    #[test]
    fn order_layout_and_volatile_members_do_not_count() {
        let left = event(r#"{"ts":1,"a":{"b":[1,{}],"traceId":"x"}}"#);
        let right = event(r#"{ "a": {"b": [1, {}]}, "ts": 2, "durationMs": 3 }"#);
        assert_eq!(left, right);
        assert_eq!(left.print(), right.print());
        assert_ne!(left.print(), event(r#"{"a":{"b":[1,[]]}}"#).print());
    }

    #[test]
    fn changes_name_the_place() {
        let old = event(r#"{"a":1,"b":[1,2],"c":{"d":"x"}}"#);
        let new = event(r#"{"a":2,"b":[1],"c":{"d":"x","e":null}}"#);
        let change = |pointer: &str, old: Option<&str>, new: Option<&str>| Change {
            pointer: pointer.to_owned(),
            old: old.map(str::to_owned),
            new: new.map(str::to_owned),
        };
        assert_eq!(
            old.changes(&new),
            [
                change("/a", Some("1"), Some("2")),
                change("/b/1", Some("2"), None),
                change("/c/e", None, Some("null")),
            ]
        );
    }

    #[test]
    fn numbers_are_compared_as_they_are_written() {
        let old = event(r#"{"id":90071992547409931234567}"#);
        let new = event(r#"{"id":90071992547409931234568}"#);
        assert_ne!(old.print(), new.print());
    }

    #[test]
    fn the_title_says_what_it_is_about() {
        let text = r#"{"event":"message","session":null,"direction":"c2s","method":"ping","id":1}"#;
        assert_eq!(event(text).title(), "message c2s ping id 1");
        assert_eq!(event(r#"{"x":1}"#).title(), "event");
    }
}
