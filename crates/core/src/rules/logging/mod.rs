// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `logging`.

mod deprecated;
mod no_secrets;
mod opt_in;
mod own_stream;
mod per_request_threshold;
mod requests;
mod secrets;
mod threshold;

pub use self::deprecated::RULE as DEPRECATED;
pub use self::no_secrets::RULE as NO_SECRETS;
pub use self::opt_in::RULE as OPT_IN;
pub use self::own_stream::RULE as OWN_STREAM;
pub use self::per_request_threshold::RULE as PER_REQUEST_THRESHOLD;
pub use self::threshold::RULE as THRESHOLD;
use super::Rule;
use super::check::Check;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[(&Rule, &Check)] = &[
    (&DEPRECATED, &deprecated::CHECK),
    (&NO_SECRETS, &no_secrets::CHECK),
    (&OPT_IN, &opt_in::CHECK),
    (&OWN_STREAM, &own_stream::CHECK),
    (&PER_REQUEST_THRESHOLD, &per_request_threshold::CHECK),
    (&THRESHOLD, &threshold::CHECK),
];
