// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `response`.

mod id_known;

use super::Rule;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[&Rule] = &[
    &id_known::RULE,
];
