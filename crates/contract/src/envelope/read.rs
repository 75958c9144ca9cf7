//! Reads the envelope of another program into our types.

use core::num::NonZeroU32;
use core::time::Duration;

use mcp_assay::syntax::{Kind, Node, ScanLimits, Tape};

use super::meta::MAX_EXACT;
use super::{
    Details, ErrorObject, JsonText, Meta, NonEmpty, ResultEnvelope, SpanId, TraceId, Transport,
};
use crate::canonical::CanonicalError;
use crate::misfit::{Misfit, read_text};
use crate::tool_io::ToolId;

impl ResultEnvelope {
    /// Reads an envelope, and stops at the first fault.
    ///
    /// # Errors
    ///
    /// The place and kind of the fault.
    pub fn read(bytes: &[u8]) -> Result<Self, Misfit> {
        let mut tape = Tape::new();
        let root = root(bytes, &mut tape)?;
        object(root, &["ok", "data", "error", "meta"], &[])?;
        let meta = need(root, "meta")?;
        let (read, status) = read_meta(meta)?;
        let (data, error) = (need(root, "data")?, need(root, "error")?);
        let envelope = match need(root, "ok")?.kind() {
            Kind::True if error.kind() != Kind::Null => {
                return Err(Misfit::at(error, "must be null where `ok` is true"));
            }
            Kind::True => Self::success(JsonText::copied(data), read),
            Kind::False if data.kind() != Kind::Null => {
                return Err(Misfit::at(data, "must be null where `ok` is false"));
            }
            Kind::False => Self::failure(read_error(error)?, read),
            _ => return Err(Misfit::new("/ok", "must be true or false")),
        };
        envelope
            .with_status(status)
            .map_err(|error| Misfit::new("/meta/status", error.to_string()))
    }
}

/// The root of an envelope in which no member of the envelope's own is repeated. Values of others
/// are not restricted.
pub(super) fn root<'t>(bytes: &'t [u8], tape: &'t mut Tape) -> Result<Node<'t>, Misfit> {
    // The value of a whole message still has to fit when it is wrapped.
    let limits = ScanLimits {
        bytes: ScanLimits::DEFAULT.bytes * 4,
        depth: ScanLimits::DEFAULT.depth + 2,
        tokens: ScanLimits::DEFAULT.tokens + 64,
    };
    read_text(bytes, &limits, tape)?;
    let tape = &*tape;
    let root = tape
        .root(bytes)
        .ok_or_else(|| Misfit::new("", "there is no value"))?;
    let details = root.get("error").and_then(|error| error.get("details"));
    let foreign = [root.get("data"), details];
    for &key in tape.repeated_keys() {
        let within = |value: &Node<'_>| (value.index()..value.end()).contains(&key);
        if !foreign.iter().flatten().any(within) {
            let key = tape.node(bytes, key);
            return Err(Misfit::at(key, "the member is there twice"));
        }
    }
    Ok(root)
}

fn read_error(error: Node<'_>) -> Result<ErrorObject, Misfit> {
    object(error, &["code", "message", "details"], &[])?;
    let code = need(error, "code")?;
    let named = text(code).and_then(|name| CanonicalError::named(&name));
    let named = named.ok_or_else(|| Misfit::at(code, "is not the name of a canonical error"))?;
    let message = non_empty(need(error, "message")?)?;
    let details = need(error, "details")?;
    let read = Details::new(JsonText::copied(details))
        .ok_or_else(|| Misfit::at(details, "must be an object, an array or null"))?;
    Ok(ErrorObject::new(named, message).with_details(read))
}

fn read_meta(meta: Node<'_>) -> Result<(Meta, u16), Misfit> {
    const REQUIRED: [&str; 13] = [
        "requestId",
        "traceId",
        "spanId",
        "schemaVersion",
        "deterministic",
        "transport",
        "route",
        "method",
        "durationMs",
        "status",
        "attempt",
        "inputBytes",
        "outputBytes",
    ];
    object(meta, &REQUIRED, &["toolId", "promptId"])?;
    let transport = need(meta, "transport")?;
    let named = Transport::ALL
        .into_iter()
        .find(|known| transport.kind() == Kind::String && transport.is_text(known.name()))
        .ok_or_else(|| Misfit::at(transport, "must be `stdio` or `http`"))?;
    let mut read = Meta::new(non_empty(need(meta, "requestId")?)?, named);
    let id = "must be null or an id in hexadecimal digits of lower case";
    read.trace_id = nullable(need(meta, "traceId")?, id, |id| {
        text(id).and_then(|text| TraceId::parse(&text))
    })?;
    read.span_id = nullable(need(meta, "spanId")?, id, |id| {
        text(id).and_then(|text| SpanId::parse(&text))
    })?;
    read.schema_version = non_empty(need(meta, "schemaVersion")?)?;
    read.deterministic = match need(meta, "deterministic")?.kind() {
        Kind::True => true,
        Kind::False => false,
        _ => return Err(Misfit::new("/meta/deterministic", "must be true or false")),
    };
    let not_empty = "must be null or a string that is not empty";
    read.route = nullable(need(meta, "route")?, not_empty, |route| {
        non_empty(route).ok()
    })?;
    read.method = nullable(need(meta, "method")?, not_empty, |method| {
        non_empty(method).ok()
    })?;
    read.duration = duration(need(meta, "durationMs")?)?;
    read.attempt = integer(need(meta, "attempt")?, 1, u64::from(u32::MAX))
        .map(|attempt| NonZeroU32::new(attempt as u32).unwrap_or(NonZeroU32::MIN))?;
    read.input_bytes = integer(need(meta, "inputBytes")?, 0, MAX_EXACT)?;
    read.output_bytes = integer(need(meta, "outputBytes")?, 0, MAX_EXACT)?;
    if let Some(tool) = meta.get("toolId") {
        let id = text(tool).and_then(|text| text.parse::<ToolId>().ok());
        read.tool_id =
            Some(id.ok_or_else(|| Misfit::at(tool, "must be `mcp.tool:` and the tool's name"))?);
    }
    if let Some(prompt) = meta.get("promptId") {
        read.prompt_id = Some(non_empty(prompt)?);
    }
    let status = integer(need(meta, "status")?, 200, 599)?;
    Ok((read, status as u16))
}

/// An object that has all members of the first list and at most some of the second.
fn object(value: Node<'_>, required: &[&str], optional: &[&str]) -> Result<(), Misfit> {
    if value.kind() != Kind::Object {
        return Err(Misfit::at(value, "must be an object"));
    }
    for (key, _) in value.members() {
        let known = |name: &&&str| key.is_text(name);
        if required.iter().chain(optional).find(known).is_none() {
            return Err(Misfit::at(key, "no such member is allowed here"));
        }
    }
    required
        .iter()
        .try_for_each(|name| need(value, name).map(|_| ()))
}

fn need<'a>(object: Node<'a>, name: &str) -> Result<Node<'a>, Misfit> {
    object
        .get(name)
        .ok_or_else(|| Misfit::at(object, format!("the member `{name}` is missing")))
}

fn text(value: Node<'_>) -> Option<std::borrow::Cow<'_, str>> {
    (value.kind() == Kind::String)
        .then(|| value.text())
        .flatten()
}

fn non_empty(value: Node<'_>) -> Result<NonEmpty, Misfit> {
    text(value)
        .and_then(|text| NonEmpty::new(&*text))
        .ok_or_else(|| Misfit::at(value, "must be a string that is not empty"))
}

fn nullable<'a, T>(
    value: Node<'a>,
    expected: &str,
    read: impl FnOnce(Node<'a>) -> Option<T>,
) -> Result<Option<T>, Misfit> {
    if value.kind() == Kind::Null {
        return Ok(None);
    }
    read(value)
        .map(Some)
        .ok_or_else(|| Misfit::at(value, expected))
}

fn integer(value: Node<'_>, least: u64, most: u64) -> Result<u64, Misfit> {
    value
        .as_i64()
        .and_then(|number| u64::try_from(number).ok())
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(|| Misfit::at(value, format!("must be an integer from {least} to {most}")))
}

fn duration(value: Node<'_>) -> Result<Duration, Misfit> {
    const MOST_AS_DOUBLE: f64 = 9_007_199_254_740_991.0;
    let milliseconds = value.as_f64();
    if !(0.0..=MOST_AS_DOUBLE).contains(&milliseconds) {
        let expected = format!("must be a number from 0 to {MAX_EXACT}");
        return Err(Misfit::at(value, expected));
    }
    // Within the bounds nothing overflows.
    Ok(Duration::try_from_secs_f64(milliseconds / 1000.0).unwrap_or_default())
}
