//! Tracks sampling requests: the tools that were offered, and whether one must be used.

use std::collections::HashMap;
use std::hash::BuildHasher;

use crate::catalogue::On;
use crate::model::Fact;
use crate::session::message::Message;
use crate::session::message::inputs;
use crate::session::{Hook, Seed, Session};
use crate::syntax::{Kind, Node};

/// Sampling requests that are embedded in results, by their keys.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sampling {
    embedded: HashMap<u64, Offer>,
}

/// The offer of a sampling request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Offer {
    /// The hashes of the names of tools, sorted.
    tools: Vec<u64>,
    /// Whether all of them are known.
    complete: bool,
    pub(crate) choice: Choice,
    /// Whether the model has used a tool before: then a turn without one may end the conversation.
    pub(crate) used: bool,
}

/// The tool choice of a sampling request.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Choice {
    /// The model decides.
    #[default]
    Free,
    /// A tool must be used.
    Required,
    /// No tool may be used.
    Forbidden,
}

impl Offer {
    /// Reads the params of a request, and up to a number of tools in it.
    fn read(params: Node<'_>, limit: usize) -> Self {
        let mode = params
            .get("toolChoice")
            .and_then(|choice| choice.get("mode"));
        let is = |text: &str| mode.is_some_and(|mode| mode.is_text(text));
        let mut offer = Self {
            tools: Vec::new(),
            complete: true,
            choice: match () {
                () if is("required") => Choice::Required,
                () if is("none") => Choice::Forbidden,
                () => Choice::Free,
            },
            used: false,
        };
        for tool in params.get("tools").into_iter().flat_map(Node::items) {
            let Some(name) = tool.get("name").and_then(hash) else {
                continue;
            };
            offer.complete &= offer.tools.len() < limit;
            if offer.complete {
                offer.tools.push(name);
            }
        }
        offer.tools.sort_unstable();
        for message in params.get("messages").into_iter().flat_map(Node::items) {
            offer.used |= blocks(message).any(|block| is_kind(block, "tool_use"));
        }
        offer
    }

    /// Whether a tool of this name may have been offered.
    pub(crate) fn has(&self, name: Node<'_>) -> bool {
        let is_known = |name| self.tools.binary_search(&name).is_ok();
        !self.complete || hash(name).is_some_and(is_known)
    }
}

impl Sampling {
    /// The offer of the embedded request with this key.
    pub(crate) fn embedded(&self, key: Node<'_>) -> Option<&Offer> {
        self.embedded.get(&hash(key)?)
    }
}

/// The hash of a name or key.
fn hash(name: Node<'_>) -> Option<u64> {
    Some(Seed.hash_one(&*name.text()?))
}

/// The content blocks of a message to or from a model: one, or an array of them.
pub(crate) fn blocks(message: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let content = message.get("content");
    let one = content.filter(|content| content.kind() == Kind::Object);
    one.into_iter()
        .chain(content.into_iter().flat_map(Node::items))
}

/// Whether a block is of a kind.
pub(crate) fn is_kind(block: Node<'_>, kind: &str) -> bool {
    block.get("type").is_some_and(|found| found.is_text(kind))
}

pub(super) static HOOKS: &[Hook] = &[
    Hook(&[On::Call("sampling/createMessage")], track_request),
    Hook(
        &[
            On::Where(Fact::InputRequests, &On::Result("tools/call")),
            On::Where(Fact::InputRequests, &On::Result("prompts/get")),
            On::Where(Fact::InputRequests, &On::Result("resources/read")),
            On::Where(Fact::InputRequests, &On::Result("tasks/get")),
        ],
        embedded,
    ),
];

fn track_request(message: &Message<'_>, session: &mut Session) {
    let Some(params) = message
        .params()
        .filter(|_| message.has(Fact::SamplingTools))
    else {
        return;
    };
    let offer = Offer::read(params, message.policy.limits.listed);
    if !offer.complete {
        session.reached_limit_of("tools");
    }
    if let Some(mut request) = session.newest_request() {
        request.data_mut().offer = Some(offer);
    }
}

fn embedded(message: &Message<'_>, session: &mut Session) {
    for input in inputs(message).filter(|input| input.asks("sampling/createMessage")) {
        let sampling = &mut *session.state.sampling;
        let (Some(key), Some(params)) = (hash(input.key), input.params) else {
            continue;
        };
        let limit = message.policy.limits.elicitations;
        if sampling.embedded.len() >= limit && !sampling.embedded.contains_key(&key) {
            session.reached_limit_of("requests for input");
            return;
        }
        let offer = Offer::read(params, message.policy.limits.listed);
        let is_complete = offer.complete;
        sampling.embedded.insert(key, offer);
        if !is_complete {
            session.reached_limit_of("tools");
        }
    }
}
