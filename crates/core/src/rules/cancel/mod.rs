// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `cancel`.

mod http_no_notification;
mod in_flight;
mod no_response_after;
mod not_for_tasks;
mod not_initialize;
mod notice;
mod own_request;
mod request_id_present;
mod server_only_listen;
mod silence_after;

use super::Rule;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[&Rule] = &[
    &http_no_notification::RULE,
    &in_flight::RULE,
    &no_response_after::RULE,
    &not_for_tasks::RULE,
    &not_initialize::RULE,
    &own_request::RULE,
    &request_id_present::RULE,
    &server_only_listen::RULE,
    &silence_after::RULE,
];
