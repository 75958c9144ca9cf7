//! One HTTP request and all that answers it: which session it belongs to, and what was seen of it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use http::uri::PathAndQuery;
use http::{HeaderMap, Method};
use mcp_assay::syntax::{Kind, Tape, scan};
use mcp_assay::{Envelope, Event, Limits, MessageKind, Revision};

use super::connection::Connection;
use super::headers;
use super::inspect::{Outcome, Piece, RequestHead, ResponseHead, Seen};
use super::service::Gateway;
use super::sessions::Key;

/// Longer bodies of requests are not kept for as long as an answer may last.
const KEPT: usize = 64 << 10;

/// One HTTP request and all that answers it.
pub(super) struct Exchange {
    pub(super) gateway: Arc<Gateway>,
    connection: Arc<Connection>,
    upstream: usize,
    number: i64,
    method: Method,
    /// The path with its query, as the client wrote it.
    path: Box<str>,
    /// The session that the request names.
    named: Option<Key>,
    /// What another request of this session needs; only `enforce` makes any.
    pub(super) credentials: HeaderMap,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    place: Option<Place>,
    revision: Option<Revision>,
    request: Progress,
    /// Until it is complete: it holds on to all that was read with it.
    head: Option<Box<RequestHead>>,
    /// The body of the request, which has its id. Of a long one, when it is answered, only the id is kept.
    body: Bytes,
    /// The id of the request in it, as JSON.
    id: Option<Bytes>,
    /// Whether its answer has been seen to the end.
    over: bool,
    /// Whether its answer is a stream that keeps its session from being idle.
    stream: bool,
    /// The address that a stream of the older transport names: the session lasts as long as the stream.
    endpoint: Option<Key>,
}

/// Where an exchange belongs.
#[derive(Clone)]
struct Place {
    session: u64,
    /// What the session is known by; without it, it is the connection's.
    key: Option<Key>,
}

/// What is known of a request.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Progress {
    /// It is not complete yet.
    #[default]
    Coming,
    Seen,
    /// It was answered before it was complete.
    Passed,
}

impl Exchange {
    pub(super) fn new(
        connection: &Arc<Connection>,
        upstream: usize,
        head: RequestHead,
        sent: &HeaderMap,
    ) -> Arc<Self> {
        let gateway = Arc::clone(connection.gateway());
        let session_id = headers::text(&head.headers, &headers::SESSION_ID);
        let revision = revision(&head.headers);
        let credentials = if gateway.inspector.enforces() {
            headers::credentials(sent)
        } else {
            HeaderMap::new()
        };
        Arc::new(Self {
            number: gateway.next_exchange(),
            connection: Arc::clone(connection),
            upstream,
            method: head.method.clone(),
            path: head.path.as_str().into(),
            named: session_id.map(|id| Key::id(upstream, id)),
            credentials,
            state: Mutex::new(State {
                revision,
                head: Some(Box::new(head)),
                ..State::default()
            }),
            gateway,
        })
    }

    /// The request is complete.
    pub(super) fn request(&self, body: Bytes) -> Option<Outcome> {
        let mut state = self.state();
        if state.request != Progress::Coming {
            return None;
        }
        let head = state.head.take()?;
        state.request = Progress::Seen;
        let place = self.place(&body);
        let session = place.session;
        state.place = Some(place);
        state.body = body.clone();
        self.gateway.inspector.see(Seen {
            session,
            exchange: self.number,
            revision: state.revision,
            piece: Piece::Request(head),
            body: (!body.is_empty()).then_some(body),
            gap_after: false,
        })
    }

    /// We answered it ourselves, and the session need not know.
    pub(super) fn refused(&self, head: Box<ResponseHead>, body: Bytes) {
        let mut state = self.state();
        state.over = true;
        if let Some(place) = &state.place {
            self.gateway.inspector.record_own(Seen {
                session: place.session,
                exchange: self.number,
                revision: state.revision,
                piece: Piece::Response(head),
                body: Some(body),
                gap_after: place.key.is_none(),
            });
        }
    }

    /// Its answer begins: takes note of the session that it opens. Before anything else of the answer.
    pub(super) fn answered(&self, status: u16, headers: &HeaderMap) {
        let mut state = self.state();
        if state.request == Progress::Coming {
            state.request = Progress::Passed;
            state.head = None;
            let place = self.place(&[]);
            self.gateway.inspector.lose(place.session);
            state.place = Some(place);
        }
        state.revision = revision(headers).or(state.revision);
        if state.body.len() > KEPT {
            state.id = id(&state.body);
            state.body.clear();
        }
        let Some(place) = &mut state.place else {
            return;
        };
        if place.key.is_none()
            && status < 400
            && let Some(id) = headers::text(headers, &headers::SESSION_ID)
        {
            let key = Key::id(self.upstream, id);
            self.gateway.register(key.clone(), place.session);
            self.connection.release(place.session);
            place.key = Some(key);
        }
    }

    /// Its answer is complete; or it is a stream, and this is its head.
    pub(super) fn response(&self, head: Box<ResponseHead>, body: Option<Bytes>) -> Option<Outcome> {
        let mut state = self.state();
        let (status, streamed) = (head.status, head.streamed);
        let place = state.place.clone()?;
        state.over = !streamed;
        if streamed {
            // It holds on to all that was read with it, and a stream may last.
            state.body = Bytes::copy_from_slice(&state.body);
        }
        if streamed && let Some(key) = &place.key {
            state.stream = true;
            self.gateway.sessions().open_stream(key);
        }
        let outcome = self.gateway.inspector.see(Seen {
            session: place.session,
            exchange: self.number,
            revision: state.revision,
            piece: Piece::Response(head),
            body,
            gap_after: !streamed && place.key.is_none(),
        });
        if self.method == Method::DELETE
            && status.is_success()
            && let Some(key) = &place.key
        {
            self.gateway.end_session(key);
        }
        outcome
    }

    /// An event of its answer. What it names as an address is called as the client knows it.
    pub(super) fn event(&self, event: &Event<'_>) -> Option<Outcome> {
        let mut state = self.state();
        let place = state.place.clone()?;
        let data = event.data.as_deref().map(Bytes::copy_from_slice);
        if self.method == Method::GET
            && event.name.as_deref() == Some("endpoint")
            && state.endpoint.is_none()
            && place.key.is_none()
            && let Some(path) = data
                .as_deref()
                .and_then(|data| std::str::from_utf8(data).ok())
        {
            let key = Key::path(self.upstream, &self.resolve(path));
            self.gateway.register(key.clone(), place.session);
            self.gateway.sessions().open_stream(&key);
            self.connection.release(place.session);
            state.endpoint = Some(key);
        }
        self.gateway.inspector.see(Seen {
            session: place.session,
            exchange: self.number,
            revision: state.revision,
            piece: Piece::Event {
                name: event.name.as_deref().map(str::to_owned),
                id: event.id.as_deref().map(str::to_owned),
                retry: event.retry,
            },
            body: data,
            gap_after: false,
        })
    }

    /// The stream that answers it is at its end.
    pub(super) fn end(&self) {
        let mut state = self.state();
        if std::mem::replace(&mut state.over, true) {
            return;
        }
        let Some(place) = &state.place else { return };
        self.gateway.inspector.see(Seen {
            session: place.session,
            exchange: self.number,
            revision: state.revision,
            piece: Piece::End,
            body: None,
            gap_after: place.key.is_none() && state.endpoint.is_none(),
        });
    }

    /// Its answer passes, but nobody can look at it.
    pub(super) fn unchecked(&self) {
        if let Some(place) = &self.state().place {
            self.gateway.inspector.passed_unchecked(place.session);
        }
    }

    /// The id of the request in it, as JSON, if it can be given back.
    pub(super) fn id(&self) -> Option<Bytes> {
        let state = self.state();
        state.id.clone().or_else(|| id(&state.body))
    }

    /// Whether the request was complete before it was answered.
    pub(super) fn is_request_seen(&self) -> bool {
        self.state().request == Progress::Seen
    }

    /// The revision that its head names.
    pub(super) fn revision(&self) -> Option<Revision> {
        self.state().revision
    }

    pub(super) fn method(&self) -> &Method {
        &self.method
    }

    /// Where the client's own messages go: for the older transport the address that its stream names.
    pub(super) fn message_target(&self) -> Option<PathAndQuery> {
        let state = self.state();
        let path = state.endpoint.as_ref().map_or(&*self.path, Key::text);
        self.upstream().target(&path.parse().ok()?)
    }

    /// The number of its server.
    pub(super) fn server(&self) -> usize {
        self.upstream
    }

    pub(super) fn upstream(&self) -> &super::Upstream {
        &self.gateway.upstreams[self.upstream]
    }

    /// The session that a request belongs to.
    fn place(&self, body: &[u8]) -> Place {
        let mut sessions = self.gateway.sessions();
        if self.method == Method::POST && sessions.has_paths() {
            let key = Key::path(self.upstream, &self.path);
            if let Some(session) = sessions.find(&key) {
                return Place {
                    session,
                    key: Some(key),
                };
            }
        }
        if let Some(key) = self.named.clone() {
            let session = sessions.find(&key);
            drop(sessions);
            let session = session.unwrap_or_else(|| {
                // It began before we did, or was forgotten.
                let session = self.gateway.next_session();
                self.gateway.inspector.lose(session);
                self.gateway.register(key.clone(), session);
                session
            });
            return Place {
                session,
                key: Some(key),
            };
        }
        drop(sessions);
        let session = if opens_session(body) {
            self.connection.begin()
        } else {
            self.connection.session()
        };
        Place { session, key: None }
    }

    /// A path that a stream names, seen from the stream's own.
    fn resolve(&self, path: &str) -> String {
        if path.starts_with('/') {
            return path.to_owned();
        }
        let own = self.path.split('?').next().unwrap_or_default();
        let folder = own.rfind('/').map_or("", |end| &own[..end]);
        format!("{folder}/{path}")
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        let Some(place) = &state.place else { return };
        // Somebody hung up. A client may leave a stream that it listens to; what it was told by an answer is not known.
        if !state.over && self.method != Method::GET {
            self.gateway.inspector.lose(place.session);
        }
        if state.stream
            && let Some(key) = &place.key
        {
            self.gateway.sessions().close_stream(key);
        }
        if let Some(key) = &state.endpoint {
            self.gateway.end_session(key);
        }
    }
}

/// Whether a body is the request that opens a session.
fn opens_session(body: &[u8]) -> bool {
    if memchr::memmem::find(body, b"\"initialize\"").is_none() {
        return false;
    }
    read(body, |message| {
        message.method().map(|method| method.is_text("initialize"))
    })
    .unwrap_or_default()
}

/// The id of the request that a body is, if it can be given back.
fn id(body: &[u8]) -> Option<Bytes> {
    read(body, |message| {
        (message.kind == MessageKind::Request)
            .then(|| message.id())
            .flatten()
            .filter(|id| matches!(id.kind(), Kind::String | Kind::Number))
            .map(|id| Bytes::copy_from_slice(id.raw()))
    })
}

/// Asks the message in a body, if there is one.
fn read<T>(body: &[u8], ask: impl FnOnce(&Envelope<'_>) -> Option<T>) -> Option<T> {
    let mut tape = Tape::new();
    scan(body, &Limits::DEFAULT.for_scan(), &mut tape).ok()?;
    let root = tape.root(body).filter(|root| root.kind() == Kind::Object)?;
    ask(&Envelope::read(root))
}

fn revision(headers: &HeaderMap) -> Option<Revision> {
    Revision::from_bytes(headers::text(headers, &headers::REVISION)?.as_bytes())
}
