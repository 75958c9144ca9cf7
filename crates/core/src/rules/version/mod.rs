// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `version`.

mod discover_probe_first;
mod known_revision;
mod negotiated_respected;
mod no_fallback_on_modern_error;
mod unsupported_error;
mod unsupported_error_consistent;

use super::Rule;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[&Rule] = &[
    &discover_probe_first::RULE,
    &known_revision::RULE,
    &negotiated_respected::RULE,
    &no_fallback_on_modern_error::RULE,
    &unsupported_error::RULE,
    &unsupported_error_consistent::RULE,
];
