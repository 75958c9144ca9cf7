// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `jsonrpc`.

mod batch_answer_per_request;
mod error_code_legacy_range;
mod error_code_mcp_range;
mod error_code_meaning;
mod error_code_reserved;
mod error_code_retired;
mod error_id_omitted_only_if_unreadable;

use super::Rule;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[&Rule] = &[
    &batch_answer_per_request::RULE,
    &error_code_legacy_range::RULE,
    &error_code_mcp_range::RULE,
    &error_code_meaning::RULE,
    &error_code_reserved::RULE,
    &error_code_retired::RULE,
    &error_id_omitted_only_if_unreadable::RULE,
];
