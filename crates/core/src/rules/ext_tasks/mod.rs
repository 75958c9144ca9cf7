// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `ext-tasks`.

mod declared;
mod durable;
mod empty_ack;
mod failed_is_jsonrpc;
mod input_key_unique;
mod legacy_gone;
mod mcp_name_header;
mod no_progress_or_log;
mod not_cancelled_notification;
mod result_type;
mod results;
mod states;
mod status_payload;
mod terminal_final;
mod tools_call_only;
mod update_outstanding_keys;

use super::Rule;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[&Rule] = &[
    &declared::RULE,
    &durable::RULE,
    &empty_ack::RULE,
    &failed_is_jsonrpc::RULE,
    &input_key_unique::RULE,
    &legacy_gone::RULE,
    &mcp_name_header::RULE,
    &no_progress_or_log::RULE,
    &not_cancelled_notification::RULE,
    &result_type::RULE,
    &status_payload::RULE,
    &terminal_final::RULE,
    &tools_call_only::RULE,
    &update_outstanding_keys::RULE,
];
