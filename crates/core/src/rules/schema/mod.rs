// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `schema`.

mod embedded_valid;
mod external_ref;

use super::Rule;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[&Rule] = &[
    &embedded_valid::RULE,
    &external_ref::RULE,
];
