// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `mrtr`.

mod input_capability;
mod input_key_unique;
mod input_no_envelope;
mod inputs_or_state;
mod marked;
mod response_keys_known;
mod response_type;
mod results;
mod retries;
mod retry_answers_all;
mod retry_new_id;
mod retry_same_request;
mod state_echoed;
mod state_not_invented;
mod state_not_shared;
mod supported_methods;

use super::Rule;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[&Rule] = &[
    &input_capability::RULE,
    &input_key_unique::RULE,
    &input_no_envelope::RULE,
    &inputs_or_state::RULE,
    &marked::RULE,
    &response_keys_known::RULE,
    &response_type::RULE,
    &retry_answers_all::RULE,
    &retry_new_id::RULE,
    &retry_same_request::RULE,
    &state_echoed::RULE,
    &state_not_invented::RULE,
    &state_not_shared::RULE,
    &supported_methods::RULE,
];
