// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `meta`.

mod client_info;
mod key;
mod key_name;
mod key_prefix;
mod keys;
mod reserved_prefix;
mod reserved_prefix_2025_06_18;
mod reverse_dns;
mod server_info;
mod trace;
mod trace_context;

pub use self::client_info::RULE as CLIENT_INFO;
pub use self::key_name::RULE as KEY_NAME;
pub use self::key_prefix::RULE as KEY_PREFIX;
pub use self::reserved_prefix::RULE as RESERVED_PREFIX;
pub use self::reserved_prefix_2025_06_18::RULE as RESERVED_PREFIX_2025_06_18;
pub use self::reverse_dns::RULE as REVERSE_DNS;
pub use self::server_info::RULE as SERVER_INFO;
pub use self::trace_context::RULE as TRACE_CONTEXT;
use super::Rule;
use super::check::Check;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[(&Rule, &Check)] = &[
    (&CLIENT_INFO, &client_info::CHECK),
    (&KEY_NAME, &key_name::CHECK),
    (&KEY_PREFIX, &key_prefix::CHECK),
    (&RESERVED_PREFIX, &reserved_prefix::CHECK),
    (&RESERVED_PREFIX_2025_06_18, &reserved_prefix_2025_06_18::CHECK),
    (&REVERSE_DNS, &reverse_dns::CHECK),
    (&SERVER_INFO, &server_info::CHECK),
    (&TRACE_CONTEXT, &trace_context::CHECK),
];
