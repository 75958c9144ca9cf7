//! Remembers what is said only once in a session, because it would be said of every message.

use crate::Party;
use crate::catalogue::On;
use crate::model::Fact;
use crate::session::message::Message;
use crate::session::{Hook, Session};

/// What was said already.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    /// That the client does not say who it is.
    pub(crate) client_info: bool,
    /// That the server does not say who it is.
    pub(crate) server_info: bool,
    /// That sampling is deprecated.
    pub(crate) sampling_deprecated: bool,
}

pub(super) static HOOKS: &[Hook] = &[
    Hook(&[On::Where(Fact::Stateless, &On::AnyRequest)], asked),
    Hook(&[On::Where(Fact::Stateless, &On::AnyResult)], answered),
];

fn asked(message: &Message<'_>, session: &mut Session) {
    if message.has(Fact::Stateless) && message.sound {
        session.state.told.client_info |= names_no_software(message, Party::Client);
        session.state.told.sampling_deprecated |= declares_sampling(message);
    }
}

fn answered(message: &Message<'_>, session: &mut Session) {
    if message.has(Fact::Stateless) && message.sound {
        session.state.told.server_info |= names_no_software(message, Party::Server);
    }
}

/// Whether a request or result does not say which software sent it.
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
