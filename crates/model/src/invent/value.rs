//! A JSON value while it is being made.

use mcp_assay_json::Kind;

/// A value; a number is kept as it is spelt.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Value {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    Array(Vec<Value>),
    Object(Vec<(String, Value)>),
}

/// One step down from a container.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Step {
    Member(String),
    Item(usize),
}

/// The spelling of strings and spaces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Spelling {
    /// No spaces, only the escapes that JSON demands.
    Compact,
    /// White space between all tokens.
    Spaced,
    /// Every second character of keys and strings as an escape.
    Escaped,
}

impl Spelling {
    pub(super) const ALL: [Self; 3] = [Self::Compact, Self::Spaced, Self::Escaped];
}

impl Value {
    pub(super) fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    pub(super) fn number(spelling: &str) -> Self {
        Self::Number(spelling.to_owned())
    }

    pub(super) fn object<'a>(members: impl IntoIterator<Item = (&'a str, Value)>) -> Self {
        Self::Object(
            members
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
        )
    }

    /// Sets a member; does nothing to anything but an object.
    pub(super) fn set(&mut self, name: &str, value: Value) {
        let Self::Object(members) = self else { return };
        match members.iter_mut().find(|(key, _)| key == name) {
            Some((_, old)) => *old = value,
            None => members.push((name.to_owned(), value)),
        }
    }

    /// Removes a member, if it is there.
    pub(super) fn remove(&mut self, name: &str) {
        if let Self::Object(members) = self {
            members.retain(|(key, _)| key != name);
        }
    }

    /// Puts a value at the end of a path, or removes the value there.
    ///
    /// The last step may name a new member, or the item after the last.
    pub(super) fn put(&mut self, path: &[Step], value: Option<Value>) {
        let Some((last, way)) = path.split_last() else {
            if let Some(value) = value {
                *self = value;
            }
            return;
        };
        let Some(parent) = self.at_mut(way) else {
            return;
        };
        match (last, parent, value) {
            (Step::Member(name), parent, Some(value)) => parent.set(name, value),
            (Step::Member(name), parent, None) => parent.remove(name),
            (Step::Item(index), Self::Array(items), Some(value)) => match items.get_mut(*index) {
                Some(item) => *item = value,
                None => items.push(value),
            },
            (Step::Item(index), Self::Array(items), None) if *index < items.len() => {
                items.remove(*index);
            }
            _ => {}
        }
    }

    fn at_mut(&mut self, path: &[Step]) -> Option<&mut Value> {
        path.iter()
            .try_fold(self, |value, step| match (value, step) {
                (Self::Object(members), Step::Member(name)) => members
                    .iter_mut()
                    .find(|(key, _)| key == name)
                    .map(|(_, value)| value),
                (Self::Array(items), Step::Item(index)) => items.get_mut(*index),
                _ => None,
            })
    }

    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        let Self::Object(members) = self else {
            return None;
        };
        members
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value)
    }

    pub(super) fn kind(&self) -> Kind {
        match self {
            Self::Null => Kind::Null,
            Self::Bool(true) => Kind::True,
            Self::Bool(false) => Kind::False,
            Self::Number(_) => Kind::Number,
            Self::Text(_) => Kind::String,
            Self::Array(_) => Kind::Array,
            Self::Object(_) => Kind::Object,
        }
    }

    pub(super) fn to_bytes(&self, spelling: Spelling) -> Vec<u8> {
        let mut out = String::new();
        self.write(spelling, &mut out);
        out.into_bytes()
    }

    fn write(&self, spelling: Spelling, out: &mut String) {
        let space = if spelling == Spelling::Spaced {
            " \t\r\n"
        } else {
            ""
        };
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Self::Number(text) => out.push_str(text),
            Self::Text(text) => write_text(text, spelling, out),
            Self::Array(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { "," });
                    out.push_str(space);
                    item.write(spelling, out);
                    out.push_str(space);
                }
                out.push(']');
            }
            Self::Object(members) => {
                out.push('{');
                for (index, (key, value)) in members.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { "," });
                    out.push_str(space);
                    write_text(key, spelling, out);
                    out.push_str(space);
                    out.push(':');
                    out.push_str(space);
                    value.write(spelling, out);
                    out.push_str(space);
                }
                out.push('}');
            }
        }
    }
}

fn write_text(text: &str, spelling: Spelling, out: &mut String) {
    out.push('"');
    for (index, character) in text.chars().enumerate() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '/' if spelling == Spelling::Escaped => out.push_str("\\/"),
            _ if character < ' ' || spelling == Spelling::Escaped && index % 2 == 0 => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    out.push_str("\\u");
                    out.extend((0..4).rev().map(|digit| {
                        let value = u32::from(*unit) >> (digit * 4) & 0xf;
                        char::from_digit(value, 16).unwrap_or('0')
                    }));
                }
            }
            _ => out.push(character),
        }
    }
    out.push('"');
}

/// The JSON Pointer (RFC 6901) of a path.
pub(super) fn pointer(path: &[Step]) -> String {
    let mut pointer = String::new();
    for step in path {
        pointer.push('/');
        match step {
            Step::Member(name) => {
                pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
            }
            Step::Item(index) => pointer.push_str(&index.to_string()),
        }
    }
    pointer
}
