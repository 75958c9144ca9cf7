//! The opening of a session, and the capabilities that the parties declare in it.
//!
//! Until 2025-11-25 that is the handshake. Since 2026-07-28 there is none: each request declares
//! capabilities, and those of the server come from `server/discover`.

use super::Session;
use super::capabilities::Capabilities;
use super::hook::Hook;
use crate::catalogue::On;
use crate::envelope::MessageKind;
use crate::frame::Frame;
use crate::model::Fact;
use crate::session::message::Message;
use crate::{Direction, Revision};

/// The phase of the opening of a session.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) enum Phase {
    /// No `initialize` was seen.
    #[default]
    Closed,
    /// `initialize` was sent and is not answered yet.
    Pending,
    /// `initialize` was answered with an error.
    Refused,
    /// `initialize` was answered, `notifications/initialized` was not seen.
    Answered,
    /// Both.
    Open,
}

/// The state of the opening of a session.
#[derive(Clone, Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "facts that do not depend on each other"
)]
pub(crate) struct Handshake {
    pub(crate) phase: Phase,
    /// The number of `initialize` requests.
    pub(crate) initialize_count: u32,
    /// The position of the last one.
    pub(crate) initialize_at: u64,
    /// The position of the last answer to `initialize` in the source.
    answered_at: u64,
    /// Whether the version that the client requested is a released one.
    pub(crate) requested_released: bool,
    /// The revision that was agreed on.
    pub(crate) agreed: Option<Revision>,
    /// The capabilities that the client declared in `initialize`.
    pub(crate) client: Option<Capabilities>,
    /// The capabilities that the server declared in its answer.
    pub(crate) server: Option<Capabilities>,
    /// The capabilities that the server declared in its answer to `server/discover`.
    pub(crate) discovered: Option<Capabilities>,
    /// Whether `notifications/initialized` was sent at any time.
    pub(crate) initialized: bool,
    /// Whether the client sent a request between the answer to `initialize` and
    /// `notifications/initialized`.
    pub(crate) operated: bool,
    /// Whether a fault in the order of the opening was reported; its consequences are not reported
    /// again.
    pub(crate) disordered: bool,
    /// Whether a request that came too early was reported, for each direction.
    pub(crate) hasty: [bool; 2],
    /// Whether the server sent a request before any sign that the client was ready.
    pub(crate) server_hurried: bool,
    /// Whether `initialize` was not seen, and its answer was recognised by its content.
    pub(crate) seeming: bool,
    /// The revision that the client requested.
    requested: Option<Revision>,
    /// The revision in force before `initialize` was sent.
    revision_before: Option<Revision>,
    /// The number of lost answers of the server before `initialize` was sent.
    lost_before: u64,
    /// The position and revision of an answered handshake that the client did not finish: it sent
    /// requests, and then `initialize` again.
    pub(crate) unfinished: Option<Box<(u64, Option<Revision>)>>,
    /// The state of the open session in which another `initialize` was sent.
    earlier: Option<Box<Handshake>>,
}

impl Handshake {
    /// The position and revision of an answered handshake, if the client sent requests later but
    /// never `notifications/initialized`.
    pub(crate) fn lacks_initialized(&self) -> Option<(u64, Option<Revision>)> {
        let lacks = self.phase == Phase::Answered
            && !self.disordered
            // A server that did not wait for it was reported.
            && !self.server_hurried
            && self.operated;
        lacks.then_some((self.answered_at, self.agreed))
    }

    /// Tracks an answer to `initialize` that could not be read.
    pub(super) fn track_unread_answer(&mut self, how: MessageKind) {
        if self.phase == Phase::Pending {
            self.phase = match how {
                MessageKind::Error => Phase::Refused,
                _ => Phase::Answered,
            };
        }
    }

    /// Tracks an answer that, by its content, belongs to an `initialize` that was not seen.
    pub(super) fn track_seeming_answer(&mut self, agreed: Revision) {
        if self.phase < Phase::Answered {
            self.phase = Phase::Answered;
            self.agreed = Some(agreed);
            self.disordered = true;
            self.seeming = true;
        }
    }

    /// Tracks that a message is missing, which may have been part of the opening.
    pub(super) fn lose_track(&mut self) {
        self.track_unread_answer(MessageKind::Response);
        self.disordered = true;
    }

    /// Whether `initialize` was sent and not refused, or the client continues as if it were so:
    /// messages that name no revision belong to it.
    pub(super) fn is_under_way(&self) -> bool {
        matches!(self.phase, Phase::Pending | Phase::Answered | Phase::Open)
            || (self.initialized && self.disordered)
    }
}

impl Session {
    /// Tracks that HTTP refused `initialize`: there is no answer, and it may be sent again.
    pub(super) fn reset_handshake(&mut self) {
        let handshake = &mut self.handshake;
        if handshake.phase == Phase::Pending {
            handshake.phase = Phase::Closed;
            handshake.initialize_count = handshake.initialize_count.saturating_sub(1);
            self.revision = handshake.revision_before;
        }
    }

    /// The revision that the traffic has shown, but not one that was only requested.
    pub(crate) fn settled_revision(&self) -> Option<Revision> {
        self.revision
            .filter(|_| self.handshake.phase != Phase::Pending)
    }

    /// The revision for an HTTP request whose header names one. An answered handshake has settled
    /// the revision: another one in the header is a fault, and the session continues under the
    /// agreed one. Without a handshake the request itself names the revision, for its answer, too.
    #[inline]
    pub(crate) fn revision_in_header(&self, frame: &Frame<'_>) -> Option<Revision> {
        let named = frame.header_revision?;
        let of_request = frame
            .http
            .and_then(|http| self.state.http_heads.revision_of(http));
        if let Some(of_request) = of_request.filter(|it| it.has(Fact::Stateless)) {
            return Some(of_request);
        }
        let agreed = self.handshake.agreed.filter(|agreed| {
            let is_settled = self.handshake.phase >= Phase::Answered;
            is_settled && agreed.has(Fact::Handshake) && named.has(Fact::Handshake)
        });
        agreed.or(Some(named))
    }

    /// Whether `initialize` waits for its answer, as far as is known: an unreadable message may
    /// have been the answer.
    pub(crate) fn waits_for_handshake(&self) -> bool {
        let lost = self.losses.answers[Direction::ServerToClient as usize];
        self.handshake.phase == Phase::Pending && lost == self.handshake.lost_before
    }
}

/// Whether a request has to wait until the session is open: all but the handshake itself and
/// `ping`, in revisions with a handshake. An unknown method may be an operation or not.
pub(crate) fn is_operation(request: &Message<'_>) -> bool {
    request.has(Fact::Handshake)
        && request
            .method()
            .is_some_and(|name| !matches!(name, "initialize" | "ping"))
}

pub(crate) static HOOKS: &[Hook] = &[
    Hook(&[On::AnyRequest], requested),
    Hook(&[On::Call("initialize")], track_initialize),
    Hook(&[On::Result("initialize")], answered),
    Hook(&[On::Error("initialize")], refused),
    Hook(&[On::Call("notifications/initialized")], initialized),
    Hook(&[On::Result("server/discover")], discovered),
];

fn requested(message: &Message<'_>, session: &mut Session) {
    let phase = session.handshake.phase;
    let (false, Some(direction)) = (phase == Phase::Open, message.direction()) else {
        return;
    };
    if !is_operation(message) || !session.was_whole() {
        return;
    }
    let handshake = &mut session.handshake;
    // The handshake was not seen, which was reported; the parties continue as if it had succeeded.
    if phase == Phase::Closed && handshake.initialized && handshake.disordered {
        return;
    }
    match (direction, phase) {
        (Direction::ClientToServer, Phase::Answered) => {
            handshake.operated = true;
        }
        (Direction::ClientToServer, Phase::Closed | Phase::Refused) => {
            handshake.disordered = true;
            mark_faulty(session);
        }
        _ => {
            handshake.server_hurried |=
                direction == Direction::ServerToClient && !handshake.operated;
            handshake.hasty[direction as usize] = true;
            mark_faulty(session);
        }
    }
}

/// Marks the newest request as faulty: a request that comes too early may stay unanswered.
fn mark_faulty(session: &mut Session) {
    if let Some(mut request) = session.newest_request() {
        request.data_mut().faulty = true;
    }
}

fn track_initialize(message: &Message<'_>, session: &mut Session) {
    let lost_before = session.losses.answers[Direction::ServerToClient as usize];
    let version = message.param("protocolVersion");
    let open = session.state.http_heads.session.as_ref();
    let is_gone = open.is_some_and(|open| open.gone.is_some());
    let handshake = &mut session.handshake;
    // Faults before the first handshake were reported; another handshake starts anew.
    let disordered = handshake.disordered && (handshake.initialize_count == 0 || handshake.seeming);
    let mut before = core::mem::take(handshake);
    before.earlier = None;
    *handshake = Handshake {
        phase: Phase::Pending,
        initialize_count: before.initialize_count.saturating_add(1),
        initialize_at: message.now().order,
        discovered: before.discovered,
        requested_released: version.is_some_and(|version| {
            Revision::ALL
                .into_iter()
                .any(|revision| version.is_text(revision.name()))
        }),
        client: message.param("capabilities").and_then(Capabilities::read),
        disordered: disordered || message.batched,
        requested: Some(message.revision()),
        revision_before: session.revision,
        lost_before,
        unfinished: (before.unfinished.take()).or(before.lacks_initialized().map(Box::new)),
        // If the new handshake is refused, the open session stays open.
        earlier: (before.phase >= Phase::Answered && !is_gone).then(|| Box::new(before)),
        ..Handshake::default()
    };
    // Until it is answered, or if the answer is lost, only the requested revision is known.
    if version.is_some() {
        session.revision = Some(message.revision());
    }
}

fn answered(message: &Message<'_>, session: &mut Session) {
    let handshake = &mut session.handshake;
    handshake.earlier = None;
    handshake.phase = Phase::Answered;
    handshake.answered_at = message.now().at;
    handshake.agreed = Some(message.revision());
    handshake.server = message
        .in_result("capabilities")
        .and_then(Capabilities::read);
    if handshake.initialized {
        handshake.phase = Phase::Open;
    }
}

fn refused(_: &Message<'_>, session: &mut Session) {
    let handshake = &mut session.handshake;
    let initialize_count = handshake.initialize_count;
    // Without another source it is still the best guess.
    session.revision = handshake.revision_before.or(session.revision);
    match handshake.earlier.take() {
        Some(earlier) => {
            *handshake = Handshake {
                initialize_count,
                ..*earlier
            };
        }
        None => handshake.phase = Phase::Refused,
    }
}

fn initialized(message: &Message<'_>, session: &mut Session) {
    let whole = session.was_whole();
    let handshake = &mut session.handshake;
    handshake.initialized = true;
    match handshake.phase {
        Phase::Answered => handshake.phase = Phase::Open,
        Phase::Open => {}
        Phase::Closed | Phase::Pending | Phase::Refused => {
            let expected = message.has(Fact::Handshake) || handshake.requested.is_some();
            handshake.disordered |= whole && expected;
            // The client continues as if its handshake had succeeded.
            if handshake.requested.is_some() {
                session.revision = handshake.requested;
                session.add_version_gap();
            }
        }
    }
}

fn discovered(message: &Message<'_>, session: &mut Session) {
    session.handshake.discovered = message
        .in_result("capabilities")
        .and_then(Capabilities::read);
}
