// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `http`.

mod accept_both;
mod base64_form;
mod base64_when_needed;
mod get_accept;
mod get_no_responses;
mod get_sse_or_405;
mod header_mismatch_reply;
mod json_body_single;
mod lost_stream_new_request;
mod mcp_method;
mod mcp_method_matches_body;
mod mcp_name;
mod mcp_name_matches_body;
mod mcp_param;
mod mcp_param_matches_body;
mod mcp_param_omitted;
mod media;
mod missing_capability_400;
mod missing_meta_400;
mod no_session_id;
mod notification_202;
mod notification_refused_4xx;
mod param_formatting;
mod post_per_message;
mod refusal_body_no_id;
mod request_content_type;
mod response_content_type;
mod session_404_restart;
mod session_delete;
mod session_id_ascii;
mod session_id_at_initialize;
mod session_id_secure;
mod session_id_sent;
mod sse_deprecated;
mod sse_endpoint_event;
mod sse_ends_after_response;
mod sse_event_id_unique;
mod sse_event_name;
mod sse_message_events;
mod sse_no_buffering_header;
mod sse_not_closed_early;
mod sse_one_stream_per_message;
mod sse_post_to_endpoint;
mod sse_priming_event;
mod sse_related_only;
mod sse_response_arrives;
mod sse_resume_by_get;
mod sse_retry_before_close;
mod sse_retry_respected;
mod status;
mod unknown_method_404;
mod unsupported_version_400;
mod version_header;
mod version_header_matches_body;
mod version_header_negotiated;
mod version_header_sent;

pub use self::accept_both::RULE as ACCEPT_BOTH;
pub use self::base64_form::RULE as BASE64_FORM;
pub use self::base64_when_needed::RULE as BASE64_WHEN_NEEDED;
pub use self::get_accept::RULE as GET_ACCEPT;
pub use self::get_no_responses::RULE as GET_NO_RESPONSES;
pub use self::get_sse_or_405::RULE as GET_SSE_OR_405;
pub use self::header_mismatch_reply::RULE as HEADER_MISMATCH_REPLY;
pub use self::json_body_single::RULE as JSON_BODY_SINGLE;
pub use self::lost_stream_new_request::RULE as LOST_STREAM_NEW_REQUEST;
pub use self::mcp_method::RULE as MCP_METHOD;
pub use self::mcp_method_matches_body::RULE as MCP_METHOD_MATCHES_BODY;
pub use self::mcp_name::RULE as MCP_NAME;
pub use self::mcp_name_matches_body::RULE as MCP_NAME_MATCHES_BODY;
pub use self::mcp_param::RULE as MCP_PARAM;
pub use self::mcp_param_matches_body::RULE as MCP_PARAM_MATCHES_BODY;
pub use self::mcp_param_omitted::RULE as MCP_PARAM_OMITTED;
pub use self::missing_capability_400::RULE as MISSING_CAPABILITY_400;
pub use self::missing_meta_400::RULE as MISSING_META_400;
pub use self::no_session_id::RULE as NO_SESSION_ID;
pub use self::notification_202::RULE as NOTIFICATION_202;
pub use self::notification_refused_4xx::RULE as NOTIFICATION_REFUSED_4XX;
pub use self::param_formatting::RULE as PARAM_FORMATTING;
pub use self::post_per_message::RULE as POST_PER_MESSAGE;
pub use self::refusal_body_no_id::RULE as REFUSAL_BODY_NO_ID;
pub use self::request_content_type::RULE as REQUEST_CONTENT_TYPE;
pub use self::response_content_type::RULE as RESPONSE_CONTENT_TYPE;
pub use self::session_404_restart::RULE as SESSION_404_RESTART;
pub use self::session_delete::RULE as SESSION_DELETE;
pub use self::session_id_ascii::RULE as SESSION_ID_ASCII;
pub use self::session_id_at_initialize::RULE as SESSION_ID_AT_INITIALIZE;
pub use self::session_id_secure::RULE as SESSION_ID_SECURE;
pub use self::session_id_sent::RULE as SESSION_ID_SENT;
pub use self::sse_deprecated::RULE as SSE_DEPRECATED;
pub use self::sse_endpoint_event::RULE as SSE_ENDPOINT_EVENT;
pub use self::sse_ends_after_response::RULE as SSE_ENDS_AFTER_RESPONSE;
pub use self::sse_event_id_unique::RULE as SSE_EVENT_ID_UNIQUE;
pub use self::sse_event_name::RULE as SSE_EVENT_NAME;
pub use self::sse_message_events::RULE as SSE_MESSAGE_EVENTS;
pub use self::sse_no_buffering_header::RULE as SSE_NO_BUFFERING_HEADER;
pub use self::sse_not_closed_early::RULE as SSE_NOT_CLOSED_EARLY;
pub use self::sse_one_stream_per_message::RULE as SSE_ONE_STREAM_PER_MESSAGE;
pub use self::sse_post_to_endpoint::RULE as SSE_POST_TO_ENDPOINT;
pub use self::sse_priming_event::RULE as SSE_PRIMING_EVENT;
pub use self::sse_related_only::RULE as SSE_RELATED_ONLY;
pub use self::sse_response_arrives::RULE as SSE_RESPONSE_ARRIVES;
pub use self::sse_resume_by_get::RULE as SSE_RESUME_BY_GET;
pub use self::sse_retry_before_close::RULE as SSE_RETRY_BEFORE_CLOSE;
pub use self::sse_retry_respected::RULE as SSE_RETRY_RESPECTED;
pub use self::unknown_method_404::RULE as UNKNOWN_METHOD_404;
pub use self::unsupported_version_400::RULE as UNSUPPORTED_VERSION_400;
pub use self::version_header::RULE as VERSION_HEADER;
pub use self::version_header_matches_body::RULE as VERSION_HEADER_MATCHES_BODY;
pub use self::version_header_negotiated::RULE as VERSION_HEADER_NEGOTIATED;
pub use self::version_header_sent::RULE as VERSION_HEADER_SENT;
use super::Rule;
use super::check::Check;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[(&Rule, &Check)] = &[
    (&ACCEPT_BOTH, &accept_both::CHECK),
    (&BASE64_FORM, &base64_form::CHECK),
    (&BASE64_WHEN_NEEDED, &base64_when_needed::CHECK),
    (&GET_ACCEPT, &get_accept::CHECK),
    (&GET_NO_RESPONSES, &get_no_responses::CHECK),
    (&GET_SSE_OR_405, &get_sse_or_405::CHECK),
    (&HEADER_MISMATCH_REPLY, &header_mismatch_reply::CHECK),
    (&JSON_BODY_SINGLE, &json_body_single::CHECK),
    (&LOST_STREAM_NEW_REQUEST, &lost_stream_new_request::CHECK),
    (&MCP_METHOD, &mcp_method::CHECK),
    (&MCP_METHOD_MATCHES_BODY, &mcp_method_matches_body::CHECK),
    (&MCP_NAME, &mcp_name::CHECK),
    (&MCP_NAME_MATCHES_BODY, &mcp_name_matches_body::CHECK),
    (&MCP_PARAM, &mcp_param::CHECK),
    (&MCP_PARAM_MATCHES_BODY, &mcp_param_matches_body::CHECK),
    (&MCP_PARAM_OMITTED, &mcp_param_omitted::CHECK),
    (&MISSING_CAPABILITY_400, &missing_capability_400::CHECK),
    (&MISSING_META_400, &missing_meta_400::CHECK),
    (&NO_SESSION_ID, &no_session_id::CHECK),
    (&NOTIFICATION_202, &notification_202::CHECK),
    (&NOTIFICATION_REFUSED_4XX, &notification_refused_4xx::CHECK),
    (&PARAM_FORMATTING, &param_formatting::CHECK),
    (&POST_PER_MESSAGE, &post_per_message::CHECK),
    (&REFUSAL_BODY_NO_ID, &refusal_body_no_id::CHECK),
    (&REQUEST_CONTENT_TYPE, &request_content_type::CHECK),
    (&RESPONSE_CONTENT_TYPE, &response_content_type::CHECK),
    (&SESSION_404_RESTART, &session_404_restart::CHECK),
    (&SESSION_DELETE, &session_delete::CHECK),
    (&SESSION_ID_ASCII, &session_id_ascii::CHECK),
    (&SESSION_ID_AT_INITIALIZE, &session_id_at_initialize::CHECK),
    (&SESSION_ID_SECURE, &session_id_secure::CHECK),
    (&SESSION_ID_SENT, &session_id_sent::CHECK),
    (&SSE_DEPRECATED, &sse_deprecated::CHECK),
    (&SSE_ENDPOINT_EVENT, &sse_endpoint_event::CHECK),
    (&SSE_ENDS_AFTER_RESPONSE, &sse_ends_after_response::CHECK),
    (&SSE_EVENT_ID_UNIQUE, &sse_event_id_unique::CHECK),
    (&SSE_EVENT_NAME, &sse_event_name::CHECK),
    (&SSE_MESSAGE_EVENTS, &sse_message_events::CHECK),
    (&SSE_NO_BUFFERING_HEADER, &sse_no_buffering_header::CHECK),
    (&SSE_NOT_CLOSED_EARLY, &sse_not_closed_early::CHECK),
    (&SSE_ONE_STREAM_PER_MESSAGE, &sse_one_stream_per_message::CHECK),
    (&SSE_POST_TO_ENDPOINT, &sse_post_to_endpoint::CHECK),
    (&SSE_PRIMING_EVENT, &sse_priming_event::CHECK),
    (&SSE_RELATED_ONLY, &sse_related_only::CHECK),
    (&SSE_RESPONSE_ARRIVES, &sse_response_arrives::CHECK),
    (&SSE_RESUME_BY_GET, &sse_resume_by_get::CHECK),
    (&SSE_RETRY_BEFORE_CLOSE, &sse_retry_before_close::CHECK),
    (&SSE_RETRY_RESPECTED, &sse_retry_respected::CHECK),
    (&UNKNOWN_METHOD_404, &unknown_method_404::CHECK),
    (&UNSUPPORTED_VERSION_400, &unsupported_version_400::CHECK),
    (&VERSION_HEADER, &version_header::CHECK),
    (&VERSION_HEADER_MATCHES_BODY, &version_header_matches_body::CHECK),
    (&VERSION_HEADER_NEGOTIATED, &version_header_negotiated::CHECK),
    (&VERSION_HEADER_SENT, &version_header_sent::CHECK),
];
