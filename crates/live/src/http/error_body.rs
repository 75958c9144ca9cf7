//! Error responses that an adapter writes itself.

use bytes::Bytes;
use mcp_assay::Revision;
use mcp_assay::model::Fact;
use mcp_assay_contract::canonical::CanonicalError;

/// A JSON-RPC error response with an HTTP status in its data; `id` is JSON.
///
/// ```
/// use mcp_assay_contract::canonical::CanonicalError;
///
/// let body = mcp_assay_live::http::error_body(504, CanonicalError::Timeout, "late", Some(b"1"), None);
/// assert!(body.starts_with(br#"{"jsonrpc":"2.0","id":1,"error":{"code":-32065,"#));
/// ```
#[must_use]
pub fn error_body(
    status: u16,
    kind: CanonicalError,
    message: &str,
    id: Option<&[u8]>,
    revision: Option<Revision>,
) -> Bytes {
    // A client that names no revision speaks one that does not require it.
    let unnamed = || {
        Revision::ALL
            .into_iter()
            .rfind(|revision| revision.has(Fact::Handshake))
    };
    let revision = revision.or_else(unnamed).unwrap_or(Revision::latest());
    let mut error = kind.with_message(message).to_jsonrpc_error(revision);
    error.data.http_status = status;
    let mut body = br#"{"jsonrpc":"2.0""#.to_vec();
    // The refusal of a notification has no id, nor has that of an unread message.
    if let Some(id) = id {
        body.extend_from_slice(br#","id":"#);
        body.extend_from_slice(id);
    }
    body.extend_from_slice(br#","error":"#);
    body.extend_from_slice(error.to_json().as_bytes());
    body.push(b'}');
    body.into()
}
