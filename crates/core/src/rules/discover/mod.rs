// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `discover`.

mod lists_served_version;

use super::Rule;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[&Rule] = &[
    &lists_served_version::RULE,
];
