// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `logging`.

mod deprecated;
mod no_secrets;
mod opt_in;
mod own_stream;
mod per_request_threshold;
mod requests;
mod secrets;
mod threshold;

use super::Rule;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[&Rule] = &[
    &deprecated::RULE,
    &no_secrets::RULE,
    &opt_in::RULE,
    &own_stream::RULE,
    &per_request_threshold::RULE,
    &threshold::RULE,
];
