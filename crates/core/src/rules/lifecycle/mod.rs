// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `lifecycle`.

mod initialize_first;
mod initialize_not_batched;
mod initialize_once;
mod initialized_after_result;
mod initialized_sent;
mod no_operation_after_failed_initialize;
mod no_operation_before_initialized;
mod server_waits_for_initialized;
mod wait_for_initialize_result;

use super::Rule;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[&Rule] = &[
    &initialize_first::RULE,
    &initialize_not_batched::RULE,
    &initialize_once::RULE,
    &initialized_after_result::RULE,
    &initialized_sent::RULE,
    &no_operation_after_failed_initialize::RULE,
    &no_operation_before_initialized::RULE,
    &server_waits_for_initialized::RULE,
    &wait_for_initialize_result::RULE,
];
