//! Endpoints: the places that messages are posted to.

use std::hash::BuildHasher;

use foldhash::quality::RandomState;

use crate::frame::Headers;

/// The endpoints that the traffic has shown.
#[derive(Clone, Debug, Default)]
pub(crate) struct Endpoints {
    /// Places that accepted a message.
    known: Vec<Place>,
    /// Places that a client tried before any accepted a message.
    tried: Vec<Place>,
    /// Other places that messages were posted to later.
    others: Vec<Place>,
    /// Paths that `endpoint` events name, in the transport of 2024-11-05.
    named: Vec<u64>,
    /// Whether the transport of 2024-11-05 is in use.
    two: bool,
    /// Whether an event names a place that could not be resolved.
    unclear: bool,
    seed: RandomState,
}

/// A host and a path, without the query.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Place {
    host: u64,
    path: u64,
}

impl Endpoints {
    /// Tracks a place that accepted a message.
    pub(crate) fn accept(&mut self, place: Place, limit: usize) {
        if !self.known.contains(&place) && self.known.len() < limit {
            self.known.push(place);
        }
    }

    /// Tracks a place that a message was posted to. A wrong one is reported once.
    pub(crate) fn track_other(&mut self, place: Place, limit: usize) {
        if self.is_elsewhere(place) && self.others.len() < limit {
            self.others.push(place);
        }
    }

    /// Tracks a place that a client tries.
    pub(crate) fn try_out(&mut self, place: Place, limit: usize) {
        if self.known.is_empty() && !self.was_tried(place) && self.tried.len() < limit {
            self.tried.push(place);
        }
    }

    /// Tracks that the transport of 2024-11-05 is in use, though no event has named a place.
    pub(crate) fn are_two(&mut self) {
        self.two = true;
    }

    /// Tracks an `endpoint` event on the stream of this path.
    pub(crate) fn name(&mut self, stream: &str, uri: &[u8], limit: usize) {
        self.two = true;
        let resolved = core::str::from_utf8(uri)
            .ok()
            .and_then(|uri| resolve(stream, uri));
        match resolved {
            Some(path) if self.named.len() < limit => {
                self.named.push(self.seed.hash_one(path.as_str()));
            }
            _ => self.unclear = true,
        }
    }

    /// Whether the transport of 2024-11-05 is in use.
    pub(crate) fn has_two(&self) -> bool {
        self.two
    }

    /// Whether a client tried the place before any accepted a message.
    pub(crate) fn was_tried(&self, place: Place) -> bool {
        self.tried.contains(&place)
    }

    /// Whether no place accepted a message.
    pub(crate) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Whether the place accepted messages.
    pub(crate) fn knows(&self, place: Place) -> bool {
        self.known.contains(&place)
    }

    /// Whether this host accepted messages elsewhere, and none was posted to this place before.
    pub(crate) fn is_elsewhere(&self, place: Place) -> bool {
        self.known.iter().any(|known| known.host == place.host)
            && !self.known.contains(&place)
            && !self.others.contains(&place)
    }

    /// Whether no `endpoint` event has named this path.
    pub(crate) fn is_unnamed(&self, path: &str) -> bool {
        let path = without_fragment(origin_form(path));
        !self.unclear && !self.named.is_empty() && !self.named.contains(&self.seed.hash_one(path))
    }

    /// The place that a request goes to.
    pub(crate) fn place(&self, headers: Headers<'_>, path: &str) -> Place {
        let path = without_query(origin_form(path)).trim_end_matches('/');
        Place {
            host: self.seed.hash_one(headers.get("host")),
            path: self.seed.hash_one(path),
        }
    }
}

/// A request target without scheme and authority.
fn origin_form(target: &str) -> &str {
    match target.split_once("://") {
        Some((scheme, rest)) if scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()) => rest
            .find(['/', '?'])
            .and_then(|start| rest.get(start..))
            .unwrap_or("/"),
        _ => target,
    }
}

fn without_query(path: &str) -> &str {
    path.split(['?', '#']).next().unwrap_or_default()
}

fn without_fragment(path: &str) -> &str {
    path.split('#').next().unwrap_or_default()
}

/// The path that a reference on the stream of another path means; `None` if it needs full
/// resolution.
fn resolve(stream: &str, uri: &str) -> Option<String> {
    let uri = without_fragment(uri.trim());
    if uri.contains("://") {
        return Some(origin_form(uri).to_owned());
    }
    if uri.is_empty() || uri.starts_with("//") || uri.starts_with('.') || uri.contains("/.") {
        return None;
    }
    if uri.starts_with('/') {
        return Some(uri.to_owned());
    }
    let base = without_query(origin_form(stream));
    if uri.starts_with('?') {
        return Some(format!("{base}{uri}"));
    }
    let folder = base.rfind('/').and_then(|end| base.get(..=end))?;
    Some(format!("{folder}{uri}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_resolved() {
        for (uri, path) in [
            ("/messages?session=1", Some("/messages?session=1")),
            ("http://localhost:3000/m?s=1#x", Some("/m?s=1")),
            ("https://example.com", Some("/")),
            ("messages", Some("/api/messages")),
            ("?s=1", Some("/api/sse?s=1")),
            ("../m", None),
            ("//other/m", None),
            ("", None),
        ] {
            assert_eq!(resolve("/api/sse?x", uri).as_deref(), path, "{uri}");
        }
    }

    #[test]
    fn a_slash_at_the_end_and_a_query_make_no_other_place() {
        let endpoints = Endpoints::default();
        let place = |path| endpoints.place(Headers::default(), path);
        assert_eq!(place("/mcp"), place("/mcp/"));
        assert_eq!(place("/mcp"), place("http://localhost/mcp?key=1"));
        assert_ne!(place("/mcp"), place("/rpc"));
    }
}
