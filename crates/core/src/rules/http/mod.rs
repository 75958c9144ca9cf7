// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `http`.

mod accept_both;
mod base64_form;
mod base64_when_needed;
mod get_accept;
mod get_no_responses;
mod get_sse_or_405;
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

use super::Rule;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[&Rule] = &[
    &accept_both::RULE,
    &base64_form::RULE,
    &base64_when_needed::RULE,
    &get_accept::RULE,
    &get_no_responses::RULE,
    &get_sse_or_405::RULE,
    &json_body_single::RULE,
    &lost_stream_new_request::RULE,
    &mcp_method::RULE,
    &mcp_method_matches_body::RULE,
    &mcp_name::RULE,
    &mcp_name_matches_body::RULE,
    &mcp_param::RULE,
    &mcp_param_matches_body::RULE,
    &mcp_param_omitted::RULE,
    &missing_capability_400::RULE,
    &missing_meta_400::RULE,
    &no_session_id::RULE,
    &notification_202::RULE,
    &notification_refused_4xx::RULE,
    &param_formatting::RULE,
    &post_per_message::RULE,
    &refusal_body_no_id::RULE,
    &request_content_type::RULE,
    &response_content_type::RULE,
    &session_404_restart::RULE,
    &session_delete::RULE,
    &session_id_ascii::RULE,
    &session_id_at_initialize::RULE,
    &session_id_secure::RULE,
    &session_id_sent::RULE,
    &sse_deprecated::RULE,
    &sse_endpoint_event::RULE,
    &sse_ends_after_response::RULE,
    &sse_event_id_unique::RULE,
    &sse_event_name::RULE,
    &sse_message_events::RULE,
    &sse_no_buffering_header::RULE,
    &sse_not_closed_early::RULE,
    &sse_one_stream_per_message::RULE,
    &sse_post_to_endpoint::RULE,
    &sse_priming_event::RULE,
    &sse_related_only::RULE,
    &sse_response_arrives::RULE,
    &sse_resume_by_get::RULE,
    &sse_retry_before_close::RULE,
    &sse_retry_respected::RULE,
    &unknown_method_404::RULE,
    &unsupported_version_400::RULE,
    &version_header::RULE,
    &version_header_matches_body::RULE,
    &version_header_negotiated::RULE,
    &version_header_sent::RULE,
];
