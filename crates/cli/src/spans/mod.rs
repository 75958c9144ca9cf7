//! OpenTelemetry spans of live traffic, one for each exchange, with the names of the semantic
//! conventions for MCP. Only with the feature `otel`, and only if `OTEL_EXPORTER_OTLP_ENDPOINT` or
//! `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` names a destination.
//!
//! A span lasts from the moment at which a request was seen to the moment at which its answer was
//! seen (`clock`). The traffic is not changed: no context is inserted, and only names and ids are
//! exported.

mod attributes;
mod clock;
mod export;
mod message;
mod open;
mod peers;
#[cfg(test)]
mod tests;

use std::time::Duration;

use mcp_assay::{Checked, Direction, MessageKind, Part};
use opentelemetry::trace::{SpanKind, Tracer as _, TracerProvider as _};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider};

use self::clock::{Clock, Seen};
use self::export::Failures;
use self::message::{Message, header, messages, own_answers};
use self::open::{Key, Open, OpenSpans};
use self::peers::{Peer, Peers};

/// How long the last spans may take to be exported.
const LAST_EXPORT: Duration = Duration::from_secs(5);

/// Spans of live traffic.
pub(crate) struct Spans {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
    propagator: TraceContextPropagator,
    open: OpenSpans,
    clock: Clock,
    peers: Peers,
    failures: Failures,
}

/// A message, and the circumstances under which it was seen.
struct Context<'a, 'm> {
    /// Our own name of the session.
    session: Option<&'a str>,
    direction: Direction,
    seen: Seen,
    peer: Peer,
    checked: &'a Checked<'m>,
}

impl Spans {
    /// Reads the environment; `None` if it names no collector.
    pub(crate) fn from_environment() -> anyhow::Result<Option<Self>> {
        let Some((provider, failures)) = export::provider()? else {
            return Ok(None);
        };
        Ok(Some(Self::new(provider, failures)))
    }

    fn new(provider: SdkTracerProvider, failures: Failures) -> Self {
        Self {
            tracer: provider.tracer("mcp-assay"),
            provider,
            propagator: TraceContextPropagator::new(),
            open: OpenSpans::default(),
            clock: Clock::default(),
            peers: Peers::default(),
            failures,
        }
    }

    /// Sets the servers behind this program: for each the beginning of its paths, and its URL.
    pub(crate) fn set_servers<'u>(&mut self, servers: impl Iterator<Item = (&'u str, String)>) {
        self.peers.set_servers(servers);
    }

    /// Adds a message, or a part of an HTTP exchange, that was checked. It was seen `elapsed` after
    /// the start of the traffic. `answer` is sent in place of it, or to its sender.
    pub(crate) fn message(
        &mut self,
        session: Option<&str>,
        elapsed: Option<Duration>,
        checked: &Checked<'_>,
        answer: Option<&[u8]>,
    ) {
        let Some(direction) = checked.direction() else {
            return;
        };
        let context = Context {
            session,
            direction,
            seen: self.clock.seen(elapsed),
            peer: self.peers.see(session, checked),
            checked,
        };
        self.name_session(checked);
        let is_answer = matches!(checked.kind(), MessageKind::Response | MessageKind::Error);
        // For an answer that was replaced, the one that the client gets counts.
        if !(is_answer && answer.is_some()) {
            for message in messages(checked) {
                self.take(&context, &message);
            }
        }
        if let Some(answer) = answer {
            // It goes the way of the message, or back: whichever way has a request for it.
            own_answers(answer, |id, code| {
                for asked in [direction, direction.reverse()] {
                    let key = Key::new(session, asked, id);
                    if let Some(mut open) = self.open.take(&key) {
                        attributes::violations(&mut open, checked);
                        attributes::failed(&mut open.span, code);
                        // It is sent now.
                        open.end(Seen::now());
                    }
                }
            });
        }
        self.refused(&context);
    }

    /// Ends a session: no more of its requests are answered.
    pub(crate) fn end_session(&mut self, session: Option<&str>) {
        self.open.end_session(session);
        self.peers.forget(session);
    }

    /// Ends everything: exports the remaining spans. Reports failed exports.
    pub(crate) fn finish(mut self) -> Option<String> {
        self.open.end_all();
        let result = self.provider.shutdown_with_timeout(LAST_EXPORT);
        self.failures
            .in_words()
            .or_else(|| Some(format!("spans are missing: {}", result.err()?)))
    }

    fn take(&mut self, context: &Context<'_, '_>, message: &Message<'_>) {
        match message.kind {
            MessageKind::Request | MessageKind::Notification => self.begin(context, message),
            MessageKind::Response | MessageKind::Error => {
                let Some(id) = message.id else { return };
                let key = Key::new(context.session, context.direction.reverse(), id);
                if let Some(mut open) = self.open.take(&key) {
                    attributes::violations(&mut open, context.checked);
                    attributes::answer(&mut open, message);
                    open.end(context.seen);
                }
            }
            MessageKind::Batch | MessageKind::Unreadable | MessageKind::Empty => {}
        }
    }

    fn begin(&mut self, context: &Context<'_, '_>, message: &Message<'_>) {
        let Some(method) = &message.method else {
            return;
        };
        let Context {
            session,
            direction,
            seen,
            checked,
            ..
        } = *context;
        // We are in the place of the server: requests of the client are received, requests of the
        // server are sent.
        let kind = match direction {
            Direction::ClientToServer => SpanKind::Server,
            Direction::ServerToClient => SpanKind::Client,
        };
        let parent = attributes::parent(&self.propagator, message, checked);
        let builder = attributes::begin(method, message, checked, &context.peer);
        let builder = builder.with_kind(kind).with_start_time(seen.at);
        let span = self.tracer.build_with_context(builder, &parent);
        let mut open = Open::new(span, seen, message.is_tool_call());
        attributes::violations(&mut open, checked);
        if message.kind == MessageKind::Notification {
            if method == "notifications/cancelled"
                && let Some(id) = message.cancelled()
                && let Some(mut cancelled) = self.open.take(&Key::new(session, direction, id))
            {
                attributes::ended_as(&mut cancelled.span, "cancelled");
                cancelled.end(seen);
            }
            return open.end(seen);
        }
        if let Some(id) = message.id {
            let exchange = checked.http().and_then(|http| http.exchange);
            self.open
                .insert(Key::new(session, direction, id), open, exchange);
        }
    }

    /// Reads the session from the head of the answer to `initialize`.
    fn name_session(&mut self, checked: &Checked<'_>) {
        if let Some(http) = checked.http()
            && let Part::Response { headers, .. } = http.part
            && let Some(id) = header(headers, "mcp-session-id")
            && let Some(open) = http
                .exchange
                .and_then(|exchange| self.open.of_exchange(exchange))
        {
            attributes::session(&mut open.span, id);
        }
    }

    /// Ends an exchange that HTTP refuses without an answer.
    fn refused(&mut self, context: &Context<'_, '_>) {
        if let Some(http) = context.checked.http()
            && let Part::Response {
                status: status @ 400..,
                ..
            } = http.part
            && let Some(mut open) = http
                .exchange
                .and_then(|exchange| self.open.take_of_exchange(exchange))
        {
            attributes::violations(&mut open, context.checked);
            attributes::ended_as(&mut open.span, &status.to_string());
            open.end(context.seen);
        }
    }
}
