//! Puts a message into its context: the sender, the revision, and the method that it calls or
//! answers.

use core::cmp::Ordering;

use super::{OpenRequest, Session};
use crate::catalogue::Policy;
use crate::envelope::{Envelope, Member, MessageKind};
use crate::exchange::{Exchange, is_handshake};
use crate::frame::Frame;
use crate::model::{Fact, Method, method_at, method_named};
use crate::syntax::{Head, Kind, Node};
use crate::{Direction, Revision};

/// The key under which a request names its revision, in revisions without a handshake.
const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";

impl Exchange<'_> {
    /// Reads the message and puts it into its context; `head` has the members that the scanner
    /// already found.
    #[inline(always)]
    pub(crate) fn place(
        &mut self,
        head: &Head,
        frame: &Frame<'_>,
        session: &Session,
        policy: &Policy,
    ) {
        self.envelope.find_members(head);
        self.direction = frame.direction;
        self.named_revision = frame.revision.or(policy.revision);
        if self.envelope.is_call() {
            self.place_call(frame, session, policy);
        } else {
            self.place_answer(frame, session, policy);
        }
    }

    #[inline(always)]
    fn place_call(&mut self, frame: &Frame<'_>, session: &Session, policy: &Policy) {
        let method = find_method(&self.envelope).or_else(|| {
            let profile = policy.dialect()?;
            profile.stood_for(&self.method_node()?.text()?)
        });
        let mut named = self.named_revision;
        if named.is_none() && self.envelope.has(Member::Params) {
            named = named_by_call(&self.envelope, method);
        }
        self.method = method;
        self.revision = named
            .or_else(|| session.revision_in_header(frame))
            .or(session.revision())
            .unwrap_or_else(|| newest_with(method, &self.envelope));
        // The answer settles the revision of a handshake, not the request.
        let settles = !method.is_some_and(is_handshake);
        self.named_revision = named.filter(|_| settles);
        if self.direction.is_none() {
            self.direction = sender(method, self.revision)
                .or_else(|| session.sender_by_reference(&self.envelope, method?))
                .or_else(|| policy.dialect()?.direction(&self.method_node()?.text()?));
        }
    }

    #[inline(always)]
    fn place_answer(&mut self, frame: &Frame<'_>, session: &Session, policy: &Policy) {
        self.answered = session.answered(frame.direction, &self.envelope);
        if self.answered.is_none() {
            self.answered = session.answered_in_other_type(frame, &self.envelope);
            self.has_id_of_other_type = self.answered.is_some();
        }
        let request = self.answered.and_then(|answered| session.request(answered));
        self.method = match (request, frame.answers) {
            (Some(request), _) => request.method,
            (None, Some(name)) => {
                method_named(name.as_bytes()).or_else(|| policy.dialect()?.stood_for(name))
            }
            (None, None) => None,
        };
        let settles = self
            .method
            .map_or_else(|| self.seems_handshake(), is_handshake);
        if self.named_revision.is_none() && settles {
            self.named_revision = self
                .envelope
                .result()
                .and_then(|result| handshake_revision(&result));
        }
        self.revision = self
            .named_revision
            .or_else(|| request?.revision)
            .or_else(|| session.revision_in_header(frame))
            .or(session.revision())
            .unwrap_or_else(|| newest_with(self.method, &self.envelope));
        if self.direction.is_none() && !request.is_some_and(is_uncertain) {
            self.direction = self.answerer();
        }
    }

    /// Whether its content can only answer a handshake, even if that was not seen.
    #[cold]
    fn seems_handshake(&self) -> bool {
        let has = |result: &Node<'_>, name| result.get(name).is_some();
        self.envelope
            .result()
            .is_some_and(|result| has(&result, "protocolVersion") && has(&result, "serverInfo"))
    }

    /// The party that answers, if the carrier does not show the direction.
    #[inline(never)]
    fn answerer(&self) -> Option<Direction> {
        let request_direction = match self.answered {
            Some(answered) => answered.direction,
            None => sender(self.method, Revision::latest_with(Fact::Handshake)?)?,
        };
        Some(request_direction.reverse())
    }
}

/// Whether the sender of a request is not known.
#[cold]
fn is_uncertain(request: &OpenRequest) -> bool {
    request.data().is_some_and(|data| data.uncertain)
}

/// The method that a call names.
#[inline(always)]
fn find_method(call: &Envelope<'_>) -> Option<&'static Method> {
    method_at(call.token(Member::Method)?, call.bytes())
}

/// The revision that a request names: the handshake in its params, requests of later revisions in
/// `_meta`.
#[inline(never)]
fn named_by_call(call: &Envelope<'_>, method: Option<&'static Method>) -> Option<Revision> {
    let params = call.params()?;
    if method.is_some_and(is_handshake) {
        return handshake_revision(&params);
    }
    let version = params.member("_meta")?.member(VERSION_KEY)?;
    nearest_revision(version, Fact::Stateless)
}

/// The revision that the params or the result of a handshake name.
#[inline(never)]
fn handshake_revision(offer: &Node<'_>) -> Option<Revision> {
    nearest_revision(offer.get("protocolVersion")?, Fact::Handshake)
}

/// The only party that may send a method in a revision.
fn sender(method: Option<&'static Method>, revision: Revision) -> Option<Direction> {
    let method = method?;
    let form = method.forms[revision.index()]
        .or_else(|| method.forms.into_iter().rev().flatten().next())?;
    match (form.from_client, form.from_server) {
        (true, false) => Some(Direction::ClientToServer),
        (false, true) => Some(Direction::ServerToClient),
        _ => None,
    }
}

/// The revision of a message without other signs: the last one with a handshake, unless the message
/// can only belong to another.
fn newest_with(method: Option<&'static Method>, envelope: &Envelope<'_>) -> Revision {
    let (latest, handshake) = (Revision::latest(), Revision::assumed());
    if envelope.kind == MessageKind::Response
        && envelope
            .result()
            .is_some_and(|result| result.get("resultType").is_some())
    {
        return Revision::latest_with(Fact::ResultType).unwrap_or(latest);
    }
    match method {
        Some(method) if method.forms[handshake.index()].is_none() => Revision::ALL
            .into_iter()
            .rev()
            .find(|revision| method.forms[revision.index()].is_some())
            .unwrap_or(handshake),
        _ => handshake,
    }
}

/// The revision that a version string means: itself, or for an unknown one the newest older one.
fn nearest_revision(version: Node<'_>, among: Fact) -> Option<Revision> {
    if version.kind() != Kind::String {
        return None;
    }
    let known = || {
        Revision::ALL
            .into_iter()
            .filter(|revision| revision.has(among))
    };
    let not_newer = |revision: &Revision| {
        version
            .compare_text(revision.name().as_bytes())
            .is_some_and(Ordering::is_ge)
    };
    known().rfind(not_newer).or_else(|| known().next())
}
