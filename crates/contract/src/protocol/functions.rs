//! The functions of the module: [`Protocol`] with its defaults.

use std::cell::RefCell;

use super::fields::{FieldType, Fields};
use super::input::{Answer, Id, Json};
use super::problem::ValidationError;
use super::protocol::Protocol;

thread_local! {
    /// A validator is worth keeping: it has tables of its own.
    static DEFAULT: RefCell<Protocol> = RefCell::new(Protocol::new());
}

/// Calls a validator with its defaults.
pub(crate) fn with_default<T>(ask: impl FnOnce(&mut Protocol) -> T) -> T {
    DEFAULT.with(|protocol| match protocol.try_borrow_mut() {
        Ok(mut protocol) => ask(&mut protocol),
        // The conversion of an argument calls a function of this module.
        Err(_) => ask(&mut Protocol::new()),
    })
}

/// Whether a text is a JSON-RPC 2.0 message whose method exists and takes its params. The rules for
/// content are not checked; [`validate_message`] checks them, too.
///
/// ```
/// use mcp_assay_contract::protocol::{Reason, validate_jsonrpc};
///
/// assert!(validate_jsonrpc(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).is_ok());
///
/// let error = validate_jsonrpc(r#"{"jsonrpc":"1.0","id":null,"method":"ping"}"#).unwrap_err();
/// let reasons: Vec<_> = error.problems().map(|problem| problem.reason).collect();
/// assert_eq!(reasons, [Reason::InvalidJsonrpcVersion, Reason::InvalidId]);
///
/// assert_eq!(validate_jsonrpc(r#"{"jsonrpc":"2.0","id":1}"#).unwrap_err().reason(), Reason::MissingMethod);
/// let error = validate_jsonrpc(r#"{"jsonrpc":"2.0","id":1,"method":"anything"}"#).unwrap_err();
/// assert_eq!(error.to_string(), "unknown_method: method=anything");
/// assert_eq!(validate_jsonrpc("3").unwrap_err().reason(), Reason::NotMap);
/// let error = validate_jsonrpc("[1]").unwrap_err();
/// assert_eq!(error.to_string(), "not_map: index=0, expected=an object, found=a number");
/// assert_eq!(validate_jsonrpc("{").unwrap_err().reason(), Reason::InvalidJson);
/// ```
pub fn validate_jsonrpc<'j>(message: impl Into<Json<'j>>) -> Result<(), ValidationError> {
    with_default(|protocol| protocol.validate_jsonrpc(message))
}

/// Whether a text is a valid message: JSON-RPC, method, params, and the rules for a message that
/// stands alone.
///
/// The type of a lone result is not known; [`validate_response`] takes the method that it answers.
///
/// ```
/// use mcp_assay_contract::protocol::{Reason, validate_message};
///
/// let error = validate_message(r#"{"jsonrpc":"2.0","id":1,"method":"tools/cal"}"#).unwrap_err();
/// assert_eq!(error.to_string(), "unknown_method: method=tools/cal");
/// ```
pub fn validate_message<'j>(message: impl Into<Json<'j>>) -> Result<(), ValidationError> {
    with_default(|protocol| protocol.validate_message(message))
}

/// Whether an array is a valid batch. Problems of a message in it have its index; at most 100 are
/// listed.
///
/// Only 2025-03-26 has batches: where no revision is chosen, a batch belongs to it, as in the
/// program. The messages are checked in the others, too.
///
/// ```
/// use mcp_assay::Revision;
/// use mcp_assay_contract::protocol::{Protocol, Reason, validate_batch};
///
/// let batch = r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"bad"}]"#;
/// let error = validate_batch(batch).unwrap_err();
/// assert_eq!(error.to_string(), "unknown_method: index=1, method=bad");
/// assert_eq!(error.first().index, Some(1));
///
/// let mut without_batches = Protocol::new().revision(Revision::V2025_06_18);
/// let error = without_batches.validate_batch(batch).unwrap_err();
/// assert_eq!(error.reason(), Reason::BatchUnsupported);
/// assert_eq!(validate_batch("{}").unwrap_err().reason(), Reason::NotList);
/// ```
pub fn validate_batch<'j>(batch: impl Into<Json<'j>>) -> Result<(), ValidationError> {
    with_default(|protocol| protocol.validate_batch(batch))
}

/// Whether there is a request of this name, and takes these params.
///
/// ```
/// use mcp_assay_contract::protocol::{Reason, validate_request};
///
/// assert!(validate_request("tools/call", r#"{"name":"add"}"#).is_ok());
/// assert!(validate_request("ping", ()).is_ok());
///
/// let error = validate_request("tools/call", "{}").unwrap_err();
/// assert_eq!(error.to_string(), "missing_required_fields: fields=name, at=/params");
/// assert_eq!(validate_request("tools/call", "[]").unwrap_err().reason(), Reason::InvalidParams);
/// ```
pub fn validate_request<'j>(
    method: &str,
    params: impl Into<Json<'j>>,
) -> Result<(), ValidationError> {
    with_default(|protocol| protocol.validate_request(method, params))
}

/// Whether there is a notification of this name, and takes these params.
///
/// ```
/// use mcp_assay_contract::protocol::{Reason, validate_notification};
///
/// assert!(validate_notification("notifications/progress", r#"{"progressToken":1,"progress":0.5}"#).is_ok());
///
/// let error = validate_notification("notifications/bad", ()).unwrap_err();
/// assert_eq!(error.to_string(), "unknown_notification: method=notifications/bad");
/// let error = validate_notification("notifications/progress", r#"{"progressToken":1,"progress":"half"}"#).unwrap_err();
/// assert_eq!(error.to_string(), "type_mismatch: field=/params/progress, expected=a number, found=a string");
/// ```
pub fn validate_notification<'j>(
    method: &str,
    params: impl Into<Json<'j>>,
) -> Result<(), ValidationError> {
    with_default(|protocol| protocol.validate_notification(method, params))
}

/// Whether an answer is valid: its id, and the result or error.
///
/// ```
/// use mcp_assay_contract::protocol::{Answer, Reason, validate_response};
///
/// let failed = Answer::error(r#"{"code":-32603,"message":"out of paper"}"#);
/// assert!(validate_response("a-1", failed).is_ok());
///
/// let error = validate_response(1, Answer::result("{}").to("prompts/get")).unwrap_err();
/// assert_eq!(error.to_string(), "missing_required_fields: fields=messages, at=/result");
///
/// let error = validate_response(None, Answer::result("{}")).unwrap_err();
/// assert_eq!(error.reason(), Reason::MissingId);
/// ```
pub fn validate_response<'i>(
    id: impl Into<Id<'i>>,
    answer: Answer<'_>,
) -> Result<(), ValidationError> {
    with_default(|protocol| protocol.validate_response(id, answer))
}

/// Whether an error may have this code.
///
/// ```
/// use mcp_assay_contract::protocol::validate_error_code;
///
/// assert!(validate_error_code(-32602).is_ok());
/// assert!(validate_error_code(1001).is_ok());
///
/// let error = validate_error_code(-32500).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "invalid_error_code: code=-32500, problem=the code is reserved by JSON-RPC and has no meaning",
/// );
/// ```
pub fn validate_error_code(code: i64) -> Result<(), ValidationError> {
    with_default(|protocol| protocol.validate_error_code(code))
}

/// Whether there is a request of this name.
///
/// ```
/// use mcp_assay_contract::protocol::validate_method_name;
///
/// assert!(validate_method_name("tools/call").is_ok());
/// assert_eq!(validate_method_name("tools/cal").unwrap_err().to_string(), "unknown_method: method=tools/cal");
/// assert!(validate_method_name("notifications/progress").is_err());
/// ```
pub fn validate_method_name(method: &str) -> Result<(), ValidationError> {
    with_default(|protocol| protocol.validate_method_name(method))
}

/// Whether there is a notification of this name.
///
/// ```
/// use mcp_assay::Revision;
/// use mcp_assay_contract::protocol::{Protocol, validate_notification_name};
///
/// assert!(validate_notification_name("notifications/initialized").is_ok());
///
/// let mut newest = Protocol::new().revision(Revision::V2026_07_28);
/// let error = newest.validate_notification_name("notifications/initialized").unwrap_err();
/// assert_eq!(error.to_string(), "unknown_notification: method=notifications/initialized, exists=until 2025-11-25");
/// ```
pub fn validate_notification_name(method: &str) -> Result<(), ValidationError> {
    with_default(|protocol| protocol.validate_notification_name(method))
}

/// Whether a value is of a type, of one of several, or fits a definition of the protocol. The field's
/// name is only for the problem.
///
/// ```
/// use mcp_assay_contract::protocol::{FieldType, validate_field_type};
///
/// assert!(validate_field_type("age", "42", FieldType::Integer).is_ok());
///
/// let error = validate_field_type("age", r#""42""#, FieldType::Integer).unwrap_err();
/// assert_eq!(error.to_string(), "type_mismatch: field=age, expected=an integer, found=a string");
///
/// let id = &[FieldType::String, FieldType::Integer];
/// assert!(validate_field_type("id", "7", id).is_ok());
/// let error = validate_field_type("id", "null", id).unwrap_err();
/// assert_eq!(error.to_string(), "type_mismatch: field=id, expected=a string or an integer, found=null");
/// assert!(validate_field_type("data", "null", FieldType::Any).is_ok());
///
/// let block = r#"{"type":"text","text":3}"#;
/// let error = validate_field_type("content", block, FieldType::Definition("ContentBlock")).unwrap_err();
/// assert_eq!(error.to_string(), "type_mismatch: field=content/text, expected=a string, found=a number");
/// ```
pub fn validate_field_type<'j, 'f>(
    field: &str,
    value: impl Into<Json<'j>>,
    expected: impl Into<FieldType<'f>>,
) -> Result<(), ValidationError> {
    with_default(|protocol| protocol.validate_field_type(field, value, expected))
}

/// Whether an object has certain members, or those that the protocol requires of a definition.
///
/// ```
/// use mcp_assay_contract::protocol::{Fields, validate_required_fields};
///
/// let tool = r#"{"title":"Adds"}"#;
/// assert!(validate_required_fields(tool, &["title"]).is_ok());
///
/// let error = validate_required_fields(tool, &["name", "title", "version"]).unwrap_err();
/// assert_eq!(error.to_string(), "missing_required_fields: fields=name,version");
///
/// let error = validate_required_fields(tool, Fields::Of("Tool")).unwrap_err();
/// assert_eq!(error.to_string(), "missing_required_fields: fields=name,inputSchema");
/// ```
pub fn validate_required_fields<'j, 'f>(
    object: impl Into<Json<'j>>,
    required: impl Into<Fields<'f>>,
) -> Result<(), ValidationError> {
    with_default(|protocol| protocol.validate_required_fields(object, required))
}

/// Whether a resource can have this URI.
///
/// ```
/// use mcp_assay_contract::protocol::validate_resource_uri;
///
/// assert!(validate_resource_uri("file:///my%20notes.txt").is_ok());
///
/// let error = validate_resource_uri("notes.txt").unwrap_err();
/// assert_eq!(error.to_string(), "invalid_uri: problem=not an absolute URI: it has no scheme");
/// ```
pub fn validate_resource_uri(uri: &str) -> Result<(), ValidationError> {
    with_default(|protocol| protocol.validate_resource_uri(uri))
}

/// Whether a tool can be called with these arguments; also by its `inputSchema`, if that is given.
///
/// The `_meta` of requests is ignored. A schema that would take too long to decide counts as met,
/// as everywhere.
///
/// ```
/// use mcp_assay_contract::protocol::{Reason, validate_tool_call};
///
/// let schema = r#"{"type":"object","properties":{"a":{"type":"number"}},"required":["a"]}"#;
/// assert!(validate_tool_call("add", r#"{"a":1}"#, schema).is_ok());
/// assert!(validate_tool_call("add", r#"{"a":"1"}"#, ()).is_ok());
///
/// let error = validate_tool_call("add", r#"{"a":"1"}"#, schema).unwrap_err();
/// assert_eq!(error.to_string(), "invalid_arguments: field=/params/arguments/a, keyword=type");
/// let error = validate_tool_call("add", (), schema).unwrap_err();
/// assert_eq!(error.to_string(), "invalid_arguments: field=/params/arguments, keyword=required, missing=a");
/// let error = validate_tool_call("add", "[1]", schema).unwrap_err();
/// assert_eq!(error.to_string(), "invalid_arguments: field=/params/arguments, expected=an object, found=an array");
/// let error = validate_tool_call("", "{}", schema).unwrap_err();
/// assert_eq!(error.reason(), Reason::InvalidToolName);
/// ```
#[cfg(feature = "json-schema")]
pub fn validate_tool_call<'a, 's>(
    name: &str,
    arguments: impl Into<Json<'a>>,
    input_schema: impl Into<Json<'s>>,
) -> Result<(), ValidationError> {
    with_default(|protocol| protocol.validate_tool_call(name, arguments, input_schema))
}

/// A validation error in one line: reason and details of each problem.
///
/// ```
/// use mcp_assay_contract::protocol::{format_validation_error, validate_method_name};
///
/// let error = validate_method_name("bad").unwrap_err();
/// assert_eq!(format_validation_error(&error), "unknown_method: method=bad");
/// ```
#[must_use]
pub fn format_validation_error(error: &ValidationError) -> String {
    error.to_string()
}
