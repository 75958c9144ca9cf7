// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `response`.

mod empty_result;
mod every_request;
mod exactly_one;
mod id_known;
mod id_type_preserved;
mod no_client_responses;
mod none_for_notification;
mod result_type_known;
mod result_type_present;
mod stray;

pub use self::empty_result::RULE as EMPTY_RESULT;
pub use self::every_request::RULE as EVERY_REQUEST;
pub use self::exactly_one::RULE as EXACTLY_ONE;
pub use self::id_known::RULE as ID_KNOWN;
pub use self::id_type_preserved::RULE as ID_TYPE_PRESERVED;
pub use self::no_client_responses::RULE as NO_CLIENT_RESPONSES;
pub use self::none_for_notification::RULE as NONE_FOR_NOTIFICATION;
pub use self::result_type_known::RULE as RESULT_TYPE_KNOWN;
pub use self::result_type_present::RULE as RESULT_TYPE_PRESENT;
use super::Rule;
use super::check::Check;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[(&Rule, &Check)] = &[
    (&EMPTY_RESULT, &empty_result::CHECK),
    (&EVERY_REQUEST, &every_request::CHECK),
    (&EXACTLY_ONE, &exactly_one::CHECK),
    (&ID_KNOWN, &id_known::CHECK),
    (&ID_TYPE_PRESERVED, &id_type_preserved::CHECK),
    (&NO_CLIENT_RESPONSES, &no_client_responses::CHECK),
    (&NONE_FOR_NOTIFICATION, &none_for_notification::CHECK),
    (&RESULT_TYPE_KNOWN, &result_type_known::CHECK),
    (&RESULT_TYPE_PRESENT, &result_type_present::CHECK),
];
