// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `discover`.

mod lists_served_version;

pub use self::lists_served_version::RULE as LISTS_SERVED_VERSION;
use super::Rule;
use super::check::Check;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[(&Rule, &Check)] = &[
    (&LISTS_SERVED_VERSION, &lists_served_version::CHECK),
];
