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

pub use self::input_capability::RULE as INPUT_CAPABILITY;
pub use self::input_key_unique::RULE as INPUT_KEY_UNIQUE;
pub use self::input_no_envelope::RULE as INPUT_NO_ENVELOPE;
pub use self::inputs_or_state::RULE as INPUTS_OR_STATE;
pub use self::marked::RULE as MARKED;
pub use self::response_keys_known::RULE as RESPONSE_KEYS_KNOWN;
pub use self::response_type::RULE as RESPONSE_TYPE;
pub use self::retry_answers_all::RULE as RETRY_ANSWERS_ALL;
pub use self::retry_new_id::RULE as RETRY_NEW_ID;
pub use self::retry_same_request::RULE as RETRY_SAME_REQUEST;
pub use self::state_echoed::RULE as STATE_ECHOED;
pub use self::state_not_invented::RULE as STATE_NOT_INVENTED;
pub use self::state_not_shared::RULE as STATE_NOT_SHARED;
pub use self::supported_methods::RULE as SUPPORTED_METHODS;
use super::Rule;
use super::check::Check;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[(&Rule, &Check)] = &[
    (&INPUT_CAPABILITY, &input_capability::CHECK),
    (&INPUT_KEY_UNIQUE, &input_key_unique::CHECK),
    (&INPUT_NO_ENVELOPE, &input_no_envelope::CHECK),
    (&INPUTS_OR_STATE, &inputs_or_state::CHECK),
    (&MARKED, &marked::CHECK),
    (&RESPONSE_KEYS_KNOWN, &response_keys_known::CHECK),
    (&RESPONSE_TYPE, &response_type::CHECK),
    (&RETRY_ANSWERS_ALL, &retry_answers_all::CHECK),
    (&RETRY_NEW_ID, &retry_new_id::CHECK),
    (&RETRY_SAME_REQUEST, &retry_same_request::CHECK),
    (&STATE_ECHOED, &state_echoed::CHECK),
    (&STATE_NOT_INVENTED, &state_not_invented::CHECK),
    (&STATE_NOT_SHARED, &state_not_shared::CHECK),
    (&SUPPORTED_METHODS, &supported_methods::CHECK),
];
