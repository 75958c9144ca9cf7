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

pub use self::declared::RULE as DECLARED;
pub use self::durable::RULE as DURABLE;
pub use self::empty_ack::RULE as EMPTY_ACK;
pub use self::failed_is_jsonrpc::RULE as FAILED_IS_JSONRPC;
pub use self::input_key_unique::RULE as INPUT_KEY_UNIQUE;
pub use self::legacy_gone::RULE as LEGACY_GONE;
pub use self::mcp_name_header::RULE as MCP_NAME_HEADER;
pub use self::no_progress_or_log::RULE as NO_PROGRESS_OR_LOG;
pub use self::not_cancelled_notification::RULE as NOT_CANCELLED_NOTIFICATION;
pub use self::result_type::RULE as RESULT_TYPE;
pub use self::status_payload::RULE as STATUS_PAYLOAD;
pub use self::terminal_final::RULE as TERMINAL_FINAL;
pub use self::tools_call_only::RULE as TOOLS_CALL_ONLY;
pub use self::update_outstanding_keys::RULE as UPDATE_OUTSTANDING_KEYS;
use super::Rule;
use super::check::Check;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[(&Rule, &Check)] = &[
    (&DECLARED, &declared::CHECK),
    (&DURABLE, &durable::CHECK),
    (&EMPTY_ACK, &empty_ack::CHECK),
    (&FAILED_IS_JSONRPC, &failed_is_jsonrpc::CHECK),
    (&INPUT_KEY_UNIQUE, &input_key_unique::CHECK),
    (&LEGACY_GONE, &legacy_gone::CHECK),
    (&MCP_NAME_HEADER, &mcp_name_header::CHECK),
    (&NO_PROGRESS_OR_LOG, &no_progress_or_log::CHECK),
    (&NOT_CANCELLED_NOTIFICATION, &not_cancelled_notification::CHECK),
    (&RESULT_TYPE, &result_type::CHECK),
    (&STATUS_PAYLOAD, &status_payload::CHECK),
    (&TERMINAL_FINAL, &terminal_final::CHECK),
    (&TOOLS_CALL_ONLY, &tools_call_only::CHECK),
    (&UPDATE_OUTSTANDING_KEYS, &update_outstanding_keys::CHECK),
];
