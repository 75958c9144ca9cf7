//! OpenTelemetry spans of live traffic, one for each exchange, with the names of the semantic conventions for MCP. Only with the
//! feature `otel`, and only if `OTEL_EXPORTER_OTLP_ENDPOINT` or `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` says where to.
//!
//! Nothing of the traffic is changed: no context is put into it, and what it holds beside names and ids is not exported.

mod attributes;
mod export;
mod message;
mod open;
#[cfg(test)]
mod tests;

use std::time::Duration;

use mcp_assay::{Checked, Direction, MessageKind, Part};
use opentelemetry::trace::{SpanKind, TracerProvider as _};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider};

use self::export::Failures;
use self::message::{Message, header, messages, own_answers};
use self::open::{Key, Open, OpenSpans};

/// How long the last spans may take to be exported.
const LAST_EXPORT: Duration = Duration::from_secs(5);

/// Spans of live traffic.
pub(crate) struct Spans {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
    propagator: TraceContextPropagator,
    open: OpenSpans,
    failures: Failures,
}

impl Spans {
    /// As the environment says; `None` if it names no collector.
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
            failures,
        }
    }

    /// A message, or a part of an HTTP exchange, was judged. `answer` is what is said in place of it, or to its sender.
    pub(crate) fn message(
        &mut self,
        session: Option<&str>,
        checked: &Checked<'_>,
        answer: Option<&[u8]>,
    ) {
        let Some(direction) = checked.direction() else {
            return;
        };
        self.name_session(checked);
        let is_answer = matches!(checked.kind(), MessageKind::Response | MessageKind::Error);
        // Of an answer that was replaced, what counts is what the client gets.
        if !(is_answer && answer.is_some()) {
            for message in messages(checked) {
                self.take(session, direction, &message, checked);
            }
        }
        if let Some(answer) = answer {
            // It goes the way of the message, or back: whichever way there is a request for it.
            own_answers(answer, |id, code| {
                for asked in [direction, direction.reverse()] {
                    let key = Key::new(session, asked, id);
                    if let Some(mut open) = self.open.take(&key) {
                        attributes::violations(&mut open, checked);
                        attributes::failed(&mut open.span, code);
                        open.end();
                    }
                }
            });
        }
        self.refused(checked);
    }

    /// A session is over: nothing more of it is answered.
    pub(crate) fn end_session(&mut self, session: Option<&str>) {
        self.open.end_session(session);
    }

    /// All is over: exports what is left. Says what could not be exported.
    pub(crate) fn finish(mut self) -> Option<String> {
        self.open.end_all();
        let result = self.provider.shutdown_with_timeout(LAST_EXPORT);
        self.failures
            .in_words()
            .or_else(|| Some(format!("spans are missing: {}", result.err()?)))
    }

    fn take(
        &mut self,
        session: Option<&str>,
        direction: Direction,
        message: &Message<'_>,
        checked: &Checked<'_>,
    ) {
        match message.kind {
            MessageKind::Request | MessageKind::Notification => {
                self.begin(session, direction, message, checked);
            }
            MessageKind::Response | MessageKind::Error => {
                let Some(id) = message.id else { return };
                let key = Key::new(session, direction.reverse(), id);
                if let Some(mut open) = self.open.take(&key) {
                    attributes::violations(&mut open, checked);
                    attributes::answer(&mut open, message);
                    open.end();
                }
            }
            MessageKind::Batch | MessageKind::Unreadable | MessageKind::Empty => {}
        }
    }

    fn begin(
        &mut self,
        session: Option<&str>,
        direction: Direction,
        message: &Message<'_>,
        checked: &Checked<'_>,
    ) {
        let Some(method) = &message.method else {
            return;
        };
        // We stand where the server stands: what the client asks is received, what the server asks is sent.
        let kind = match direction {
            Direction::ClientToServer => SpanKind::Server,
            Direction::ServerToClient => SpanKind::Client,
        };
        let parent = attributes::parent(&self.propagator, message, checked);
        let span = attributes::begin(&self.tracer, kind, method, message, checked, &parent);
        let mut open = Open::new(span, message.is_tool_call());
        attributes::violations(&mut open, checked);
        if message.kind == MessageKind::Notification {
            if method == "notifications/cancelled"
                && let Some(id) = message.cancelled()
                && let Some(mut cancelled) = self.open.take(&Key::new(session, direction, id))
            {
                attributes::ended_as(&mut cancelled.span, "cancelled");
                cancelled.end();
            }
            return open.end();
        }
        if let Some(id) = message.id {
            let exchange = checked.http().and_then(|http| http.exchange);
            self.open
                .insert(Key::new(session, direction, id), open, exchange);
        }
    }

    /// The answer to `initialize` names the session, in its head.
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

    /// HTTP refuses an exchange, and says no more.
    fn refused(&mut self, checked: &Checked<'_>) {
        if let Some(http) = checked.http()
            && let Part::Response {
                status: status @ 400..,
                ..
            } = http.part
            && let Some(mut open) = http
                .exchange
                .and_then(|exchange| self.open.take_of_exchange(exchange))
        {
            attributes::violations(&mut open, checked);
            attributes::ended_as(&mut open.span, &status.to_string());
            open.end();
        }
    }
}
