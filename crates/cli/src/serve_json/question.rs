//! Questions: objects with a command and its members.

use std::borrow::Cow;

use mcp_assay::syntax::{Kind, Node};
use mcp_assay::{Direction, Revision};

use crate::suggest;

/// The reason why a question has no answer.
#[derive(Debug)]
pub(super) struct BadQuestion(pub(super) String);

/// A question.
pub(super) struct Question<'q> {
    root: Node<'q>,
    id: Cow<'q, str>,
}

impl<'q> Question<'q> {
    pub(super) fn read(root: Node<'q>) -> Result<Self, BadQuestion> {
        if root.kind() != Kind::Object {
            return Err(BadQuestion("a question is an object".to_owned()));
        }
        // JSON that was read is UTF-8.
        let id = root.get("id").map(|id| String::from_utf8_lossy(id.raw()));
        let id = id.unwrap_or(Cow::Borrowed("null"));
        Ok(Self { root, id })
    }

    /// The id as JSON, as it was given.
    pub(super) fn id(&self) -> &str {
        &self.id
    }

    /// Refuses members that a command does not have.
    pub(super) fn allow(&self, members: &[&'static str]) -> Result<(), BadQuestion> {
        let known = ["id", "command"].into_iter();
        let known = known.chain(members.iter().copied());
        for (key, _) in self.root.members() {
            if !known.clone().any(|name| key.is_text(name)) {
                let name = key.text().unwrap_or_default();
                let text = suggest::unknown_text("member", &name, known.clone());
                return Err(BadQuestion(text));
            }
        }
        Ok(())
    }

    /// A member, if it is there.
    pub(super) fn get(&self, name: &str) -> Option<Node<'q>> {
        self.root.get(name)
    }

    /// The JSON text of a member, if it is there.
    pub(super) fn json(&self, name: &str) -> Option<&'q [u8]> {
        self.get(name).map(Node::raw)
    }

    /// The JSON text of a member.
    pub(super) fn need(&self, name: &str) -> Result<&'q [u8], BadQuestion> {
        self.json(name).ok_or_else(|| missing(name))
    }

    /// A message: the JSON value of a member, or the string `text` with the exact bytes.
    pub(super) fn message(&self, name: &str) -> Result<Cow<'q, [u8]>, BadQuestion> {
        match (self.json(name), self.get("text")) {
            (Some(_), Some(_)) => Err(BadQuestion(format!("either `{name}` or `text`, not both"))),
            (Some(json), None) => Ok(Cow::Borrowed(json)),
            (None, Some(_)) => Ok(Cow::Owned(self.text("text")?.into_owned().into_bytes())),
            (None, None) => Err(BadQuestion(format!("`{name}` or `text` is missing"))),
        }
    }

    /// A string, if the member is there.
    pub(super) fn optional_text(&self, name: &str) -> Result<Option<Cow<'q, str>>, BadQuestion> {
        match self.get(name) {
            None => Ok(None),
            Some(value) => text_of(value)
                .map(Some)
                .ok_or_else(|| BadQuestion(format!("`{name}` is not a string"))),
        }
    }

    /// A string.
    pub(super) fn text(&self, name: &str) -> Result<Cow<'q, str>, BadQuestion> {
        self.optional_text(name)?.ok_or_else(|| missing(name))
    }

    /// An integer.
    pub(super) fn integer(&self, name: &str) -> Result<i64, BadQuestion> {
        let value = self.get(name).ok_or_else(|| missing(name))?;
        let number = value.as_i64().filter(|_| value.kind() == Kind::Number);
        number.ok_or_else(|| BadQuestion(format!("`{name}` is not an integer of 64 bits")))
    }

    /// A list of strings.
    pub(super) fn texts(&self, name: &str) -> Result<Vec<Cow<'q, str>>, BadQuestion> {
        let value = self.get(name).ok_or_else(|| missing(name))?;
        let bad = || BadQuestion(format!("`{name}` is not a list of strings"));
        if value.kind() != Kind::Array {
            return Err(bad());
        }
        let texts = value.items().map(text_of);
        texts.collect::<Option<_>>().ok_or_else(bad)
    }

    /// The member `revision`, if it is there.
    pub(super) fn revision(&self) -> Result<Option<Revision>, BadQuestion> {
        let Some(name) = self.optional_text("revision")? else {
            return Ok(None);
        };
        let found = Revision::from_bytes(name.as_bytes());
        found.map(Some).ok_or_else(|| {
            let known = Revision::ALL.into_iter().map(Revision::name);
            BadQuestion(suggest::unknown_text("revision", &name, known))
        })
    }

    /// The member `direction`, if it is there.
    pub(super) fn direction(&self) -> Result<Option<Direction>, BadQuestion> {
        let Some(name) = self.optional_text("direction")? else {
            return Ok(None);
        };
        let both = [Direction::ClientToServer, Direction::ServerToClient];
        let found = both.into_iter().find(|direction| direction.name() == name);
        found.map(Some).ok_or_else(|| {
            let known = both.into_iter().map(Direction::name);
            BadQuestion(suggest::unknown_text("direction", &name, known))
        })
    }
}

/// A string.
pub(super) fn text_of(value: Node<'_>) -> Option<Cow<'_, str>> {
    (value.kind() == Kind::String)
        .then(|| value.text())
        .flatten()
}

fn missing(name: &str) -> BadQuestion {
    BadQuestion(format!("`{name}` is missing"))
}
