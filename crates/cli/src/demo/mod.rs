//! A flawed weather server and a client that talks to it through `wrap`, so that a newcomer sees at once what this program is for.

mod client;
mod server;

pub(crate) use self::client::session;
pub(crate) use self::server::serve;

/// The same session as it was recorded once, for where processes cannot be started.
pub(crate) const RECORDED: &str = include_str!("session.ndjson");
