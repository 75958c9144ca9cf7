//! A flawed weather server and a client that talks to it through `wrap`, so that a newcomer sees
//! the purpose of this program at once.

mod client;
mod server;

pub(crate) use self::client::session;
pub(crate) use self::server::serve;

/// The same session as a recording, for systems that cannot start processes.
pub(crate) const RECORDED: &str = include_str!("session.ndjson");
