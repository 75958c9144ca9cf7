//! Endpoints: the places that messages are posted to.

use std::hash::BuildHasher;

use crate::frame::Headers;
use crate::session::{Few, Seed};

/// The endpoints that the traffic has shown.
#[derive(Clone, Debug, Default)]
pub(crate) struct Endpoints {
    /// All places by their roles, sorted.
    places: Few<(Role, Place)>,
    /// Whether the transport of 2024-11-05 is in use.
    two: bool,
    /// Whether an event names a place that could not be resolved.
    unclear: bool,
    /// Whether there are more places than are tracked.
    dropped: bool,
    seed: Seed,
}

/// The role of a place in the session.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Role {
    /// It accepted a message.
    Known,
    /// A client tried it before any place accepted a message.
    Tried,
    /// Messages were posted to it later, though others had accepted messages.
    Other,
    /// An `endpoint` event names its path, in the transport of 2024-11-05.
    Named,
}

/// A host and a path, without the query.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Place {
    host: u64,
    path: u64,
}

impl Endpoints {
    /// Tracks a place that accepted a message; `false` at the limit.
    pub(crate) fn accept(&mut self, place: Place, limit: usize) -> bool {
        self.insert(Role::Known, place, limit)
    }

    /// Tracks a place that a message was posted to; `false` at the limit. A wrong one is reported
    /// once.
    pub(crate) fn track_other(&mut self, place: Place, limit: usize) -> bool {
        !self.is_elsewhere(place) || self.insert(Role::Other, place, limit)
    }

    /// Tracks a place that a client tries; `false` at the limit.
    pub(crate) fn try_out(&mut self, place: Place, limit: usize) -> bool {
        !self.is_empty() || self.insert(Role::Tried, place, limit)
    }

    /// Tracks that the transport of 2024-11-05 is in use, though no event has named a place.
    pub(crate) fn are_two(&mut self) {
        self.two = true;
    }

    /// Tracks an `endpoint` event on the stream of this path; `false` at the limit.
    pub(crate) fn name(&mut self, stream: &str, uri: &[u8], limit: usize) -> bool {
        self.two = true;
        let resolved = core::str::from_utf8(uri)
            .ok()
            .and_then(|uri| resolve(stream, uri));
        match resolved {
            Some(path) => self.insert(Role::Named, self.named(&path), limit),
            None => {
                self.unclear = true;
                true
            }
        }
    }

    /// Releases memory that is held for reuse.
    pub(crate) fn release(&mut self) {
        self.places.shrink_to_fit();
    }

    /// Whether the transport of 2024-11-05 is in use.
    pub(crate) fn has_two(&self) -> bool {
        self.two
    }

    /// Whether a client tried the place before any accepted a message, as far as is known.
    pub(crate) fn was_tried(&self, place: Place) -> bool {
        self.dropped || self.has(Role::Tried, place)
    }

    /// Whether no place accepted a message.
    pub(crate) fn is_empty(&self) -> bool {
        let first = self.places.first();
        first.is_none_or(|(role, _)| *role != Role::Known)
    }

    /// Whether the place accepted messages.
    pub(crate) fn knows(&self, place: Place) -> bool {
        self.has(Role::Known, place)
    }

    /// Whether this host accepted messages elsewhere, and none was posted to this place before.
    pub(crate) fn is_elsewhere(&self, place: Place) -> bool {
        let host = Place { path: 0, ..place };
        let first = self
            .places
            .partition_point(|known| *known < (Role::Known, host));
        let accepts = self
            .places
            .get(first)
            .is_some_and(|(role, known)| *role == Role::Known && known.host == place.host);
        accepts && !self.dropped && !self.has(Role::Known, place) && !self.has(Role::Other, place)
    }

    /// Whether no `endpoint` event has named this path.
    pub(crate) fn is_unnamed(&self, path: &str) -> bool {
        let path = without_fragment(origin_form(path));
        let last = self.places.last();
        !self.unclear
            && !self.dropped
            && last.is_some_and(|(role, _)| *role == Role::Named)
            && !self.has(Role::Named, self.named(path))
    }

    /// The place that a request goes to.
    pub(crate) fn place(&self, headers: Headers<'_>, path: &str) -> Place {
        let path = without_query(origin_form(path)).trim_end_matches('/');
        Place {
            host: self.seed.hash_one(headers.get("host")),
            path: self.seed.hash_one(path),
        }
    }

    /// A path that an event names: the host is that of the stream.
    fn named(&self, path: &str) -> Place {
        Place {
            host: 0,
            path: self.seed.hash_one(path),
        }
    }

    fn has(&self, role: Role, place: Place) -> bool {
        self.places.binary_search(&(role, place)).is_ok()
    }

    fn insert(&mut self, role: Role, place: Place, limit: usize) -> bool {
        let Err(position) = self.places.binary_search(&(role, place)) else {
            return true;
        };
        if self.places.len() >= limit.max(1) {
            self.dropped = true;
            return false;
        }
        self.places.insert(position, (role, place));
        true
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
    // A path that is not known, or too long.
    if stream.is_empty() {
        return None;
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
