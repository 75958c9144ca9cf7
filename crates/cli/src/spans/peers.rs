//! The known facts about sessions over HTTP: their ids, and the servers that they reach.

use std::collections::HashMap;

use fluent_uri::Uri;
use mcp_assay::{Checked, Part};

use super::message::header;

/// Sessions that are tracked; beyond that all are forgotten.
const MAX_SESSIONS: usize = 10_000;

/// The servers behind this program, and the sessions with them.
#[derive(Debug, Default)]
pub(super) struct Peers {
    servers: Vec<Server>,
    sessions: HashMap<Option<Box<str>>, Peer>,
}

#[derive(Debug)]
struct Server {
    /// The beginning of the paths that belong to it; empty if all do.
    prefix: String,
    address: String,
    port: Option<u16>,
}

/// The other end of a session.
#[derive(Clone, Debug, Default)]
pub(super) struct Peer {
    /// The id that the server gave the session.
    pub(super) session: Option<String>,
    pub(super) address: Option<String>,
    pub(super) port: Option<u16>,
}

impl Peers {
    /// Sets the servers: for each the beginning of its paths, and its URL.
    pub(super) fn set_servers<'u>(&mut self, servers: impl Iterator<Item = (&'u str, String)>) {
        let servers = servers.filter_map(|(prefix, url)| {
            let uri = Uri::parse(url.as_str()).ok()?;
            let authority = uri.authority()?;
            let default = match uri.scheme().as_str() {
                "https" => Some(443),
                "http" => Some(80),
                _ => None,
            };
            Some(Server {
                prefix: prefix.to_owned(),
                address: authority.host().trim_matches(['[', ']']).to_owned(),
                port: authority.port_to_u16().ok()?.or(default),
            })
        });
        self.servers = servers.collect();
    }

    /// Tracks what a part of an HTTP exchange shows, and returns what is known about its session.
    pub(super) fn see(&mut self, session: Option<&str>, checked: &Checked<'_>) -> Peer {
        let Some(http) = checked.http() else {
            return Peer::default();
        };
        let key = session.map(Box::from);
        if self.sessions.len() >= MAX_SESSIONS && !self.sessions.contains_key(&key) {
            self.sessions.clear();
        }
        let peer = self.sessions.entry(key).or_default();
        let headers = match http.part {
            Part::Request { path, headers, .. } => {
                if let Some(server) = server_of(&self.servers, path) {
                    peer.address = Some(server.address.clone());
                    peer.port = server.port;
                }
                Some(headers)
            }
            Part::Response { headers, .. } => Some(headers),
            _ => None,
        };
        if let Some(id) = headers.and_then(|headers| header(headers, "mcp-session-id")) {
            peer.session = Some(id.to_owned());
        }
        peer.clone()
    }

    pub(super) fn forget(&mut self, session: Option<&str>) {
        self.sessions.remove(&session.map(Box::from));
    }
}

/// The server that a path belongs to: that of the longest beginning.
fn server_of<'s>(servers: &'s [Server], path: &str) -> Option<&'s Server> {
    let belongs = |server: &&Server| {
        let rest = path.strip_prefix(server.prefix.as_str());
        let is_whole = |rest: &str| rest.is_empty() || rest.starts_with(['/', '?']);
        server.prefix.is_empty() || rest.is_some_and(is_whole)
    };
    let matching = servers.iter().filter(belongs);
    matching.max_by_key(|server| server.prefix.len())
}
