// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `request`.

mod id_unique_in_flight;
mod id_unique_in_session;

pub use self::id_unique_in_flight::RULE as ID_UNIQUE_IN_FLIGHT;
pub use self::id_unique_in_session::RULE as ID_UNIQUE_IN_SESSION;
use super::Rule;
use super::check::Check;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[(&Rule, &Check)] = &[
    (&ID_UNIQUE_IN_FLIGHT, &id_unique_in_flight::CHECK),
    (&ID_UNIQUE_IN_SESSION, &id_unique_in_session::CHECK),
];
