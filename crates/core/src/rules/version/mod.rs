// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `version`.

mod discover_probe_first;
mod known_revision;
mod negotiated_respected;
mod no_fallback_on_modern_error;
mod unsupported_error;
mod unsupported_error_consistent;

pub use self::discover_probe_first::RULE as DISCOVER_PROBE_FIRST;
pub use self::known_revision::RULE as KNOWN_REVISION;
pub use self::negotiated_respected::RULE as NEGOTIATED_RESPECTED;
pub use self::no_fallback_on_modern_error::RULE as NO_FALLBACK_ON_MODERN_ERROR;
pub use self::unsupported_error::RULE as UNSUPPORTED_ERROR;
pub use self::unsupported_error_consistent::RULE as UNSUPPORTED_ERROR_CONSISTENT;
use super::Rule;
use super::check::Check;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[(&Rule, &Check)] = &[
    (&DISCOVER_PROBE_FIRST, &discover_probe_first::CHECK),
    (&KNOWN_REVISION, &known_revision::CHECK),
    (&NEGOTIATED_RESPECTED, &negotiated_respected::CHECK),
    (&NO_FALLBACK_ON_MODERN_ERROR, &no_fallback_on_modern_error::CHECK),
    (&UNSUPPORTED_ERROR, &unsupported_error::CHECK),
    (&UNSUPPORTED_ERROR_CONSISTENT, &unsupported_error_consistent::CHECK),
];
