//! Lookups among the strings and keys of one message, whose number the sender chooses: few are
//! compared one by one, many through a set.

use std::borrow::Cow;
use std::collections::HashSet;

use foldhash::quality::RandomState;

use crate::syntax::Node;

/// The number of lookups that are answered without a set, which has to be allocated.
const MAX_LINEAR: usize = 8;

/// A set of texts, escapes resolved.
#[derive(Default)]
pub(crate) struct Texts<'a>(HashSet<Cow<'a, [u8]>, RandomState>);

impl<'a> Texts<'a> {
    /// Adds a text; `false` if it was there before.
    pub(crate) fn insert(&mut self, text: Node<'a>) -> bool {
        self.0.insert(bytes(text))
    }

    /// Whether the text was added.
    pub(crate) fn contains(&self, text: Node<'a>) -> bool {
        self.0.contains(&bytes(text))
    }
}

impl<'a> FromIterator<Node<'a>> for Texts<'a> {
    fn from_iter<I: IntoIterator<Item = Node<'a>>>(texts: I) -> Self {
        Self(texts.into_iter().map(bytes).collect())
    }
}

/// Texts that others are looked up among.
pub(crate) struct Among<'a, I> {
    texts: I,
    lookups: usize,
    set: Option<Texts<'a>>,
}

impl<'a, I: Iterator<Item = Node<'a>> + Clone> Among<'a, I> {
    /// Lookups among these texts.
    pub(crate) fn new(texts: I) -> Self {
        Self {
            texts,
            lookups: 0,
            set: None,
        }
    }

    /// Whether a text is among them.
    pub(crate) fn has(&mut self, text: Node<'a>) -> bool {
        self.lookups += 1;
        if self.lookups <= MAX_LINEAR {
            return self.texts.clone().any(|known| is_same_text(known, text));
        }
        let set = self.set.get_or_insert_with(|| self.texts.clone().collect());
        set.contains(text)
    }
}

/// Whether two strings or keys have the same text.
fn is_same_text(left: Node<'_>, right: Node<'_>) -> bool {
    match (left.plain(), right.plain()) {
        (Some(left), Some(right)) => left == right,
        _ => left.text() == right.text(),
    }
}

fn bytes(text: Node<'_>) -> Cow<'_, [u8]> {
    match text.plain() {
        Some(plain) => Cow::Borrowed(plain),
        None => {
            let mut decoded = Vec::new();
            text.text_into(&mut decoded);
            Cow::Owned(decoded)
        }
    }
}
