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

pub use self::cancel_final_reply::RULE as CANCEL_FINAL_REPLY;
pub use self::cancel_shows_cancelled::RULE as CANCEL_SHOWS_CANCELLED;
pub use self::capability_cancel::RULE as CAPABILITY_CANCEL;
pub use self::capability_client_requests::RULE as CAPABILITY_CLIENT_REQUESTS;
pub use self::capability_list::RULE as CAPABILITY_LIST;
pub use self::capability_tools_call::RULE as CAPABILITY_TOOLS_CALL;
pub use self::create_result::RULE as CREATE_RESULT;
pub use self::finished::RULE as FINISHED;
pub use self::id_unguessable::RULE as ID_UNGUESSABLE;
pub use self::id_unique::RULE as ID_UNIQUE;
pub use self::no_related_task_where_redundant::RULE as NO_RELATED_TASK_WHERE_REDUNDANT;
pub use self::poll_interval::RULE as POLL_INTERVAL;
pub use self::related_task::RULE as RELATED_TASK;
pub use self::result_exact::RULE as RESULT_EXACT;
pub use self::result_related_task::RULE as RESULT_RELATED_TASK;
pub use self::starts_working::RULE as STARTS_WORKING;
pub use self::terminal_final::RULE as TERMINAL_FINAL;
pub use self::timestamps::RULE as TIMESTAMPS;
pub use self::tool_error_failed::RULE as TOOL_ERROR_FAILED;
pub use self::tool_forbidden::RULE as TOOL_FORBIDDEN;
pub use self::tool_required::RULE as TOOL_REQUIRED;
pub use self::undeclared_ignored::RULE as UNDECLARED_IGNORED;
use super::Rule;
use super::check::Check;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[(&Rule, &Check)] = &[
    (&CANCEL_FINAL_REPLY, &cancel_final_reply::CHECK),
    (&CANCEL_SHOWS_CANCELLED, &cancel_shows_cancelled::CHECK),
    (&CAPABILITY_CANCEL, &capability_cancel::CHECK),
    (&CAPABILITY_CLIENT_REQUESTS, &capability_client_requests::CHECK),
    (&CAPABILITY_LIST, &capability_list::CHECK),
    (&CAPABILITY_TOOLS_CALL, &capability_tools_call::CHECK),
    (&CREATE_RESULT, &create_result::CHECK),
    (&FINISHED, &finished::CHECK),
    (&ID_UNGUESSABLE, &id_unguessable::CHECK),
    (&ID_UNIQUE, &id_unique::CHECK),
    (&NO_RELATED_TASK_WHERE_REDUNDANT, &no_related_task_where_redundant::CHECK),
    (&POLL_INTERVAL, &poll_interval::CHECK),
    (&RELATED_TASK, &related_task::CHECK),
    (&RESULT_EXACT, &result_exact::CHECK),
    (&RESULT_RELATED_TASK, &result_related_task::CHECK),
    (&STARTS_WORKING, &starts_working::CHECK),
    (&TERMINAL_FINAL, &terminal_final::CHECK),
    (&TIMESTAMPS, &timestamps::CHECK),
    (&TOOL_ERROR_FAILED, &tool_error_failed::CHECK),
    (&TOOL_FORBIDDEN, &tool_forbidden::CHECK),
    (&TOOL_REQUIRED, &tool_required::CHECK),
    (&UNDECLARED_IGNORED, &undeclared_ignored::CHECK),
];
