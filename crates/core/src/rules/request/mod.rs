// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `request`.

mod id_unique_in_flight;
mod id_unique_in_session;

use super::Rule;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[&Rule] = &[
    &id_unique_in_flight::RULE,
    &id_unique_in_session::RULE,
];
