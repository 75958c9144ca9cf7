//! The heads of HTTP requests and responses, as far as a source tells them.

use std::borrow::Cow;

use mcp_assay::Revision;

/// The head of a request.
#[derive(Clone, Debug, Default)]
pub struct RequestHead<'a> {
    /// `POST`, `GET` or another.
    pub method: Option<Cow<'a, str>>,
    /// The path with its query.
    pub path: Option<Cow<'a, str>>,
    /// The headers.
    pub headers: Headers<'a>,
}

/// The head of a response.
#[derive(Clone, Debug, Default)]
pub struct ResponseHead<'a> {
    /// The status code.
    pub status: Option<u16>,
    /// The text behind it.
    pub reason: Option<Cow<'a, str>>,
    /// The headers.
    pub headers: Headers<'a>,
    /// The response goes on in further records.
    pub streamed: bool,
}

/// Headers in the order of the wire.
#[derive(Clone, Debug, Default)]
pub struct Headers<'a>(pub Vec<(Cow<'a, str>, Cow<'a, str>)>);

impl RequestHead<'_> {
    /// Whether the body is meant to be a message: one that is sent to the endpoint is even if it
    /// does not say so.
    pub fn carries_message(&self, body: &[u8]) -> bool {
        let labelled = self.headers.media_type().is_none_or(is_json);
        !body.trim_ascii().is_empty() && (labelled || names_json_rpc(body))
    }

    /// The same without anything borrowed.
    pub fn into_owned(self) -> RequestHead<'static> {
        RequestHead {
            method: owned(self.method),
            path: owned(self.path),
            headers: self.headers.into_owned(),
        }
    }
}

impl ResponseHead<'_> {
    /// Whether the body is meant to be a message. A refusal may have a JSON body of another kind,
    /// from authorisation for one.
    pub fn carries_message(&self, body: &[u8]) -> bool {
        let refused = self.status.is_some_and(|status| status >= 400);
        self.headers.media_type().is_some_and(is_json)
            && !body.trim_ascii().is_empty()
            && (!refused || names_json_rpc(body))
    }

    /// The same without anything borrowed.
    pub fn into_owned(self) -> ResponseHead<'static> {
        ResponseHead {
            status: self.status,
            reason: owned(self.reason),
            headers: self.headers.into_owned(),
            streamed: self.streamed,
        }
    }
}

impl Headers<'_> {
    /// The value of the last header of this name, whatever its case.
    pub fn get(&self, name: &str) -> Option<&str> {
        let named = |(key, _): &&(Cow<'_, str>, Cow<'_, str>)| key.eq_ignore_ascii_case(name);
        self.0.iter().rfind(named).map(|(_, value)| &**value)
    }

    /// The value of `content-type` without its parameters.
    pub fn media_type(&self) -> Option<&str> {
        self.get("content-type").map(essence)
    }

    /// The revision in `mcp-protocol-version`.
    pub fn revision(&self) -> Option<Revision> {
        Revision::from_bytes(self.get("mcp-protocol-version")?.trim().as_bytes())
    }

    fn into_owned(self) -> Headers<'static> {
        let pairs = self.0.into_iter();
        Headers(
            pairs
                .map(|(name, value)| {
                    (
                        Cow::Owned(name.into_owned()),
                        Cow::Owned(value.into_owned()),
                    )
                })
                .collect(),
        )
    }
}

/// A media type without its parameters.
pub(crate) fn essence(media_type: &str) -> &str {
    media_type.split(';').next().unwrap_or_default().trim()
}

/// Whether a media type is that of a stream of events.
pub(crate) fn is_event_stream(media_type: &str) -> bool {
    essence(media_type).eq_ignore_ascii_case("text/event-stream")
}

fn names_json_rpc(body: &[u8]) -> bool {
    memchr::memmem::find(body, b"\"jsonrpc\"").is_some()
}

/// Whether a media type without parameters is that of JSON.
pub(crate) fn is_json(essence: &str) -> bool {
    essence.eq_ignore_ascii_case("application/json")
}

fn owned(text: Option<Cow<'_, str>>) -> Option<Cow<'static, str>> {
    text.map(|text| Cow::Owned(text.into_owned()))
}
