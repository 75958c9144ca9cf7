//! One HTTP request and all that answers it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use http::{HeaderMap, Method, StatusCode, Uri, request, response};
use mcp_assay::syntax::{Node, Tape, scan};
use mcp_assay::{
    Direction, Event, Frame, Headers, Http, Limits, MessageKind, Part, Revision, Session,
};

use crate::heads;
use crate::shared::{Outcome, Passing, Shared};

/// An exchange that is under way.
pub(crate) struct Exchange {
    pub(crate) shared: Arc<Shared>,
    session: Arc<Mutex<Session>>,
    /// The id of the session, once it is known.
    name: Option<Box<str>>,
    /// Whether the layer remembers the session.
    known: bool,
    number: i64,
    revision: Option<Revision>,
    /// Whether the request wants the session to end.
    is_farewell: bool,
    /// The request that waits for an answer, as JSON.
    waiting: Option<Vec<u8>>,
    /// Something that may have been its answer was left out.
    swallowed: bool,
}

impl Exchange {
    /// An exchange begins.
    pub(crate) fn new(shared: &Arc<Shared>, method: &Method, headers: &HeaderMap) -> Self {
        let name = heads::session(headers);
        let session = name.and_then(|name| shared.sessions().get(name, Instant::now()));
        Self {
            known: session.is_some(),
            session: session.unwrap_or_else(|| {
                let mut session = Session::new();
                session.lose_track();
                Arc::new(Mutex::new(session))
            }),
            name: name.map(Box::from),
            number: shared.next_exchange(),
            revision: heads::revision(headers),
            is_farewell: method == Method::DELETE,
            waiting: None,
            swallowed: false,
            shared: Arc::clone(shared),
        }
    }

    /// Judges a request, with what has come of its body.
    pub(crate) fn request(&mut self, head: &request::Parts, body: &[u8]) -> Passing {
        if self.name.is_none() && opens_session(body, &self.shared.settings.policy.limits) {
            // All of it will be seen.
            self.session = Arc::default();
        }
        let pairs = heads::pairs(&head.headers);
        let pairs = heads::borrowed(&pairs);
        let part = Part::Request {
            method: head.method.as_str(),
            path: path(&head.uri),
            headers: Headers(&pairs),
        };
        let Outcome {
            passing,
            request_id,
            ..
        } = self.judge(part, body, Direction::ClientToServer);
        self.waiting = request_id;
        passing
    }

    /// Takes note of the head of the response: a session may begin or end with it.
    pub(crate) fn answered(&mut self, head: &response::Parts) {
        let now = Instant::now();
        let is_over =
            head.status == StatusCode::NOT_FOUND || (self.is_farewell && head.status.is_success());
        let named = heads::session(&head.headers);
        match (&self.name, named) {
            (Some(name), _) if is_over => self.shared.sessions().forget(name),
            // Only what the server agrees to is remembered.
            (Some(name), _) if !self.known && head.status.is_success() => {
                self.shared.sessions().remember(name, &self.session, now);
            }
            (None, Some(name)) if head.status.is_success() => {
                self.shared.sessions().remember(name, &self.session, now);
                self.name = Some(name.into());
            }
            _ => {}
        }
    }

    /// Judges a response with its body, or the head of a stream.
    pub(crate) fn response(&mut self, head: &response::Parts, body: &[u8]) -> Passing {
        let pairs = heads::pairs(&head.headers);
        let pairs = heads::borrowed(&pairs);
        let part = Part::Response {
            status: head.status.as_u16(),
            headers: Headers(&pairs),
            streamed: heads::is_event_stream(&head.headers),
        };
        self.judge(part, body, Direction::ServerToClient).passing
    }

    /// Judges an event of a stream, and writes what is to go on.
    pub(crate) fn event(&mut self, event: &Event<'_>, out: &mut Vec<u8>) {
        if event.is_empty() {
            // Comments keep a connection alive; one that is too long to be held is not missed.
            if !event.cut {
                out.extend_from_slice(event.bytes);
            }
            return;
        }
        let data = event.data.as_deref().unwrap_or_default();
        let outcome = self.judge(event.part(), data, Direction::ServerToClient);
        if !self.shared.enforces() {
            return;
        }
        let is_answer = matches!(
            outcome.kind,
            MessageKind::Response | MessageKind::Error | MessageKind::Batch
        );
        match outcome.passing {
            Passing::Forward if !event.cut => {
                out.extend_from_slice(event.bytes);
                self.close(is_answer);
            }
            Passing::Replace(text) => {
                event.write_with(&text, out);
                self.close(true);
            }
            // What is too long to be held cannot pass as it was.
            Passing::Forward | Passing::Refuse(..) | Passing::Drop => {
                self.swallowed |= is_answer || outcome.kind == MessageKind::Unreadable;
                event.write_left_out(out);
            }
        }
    }

    /// Judges the end of a stream.
    pub(crate) fn end(&mut self) {
        self.judge(Part::End, &[], Direction::ServerToClient);
    }

    /// What the client gets if the answer it waits for was left out.
    pub(crate) fn instead(&mut self) -> Option<Vec<u8>> {
        let id = self.waiting.take().filter(|_| self.swallowed)?;
        Some(error(&id))
    }

    /// What the client gets in place of a response that cannot be passed on.
    pub(crate) fn in_place_of_response(&mut self) -> Vec<u8> {
        error(self.waiting.as_deref().unwrap_or(b"null"))
    }

    /// Something passes that cannot be read.
    pub(crate) fn lose_track(&self) {
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        session.lose_track();
    }

    /// Takes note that the request was answered.
    fn close(&mut self, is_answer: bool) {
        if is_answer {
            self.waiting = None;
        }
    }

    fn judge(&self, part: Part<'_>, bytes: &[u8], direction: Direction) -> Outcome {
        let http = Http::new(Some(self.number), part);
        let mut frame = Frame::over_http(bytes, &http).direction(direction);
        frame.header_revision = self.revision;
        self.shared
            .judge(&self.session, self.name.as_deref(), frame)
    }
}

/// Whether a session begins with this message.
fn opens_session(body: &[u8], limits: &Limits) -> bool {
    const NAME: &[u8] = b"initialize";
    let mut tape = Tape::new();
    // Most bodies do not have the word, and are not scanned twice.
    body.windows(NAME.len()).any(|window| window == NAME)
        && scan(body, &limits.for_scan(), &mut tape).is_ok()
        && tape
            .root(body)
            .and_then(|message| message.get("method"))
            .and_then(Node::text)
            .is_some_and(|method| method.as_bytes() == NAME)
}

fn path(uri: &Uri) -> &str {
    uri.path_and_query()
        .map_or_else(|| uri.path(), |path| path.as_str())
}

/// The answer to a request whose answer could not be told from others.
fn error(id: &[u8]) -> Vec<u8> {
    const REST: &[u8] =
        br#","error":{"code":-32603,"message":"the answer of the server was not valid"}}"#;
    [br#"{"jsonrpc":"2.0","id":"#, id, REST].concat()
}
