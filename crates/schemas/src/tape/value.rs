//! Values of a message as `jsonschema` reads them.

use std::borrow::Cow;

use jsonschema::JsonType;
use jsonschema::json::{
    Array as _, Json, JsonNumber as _, Node as JsonNode, NodeIdentity, Object as _, cmp,
};
use jsonschema_value::LazyInstance;
use serde_json::{Map, Value};

use super::members::{TapeArray, TapeObject};
use super::number::TapeNumber;
#[cfg(test)]
use mcp_assay_json::Tape;
use mcp_assay_json::{Kind, Node};

/// The representation: a tape of tokens.
pub(crate) struct TapeJson;

/// A value.
#[derive(Clone, Copy)]
pub(crate) enum TapeNode<'a> {
    /// A token of the message.
    Token {
        /// The token.
        node: Node<'a>,
        /// The repeated keys of the whole message, in order.
        repeated: &'a [u32],
    },
    /// A text that stands by itself: a member's name, which a schema may check like a string.
    Text(&'a str),
}

#[cfg(test)]
impl<'a> TapeNode<'a> {
    /// A value of a message, and the tape of the message.
    pub(crate) fn new(node: Node<'a>, tape: &'a Tape) -> Self {
        Self::Token {
            node,
            repeated: tape.repeated_keys(),
        }
    }
}

impl TapeNode<'_> {
    /// Appends a text that is the same for equal values only: members in order of their names,
    /// numbers by value.
    pub(super) fn write_key(self, key: &mut Vec<u8>) {
        if let Some(object) = self.as_object() {
            let mut members: Vec<_> = object.members().collect();
            members.sort_unstable_by(|left, right| left.0.cmp(&right.0));
            key.push(b'{');
            for (name, value) in members {
                write_text(&name, key);
                value.write_key(key);
            }
            key.push(b'}');
        } else if let Some(array) = self.as_array() {
            key.push(b'[');
            for item in array.elements() {
                item.write_key(key);
            }
            key.push(b']');
        } else if let Some(text) = self.as_string() {
            write_text(&text, key);
        } else if let Some(number) = self.as_number() {
            key.push(b'#');
            number.write_key(key);
            key.push(b'#');
        } else {
            key.push(match self.as_boolean() {
                None => b'n',
                Some(true) => b't',
                Some(false) => b'f',
            });
        }
    }
}

/// The length comes first, so that no text can be mistaken for its successor.
fn write_text(text: &str, key: &mut Vec<u8>) {
    key.push(b'"');
    key.extend_from_slice(&text.len().to_be_bytes());
    key.extend_from_slice(text.as_bytes());
}

impl Json for TapeJson {
    type Node<'a> = TapeNode<'a>;
    type PreparedKey = Box<str>;
    type StringBuffer = ();

    fn prepare_key(key: &str) -> Box<str> {
        key.into()
    }

    fn with_string_node<T>((): &mut (), string: &str, f: impl FnOnce(TapeNode<'_>) -> T) -> T {
        f(TapeNode::Text(string))
    }
}

impl<'a> JsonNode<'a, TapeJson> for TapeNode<'a> {
    type Object = TapeObject<'a>;
    type Array = TapeArray<'a>;
    type Number = TapeNumber<'a>;

    fn as_object(&self) -> Option<TapeObject<'a>> {
        match *self {
            Self::Token { node, repeated } if node.kind() == Kind::Object => {
                Some(TapeObject::new(node, repeated))
            }
            _ => None,
        }
    }

    fn as_array(&self) -> Option<TapeArray<'a>> {
        match *self {
            Self::Token { node, repeated } if node.kind() == Kind::Array => {
                Some(TapeArray::new(node, repeated))
            }
            _ => None,
        }
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        match *self {
            Self::Token { node, .. } => node.text(),
            Self::Text(text) => Some(Cow::Borrowed(text)),
        }
    }

    fn as_number(&self) -> Option<TapeNumber<'a>> {
        match *self {
            Self::Token { node, .. } => TapeNumber::new(node),
            Self::Text(_) => None,
        }
    }

    fn as_boolean(&self) -> Option<bool> {
        match *self {
            Self::Token { node, .. } => match node.kind() {
                Kind::True => Some(true),
                Kind::False => Some(false),
                _ => None,
            },
            Self::Text(_) => None,
        }
    }

    fn is_null(&self) -> bool {
        self.json_type() == JsonType::Null
    }

    fn is_number(&self) -> bool {
        self.json_type() == JsonType::Number
    }

    fn json_type(&self) -> JsonType {
        match *self {
            Self::Token { node, .. } => match node.kind() {
                Kind::Null => JsonType::Null,
                Kind::True | Kind::False => JsonType::Boolean,
                Kind::Number => JsonType::Number,
                Kind::String | Kind::Key => JsonType::String,
                Kind::Array => JsonType::Array,
                Kind::Object => JsonType::Object,
            },
            Self::Text(_) => JsonType::String,
        }
    }

    fn equals_value(&self, expected: &Value) -> bool {
        match expected {
            Value::Null => self.is_null(),
            Value::Bool(expected) => self.as_boolean() == Some(*expected),
            Value::Number(expected) => self
                .as_number()
                .is_some_and(|number| cmp::equal_numbers(&number, expected)),
            Value::String(expected) => match *self {
                Self::Token { node, .. } => node.is_text(expected),
                Self::Text(text) => text == expected,
            },
            Value::Array(expected) => self.as_array().is_some_and(|array| {
                array.len() == expected.len()
                    && array
                        .elements()
                        .zip(expected)
                        .all(|(item, expected)| item.equals_value(expected))
            }),
            Value::Object(expected) => self.as_object().is_some_and(|object| {
                object.len() == expected.len()
                    && object.members().all(|(name, value)| {
                        expected
                            .get(&*name)
                            .is_some_and(|expected| value.equals_value(expected))
                    })
            }),
        }
    }

    fn to_value(&self) -> Cow<'a, Value> {
        Cow::Owned(if let Some(object) = self.as_object() {
            let mut members = Map::new();
            for (name, value) in object.members() {
                members.insert(name.into_owned(), value.to_value().into_owned());
            }
            Value::Object(members)
        } else if let Some(array) = self.as_array() {
            Value::Array(
                array
                    .elements()
                    .map(|item| item.to_value().into_owned())
                    .collect(),
            )
        } else if let Some(text) = self.as_string() {
            Value::String(text.into_owned())
        } else if let Some(number) = self.as_number() {
            Value::Number(number.to_number().into_owned())
        } else {
            self.as_boolean().map_or(Value::Null, Value::Bool)
        })
    }

    /// Errors become violations, which hold no value: none is built for them.
    fn lazy_value(&self) -> LazyInstance<'a> {
        LazyInstance::Ready(Cow::Owned(Value::Null))
    }

    /// A check reads one message, so the index of a token is enough; no token has the last one.
    fn identity(&self) -> Option<NodeIdentity> {
        Some(match *self {
            Self::Token { node, .. } => NodeIdentity::tagged(0, node.index()),
            Self::Text(text) => NodeIdentity::tagged(text.as_ptr() as usize, u32::MAX),
        })
    }
}
