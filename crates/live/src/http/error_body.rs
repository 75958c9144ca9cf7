//! Error responses that an adapter writes itself.

use bytes::Bytes;
use mcp_assay::Revision;
use mcp_assay_contract::canonical::CanonicalError;

/// The JSON-RPC error response for a canonical error; `id` is JSON. The refusal of a notification
/// has no id, nor has that of an unread message.
///
/// ```
/// use mcp_assay_contract::canonical::CanonicalError;
///
/// let body = mcp_assay_live::http::error_body(CanonicalError::Timeout, "late", Some(b"1"), None);
/// assert!(body.starts_with(br#"{"jsonrpc":"2.0","id":1,"error":{"code":-32065,"#));
/// ```
#[must_use]
pub fn error_body(
    kind: CanonicalError,
    message: &str,
    id: Option<&[u8]>,
    revision: Option<Revision>,
) -> Bytes {
    let revision = CanonicalError::revision_in_force(revision);
    let error = kind.with_message(message).to_jsonrpc_error(revision);
    error.to_response(id).into()
}
