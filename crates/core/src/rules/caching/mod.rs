// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `caching`.

mod no_hints_on_interim;
mod not_a_poll_timer;
mod scope_same_on_pages;

use super::Rule;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[&Rule] = &[
    &no_hints_on_interim::RULE,
    &not_a_poll_timer::RULE,
    &scope_same_on_pages::RULE,
];
