//! The result of an exchange as an envelope.

use std::time::Duration;

use mcp_assay::{Carrier, Checked, Level, Revision, SchemaPlace, Violation};
use mcp_assay_contract::canonical::CanonicalError;
use mcp_assay_contract::envelope::{
    Details, ErrorObject, JsonText, Meta, NonEmpty, ResultEnvelope, Transport,
};

use super::exchanges::Open;
use super::name::quoted;

/// A violation, as a log keeps it.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    rule: &'static str,
    level: Level,
    pointer: String,
    schema: Option<SchemaPlace>,
    /// Its canonical error.
    pub(super) canonical: CanonicalError,
}

impl Fault {
    pub(super) fn new(checked: &Checked<'_>, violation: &Violation) -> Self {
        Self {
            rule: violation.rule.name,
            level: checked.level(violation),
            pointer: checked.pointer(violation),
            schema: checked.schema(violation),
            canonical: CanonicalError::of_violation(checked, violation),
        }
    }

    pub(super) fn to_json(&self) -> String {
        let (rule, level, pointer) = (self.rule, self.level.name(), quoted(&self.pointer));
        let schema = self.schema.as_ref().map_or_else(String::new, |place| {
            let (document, pointer) = (quoted(&place.document), quoted(&place.pointer));
            let keyword = place.keyword;
            format!(
                r#","schema":{{"document":{document},"pointer":{pointer},"keyword":"{keyword}"}}"#
            )
        });
        format!(r#"{{"rule":"{rule}","level":"{level}","pointer":{pointer}{schema}}}"#)
    }
}

/// The end of an exchange.
pub(super) enum Answer {
    /// With a result; the text is `null` where bodies are not kept.
    Result(JsonText),
    /// With an error of JSON-RPC, and its code if it has one.
    Error(Option<i64>),
    /// With a refusal of HTTP alone.
    Refused(u16),
    /// Without an answer, for this reason.
    Nothing(&'static str),
}

impl Answer {
    /// The canonical error that it is, whatever else is wrong with the exchange; none if it is a
    /// result.
    pub(super) fn error(&self, revision: Option<Revision>) -> Option<CanonicalError> {
        match self {
            Self::Result(_) => None,
            Self::Error(code) => Some(code.map_or(CanonicalError::InternalError, |code| {
                CanonicalError::of_code(code, revision.unwrap_or_else(Revision::latest))
            })),
            Self::Refused(status) => Some(
                CanonicalError::of_http_status(*status).unwrap_or(CanonicalError::InternalError),
            ),
            Self::Nothing(_) => Some(CanonicalError::Timeout),
        }
    }
}

/// The response besides the answer itself.
#[derive(Default)]
pub(super) struct Back {
    pub(super) status: Option<u16>,
    pub(super) bytes: usize,
    pub(super) time: Option<Duration>,
    /// The errors of the answer.
    pub(super) faults: Vec<Fault>,
}

/// The envelope of an exchange. A fault of the request comes before one of the answer, and both
/// before the content of the answer.
pub(super) fn envelope(open: &Open, answer: Answer, back: &Back, derived: bool) -> ResultEnvelope {
    let meta = meta(open, back, derived);
    let fault = open.faults.first().map(|fault| (fault, &open.faults));
    let fault = fault.or_else(|| back.faults.first().map(|fault| (fault, &back.faults)));
    let envelope = if let Some((first, faults)) = fault {
        let rules: Vec<_> = faults.iter().map(Fault::to_json).collect();
        let message = format!("violates {}", first.rule);
        let details = format!(r#"{{"rules":[{}]}}"#, rules.join(","));
        failure(first.canonical, &message, &details, meta)
    } else {
        let error = answer.error(open.revision);
        let error = error.unwrap_or(CanonicalError::InternalError);
        match answer {
            Answer::Result(data) => ResultEnvelope::success(data, meta),
            Answer::Error(code) => {
                let code = code.map_or("null".to_owned(), |code| code.to_string());
                let message = format!("answered with the error {code}");
                failure(error, &message, &format!(r#"{{"code":{code}}}"#), meta)
            }
            Answer::Refused(status) => {
                let message = format!("answered with HTTP status {status}");
                let details = format!(r#"{{"httpStatus":{status}}}"#);
                failure(error, &message, &details, meta)
            }
            Answer::Nothing(reason) => {
                let text = NonEmpty::new("no answer came");
                let error = text.map_or(error.into(), |text| ErrorObject::new(error, text));
                let error = error.with_details(Details::text("reason", reason));
                ResultEnvelope::failure(error, meta)
            }
        }
    };
    match back.status {
        // A status that contradicts the outcome is replaced by the canonical one.
        Some(status) => envelope.clone().with_status(status).unwrap_or(envelope),
        None => envelope,
    }
}

fn failure(code: CanonicalError, message: &str, details: &str, meta: Meta) -> ResultEnvelope {
    let error = match NonEmpty::new(message) {
        Some(message) => ErrorObject::new(code, message),
        None => ErrorObject::from(code),
    };
    let details = JsonText::parse(details.as_bytes())
        .ok()
        .and_then(Details::new);
    ResultEnvelope::failure(error.with_details(details.unwrap_or_default()), meta)
}

fn meta(open: &Open, back: &Back, derived: bool) -> Meta {
    // Lines that are messages most likely were lines of a stream; the envelope has no word for an
    // unknown transport.
    let transport = match open.carrier {
        Carrier::Http => Transport::Http,
        _ => Transport::Stdio,
    };
    let mut meta = Meta::new(open.ids.request.clone(), transport);
    meta.trace_id = Some(open.ids.trace);
    meta.span_id = Some(open.ids.span);
    meta.deterministic = derived;
    meta.route = open.route.as_deref().and_then(NonEmpty::new);
    meta.method = open.method.as_deref().and_then(NonEmpty::new);
    meta.duration = match (open.time, back.time) {
        // Captures store times as fractions of seconds, which are no more exact than this.
        (Some(sent), Some(answered)) => {
            let nanos = answered.saturating_sub(sent).as_nanos();
            Duration::from_micros(u64::try_from((nanos + 500) / 1000).unwrap_or(u64::MAX))
        }
        _ => Duration::ZERO,
    };
    meta.attempt = open.attempt;
    meta.input_bytes = open.bytes as u64;
    meta.output_bytes = back.bytes as u64;
    meta.tool_id.clone_from(&open.tool);
    meta.prompt_id.clone_from(&open.prompt);
    meta
}
