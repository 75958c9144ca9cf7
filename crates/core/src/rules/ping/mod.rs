// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `ping`.

mod answered;
mod empty_result;

use super::Rule;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[&Rule] = &[
    &answered::RULE,
    &empty_result::RULE,
];
