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

pub use self::initialize_first::RULE as INITIALIZE_FIRST;
pub use self::initialize_not_batched::RULE as INITIALIZE_NOT_BATCHED;
pub use self::initialize_once::RULE as INITIALIZE_ONCE;
pub use self::initialized_after_result::RULE as INITIALIZED_AFTER_RESULT;
pub use self::initialized_sent::RULE as INITIALIZED_SENT;
pub use self::no_operation_after_failed_initialize::RULE as NO_OPERATION_AFTER_FAILED_INITIALIZE;
pub use self::no_operation_before_initialized::RULE as NO_OPERATION_BEFORE_INITIALIZED;
pub use self::server_waits_for_initialized::RULE as SERVER_WAITS_FOR_INITIALIZED;
pub use self::wait_for_initialize_result::RULE as WAIT_FOR_INITIALIZE_RESULT;
use super::Rule;
use super::check::Check;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[(&Rule, &Check)] = &[
    (&INITIALIZE_FIRST, &initialize_first::CHECK),
    (&INITIALIZE_NOT_BATCHED, &initialize_not_batched::CHECK),
    (&INITIALIZE_ONCE, &initialize_once::CHECK),
    (&INITIALIZED_AFTER_RESULT, &initialized_after_result::CHECK),
    (&INITIALIZED_SENT, &initialized_sent::CHECK),
    (&NO_OPERATION_AFTER_FAILED_INITIALIZE, &no_operation_after_failed_initialize::CHECK),
    (&NO_OPERATION_BEFORE_INITIALIZED, &no_operation_before_initialized::CHECK),
    (&SERVER_WAITS_FOR_INITIALIZED, &server_waits_for_initialized::CHECK),
    (&WAIT_FOR_INITIALIZE_RESULT, &wait_for_initialize_result::CHECK),
];
