//! Faults that every message of a session would have, and that are reported once.

use crate::Party;
use crate::catalogue::On;
use crate::model::Fact;
use crate::session::message::Message;
use crate::session::{Hook, Session};

/// The faults that were reported.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReportedOnce {
    /// The client does not name its software.
    pub(crate) client_info: bool,
    /// The server does not name its software.
    pub(crate) server_info: bool,
    /// The client declares sampling, which is deprecated.
    pub(crate) sampling_deprecated: bool,
}

pub(super) static HOOKS: &[Hook] = &[
    Hook(
        &[On::Where(Fact::Stateless, &On::AnyRequest)],
        track_request,
    ),
    Hook(&[On::Where(Fact::Stateless, &On::AnyResult)], answered),
];

fn track_request(message: &Message<'_>, session: &mut Session) {
    if message.has(Fact::Stateless) {
        session.state.once.client_info |= names_no_software(message, Party::Client);
        session.state.once.sampling_deprecated |= declares_sampling(message);
    }
}

fn answered(message: &Message<'_>, session: &mut Session) {
    if message.has(Fact::Stateless) {
        session.state.once.server_info |= names_no_software(message, Party::Server);
    }
}

/// Whether a request or result does not name the software that sent it.
pub(crate) fn names_no_software(message: &Message<'_>, party: Party) -> bool {
    let key = match party {
        Party::Client => "io.modelcontextprotocol/clientInfo",
        Party::Server => "io.modelcontextprotocol/serverInfo",
    };
    message.meta().and_then(|meta| meta.get(key)).is_none()
}

/// Whether a request declares sampling.
fn declares_sampling(message: &Message<'_>) -> bool {
    message
        .meta()
        .and_then(|meta| meta.get("io.modelcontextprotocol/clientCapabilities"))
        .and_then(|declared| declared.get("sampling"))
        .is_some()
}
