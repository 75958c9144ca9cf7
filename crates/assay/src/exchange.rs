//! A message in its context: who sent it, under which revision, and which method it calls or answers.

use crate::envelope::{Envelope, MessageKind, member_of};
use crate::frame::Frame;
use crate::model::{Fact, METHOD_LOOKUP, METHODS, Method, MethodForm, hash_key};
use crate::policy::Policy;
use crate::session::{Session, nearest_revision};
use crate::syntax::{Kind, Node};
use crate::{Direction, Revision};

/// The key under which a request names its revision since there is no handshake.
const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";

/// A message in its context.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Exchange<'a> {
    /// The message.
    pub envelope: Envelope<'a>,
    /// Who sent it; `None` if neither the carrier nor the message tells.
    pub direction: Option<Direction>,
    /// The revision it is judged under.
    pub revision: Revision,
    /// The method it calls or answers, if the model has it in any revision.
    pub method: Option<&'static Method>,
    /// The revision that this message puts in force for those after it.
    pub(crate) named_revision: Option<Revision>,
}

impl<'a> Exchange<'a> {
    /// Puts a message into its context.
    #[inline(always)]
    pub(crate) fn find(
        root: Node<'a>,
        frame: &Frame<'a>,
        session: &Session,
        policy: &Policy,
    ) -> Self {
        let envelope = Envelope::read(root);
        let forced = frame.revision.or(policy.revision);
        let context = if envelope.is_call() {
            Context::of_call(&envelope, forced, frame, session)
        } else {
            Context::of_answer(&envelope, forced, frame, session)
        };
        let Context {
            direction,
            revision,
            method,
            named_revision,
        } = context;
        Self {
            envelope,
            direction,
            revision,
            method,
            named_revision,
        }
    }

    /// What the method is in the revision in force.
    #[must_use]
    pub fn form(&self) -> Option<&'static MethodForm> {
        self.method?.forms[self.revision.index()]
    }

    /// The method's name as it was sent.
    pub(crate) fn method_node(&self) -> Option<Node<'a>> {
        self.envelope
            .method()
            .filter(|method| method.kind() == Kind::String)
    }
}

/// What an exchange knows beyond its envelope.
struct Context {
    direction: Option<Direction>,
    revision: Revision,
    method: Option<&'static Method>,
    named_revision: Option<Revision>,
}

impl Context {
    #[inline(always)]
    fn of_call(
        envelope: &Envelope<'_>,
        forced: Option<Revision>,
        frame: &Frame<'_>,
        session: &Session,
    ) -> Self {
        let method = envelope.method().and_then(find_method);
        let named = named_by_call(envelope, method);
        let revision = forced
            .or(named)
            .or(frame.header_revision)
            .or(session.revision())
            .unwrap_or_else(|| newest_with(method, envelope));
        let direction = frame.direction.or_else(|| sender(method, revision));
        // A handshake is settled by its answer, not by what was asked for.
        let named_revision = if method.is_some_and(is_handshake) {
            None
        } else {
            forced.or(named)
        };
        Self {
            direction,
            revision,
            method,
            named_revision,
        }
    }

    #[inline(always)]
    fn of_answer(
        envelope: &Envelope<'_>,
        forced: Option<Revision>,
        frame: &Frame<'_>,
        session: &Session,
    ) -> Self {
        let answered = envelope
            .id()
            .and_then(|id| session.answered(frame.direction, id));
        let method = match (answered, frame.answers) {
            (Some((_, request)), _) => request.method,
            (None, Some(name)) => method_named(name.as_bytes()),
            (None, None) => None,
        };
        let direction = frame
            .direction
            .or(answered.map(|(sent, _)| sent.reverse()))
            .or_else(|| Some(sender(method, Revision::latest_with(Fact::Handshake)?)?.reverse()));
        let negotiated = method.filter(|method| is_handshake(method)).and_then(|_| {
            nearest_revision(envelope.result()?.get("protocolVersion")?, Fact::Handshake)
        });
        let revision = forced
            .or(negotiated)
            .or(answered.and_then(|(_, request)| request.revision))
            .or(frame.header_revision)
            .or(session.revision())
            .unwrap_or_else(|| newest_with(method, envelope));
        Self {
            direction,
            revision,
            method,
            named_revision: forced.or(negotiated),
        }
    }
}

fn is_handshake(method: &'static Method) -> bool {
    method.name == "initialize"
}

/// The method of this name, in whatever revision.
#[must_use]
pub fn method_named(name: &[u8]) -> Option<&'static Method> {
    let method = METHODS.get(METHOD_LOOKUP.candidate(hash_key(name))?)?;
    (method.name.as_bytes() == name).then_some(method)
}

fn find_method(node: Node<'_>) -> Option<&'static Method> {
    match node.plain() {
        Some(name) => method_named(name),
        None => METHODS.iter().find(|method| node.is_text(method.name)),
    }
}

/// The revision that a request names itself: the handshake's by what it asks for, later ones in `_meta`.
fn named_by_call(envelope: &Envelope<'_>, method: Option<&'static Method>) -> Option<Revision> {
    let params = envelope.params()?;
    if method.is_some_and(is_handshake) {
        return nearest_revision(params.get("protocolVersion")?, Fact::Handshake);
    }
    let version = member_of(member_of(params, "_meta")?, VERSION_KEY)?;
    nearest_revision(version, Fact::Stateless)
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

/// Without any other sign: the last revision with a handshake, unless the message can only be of another.
fn newest_with(method: Option<&'static Method>, envelope: &Envelope<'_>) -> Revision {
    let latest = Revision::latest();
    let handshake = Revision::latest_with(Fact::Handshake).unwrap_or(latest);
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
