//! An exchange of the gateway: heads of `http` for the machine of [`mcp_assay_live::http`], and the
//! server and connection that it belongs to.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE, HeaderValue};
use http::uri::PathAndQuery;
use http::{HeaderMap, Request};
use mcp_assay::{Event, Party, Revision};
use mcp_assay_live::http::{
    self as live, CheckedPart, ClientHead, Decoder, HeadAction, Identity, Located, Method,
    RequestAction, ResponseAction, SenderFacts, SessionKey,
};
use mcp_assay_live::metrics::Counters as _;

use super::connection::Connection;
use super::state::State;
use crate::headers;
use crate::inspect::{HttpPart, RequestHead, ResponseHead, Seen};
use crate::net::{Body, Failure, whole};
use crate::upstream::Upstream;

/// One HTTP request and all that answers it.
pub(crate) struct Exchange {
    pub(crate) gateway: Arc<State>,
    connection: Arc<Connection>,
    upstream: usize,
    number: i64,
    /// The path with its query, as the client wrote it.
    path: Box<str>,
    /// Whether it is the path for messages.
    is_endpoint: bool,
    identity: Identity,
    client: ClientHead,
    /// The headers that another request of this session needs; only `enforce` sends any.
    credentials: HeaderMap,
    progress: Mutex<Progress>,
}

struct Progress {
    machine: live::Exchange<u64>,
    /// The head of the request until it is complete: it keeps alive all that was read with it.
    head: Option<Box<RequestHead>>,
    /// Whether the request was complete before it was answered.
    is_request_seen: bool,
}

impl Exchange {
    pub(crate) fn new(
        connection: &Arc<Connection>,
        upstream: usize,
        head: RequestHead,
        sent: &HeaderMap,
    ) -> Arc<Self> {
        let gateway = Arc::clone(connection.gateway());
        let credentials = if gateway.inspector.enforces() {
            headers::credentials(sent)
        } else {
            HeaderMap::new()
        };
        let machine = live::Exchange::new(
            gateway.inspector.mode(),
            Method::named(head.method.as_str()),
            session_key(upstream, &head.headers),
            headers::revision(&head.headers),
        )
        .listening(headers::accepts_events(&head.headers));
        let identity = headers::identity(upstream, &head.headers);
        Arc::new(Self {
            number: gateway.next_exchange(),
            connection: Arc::clone(connection),
            upstream,
            path: head.path.as_str().into(),
            identity,
            client: headers::client(identity, &head.headers),
            is_endpoint: gateway.upstreams[upstream].is_endpoint(head.path.path()),
            credentials,
            progress: Mutex::new(Progress {
                machine,
                head: Some(Box::new(head)),
                is_request_seen: false,
            }),
            gateway,
        })
    }

    /// The request is complete.
    pub(crate) fn request(&self, body: Bytes) -> RequestAction {
        let mut state = self.state();
        let Some(head) = state.head.take() else {
            // It was answered before.
            return RequestAction::Forward;
        };
        state.is_request_seen = true;
        let body = if self.gateway.inspector.enforces() {
            body
        } else {
            self.decoded(&head.headers, body)
        };
        self.locate(&mut state, &body);
        let body = (!body.is_empty()).then_some(body);
        match self.check(&state, HttpPart::Request(head), body, false) {
            Some(part) => {
                let action = state.machine.request_action(part);
                if action != RequestAction::Forward {
                    self.gateway.metrics.blocked();
                }
                action
            }
            None => RequestAction::Forward,
        }
    }

    /// The request is forwarded, but there is no memory to check it.
    pub(crate) fn request_unchecked(&self) {
        let mut state = self.state();
        if state.head.take().is_some() {
            self.locate(&mut state, &Bytes::new());
            if let Some(session) = state.machine.session() {
                self.gateway.inspector.forwarded_unchecked(*session);
            }
        }
    }

    /// A body without its content codings; one that cannot be decoded is checked as it is.
    fn decoded(&self, headers: &HeaderMap, body: Bytes) -> Bytes {
        match headers::codings(headers) {
            Some(codings) if !codings.is_empty() => {
                let decoder = Decoder::new(&codings, self.gateway.message_limit.saturating_add(1));
                decoder.decode_whole(&body).map_or(body, Bytes::from)
            }
            _ => body,
        }
    }

    /// The gateway has answered it, and the session need not know.
    pub(crate) fn refused(&self, head: Box<ResponseHead>, body: Bytes) {
        let mut state = self.state();
        state.machine.finish();
        let gap_after = !state.machine.is_tracked();
        if let Some(seen) = self.seen(&state, HttpPart::Response(head), Some(body), gap_after) {
            self.gateway.inspector.record_own(seen);
        }
    }

    /// Its answer begins: tracks the session that it opens. Before anything else of the answer.
    pub(crate) fn answered(&self, status: u16, headers: &HeaderMap) {
        let mut state = self.state();
        if state.head.take().is_some() {
            self.locate(&mut state, &Bytes::new());
            if let Some(session) = state.machine.session() {
                self.gateway.inspector.lose(*session);
            }
        }
        let (named, revision) = (
            session_key(self.upstream, headers),
            headers::revision(headers),
        );
        let now = self.gateway.now();
        let tracked =
            state
                .machine
                .answered(status, named, revision, &mut self.gateway.sessions(), now);
        self.is_tracked(&state, tracked);
    }

    /// Decides about the head of its answer, in `enforce`.
    pub(crate) fn head_action(&self, status: u16, headers: &HeaderMap) -> HeadAction {
        let form = headers::form(headers);
        let form = form.as_ref().map_err(|unreadable| *unreadable);
        self.state().machine.head_action(status, form)
    }

    /// Decides about an answer that may send the client elsewhere, in `enforce`.
    pub(crate) fn redirect_action(
        &self,
        status: u16,
        location: Option<&HeaderValue>,
        host: Option<&HeaderValue>,
    ) -> HeadAction {
        let (location, host) = (
            location.map(HeaderValue::as_bytes),
            host.map(HeaderValue::as_bytes),
        );
        self.state().machine.redirect_action(status, location, host)
    }

    /// Its answer is complete; or it is a stream, and this is its head.
    pub(crate) fn response(&self, head: Box<ResponseHead>, body: Option<Bytes>) -> ResponseAction {
        let action = self.respond(head, body);
        if action != ResponseAction::Forward {
            self.gateway.metrics.blocked();
        }
        action
    }

    /// Its answer is one of ours.
    pub(crate) fn own_response(&self, head: Box<ResponseHead>, body: Bytes) {
        self.respond(head, Some(body));
    }

    fn respond(&self, head: Box<ResponseHead>, body: Option<Bytes>) -> ResponseAction {
        let mut state = self.state();
        let (status, streamed) = (head.status.as_u16(), head.streamed);
        state
            .machine
            .respond(streamed, &mut self.gateway.sessions());
        let gap_after = !streamed && !state.machine.is_tracked();
        let part = self.check(&state, HttpPart::Response(head), body, gap_after);
        if let Some(key) = state.machine.ended_session(status) {
            if let (404, Some(session)) = (status, state.machine.session()) {
                // The server has ended it: nobody owes an answer.
                self.gateway.inspector.lose(*session);
            }
            self.gateway.end_session(key);
        }
        match part {
            Some(part) => state.machine.response_action(status, part),
            None => ResponseAction::Forward,
        }
    }

    /// The body of its answer together with errors that wait for it, if there are any.
    pub(crate) fn merge(&self, body: &[u8]) -> Option<Bytes> {
        self.state().machine.merge(body)
    }

    /// An event of its answer. In `enforce` what goes on is written, and the answer to a request of
    /// the server that does not go on is given.
    pub(crate) fn event(&self, event: &Event<'_>, out: &mut Vec<u8>) -> Option<Bytes> {
        let mut state = self.state();
        self.name_endpoint(&mut state, event);
        let mode = self.gateway.inspector.mode();
        let part = (!event.is_empty()).then(|| {
            let part = HttpPart::Event {
                name: event.name.as_deref().map(str::to_owned),
                id: event.id.as_deref().map(str::to_owned),
                retry: event.retry,
            };
            let data = event.data.as_deref().map(Bytes::copy_from_slice);
            let checked = self.check(&state, part, data, false);
            checked.unwrap_or_else(|| CheckedPart::unchecked(mode))
        });
        if !self.gateway.inspector.enforces() {
            return None;
        }
        let (is_message, before) = (part.is_some(), out.len());
        let answer = state.machine.event(event, part, out);
        if is_message && out[before..] != *event.bytes {
            self.gateway.metrics.blocked();
        }
        answer
    }

    /// An event of its answer for which there is no memory: in `enforce` it is left out.
    pub(crate) fn unread_event(&self, event: &Event<'_>, out: &mut Vec<u8>) {
        if !self.gateway.inspector.enforces() {
            return self.unchecked();
        }
        let part = CheckedPart::unchecked(self.gateway.inspector.mode());
        self.state().machine.event(event, Some(part), out);
        self.gateway.metrics.blocked();
    }

    /// The stream that answers it is at its end. Writes what has to come before that.
    pub(crate) fn end(&self, unfinished: Option<&Event<'_>>, out: &mut Vec<u8>) {
        let mut state = self.state();
        state.machine.end(unfinished, out);
        if self.gateway.inspector.enforces() && unfinished.is_some_and(|event| event.data.is_some())
        {
            self.gateway.metrics.blocked();
        }
        if state.machine.finish() {
            let gap_after = !state.machine.is_tracked();
            let by = Party::Server;
            self.check(&state, HttpPart::End { by }, None, gap_after);
        }
    }

    /// The stream that answers it was broken off by the server.
    pub(super) fn failed(&self, failure: &Failure) {
        self.gateway.upstream_failed(failure);
        self.broke();
    }

    /// The stream that answers it broke off: the rest of it is not known.
    pub(super) fn broke(&self) {
        let mut state = self.state();
        state.machine.finish();
        if let Some(session) = state.machine.session() {
            self.gateway.inspector.lose(*session);
        }
    }

    /// Its answer is forwarded, but cannot be checked.
    pub(crate) fn unchecked(&self) {
        if let Some(session) = self.state().machine.session() {
            self.gateway.inspector.forwarded_unchecked(*session);
        }
    }

    /// The id of the request in it, as JSON, if it can be given back.
    pub(crate) fn id(&self) -> Option<Bytes> {
        self.state().machine.awaited_id()
    }

    /// Whether the request was complete before it was answered.
    pub(crate) fn is_request_seen(&self) -> bool {
        self.state().is_request_seen
    }

    /// The revision that its head names.
    pub(crate) fn revision(&self) -> Option<Revision> {
        self.state().machine.revision()
    }

    pub(crate) fn method(&self) -> Method {
        self.state().machine.method()
    }

    /// Tells the server that a request of its own did not reach the client.
    pub(crate) fn answer_server(&self, text: Bytes) {
        if let Some(request) = self.own_request(text) {
            // Nobody waits for the answer of the server to this.
            tokio::spawn(self.gateway.client.send(self.upstream, request));
        }
    }

    /// The client that makes it.
    pub(crate) fn identity(&self) -> Identity {
        self.identity
    }

    /// A message of ours to the server, in the name of the client.
    pub(crate) fn own_request(&self, text: Bytes) -> Option<Request<Body>> {
        let target = self.message_target()?;
        let mut request = Request::new(whole(text));
        *request.method_mut() = http::Method::POST;
        *request.uri_mut() = target.into();
        let headers = request.headers_mut();
        headers.clone_from(&self.credentials);
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(
            ACCEPT,
            HeaderValue::from_static("application/json, text/event-stream"),
        );
        Some(request)
    }

    /// The path for the client's own messages: in the older transport the one that its stream
    /// names.
    fn message_target(&self) -> Option<PathAndQuery> {
        let state = self.state();
        let path = state.machine.endpoint().unwrap_or(&self.path);
        self.upstream().target(&path.parse().ok()?)
    }

    /// The number of its server.
    pub(crate) fn server(&self) -> usize {
        self.upstream
    }

    pub(crate) fn upstream(&self) -> &Upstream {
        &self.gateway.upstreams[self.upstream]
    }

    /// Finds the session that a request belongs to.
    fn locate(&self, state: &mut Progress, body: &Bytes) {
        let gateway = &self.gateway;
        let mut table = gateway.sessions();
        let path = table
            .has_paths()
            .then(|| SessionKey::path(self.upstream, &self.path));
        let located = state
            .machine
            .locate(body.clone(), path.flatten(), &mut table, gateway.now());
        drop(table);
        match located {
            Located::Known => {}
            Located::Opens | Located::Unnamed => {
                let facts = SenderFacts::read(body).opening(located == Located::Opens);
                state
                    .machine
                    .enter(self.connection.session(self.client, &facts));
            }
            Located::Unknown => {
                let session = gateway.next_session();
                gateway.inspector.lose(session);
                state.machine.enter(session);
            }
        }
    }

    /// Tracks the path that a stream of the older transport names, as the client knows it.
    fn name_endpoint(&self, state: &mut Progress, event: &Event<'_>) {
        let is_first = state.machine.method() == Method::Get && !state.machine.is_tracked();
        let path = event
            .data
            .as_deref()
            .filter(|_| is_first && event.name.as_deref() == Some("endpoint"))
            .and_then(|data| std::str::from_utf8(data).ok());
        let Some(key) = path.and_then(|path| SessionKey::path(self.upstream, &self.resolve(path)))
        else {
            return;
        };
        let now = self.gateway.now();
        let tracked = state
            .machine
            .name_endpoint(key, &mut self.gateway.sessions(), now);
        self.is_tracked(state, tracked);
    }

    /// A session has a name now; others may have lost their place to it.
    fn is_tracked(&self, state: &Progress, tracked: Option<Vec<u64>>) {
        if let (Some(evicted), Some(session)) = (tracked, state.machine.session()) {
            self.gateway.evict(evicted);
            self.connection.release(self.client, *session);
        }
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

    fn check(
        &self,
        state: &Progress,
        part: HttpPart,
        body: Option<Bytes>,
        gap_after: bool,
    ) -> Option<CheckedPart> {
        let seen = self.seen(state, part, body, gap_after)?;
        self.gateway.inspector.check(seen)
    }

    fn seen(
        &self,
        state: &Progress,
        part: HttpPart,
        body: Option<Bytes>,
        gap_after: bool,
    ) -> Option<Seen> {
        let machine = &state.machine;
        let is_mcp = self.is_endpoint || machine.is_by_path();
        let is_message = match &part {
            // Some servers read a body whatever the method is.
            HttpPart::Request(_) => true,
            HttpPart::Response(head) => {
                machine.method() == Method::Post
                    && head.status.is_success()
                    && headers::is_media(&head.headers, "application/json")
            }
            HttpPart::Event { .. } | HttpPart::End { .. } => false,
        };
        Some(Seen {
            identity: self.identity,
            is_message: is_mcp && is_message,
            session: *state.machine.session()?,
            exchange: self.number,
            revision: state.machine.revision(),
            part,
            body,
            gap_after,
        })
    }

    fn state(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        let mut state = self.state();
        if state.machine.leave() {
            let by = Party::Client;
            let gap_after = !state.machine.is_tracked();
            self.check(&state, HttpPart::End { by }, None, gap_after);
        }
        let Some(session) = state.machine.session().copied() else {
            return;
        };
        let gateway = &self.gateway;
        if state.machine.is_abandoned() {
            gateway.inspector.lose(session);
        }
        let endpoint = state.machine.close(&mut gateway.sessions(), gateway.now());
        if let Some(key) = endpoint {
            gateway.end_session(&key);
        }
        if state.machine.is_alone() {
            gateway.inspector.forget(session);
        }
    }
}

/// The session that a head names.
fn session_key(upstream: usize, headers: &HeaderMap) -> Option<SessionKey> {
    SessionKey::id(upstream, headers::text(headers, &headers::SESSION_ID)?)
}
