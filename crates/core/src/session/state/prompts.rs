//! Tracks the prompts that a server has listed, and their required arguments.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;

use crate::catalogue::On;
use crate::session::message::Message;
use crate::session::{Hook, Seed, Session};
use crate::syntax::{Kind, Node};

/// The state: the required arguments of each prompt. Names are stored as hashes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Prompts {
    seed: Seed,
    required: HashMap<u64, Box<[u64]>>,
}

/// The number of required arguments that are searched one by one.
const MAX_LINEAR: usize = 8;

impl Prompts {
    /// Whether a required argument of a prompt is missing. A prompt that was not listed requires
    /// nothing.
    pub(crate) fn lacks(&self, prompt: Node<'_>, arguments: Option<Node<'_>>) -> bool {
        let required = self
            .hash(prompt)
            .and_then(|name| self.required.get(&name))
            .map(AsRef::as_ref)
            .unwrap_or_default();
        let members = || arguments.into_iter().flat_map(Node::members);
        if required.len() <= MAX_LINEAR {
            let given = |name: &u64| members().any(|(key, _)| self.hash(key) == Some(*name));
            return !required.iter().all(given);
        }
        let given: HashSet<u64> = members().filter_map(|(key, _)| self.hash(key)).collect();
        !required.iter().all(|name| given.contains(name))
    }

    fn hash(&self, text: Node<'_>) -> Option<u64> {
        if !matches!(text.kind(), Kind::String | Kind::Key) {
            return None;
        }
        match text.plain() {
            Some(plain) => Some(self.seed.hash_one(plain)),
            None => Some(self.seed.hash_one(text.text()?.as_bytes())),
        }
    }

    /// The required arguments of a prompt in a list.
    fn required_of(&self, prompt: Node<'_>) -> Box<[u64]> {
        let arguments = prompt.get("arguments").into_iter().flat_map(Node::items);
        arguments
            .filter(|argument| {
                argument
                    .get("required")
                    .is_some_and(|required| required.kind() == Kind::True)
            })
            .filter_map(|argument| self.hash(argument.get("name")?))
            .collect()
    }
}

pub(super) static HOOKS: &[Hook] = &[
    Hook(&[On::Result("prompts/list")], shown),
    Hook(&[On::Call("notifications/prompts/list_changed")], changed),
];

fn shown(message: &Message<'_>, session: &mut Session) {
    let list = message.in_result("prompts");
    let prompts = &mut *session.state.prompts;
    let mut full = false;
    for prompt in list.into_iter().flat_map(Node::items) {
        let Some(name) = prompt.get("name").and_then(|name| prompts.hash(name)) else {
            continue;
        };
        let required = prompts.required_of(prompt);
        let is_new = !prompts.required.contains_key(&name);
        if is_new && prompts.required.len() >= message.policy.limits.listed {
            full = true;
            break;
        }
        prompts.required.insert(name, required);
    }
    if full {
        session.reached_limit_of("prompts");
    }
}

/// Drops the listed prompts after a change.
fn changed(_: &Message<'_>, session: &mut Session) {
    session.state.prompts.required.clear();
}
