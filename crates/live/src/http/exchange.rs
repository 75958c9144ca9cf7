//! One HTTP request and everything that answers it.
//!
//! The adapter reads and writes, checks each part in the session of the exchange, and asks here
//! what becomes of it. Every question on which two adapters could differ is decided in this file.

use std::time::Duration;

use bytes::Bytes;
use mcp_assay::{Event, MessageKind, Revision};
use mcp_assay_contract::canonical::CanonicalError;

use super::awaited::{Awaited, opens_session};
use super::{
    CheckedPart, Decision, Media, Representation, SessionKey, SessionTable, Unreadable, error_body,
    leads_elsewhere,
};
use crate::guard::Mode;
use crate::lines::merge_batches;

/// The methods of HTTP that MCP uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Sends a message.
    Post,
    /// Opens a stream.
    Get,
    /// Ends a session.
    Delete,
    /// Any other: no part of MCP.
    Other,
}

impl Method {
    /// The method of this name.
    #[must_use]
    pub fn named(name: &str) -> Self {
        match name {
            "POST" => Self::Post,
            "GET" => Self::Get,
            "DELETE" => Self::Delete,
            _ => Self::Other,
        }
    }
}

/// Whether the session of an exchange is tracked already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Located {
    /// It is.
    Known,
    /// It begins with this request: all of it will be seen.
    Opens,
    /// The request names no session.
    Unnamed,
    /// The request names a session that is not tracked: it began earlier, or was evicted.
    Unknown,
}

/// The decision about a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RequestAction {
    /// It goes on as it is.
    Forward,
    /// It goes on with this body.
    Replace(Bytes),
    /// It is answered with this status and this JSON body.
    Refuse(u16, Bytes),
}

/// The decision about the head of a response.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HeadAction {
    /// Its body is checked, if it may be a message, and forwarded.
    Forward,
    /// The client gets this JSON body instead.
    Replace(Bytes),
    /// The response cannot be read as the client may read it: 502, for this reason.
    Refuse(&'static str),
}

/// The decision about a response with a body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ResponseAction {
    /// It goes on as it is.
    Forward,
    /// It goes on with this status and this JSON body.
    Replace(u16, Bytes),
    /// A request of the server was in it. The client gets the status and the first body, the server
    /// the second.
    Refuse(u16, Bytes, Bytes),
}

/// An exchange under way. `S` is the adapter's handle of a session.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "facts that do not depend on each other"
)]
pub struct Exchange<S> {
    mode: Mode,
    method: Method,
    /// Whether the request asks for a stream of events.
    listens: bool,
    /// The session that the request names.
    named: Option<SessionKey>,
    revision: Option<Revision>,
    session: Option<S>,
    /// The key by which the session is tracked.
    key: Option<SessionKey>,
    /// The path that a stream of the older transport names: the session lasts as long as the
    /// stream.
    endpoint: Option<SessionKey>,
    awaited: Awaited,
    /// The errors for messages of a batch that were taken out of it, as a batch.
    errors: Bytes,
    /// Something was left out that may have been a response to an awaited request.
    is_answer_lost: bool,
    /// Whether its response is a stream that keeps its session from being idle.
    is_streaming: bool,
    /// Whether everything of it was seen.
    is_over: bool,
    /// Whether its response is a stream.
    is_streamed: bool,
}

impl<S: Clone> Exchange<S> {
    /// An exchange begins: the head of its request has come.
    #[must_use]
    pub fn new(
        mode: Mode,
        method: Method,
        named: Option<SessionKey>,
        revision: Option<Revision>,
    ) -> Self {
        Self {
            mode,
            method,
            listens: false,
            named,
            revision,
            session: None,
            key: None,
            endpoint: None,
            awaited: Awaited::default(),
            errors: Bytes::new(),
            is_answer_lost: false,
            is_streaming: false,
            is_over: false,
            is_streamed: false,
        }
    }

    /// Tracks that the request accepts a stream of events.
    #[must_use]
    pub fn listening(self, listens: bool) -> Self {
        Self { listens, ..self }
    }

    /// Finds the session of a request, with its body as far as it has come. Unless it is known,
    /// [`Self::enter`] has to follow.
    pub fn locate(
        &mut self,
        body: Bytes,
        path: Option<SessionKey>,
        table: &mut SessionTable<S>,
        now: Duration,
    ) -> Located {
        let opens = self.named.is_none() && opens_session(&body);
        self.awaited = Awaited::new(body);
        let by_path = path.filter(|_| self.method == Method::Post && table.has_paths());
        for key in [by_path, self.named.clone()].into_iter().flatten() {
            if let Some(session) = table.find(&key, now) {
                self.session = Some(session);
                self.key = Some(key);
                return Located::Known;
            }
        }
        match &self.named {
            Some(_) => Located::Unknown,
            None if opens => Located::Opens,
            None => Located::Unnamed,
        }
    }

    /// The exchange belongs to a session that is not tracked yet.
    pub fn enter(&mut self, session: S) {
        self.session = Some(session);
    }

    /// The head of the response has come. Tracks a session that the server has agreed to, and
    /// returns the sessions that are no longer tracked because of it; `None` if nothing changed.
    ///
    /// A session that a request names is tracked only when the server accepts the request: ids that
    /// a client invents take no room. A session that a response names replaces another of the
    /// same id.
    pub fn answered(
        &mut self,
        status: u16,
        named: Option<SessionKey>,
        revision: Option<Revision>,
        table: &mut SessionTable<S>,
        now: Duration,
    ) -> Option<Vec<S>> {
        self.revision = revision.or(self.revision);
        self.awaited.shorten();
        let session = self.session.clone()?;
        if self.key.is_some() || !is_success(status) {
            return None;
        }
        let key = match &self.named {
            // Another exchange of the same session may have been faster.
            Some(key) if table.find(key, now).is_some() => return None,
            Some(key) => key.clone(),
            None => named?,
        };
        self.key = Some(key.clone());
        Some(table.insert(key, session, now))
    }

    /// A stream of the older transport names the path to post to.
    pub fn name_endpoint(
        &mut self,
        key: SessionKey,
        table: &mut SessionTable<S>,
        now: Duration,
    ) -> Option<Vec<S>> {
        let session = self.session.clone()?;
        let evicted = table.insert(key.clone(), session, now);
        table.open_stream(&key);
        self.endpoint = Some(key);
        Some(evicted)
    }

    /// The response is complete, or its stream begins.
    pub fn respond(&mut self, is_streamed: bool, table: &mut SessionTable<S>) {
        self.is_over = !is_streamed;
        self.is_streamed = is_streamed;
        if !is_streamed {
            return;
        }
        if let Some(key) = &self.key {
            self.is_streaming = true;
            table.open_stream(key);
        }
        // A stream may last: the body of its request is not held meanwhile.
        match self.mode {
            Mode::Enforce => {
                self.awaited.ids();
            }
            Mode::Shadow => self.awaited = Awaited::default(),
        }
    }

    /// Decides about a request that was checked.
    pub fn request_action(&mut self, part: CheckedPart) -> RequestAction {
        let action = match part.decision {
            Decision::Forward => RequestAction::Forward,
            Decision::Replace => RequestAction::Replace(part.text),
            Decision::Split => {
                self.awaited = Awaited::new(part.text.clone());
                self.errors = part.back;
                RequestAction::Replace(part.text)
            }
            // Nobody waits for the answer to a notification or a response, but HTTP has one: not
            // 202, which means that the message was accepted.
            Decision::Refuse | Decision::Drop | Decision::Divert => {
                let status = part.status;
                let body = if part.text.is_empty() {
                    let why = "the message could not be checked, so it was not forwarded";
                    error_body(CanonicalError::InternalError, why, None, self.revision)
                } else {
                    part.text
                };
                RequestAction::Refuse(status, body)
            }
        };
        self.is_over |= matches!(action, RequestAction::Refuse(..));
        action
    }

    /// Decides about the head of a response, in `enforce`.
    ///
    /// Clients take a body for what they hope for, whatever its label is like: so the answer to a
    /// request is JSON or a stream of events, in UTF-8, and that to a request for a stream is one.
    /// A refusal of the server, and what nobody takes for a message, is forwarded as it is.
    pub fn head_action(
        &mut self,
        status: u16,
        form: Result<&Representation, Unreadable>,
    ) -> HeadAction {
        let is_listening = self.method == Method::Get && self.listens;
        if !is_success(status) || status == 204 || (self.method != Method::Post && !is_listening) {
            return HeadAction::Forward;
        }
        let media = match form {
            Ok(form) => form.media,
            Err(unreadable) => return HeadAction::Refuse(unreadable.reason()),
        };
        match media {
            Media::Events => HeadAction::Forward,
            Media::Json if !is_listening => HeadAction::Forward,
            _ if is_listening => HeadAction::Refuse("the answer is no stream of events"),
            // The older transport answers elsewhere; what is accepted here is text at most.
            Media::Other | Media::Absent if status == 202 => HeadAction::Forward,
            Media::Other | Media::Absent if self.awaited.ids().is_empty() => HeadAction::Forward,
            _ => HeadAction::Replace(self.unusable()),
        }
    }

    /// Decides about a response that sends the client to another server, in `enforce`: the answer
    /// of that one to the request would not be checked.
    pub fn redirect_action(
        &mut self,
        status: u16,
        location: Option<&[u8]>,
        host: Option<&[u8]>,
    ) -> HeadAction {
        let leads_elsewhere = (300..400).contains(&status)
            && location.is_some_and(|location| leads_elsewhere(location, host));
        let is_listening = self.method == Method::Get && self.listens;
        if leads_elsewhere && (is_listening || !self.awaited.ids().is_empty()) {
            return HeadAction::Refuse("the server redirects the request to another server");
        }
        HeadAction::Forward
    }

    /// Decides about a response with a body that was checked.
    ///
    /// How a server refuses is its own affair: with a status of 400 or above everything goes on. A
    /// replaced body keeps the status of the response, because clients of revisions with sessions
    /// end them at any other, unless the policy asks for that of the canonical error.
    pub fn response_action(&mut self, status: u16, part: CheckedPart) -> ResponseAction {
        if status >= 400 {
            return ResponseAction::Forward;
        }
        let is_stray = self.is_stray(&part);
        let status = part.replaced_status.unwrap_or(status);
        match part.decision {
            Decision::Forward if is_stray => ResponseAction::Replace(status, self.unusable()),
            Decision::Forward => ResponseAction::Forward,
            Decision::Replace => ResponseAction::Replace(status, part.text),
            Decision::Refuse => ResponseAction::Refuse(status, self.unusable(), part.text),
            Decision::Split => ResponseAction::Refuse(status, part.text, part.back),
            Decision::Drop | Decision::Divert => ResponseAction::Replace(status, self.unusable()),
        }
    }

    /// Decides about an event, and writes what goes on. Returns the answer to a request of the
    /// server that does not go on. `None` stands for an event that nobody had to check.
    pub fn event(
        &mut self,
        event: &Event<'_>,
        part: Option<CheckedPart>,
        out: &mut Vec<u8>,
    ) -> Option<Bytes> {
        let hides_lines = event.hides_lines();
        let Some(part) = part else {
            // Comments keep a connection alive; one that is too long to be held is not missed.
            if !event.cut && !hides_lines {
                out.extend_from_slice(event.bytes);
            }
            return None;
        };
        if hides_lines {
            // Nothing of it can be written so that all readers see the same.
            self.is_answer_lost |= event.data.is_some();
            return None;
        }
        if part.kind == MessageKind::Empty && resembles_message(event) {
            event.write_left_out(out);
            return None;
        }
        if self.is_stray(&part) {
            // The answer to this request may not come any more.
            self.is_answer_lost = true;
            event.write_left_out(out);
            return None;
        }
        match part.decision {
            Decision::Forward if !event.cut => {
                out.extend_from_slice(event.bytes);
                // A batch is as many answers as it has responses: since 2025-03-26 "one JSON-RPC
                // response per each JSON-RPC request", and "these responses MAY be batched".
                self.awaited.close(&part.answers);
                None
            }
            Decision::Replace => {
                event.write_with(&part.text, out);
                self.awaited.close(&part.answers);
                None
            }
            Decision::Split => {
                event.write_with(&part.text, out);
                self.awaited.close(&part.answers);
                Some(part.back)
            }
            Decision::Refuse => {
                event.write_left_out(out);
                Some(part.text)
            }
            // Of an event that is too long to be held only the beginning is here.
            Decision::Forward | Decision::Drop | Decision::Divert => {
                self.is_answer_lost |= !part.answers.is_empty()
                    || matches!(
                        part.kind,
                        MessageKind::Response | MessageKind::Error | MessageKind::Unreadable
                    );
                event.write_left_out(out);
                None
            }
        }
    }

    /// Whether a message that may go on answers another request than that of this exchange: clients
    /// take it for the answer to a request on another connection, where it would be checked.
    fn is_stray(&mut self, part: &CheckedPart) -> bool {
        self.method == Method::Post
            && part.decision == Decision::Forward
            && !self.awaited.expects(&part.answers)
    }

    /// The stream is at its end. Writes an error for each request whose response was left out, so
    /// that nobody waits forever.
    ///
    /// An event without its blank line is none, as the HTML standard has it: it is neither checked
    /// nor forwarded. A second call does nothing.
    pub fn end(&mut self, unfinished: Option<&Event<'_>>, out: &mut Vec<u8>) {
        if self.mode == Mode::Shadow {
            return;
        }
        self.is_answer_lost |= unfinished.is_some_and(|event| event.data.is_some());
        let errors = std::mem::take(&mut self.errors);
        if !errors.is_empty() {
            write_message(&errors, out);
        }
        if !self.is_answer_lost {
            return;
        }
        let ids = self.awaited.ids().to_vec();
        self.awaited = Awaited::default();
        for id in ids {
            write_message(&self.invalid_output(Some(&id)), out);
        }
    }

    /// The body of a response together with the errors for messages that were taken out of the
    /// batch which it answers; `None` if there are none.
    pub fn merge(&mut self, body: &[u8]) -> Option<Bytes> {
        if self.errors.is_empty() {
            return None;
        }
        let errors = std::mem::take(&mut self.errors);
        Some(merge_batches(body, &errors))
    }

    /// Everything of the exchange was seen. Returns whether that is new.
    pub fn finish(&mut self) -> bool {
        !std::mem::replace(&mut self.is_over, true)
    }

    /// The key of the session, if the session is over with this status.
    ///
    /// A `DELETE` that succeeds ends it; and after a server has ended it, it "MUST respond to
    /// requests containing that session ID with HTTP 404 Not Found".
    #[must_use]
    pub fn ended_session(&self, status: u16) -> Option<&SessionKey> {
        let is_deleted = self.method == Method::Delete && is_success(status);
        let is_gone = status == 404 && self.named.is_some();
        self.key.as_ref().filter(|_| is_deleted || is_gone)
    }

    /// Closes the stream, if there is one: the exchange is dropped. Returns the path that its
    /// stream named, whose session is over.
    pub fn close(&mut self, table: &mut SessionTable<S>, now: Duration) -> Option<SessionKey> {
        if std::mem::take(&mut self.is_streaming)
            && let Some(key) = &self.key
        {
            table.close_stream(key, now);
        }
        self.endpoint.take()
    }

    /// Ends the exchange if the client has left its stream. Returns whether it has.
    pub fn leave(&mut self) -> bool {
        let is_left = self.is_streamed && !self.is_over;
        self.is_over |= is_left;
        is_left
    }

    /// Whether somebody hung up: what the client has received is not known. A client may leave a
    /// stream that it listens to.
    #[must_use]
    pub fn is_abandoned(&self) -> bool {
        !self.is_over && self.method != Method::Get
    }

    /// The session, once it is located.
    #[must_use]
    pub fn session(&self) -> Option<&S> {
        self.session.as_ref()
    }

    /// Whether other exchanges can be found to belong to the same session.
    #[must_use]
    pub fn is_tracked(&self) -> bool {
        self.key.is_some() || self.endpoint.is_some()
    }

    /// Whether its session is its own: the request names one that the server has not agreed to.
    #[must_use]
    pub fn is_alone(&self) -> bool {
        self.key.is_none() && self.named.is_some()
    }

    /// Whether its session is that of a path to post to, in the older transport.
    #[must_use]
    pub fn is_by_path(&self) -> bool {
        self.key.as_ref().is_some_and(SessionKey::is_path)
    }

    /// The id or path of the session.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        let key = self.key.as_ref().or(self.named.as_ref());
        key.map(SessionKey::text)
    }

    /// The path that a stream of the older transport has named.
    #[must_use]
    pub fn endpoint(&self) -> Option<&str> {
        self.endpoint.as_ref().map(SessionKey::text)
    }

    /// The revision that its heads name.
    #[must_use]
    pub fn revision(&self) -> Option<Revision> {
        self.revision
    }

    /// Its method.
    #[must_use]
    pub fn method(&self) -> Method {
        self.method
    }

    /// The id of the only request that waits, as JSON.
    pub fn awaited_id(&mut self) -> Option<Bytes> {
        match self.awaited.ids() {
            [id] => Some(id.clone()),
            _ => None,
        }
    }

    /// The JSON body of a refusal that no message caused: with a status below 500 of the request,
    /// else of the response.
    pub fn refusal(&mut self, status: u16, why: &str) -> Bytes {
        let (kind, id) = if status < 500 {
            (CanonicalError::InvalidInput, None)
        } else {
            (CanonicalError::InvalidOutput, self.awaited_id())
        };
        error_body(kind, why, id.as_deref(), self.revision)
    }

    /// The body for the client when the response of the server belongs to nothing.
    fn unusable(&mut self) -> Bytes {
        match self.awaited.ids().to_vec().as_slice() {
            [] => self.invalid_output(None),
            [id] => self.invalid_output(Some(id)),
            ids => {
                let errors: Vec<_> = ids.iter().map(|id| self.invalid_output(Some(id))).collect();
                [b"[".as_slice(), &errors.join(&b','), b"]"].concat().into()
            }
        }
    }

    fn invalid_output(&self, id: Option<&[u8]>) -> Bytes {
        let why = "the server's answer was not valid";
        error_body(CanonicalError::InvalidOutput, why, id, self.revision)
    }
}

/// Writes a message as an event.
fn write_message(message: &[u8], out: &mut Vec<u8>) {
    for piece in [b"event: message\ndata: ", message, b"\n\n"] {
        out.extend_from_slice(piece);
    }
}

/// Whether an event that is none of MCP has data that a client which heeds no names takes for a
/// message.
fn resembles_message(event: &Event<'_>) -> bool {
    let data = event.data.as_deref().unwrap_or_default();
    matches!(data.trim_ascii_start().first(), Some(b'{' | b'['))
}

fn is_success(status: u16) -> bool {
    (200..300).contains(&status)
}
