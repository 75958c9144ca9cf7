//! An exchange of the layer: heads of `http` for the machine of [`mcp_assay_live::http`].

use std::sync::{Arc, PoisonError};

use bytes::Bytes;
use http::header::{
    ACCEPT, CONTENT_ENCODING, CONTENT_TYPE, HOST, HeaderMap, HeaderValue, LOCATION,
};
use http::{StatusCode, Uri, request, response};
use mcp_assay::{Direction, Event, Frame, Headers, Http, Part, Party, Revision};
use mcp_assay_live::http::{
    self as live, Assigned, CheckedPart, ClientHead, Coding, HeadAction, Identity, Located,
    PROTOCOL_VERSION, Representation, RequestAction, ResponseAction, SESSION_ID, SenderFacts,
    SessionKey, Unreadable, header_pairs, header_revision, header_texts, is_media_type,
};

use crate::shared::{Handle, Shared};

/// An exchange under way.
pub(crate) struct Exchange {
    pub(crate) shared: Arc<Shared>,
    machine: live::Exchange<Handle>,
    number: i64,
    /// Whether its path is none of authorisation.
    is_mcp: bool,
    identity: Identity,
    /// The client, if its credentials say who it is.
    client: Option<ClientHead>,
    /// The name under which the client knows the handler.
    host: Option<HeaderValue>,
}

impl Exchange {
    /// An exchange begins.
    pub(crate) fn new(shared: &Arc<Shared>, head: &request::Parts) -> Self {
        let headers = &head.headers;
        let mut accepted = headers.get_all(ACCEPT).iter();
        let listens = accepted.any(|value| live::accepts_events(value.as_bytes()));
        let pairs = || {
            let pairs = headers.iter();
            pairs.map(|(name, value)| (name.as_str(), value.as_bytes()))
        };
        let identity = Identity::new(0, pairs());
        Self {
            machine: live::Exchange::new(
                shared.settings.mode,
                live::Method::named(head.method.as_str()),
                session_key(headers),
                revision(headers),
            )
            .listening(listens),
            is_mcp: !is_of_authorisation(head.uri.path()),
            client: identity
                .has_credentials()
                .then(|| ClientHead::new(identity, pairs())),
            identity,
            host: headers.get(HOST).cloned().or_else(|| {
                let authority = head.uri.authority()?;
                HeaderValue::from_str(authority.as_str()).ok()
            }),
            number: shared.next_exchange(),
            shared: Arc::clone(shared),
        }
    }

    /// Checks a request, with its body as far as it has come.
    pub(crate) fn request(&mut self, head: &request::Parts, body: &Bytes) -> RequestAction {
        let body = self.bounded(body);
        self.locate(&body);
        let texts = texts(&head.headers);
        let pairs = header_pairs(&texts);
        let part = Part::Request {
            method: head.method.as_str(),
            path: path(&head.uri),
            headers: Headers(&pairs),
        };
        let checked = self.check(part, &body, Direction::ClientToServer);
        self.machine.request_action(checked)
    }

    /// Refuses a request that no message made unreadable.
    pub(crate) fn refuse(&mut self, status: u16, why: &str) -> (u16, Bytes) {
        self.machine.finish();
        (status, self.machine.refusal(status, why))
    }

    /// Decides about the head of a response, in `enforce`.
    pub(crate) fn head_action(&mut self, head: &response::Parts) -> HeadAction {
        let form = form(&head.headers);
        let form = form.as_ref().map_err(|unreadable| *unreadable);
        self.machine.head_action(head.status.as_u16(), form)
    }

    /// Decides about a response that may send the client elsewhere, in `enforce`.
    pub(crate) fn redirect_action(&mut self, head: &response::Parts) -> HeadAction {
        let location = head.headers.get(LOCATION).map(HeaderValue::as_bytes);
        let host = self.host.as_ref().map(HeaderValue::as_bytes);
        let status = head.status.as_u16();
        self.machine.redirect_action(status, location, host)
    }

    /// Tracks a session that begins or ends with this response.
    pub(crate) fn answered(&mut self, head: &response::Parts) {
        if self.machine.session().is_none() {
            // The request was not complete.
            self.locate(&Bytes::new());
        }
        let (status, now) = (head.status.as_u16(), self.shared.now());
        let (named, revision) = (session_key(&head.headers), revision(&head.headers));
        let mut table = self.shared.sessions();
        let tracked = self
            .machine
            .answered(status, named, revision, &mut table, now);
        if let (Some(_), Some(client), Some(session)) =
            (tracked, self.client, self.machine.session())
        {
            let is_it = |other: &Handle| Arc::ptr_eq(other, session);
            self.shared.unnamed().release(client, is_it);
        }
        if let Some(key) = self.machine.ended_session(status) {
            table.remove(key);
        }
    }

    /// Checks a response with its body, or the head of a stream.
    pub(crate) fn response(&mut self, head: &response::Parts, body: &Bytes) -> ResponseAction {
        let body = self.bounded(body);
        let streamed = is_event_stream(&head.headers);
        let texts = texts(&head.headers);
        let pairs = header_pairs(&texts);
        let part = Part::Response {
            status: head.status.as_u16(),
            headers: Headers(&pairs),
            streamed,
        };
        let checked = self.check(part, &body, Direction::ServerToClient);
        self.machine.respond(streamed, &mut self.shared.sessions());
        self.machine.response_action(head.status.as_u16(), checked)
    }

    /// The body of a response together with errors that wait for it, if there are any.
    pub(crate) fn merge(&mut self, status: StatusCode, body: &[u8]) -> Option<Bytes> {
        status.is_success().then(|| self.machine.merge(body))?
    }

    /// Checks an event of a stream, and writes what goes on in `enforce`.
    pub(crate) fn event(&mut self, event: &Event<'_>, out: &mut Vec<u8>) {
        let checked = (!event.is_empty()).then(|| {
            let data = event.data.as_deref().unwrap_or_default();
            self.check(event.part(), data, Direction::ServerToClient)
        });
        if self.shared.enforces() {
            // A handler cannot be answered: a request of the server is left out.
            self.machine.event(event, checked, out);
        }
    }

    /// Checks the end of a stream, and writes what has to come before it.
    pub(crate) fn end(&mut self, unfinished: Option<&Event<'_>>, out: &mut Vec<u8>) {
        self.machine.end(unfinished, out);
        if self.machine.finish() {
            let by = Some(Party::Server);
            self.check(Part::End { by }, &[], Direction::ServerToClient);
        }
    }

    /// A response goes on that cannot be read.
    pub(crate) fn unchecked(&mut self) {
        self.machine.finish();
        self.lose_track();
    }

    fn locate(&mut self, body: &Bytes) {
        let now = self.shared.now();
        let located = self
            .machine
            .locate(body.clone(), None, &mut self.shared.sessions(), now);
        match (located, self.client) {
            (Located::Known, _) => {}
            (Located::Opens | Located::Unnamed, Some(client)) => {
                let facts = SenderFacts::read(body).opening(located == Located::Opens);
                let session = self.unnamed_session(client, &facts);
                self.machine.enter(session);
            }
            (Located::Opens, None) => self.machine.enter(Handle::default()),
            (Located::Unnamed | Located::Unknown, _) => {
                self.machine.enter(Handle::default());
                self.lose_track();
            }
        }
    }

    /// The session of a client that names none.
    fn unnamed_session(&self, client: ClientHead, facts: &SenderFacts) -> Handle {
        let now = self.shared.now();
        let mut unnamed = self.shared.unnamed();
        match unnamed.assign(client, facts, now) {
            Assigned::Known(session) => session,
            Assigned::Begins(cut, doubtful) => {
                let session = Handle::default();
                unnamed.begin(client, facts, cut, Arc::clone(&session), now);
                drop(unnamed);
                if !facts.opens() || !doubtful.is_empty() {
                    lose_track_of(&session);
                }
                doubtful.iter().for_each(lose_track_of);
                session
            }
        }
    }

    fn lose_track(&self) {
        if let Some(session) = self.machine.session() {
            lose_track_of(session);
        }
    }

    fn check(&self, part: Part<'_>, bytes: &[u8], direction: Direction) -> CheckedPart {
        let http = Http::new(Some(self.number), part);
        let mut frame = Frame::over_http(bytes, &http).direction(direction);
        frame.header_revision = self.machine.revision();
        if !bytes.is_empty() && self.is_message(part) {
            frame.empty = false;
        }
        match self.machine.session() {
            Some(session) => {
                let name = self.machine.name();
                self.shared.check(session, name, self.identity, frame)
            }
            None => CheckedPart::unchecked(self.shared.settings.mode),
        }
    }

    /// Whether a body is a message, whatever it is like.
    fn is_message(&self, part: Part<'_>) -> bool {
        let is_posted = self.is_mcp && self.machine.method() == live::Method::Post;
        is_posted
            && match part {
                Part::Request { .. } => true,
                Part::Response {
                    status, headers, ..
                } => {
                    let media = headers.get("content-type").unwrap_or_default();
                    (200..300).contains(&status)
                        && is_media_type(media.as_bytes(), "application/json")
                }
                Part::Event { .. } | Part::End { .. } => false,
            }
    }

    /// A message is checked up to where it is too long.
    fn bounded(&self, body: &Bytes) -> Bytes {
        body.slice(..body.len().min(self.shared.limit()))
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        let now = self.shared.now();
        if self.machine.leave() {
            let by = Some(Party::Client);
            self.check(Part::End { by }, &[], Direction::ServerToClient);
        }
        self.machine.close(&mut self.shared.sessions(), now);
        if self.machine.is_abandoned() {
            self.lose_track();
        }
    }
}

/// Marks a session as incomplete: nothing is concluded from a missing message.
fn lose_track_of(session: &Handle) {
    let mut session = session.lock().unwrap_or_else(PoisonError::into_inner);
    session.lose_track();
}

/// Whether a body is a stream of events.
pub(crate) fn is_event_stream(headers: &HeaderMap) -> bool {
    let media = headers.get(CONTENT_TYPE);
    media.is_some_and(|media| is_media_type(media.as_bytes(), "text/event-stream"))
}

/// Whether a body may be a message: its head says so, or says nothing.
pub(crate) fn may_be_json(headers: &HeaderMap) -> bool {
    let media = headers.get(CONTENT_TYPE);
    media.is_none_or(|media| is_media_type(media.as_bytes(), "application/json"))
}

/// The form of a body, as its head names it.
pub(crate) fn form(headers: &HeaderMap) -> Result<Representation, Unreadable> {
    Representation::new(
        headers
            .get_all(CONTENT_TYPE)
            .iter()
            .map(HeaderValue::as_bytes),
        headers
            .get_all(CONTENT_ENCODING)
            .iter()
            .map(HeaderValue::as_bytes),
    )
}

/// The content codings of a body; `None` if one of them cannot be decoded.
pub(crate) fn codings(headers: &HeaderMap) -> Option<Vec<Coding>> {
    live::codings(
        headers
            .get_all(CONTENT_ENCODING)
            .iter()
            .map(HeaderValue::as_bytes),
    )
}

/// Makes a head true again after the codings of its body were undone.
pub(crate) fn strip_codings(headers: &mut HeaderMap) {
    for name in live::CODED_HEADERS {
        headers.remove(name);
    }
}

/// Whether a path is usual for requests of authorisation, which are forms.
fn is_of_authorisation(path: &str) -> bool {
    const LAST: [&str; 8] = [
        "authorize",
        "device_authorization",
        "introspect",
        "login",
        "par",
        "register",
        "revoke",
        "token",
    ];
    let last = path.trim_end_matches('/').rsplit('/').next();
    last.is_some_and(|last| LAST.contains(&last))
}

fn texts(headers: &HeaderMap) -> Vec<(&str, std::borrow::Cow<'_, str>)> {
    header_texts(
        headers
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_bytes())),
    )
}

/// The session that a head names.
fn session_key(headers: &HeaderMap) -> Option<SessionKey> {
    SessionKey::id(0, headers.get(SESSION_ID)?.to_str().ok()?)
}

/// The revision that a head names.
fn revision(headers: &HeaderMap) -> Option<Revision> {
    header_revision(headers.get(PROTOCOL_VERSION)?.as_bytes())
}

fn path(uri: &Uri) -> &str {
    uri.path_and_query()
        .map_or_else(|| uri.path(), |path| path.as_str())
}
