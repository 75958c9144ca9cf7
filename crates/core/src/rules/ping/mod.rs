// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `ping`.

mod answered;
mod empty_result;

pub use self::answered::RULE as ANSWERED;
pub use self::empty_result::RULE as EMPTY_RESULT;
use super::Rule;
use super::check::Check;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[(&Rule, &Check)] = &[
    (&ANSWERED, &answered::CHECK),
    (&EMPTY_RESULT, &empty_result::CHECK),
];
