// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `tasks`.

mod cancel_final_reply;
mod cancel_shows_cancelled;
mod capability_cancel;
mod capability_client_requests;
mod capability_list;
mod capability_tools_call;
mod create_result;
mod declared;
mod finished;
mod id_unguessable;
mod id_unique;
mod no_related_task_where_redundant;
mod payload;
mod poll_interval;
mod related_task;
mod result_exact;
mod result_related_task;
mod starts_working;
mod terminal_final;
mod timestamps;
mod tool_error_failed;
mod tool_forbidden;
mod tool_required;
mod undeclared_ignored;

use super::Rule;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[&Rule] = &[
    &cancel_final_reply::RULE,
    &cancel_shows_cancelled::RULE,
    &capability_cancel::RULE,
    &capability_client_requests::RULE,
    &capability_list::RULE,
    &capability_tools_call::RULE,
    &create_result::RULE,
    &finished::RULE,
    &id_unguessable::RULE,
    &id_unique::RULE,
    &no_related_task_where_redundant::RULE,
    &poll_interval::RULE,
    &related_task::RULE,
    &result_exact::RULE,
    &result_related_task::RULE,
    &starts_working::RULE,
    &terminal_final::RULE,
    &timestamps::RULE,
    &tool_error_failed::RULE,
    &tool_forbidden::RULE,
    &tool_required::RULE,
    &undeclared_ignored::RULE,
];
