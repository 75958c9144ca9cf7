// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `schema`.

mod embedded_valid;
mod external_ref;

pub use self::embedded_valid::RULE as EMBEDDED_VALID;
pub use self::external_ref::RULE as EXTERNAL_REF;
use super::Rule;
use super::check::Check;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[(&Rule, &Check)] = &[
    (&EMBEDDED_VALID, &embedded_valid::CHECK),
    (&EXTERNAL_REF, &external_ref::CHECK),
];
