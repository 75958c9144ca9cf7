//! The facts about an exchange besides its result.

use core::fmt::Write as _;
use core::num::NonZeroU32;
use core::time::Duration;

use mcp_assay::syntax::{write_number, write_text};

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
        out.push_str("{\"requestId\":");
        write_text(self.request_id.as_str(), out);
        out.push_str(",\"traceId\":");
        quoted(self.trace_id, TraceId::write, out);
        out.push_str(",\"spanId\":");
        quoted(self.span_id, SpanId::write, out);
        out.push_str(",\"schemaVersion\":");
        write_text(self.schema_version.as_str(), out);
        out.push_str(",\"deterministic\":");
        out.push_str(if self.deterministic { "true" } else { "false" });
        out.push_str(match self.transport {
            Transport::Stdio => ",\"transport\":\"stdio\",\"route\":",
            Transport::Http => ",\"transport\":\"http\",\"route\":",
        });
        nullable(self.route.as_ref(), out);
        out.push_str(",\"method\":");
        nullable(self.method.as_ref(), out);
        out.push_str(",\"durationMs\":");
        write_milliseconds(self.duration, out);
        for (key, value) in [
            (",\"status\":", u64::from(status)),
            (",\"attempt\":", u64::from(self.attempt.get())),
            (",\"inputBytes\":", self.input_bytes.min(MAX_EXACT)),
            (",\"outputBytes\":", self.output_bytes.min(MAX_EXACT)),
        ] {
            out.push_str(key);
            write_number(value, out);
        }
        if let Some(tool) = &self.tool_id {
            out.push_str(",\"toolId\":");
            write_text(&tool.to_string(), out);
        }
        if let Some(prompt) = &self.prompt_id {
            out.push_str(",\"promptId\":");
            write_text(prompt.as_str(), out);
        }
        out.push('}');
    }
}

fn nullable(text: Option<&NonEmpty>, out: &mut String) {
    match text {
        None => out.push_str("null"),
        Some(text) => write_text(text.as_str(), out),
    }
}

/// An id in quotes: its digits need no escapes.
fn quoted<T>(value: Option<T>, write: impl Fn(&T, &mut String), out: &mut String) {
    match value {
        None => out.push_str("null"),
        Some(value) => {
            out.push('"');
            write(&value, out);
            out.push('"');
        }
    }
}

/// Milliseconds with as many decimals as are needed, exactly.
fn write_milliseconds(duration: Duration, out: &mut String) {
    let nanoseconds = duration.as_nanos();
    let whole = u64::try_from(nanoseconds / 1_000_000).unwrap_or(MAX_EXACT);
    if whole >= MAX_EXACT {
        return write_number(MAX_EXACT, out);
    }
    write_number(whole, out);
    let rest = nanoseconds % 1_000_000;
    if rest > 0 {
        // Writing to a string cannot fail.
        let _ = write!(out, ".{rest:06}");
        out.truncate(out.trim_end_matches('0').len());
    }
}
