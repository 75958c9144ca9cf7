// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `auth`.


use super::Rule;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[&Rule] = &[
];
