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

use super::Rule;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[&Rule] = &[
    &empty_result::RULE,
    &every_request::RULE,
    &exactly_one::RULE,
    &id_known::RULE,
    &id_type_preserved::RULE,
    &no_client_responses::RULE,
    &none_for_notification::RULE,
    &result_type_known::RULE,
    &result_type_present::RULE,
];
