//! Values of a message as `jsonschema` reads them, with a meter that each read is paid from.
//!
//! Lookups find the last member of a repeated name; checks visit all of them.
//!
//! The validators of that crate are a thousand functions, compiled for this representation. Code
//! that is not called for every value is not inlined into them.

use std::borrow::Cow;

use jsonschema::JsonType;
use jsonschema::json::{Array, Json, Node as JsonNode, NodeIdentity, Object};
use jsonschema_value::LazyInstance;
use mcp_assay_json::{Items, Kind, Members, Node};
use serde_json::Value;

use super::meter::Meter;
use crate::tape::TapeNode;

/// The representation.
pub(crate) struct MeteredJson;

/// A value.
#[derive(Clone, Copy)]
pub(crate) enum MeteredNode<'a> {
    /// A token of the message.
    Token(Node<'a>, &'a Meter),
    /// A text that stands by itself: a member's name, which was paid for with the member.
    Text(&'a str),
}

impl<'a> MeteredNode<'a> {
    /// The same without a meter.
    fn plain(self) -> TapeNode<'a> {
        match self {
            Self::Token(node, _) => TapeNode::Token {
                node,
                repeated: &[],
            },
            Self::Text(text) => TapeNode::Text(text),
        }
    }

    #[inline]
    fn pay(self, steps: u64) -> bool {
        match self {
            Self::Token(_, meter) => meter.pay(steps),
            Self::Text(_) => true,
        }
    }

    #[inline]
    fn container(self, kind: Kind) -> Option<(Node<'a>, &'a Meter)> {
        match self {
            Self::Token(node, meter) if node.kind() == kind => {
                meter.enter().then_some((node, meter))
            }
            _ => {
                self.pay(1);
                None
            }
        }
    }

    /// Steps for going through the whole value.
    fn size(self) -> u64 {
        match self {
            Self::Token(node, _) => u64::from(node.end() - node.index()),
            Self::Text(_) => 1,
        }
    }
}

impl Json for MeteredJson {
    type Node<'a> = MeteredNode<'a>;
    type PreparedKey = Box<str>;
    type StringBuffer = ();

    fn prepare_key(key: &str) -> Box<str> {
        key.into()
    }

    fn with_string_node<T>((): &mut (), string: &str, f: impl FnOnce(MeteredNode<'_>) -> T) -> T {
        f(MeteredNode::Text(string))
    }
}

impl<'a> JsonNode<'a, MeteredJson> for MeteredNode<'a> {
    type Object = MeteredObject<'a>;
    type Array = MeteredArray<'a>;
    type Number = <TapeNode<'a> as JsonNode<'a, crate::tape::TapeJson>>::Number;

    #[inline]
    fn as_object(&self) -> Option<MeteredObject<'a>> {
        self.container(Kind::Object)
            .map(|(node, meter)| MeteredObject { node, meter })
    }

    #[inline]
    fn as_array(&self) -> Option<MeteredArray<'a>> {
        self.container(Kind::Array)
            .map(|(node, meter)| MeteredArray { node, meter })
    }

    #[inline(never)]
    fn as_string(&self) -> Option<Cow<'a, str>> {
        if let Self::Token(node, meter) = self {
            let length = match node.kind() {
                Kind::String => node.raw().len(),
                _ => 0,
            };
            if !meter.pay_text(length) {
                return None;
            }
        }
        self.plain().as_string()
    }

    #[inline(never)]
    fn as_number(&self) -> Option<Self::Number> {
        self.pay(1);
        self.plain().as_number()
    }

    #[inline(never)]
    fn as_boolean(&self) -> Option<bool> {
        self.pay(1);
        self.plain().as_boolean()
    }

    #[inline(never)]
    fn is_null(&self) -> bool {
        self.pay(1);
        self.plain().is_null()
    }

    #[inline(never)]
    fn is_number(&self) -> bool {
        self.pay(1);
        self.plain().is_number()
    }

    #[inline]
    fn json_type(&self) -> JsonType {
        self.pay(1);
        self.plain().json_type()
    }

    #[inline(never)]
    fn string_length(&self) -> Option<u64> {
        if let Self::Token(node, _) = self {
            self.pay(1 + node.raw().len() as u64 / 64);
        }
        let text = self.plain().as_string()?;
        Some(text.chars().count() as u64)
    }

    #[inline(never)]
    fn equals_value(&self, expected: &Value) -> bool {
        let size = if expected.is_object() || expected.is_array() {
            self.size()
        } else {
            1
        };
        self.pay(size) && self.plain().equals_value(expected)
    }

    #[inline(never)]
    fn to_value(&self) -> Cow<'a, Value> {
        if self.pay(self.size()) {
            self.plain().to_value()
        } else {
            Cow::Owned(Value::Null)
        }
    }

    /// Readers of an error need the token, not the value: its index, or the name that stands by
    /// itself.
    #[inline(never)]
    fn lazy_value(&self) -> LazyInstance<'a> {
        LazyInstance::Ready(Cow::Owned(match self {
            Self::Token(node, meter) => {
                meter.pay_error();
                Value::from(node.index())
            }
            Self::Text(text) => Value::from(*text),
        }))
    }

    #[inline(never)]
    fn identity(&self) -> Option<NodeIdentity> {
        self.plain().identity()
    }
}

/// An object.
pub(crate) struct MeteredObject<'a> {
    node: Node<'a>,
    meter: &'a Meter,
}

impl<'a> Object<'a, MeteredJson> for MeteredObject<'a> {
    type Node = MeteredNode<'a>;
    type MemberName = Cow<'a, str>;
    type MembersIter = MeteredMembers<'a>;

    #[inline(never)]
    fn len(&self) -> usize {
        let length = self.node.members().count();
        self.meter.pay(1 + length as u64 / 8);
        length
    }

    #[inline(never)]
    fn is_empty(&self) -> bool {
        self.node.members().next().is_none()
    }

    #[inline(never)]
    fn get(&self, name: &Box<str>) -> Option<MeteredNode<'a>> {
        let mut passed: u64 = 0;
        let mut found = None;
        for (key, value) in self.node.members() {
            passed += 1;
            if key.is_text(name) {
                found = Some(value);
            }
        }
        if !self.meter.pay(1 + passed / 8) {
            return None;
        }
        let value = found.filter(|_| self.meter.pay_child(0))?;
        Some(MeteredNode::Token(value, self.meter))
    }

    fn members(&self) -> MeteredMembers<'a> {
        MeteredMembers {
            members: self.node.members(),
            meter: self.meter,
        }
    }
}

/// The members of an object.
pub(crate) struct MeteredMembers<'a> {
    members: Members<'a>,
    meter: &'a Meter,
}

impl<'a> Iterator for MeteredMembers<'a> {
    type Item = (Cow<'a, str>, MeteredNode<'a>);

    #[inline(never)]
    fn next(&mut self) -> Option<Self::Item> {
        let (key, value) = self.members.next()?;
        if !self.meter.pay_child(key.raw().len()) {
            return None;
        }
        let name = key.text().unwrap_or_default();
        Some((name, MeteredNode::Token(value, self.meter)))
    }
}

/// An array.
pub(crate) struct MeteredArray<'a> {
    node: Node<'a>,
    meter: &'a Meter,
}

impl<'a> Array<'a, MeteredJson> for MeteredArray<'a> {
    type Node = MeteredNode<'a>;
    type ElementsIter = MeteredItems<'a>;

    #[inline(never)]
    fn len(&self) -> usize {
        let length = self.node.items().count();
        self.meter.pay(1 + length as u64 / 8);
        length
    }

    fn elements(&self) -> MeteredItems<'a> {
        MeteredItems {
            items: self.node.items(),
            meter: self.meter,
        }
    }

    #[inline(never)]
    fn is_unique(&self) -> bool {
        let whole = MeteredNode::Token(self.node, self.meter);
        // Each item is written down once to be compared.
        whole.pay(whole.size().saturating_mul(4))
            && whole
                .plain()
                .as_array()
                .is_none_or(|array| array.is_unique())
    }
}

/// The items of an array.
pub(crate) struct MeteredItems<'a> {
    items: Items<'a>,
    meter: &'a Meter,
}

impl<'a> Iterator for MeteredItems<'a> {
    type Item = MeteredNode<'a>;

    #[inline]
    fn next(&mut self) -> Option<MeteredNode<'a>> {
        let item = self.items.next()?;
        self.meter
            .pay_child(0)
            .then_some(MeteredNode::Token(item, self.meter))
    }
}
