//! A played scenario, and the habits of a client.

use mcp_assay::Revision;

use crate::record::Content;
use crate::serve::answers::page;
use crate::serve::recorder::Talk;
use crate::serve::script::{Call, Seen};
use crate::serve::subject::Exit;

/// A played scenario.
pub(super) struct Scene {
    pub(super) revision: Revision,
    /// The address of the server over HTTP.
    pub(super) origin: String,
    pub(super) talks: Vec<Talk>,
    pub(super) seen: Seen,
    pub(super) exit: Exit,
    pub(super) stderr: String,
}

/// The habits of a client when nothing is odd.
pub(super) struct Habit {
    /// The methods of its requests, in their order.
    pub(super) calls: Vec<String>,
    pub(super) exit: Exit,
    /// Whether it answers `ping`.
    pub(super) pings: bool,
    /// Whether it asks for more than the first page of the tools.
    pub(super) pages: bool,
    pub(super) sampled: Sampled,
}

/// The answer of a client to a sampling request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sampled {
    /// With some text.
    Text,
    /// In another way, or not at all.
    Otherwise,
}

impl Habit {
    pub(super) fn of(scene: &Scene) -> Self {
        let Scene { seen, exit, .. } = scene;
        let reply = |name: &str| {
            let asked = seen.asked.iter().find(|asked| asked.name == name);
            asked.and_then(|asked| asked.reply.as_ref())
        };
        let sampled =
            reply("sampling").and_then(|(reply, _)| reply["result"]["content"]["text"].as_str());
        let pages = |call: &Call| call.method == "tools/list" && page(&call.params) > Some(1);
        Self {
            calls: seen.calls.iter().map(|call| call.method.clone()).collect(),
            exit: *exit,
            pings: reply("ping").is_some(),
            pages: seen.calls.iter().any(pages),
            sampled: match sampled {
                None | Some("") => Sampled::Otherwise,
                Some(_) => Sampled::Text,
            },
        }
    }
}

impl Scene {
    /// Whether a request said that it is of this user.
    pub(super) fn names(&self, user: &str) -> bool {
        let records = self.talks.iter().flat_map(|talk| &talk.records);
        let mut headers = records.filter_map(|record| match &record.content {
            Content::Request { headers, .. } => Some(headers),
            _ => None,
        });
        headers.any(|headers| {
            let mut credentials = headers.iter().filter(|(name, _)| name == "authorization");
            credentials.any(|(_, value)| value.ends_with(user))
        })
    }
}
