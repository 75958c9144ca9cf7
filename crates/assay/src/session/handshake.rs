//! How far a session has been opened, and what the parties declared when they opened it.
//!
//! Until 2025-11-25 that is the handshake. Since 2026-07-28 there is none: a request declares for itself, and what is
//! known of the server comes from `server/discover`.

use super::capabilities::Capabilities;
use super::hook::Hook;
use super::{Moment, Session};
use crate::Revision;
use crate::message::Message;
use crate::rules::check::On;
use crate::session::nearest_revision;
use crate::model::Fact;

/// How far a session has been opened.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) enum Phase {
    /// No `initialize` was seen.
    #[default]
    Closed,
    /// `initialize` was sent and is not answered.
    Asked,
    /// `initialize` was answered with an error.
    Refused,
    /// `initialize` was answered, `notifications/initialized` was not seen.
    Answered,
    /// Both.
    Open,
}

/// What is known from the opening of a session.
#[derive(Debug, Default)]
pub(crate) struct Handshake {
    pub(crate) phase: Phase,
    /// How many `initialize` requests were seen.
    pub(crate) asked: u32,
    /// When the last of them was sent.
    pub(crate) asked_at: Moment,
    /// When it was answered.
    pub(crate) answered_at: Moment,
    /// The revision that the client asked for.
    pub(crate) requested: Option<Revision>,
    /// The revision that was agreed on.
    pub(crate) agreed: Option<Revision>,
    /// What the client declared in `initialize`.
    pub(crate) client: Option<Capabilities>,
    /// What the server declared in its answer, or in that to `server/discover`.
    pub(crate) server: Option<Capabilities>,
    /// Whether `notifications/initialized` was sent, whenever.
    pub(crate) initialized: bool,
}

pub(crate) static HOOKS: &[Hook] = &[
    Hook(&[On::Call("initialize")], asked),
    Hook(&[On::Result("initialize")], answered),
    Hook(&[On::Error("initialize")], refused),
    Hook(&[On::Call("notifications/initialized")], initialized),
    Hook(&[On::Result("server/discover")], discovered),
];

fn asked(message: &Message<'_>, session: &mut Session) {
    let handshake = &mut session.handshake;
    handshake.asked = handshake.asked.saturating_add(1);
    handshake.asked_at = message.now;
    handshake.phase = Phase::Asked;
    handshake.initialized = false;
    handshake.client = message.param("capabilities").map(Capabilities::read);
    handshake.requested = message
        .param("protocolVersion")
        .and_then(|version| nearest_revision(version, Fact::Handshake));
}

fn answered(message: &Message<'_>, session: &mut Session) {
    let handshake = &mut session.handshake;
    handshake.phase = Phase::Answered;
    handshake.answered_at = message.now;
    handshake.agreed = Some(message.revision());
    handshake.server = message
        .result()
        .and_then(|result| result.get("capabilities"))
        .map(Capabilities::read);
    if handshake.initialized {
        handshake.phase = Phase::Open;
    }
}

fn refused(_: &Message<'_>, session: &mut Session) {
    session.handshake.phase = Phase::Refused;
}

fn initialized(_: &Message<'_>, session: &mut Session) {
    session.handshake.initialized = true;
    if session.handshake.phase == Phase::Answered {
        session.handshake.phase = Phase::Open;
    }
}

fn discovered(message: &Message<'_>, session: &mut Session) {
    session.handshake.server = message
        .result()
        .and_then(|result| result.get("capabilities"))
        .map(Capabilities::read);
}
