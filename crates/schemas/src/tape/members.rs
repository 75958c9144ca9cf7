//! Objects and arrays of a message as `jsonschema` reads them. The last one of a repeated key
//! counts.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use jsonschema::json::{Array, Object};
use mcp_assay_json::{Items, Members, Node};

use super::value::{TapeJson, TapeNode};

/// An object, by its token.
pub(crate) struct TapeObject<'a> {
    node: Node<'a>,
    repeated: &'a [u32],
    /// The keys that count, if any key in this object or below it is repeated.
    distinct: Option<Arc<[u32]>>,
}

impl<'a> TapeObject<'a> {
    /// `repeated` are the repeated keys of the whole message, in order.
    pub(super) fn new(node: Node<'a>, repeated: &'a [u32]) -> Self {
        let first = repeated.partition_point(|&key| key < node.index());
        let any = repeated.get(first).is_some_and(|&key| key < node.end());
        Self {
            node,
            repeated,
            distinct: any.then(|| distinct_keys(node)),
        }
    }

    fn child(&self, node: Node<'a>) -> TapeNode<'a> {
        TapeNode::Token {
            node,
            repeated: self.repeated,
        }
    }

    fn find(&self, mut is_wanted: impl FnMut(Node<'a>) -> bool) -> Option<TapeNode<'a>> {
        match &self.distinct {
            None => self
                .node
                .members()
                .find(|(key, _)| is_wanted(*key))
                .map(|(_, value)| self.child(value)),
            Some(keys) => keys
                .iter()
                .find(|&&key| is_wanted(self.node.at(key)))
                .map(|&key| self.child(self.node.at(key + 1))),
        }
    }
}

/// The last of each name, in order.
fn distinct_keys(object: Node<'_>) -> Arc<[u32]> {
    let last: HashMap<_, _> = object
        .members()
        .map(|(key, _)| (key.text(), key.index()))
        .collect();
    let counts = |key: &Node<'_>| last.get(&key.text()) == Some(&key.index());
    object
        .members()
        .map(|(key, _)| key)
        .filter(counts)
        .map(Node::index)
        .collect()
}

impl<'a> Object<'a, TapeJson> for TapeObject<'a> {
    type Node = TapeNode<'a>;
    type MemberName = Cow<'a, str>;
    type MembersIter = TapeMembers<'a>;

    fn len(&self) -> usize {
        self.distinct
            .as_ref()
            .map_or_else(|| self.node.members().count(), |keys| keys.len())
    }

    fn is_empty(&self) -> bool {
        self.node.members().next().is_none()
    }

    fn get(&self, name: &Box<str>) -> Option<TapeNode<'a>> {
        self.find(|key| key.is_text(name))
    }

    fn members(&self) -> TapeMembers<'a> {
        let keys = match &self.distinct {
            None => Keys::All(self.node.members()),
            Some(keys) => Keys::Distinct {
                object: self.node,
                keys: Arc::clone(keys),
                next: 0,
            },
        };
        TapeMembers {
            keys,
            repeated: self.repeated,
        }
    }
}

/// The members of an object.
pub(crate) struct TapeMembers<'a> {
    keys: Keys<'a>,
    repeated: &'a [u32],
}

enum Keys<'a> {
    All(Members<'a>),
    Distinct {
        object: Node<'a>,
        keys: Arc<[u32]>,
        next: usize,
    },
}

impl<'a> Iterator for TapeMembers<'a> {
    type Item = (Cow<'a, str>, TapeNode<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let (key, value) = match &mut self.keys {
            Keys::All(members) => members.next()?,
            Keys::Distinct { object, keys, next } => {
                let key = *keys.get(*next)?;
                *next += 1;
                (object.at(key), object.at(key + 1))
            }
        };
        Some((
            key.text().unwrap_or_default(),
            TapeNode::Token {
                node: value,
                repeated: self.repeated,
            },
        ))
    }
}

/// An array, by its token.
pub(crate) struct TapeArray<'a> {
    node: Node<'a>,
    repeated: &'a [u32],
}

impl<'a> TapeArray<'a> {
    pub(super) fn new(node: Node<'a>, repeated: &'a [u32]) -> Self {
        Self { node, repeated }
    }
}

impl<'a> Array<'a, TapeJson> for TapeArray<'a> {
    type Node = TapeNode<'a>;
    type ElementsIter = TapeItems<'a>;

    fn len(&self) -> usize {
        self.node.items().count()
    }

    fn elements(&self) -> TapeItems<'a> {
        TapeItems {
            items: self.node.items(),
            repeated: self.repeated,
        }
    }

    fn is_unique(&self) -> bool {
        let mut seen = HashSet::new();
        self.elements().all(|item| {
            let mut key = Vec::new();
            item.write_key(&mut key);
            seen.insert(key)
        })
    }
}

/// The items of an array.
pub(crate) struct TapeItems<'a> {
    items: Items<'a>,
    repeated: &'a [u32],
}

impl<'a> Iterator for TapeItems<'a> {
    type Item = TapeNode<'a>;

    fn next(&mut self) -> Option<TapeNode<'a>> {
        self.items.next().map(|node| TapeNode::Token {
            node,
            repeated: self.repeated,
        })
    }
}
