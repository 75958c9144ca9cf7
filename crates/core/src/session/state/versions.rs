//! Tracks named versions, their refusals, and the eras that the parties have shown to support.

use crate::catalogue::On;
use crate::frame::Carrier;
use crate::model::Fact;
use crate::session::message::Message;
use crate::session::{Hook, Moment, Session};
use crate::syntax::{Kind, Node};
use crate::{Direction, Revision};

/// The state: named versions, and their refusals.
#[derive(Clone, Debug, Default)]
pub(crate) struct Versions {
    /// The versions that the server declared to support.
    supported: Option<Vec<NamedVersion>>,
    /// Whether the server has shown that it supports requests without a handshake.
    pub(crate) modern: bool,
    /// The moment of the first request, if it is one without a handshake and no probe, on stdio.
    opened: Option<Moment>,
    /// The moment of the last error that only a server without a handshake sends.
    refused: Option<Moment>,
    /// The moment of the first request of a client that continued with a handshake, unless it was a
    /// probe.
    pub(crate) unprobed: Option<Moment>,
    /// The moment of the error after which a client fell back to the handshake.
    pub(crate) fallback: Option<Moment>,
}

/// A version as a message names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum NamedVersion {
    /// A released revision.
    Released(Revision),
    /// Any other.
    Other(Box<str>),
}

impl NamedVersion {
    /// Whether a value names this version.
    pub(crate) fn is(&self, version: Node<'_>) -> bool {
        version.is_text(match self {
            Self::Released(revision) => revision.name(),
            Self::Other(text) => text,
        })
    }

    /// Whether this is its name.
    pub(crate) fn has_name(&self, name: &str) -> bool {
        name == match self {
            Self::Released(revision) => revision.name(),
            Self::Other(text) => text,
        }
    }

    /// Whether it may be a revision newer than all known ones.
    pub(crate) fn may_be_newer(&self) -> bool {
        match self {
            Self::Released(_) => false,
            Self::Other(text) => {
                let is_date = text.len() >= 10
                    && text.bytes().take(10).enumerate().all(|(position, byte)| {
                        if matches!(position, 4 | 7) {
                            byte == b'-'
                        } else {
                            byte.is_ascii_digit()
                        }
                    });
                // A draft has another kind of name.
                !is_date && text.to_ascii_lowercase().contains("draft")
                    || is_date && &**text > Revision::latest().name()
            }
        }
    }
}

impl Versions {
    /// Whether the server declared that it supports a version; `None` if it declared nothing.
    pub(crate) fn supports(&self, version: &NamedVersion) -> Option<bool> {
        Some(self.supported.as_ref()?.contains(version))
    }
}

impl Session {
    /// Reads a version to be tracked; `None` if it is no string, or longer than the limit.
    pub(super) fn named_version(
        &mut self,
        version: Node<'_>,
        limit: usize,
    ) -> Option<NamedVersion> {
        if version.kind() != Kind::String {
            return None;
        }
        let released = Revision::ALL
            .into_iter()
            .find(|revision| version.is_text(revision.name()));
        if let Some(revision) = released {
            return Some(NamedVersion::Released(revision));
        }
        let text = version.text();
        let text = self.short_text(text.as_deref(), limit)?;
        Some(NamedVersion::Other(text.into()))
    }

    /// Whether an error shows that the server supports requests without a handshake. An older
    /// server answers a new request in its old way.
    pub(crate) fn is_modern_error(&self, error: &Message<'_>) -> bool {
        self.state.versions.modern
            || error.policy.revision.is_some()
            || error.frame.revision.is_some()
            || !self.is_whole(error)
    }
}

pub(super) static HOOKS: &[Hook] = &[
    Hook(
        &[On::Where(Fact::Stateless, &On::AnyRequest)],
        track_request,
    ),
    Hook(&[On::Call("initialize")], fell_back),
    Hook(&[On::Result("server/discover")], discovered),
    Hook(&[On::AnyResult], answered),
    Hook(&[On::AnyError], failed),
];

fn track_request(message: &Message<'_>, session: &mut Session) {
    let first = session.spoken[Direction::ClientToServer as usize] == 0;
    if first
        && message.direction() == Some(Direction::ClientToServer)
        && message.frame.carrier == Carrier::Stdio
        && message.has(Fact::Stateless)
        && message.method() != Some("server/discover")
    {
        session.state.versions.opened = Some(message.now());
    }
}

fn fell_back(message: &Message<'_>, session: &mut Session) {
    if message.has(Fact::Handshake)
        && let Some(versions) = session.state.versions.used_mut()
    {
        versions.unprobed = versions.unprobed.or(versions.opened.take());
        versions.fallback = versions.fallback.or(versions.refused.take());
    }
}

fn discovered(message: &Message<'_>, session: &mut Session) {
    let listed = message.in_result("supportedVersions");
    let Some(listed) = listed.filter(|listed| listed.kind() == Kind::Array) else {
        return;
    };
    let limits = &message.policy.limits;
    let mut supported = Vec::new();
    for version in listed.items() {
        // A list that cannot be tracked counts as unknown.
        match session.named_version(version, limits.texts) {
            Some(version) if supported.len() < limits.listed => {
                supported.push(version);
            }
            Some(_) => {
                session.reached_limit_of("versions");
                return;
            }
            None => return,
        }
    }
    session.state.versions.supported = Some(supported);
}

fn answered(message: &Message<'_>, session: &mut Session) {
    if let Some(versions) = session.state.versions.used_mut() {
        // A client does not fall back after a success.
        versions.refused = None;
    }
    if message.has(Fact::ResultType)
        && !session.state.versions.modern
        && message.in_result("resultType").is_some()
    {
        session.state.versions.modern = true;
    }
}

fn failed(message: &Message<'_>, session: &mut Session) {
    if !message.has(Fact::Stateless) || message.direction() != Some(Direction::ServerToClient) {
        return;
    }
    if let Some(-32022..=-32020) = message.error_code() {
        let versions = &mut *session.state.versions;
        versions.modern = true;
        versions.refused = (!names_handshake(message)).then_some(message.now());
    }
}

/// Whether an error names a version with a handshake as one that the server supports.
fn names_handshake(error: &Message<'_>) -> bool {
    let data = error.exchange.envelope.error_data();
    data.and_then(|data| data.get("supported"))
        .is_some_and(|supported| {
            supported.items().any(|version| {
                Revision::ALL.into_iter().any(|revision| {
                    revision.has(Fact::Handshake) && version.is_text(revision.name())
                })
            })
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_later_dates_and_drafts_may_be_newer() {
        for newer in [
            "2026-07-29",
            "2031-01-01",
            "DRAFT-2026-v2",
            "2027-01-01-draft",
        ] {
            assert!(NamedVersion::Other(newer.into()).may_be_newer(), "{newer}");
        }
        for older in [
            "1900-01-01",
            "2026-07-27",
            "1.0",
            "latest",
            "2026/07/29",
            "",
        ] {
            assert!(!NamedVersion::Other(older.into()).may_be_newer(), "{older}");
        }
    }
}
