//! The facts about an exchange besides its result.

use core::num::NonZeroU32;
use core::time::Duration;

use mcp_assay::syntax::write_text;

use super::{NonEmpty, SpanId, TraceId};
use crate::tool_io::ToolId;

/// The version of this contract, as `schemaVersion` names it.
pub const SCHEMA_VERSION: &str = "1.0";

/// Every integer up to here has a double of its own: larger ones do not survive all readers of
/// JSON.
pub(super) const MAX_EXACT: u64 = (1 << 53) - 1;

/// The facts about an exchange besides its result. The module's page has a table of the members.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Meta {
    /// A unique name of the exchange, which all attempts share.
    pub request_id: NonEmpty,
    /// The trace that it belongs to.
    pub trace_id: Option<TraceId>,
    /// Its span.
    pub span_id: Option<SpanId>,
    /// The version of this contract.
    pub schema_version: NonEmpty,
    /// Whether ids were derived from the input and not drawn at random.
    pub deterministic: bool,
    /// The carrier.
    pub transport: Transport,
    /// The destination.
    pub route: Option<NonEmpty>,
    /// The method that was called.
    pub method: Option<NonEmpty>,
    /// The time from request to answer. Larger values are written as 2^53 - 1 milliseconds.
    pub duration: Duration,
    /// The attempt of the exchange, from one.
    pub attempt: NonZeroU32,
    /// Bytes of the request. Larger values are written as 2^53 - 1.
    pub input_bytes: u64,
    /// Bytes of the answer. Larger values are written as 2^53 - 1.
    pub output_bytes: u64,
    /// The tool that was called.
    pub tool_id: Option<ToolId>,
    /// The prompt that was asked for.
    pub prompt_id: Option<NonEmpty>,
}

/// The carrier of an exchange.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Transport {
    /// Lines on standard input and output.
    Stdio,
    /// Streamable HTTP, or its predecessor.
    Http,
}

impl Transport {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Stdio, Self::Http];

    /// The name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stdio => "stdio",
            Self::Http => "http",
        }
    }
}

impl Meta {
    /// The first attempt of a request of which nothing else is known.
    #[must_use]
    pub fn new(request_id: NonEmpty, transport: Transport) -> Self {
        Self {
            request_id,
            trace_id: None,
            span_id: None,
            schema_version: NonEmpty::known(SCHEMA_VERSION),
            deterministic: false,
            transport,
            route: None,
            method: None,
            duration: Duration::ZERO,
            attempt: NonZeroU32::MIN,
            input_bytes: 0,
            output_bytes: 0,
            tool_id: None,
            prompt_id: None,
        }
    }

    /// Appends it as JSON; the status belongs to the result.
    pub(super) fn write(&self, status: u16, out: &mut String) {
        out.push('{');
        member("requestId", Some(self.request_id.as_str()), out);
        let trace = self.trace_id.map(|id| id.to_string());
        member("traceId", trace.as_deref(), out);
        let span = self.span_id.map(|id| id.to_string());
        member("spanId", span.as_deref(), out);
        member("schemaVersion", Some(self.schema_version.as_str()), out);
        let deterministic = if self.deterministic { "true" } else { "false" };
        plain("deterministic", deterministic, out);
        member("transport", Some(self.transport.name()), out);
        member("route", self.route.as_ref().map(NonEmpty::as_str), out);
        member("method", self.method.as_ref().map(NonEmpty::as_str), out);
        plain("durationMs", &milliseconds(self.duration), out);
        plain("status", &status.to_string(), out);
        plain("attempt", &self.attempt.to_string(), out);
        plain(
            "inputBytes",
            &self.input_bytes.min(MAX_EXACT).to_string(),
            out,
        );
        plain(
            "outputBytes",
            &self.output_bytes.min(MAX_EXACT).to_string(),
            out,
        );
        if let Some(tool) = &self.tool_id {
            member("toolId", Some(&tool.to_string()), out);
        }
        if let Some(prompt) = &self.prompt_id {
            member("promptId", Some(prompt.as_str()), out);
        }
        out.push('}');
    }
}

fn member(name: &str, text: Option<&str>, out: &mut String) {
    match text {
        None => plain(name, "null", out),
        Some(text) => {
            plain(name, "", out);
            write_text(text, out);
        }
    }
}

fn plain(name: &str, value: &str, out: &mut String) {
    if !out.ends_with('{') {
        out.push(',');
    }
    write_text(name, out);
    out.push(':');
    out.push_str(value);
}

/// Milliseconds with as many decimals as are needed, exactly.
fn milliseconds(duration: Duration) -> String {
    let nanoseconds = duration.as_nanos();
    let whole = nanoseconds / 1_000_000;
    if whole >= u128::from(MAX_EXACT) {
        return MAX_EXACT.to_string();
    }
    match nanoseconds % 1_000_000 {
        0 => whole.to_string(),
        rest => format!("{whole}.{rest:06}")
            .trim_end_matches('0')
            .to_owned(),
    }
}
