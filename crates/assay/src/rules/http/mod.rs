// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `http`.

mod accept_both;
mod get_accept;
mod get_no_responses;
mod get_sse_or_405;
mod json_body_single;
mod lost_stream_new_request;
mod media;
mod missing_capability_400;
mod missing_meta_400;
mod notification_202;
mod notification_refused_4xx;
mod post_per_message;
mod refusal_body_no_id;
mod request_content_type;
mod response_content_type;
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

use super::Rule;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[&Rule] = &[
    &accept_both::RULE,
    &get_accept::RULE,
    &get_no_responses::RULE,
    &get_sse_or_405::RULE,
    &json_body_single::RULE,
    &lost_stream_new_request::RULE,
    &missing_capability_400::RULE,
    &missing_meta_400::RULE,
    &notification_202::RULE,
    &notification_refused_4xx::RULE,
    &post_per_message::RULE,
    &refusal_body_no_id::RULE,
    &request_content_type::RULE,
    &response_content_type::RULE,
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
];
