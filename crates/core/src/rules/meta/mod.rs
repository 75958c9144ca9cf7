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

use super::Rule;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[&Rule] = &[
    &client_info::RULE,
    &key_name::RULE,
    &key_prefix::RULE,
    &reserved_prefix::RULE,
    &reserved_prefix_2025_06_18::RULE,
    &reverse_dns::RULE,
    &server_info::RULE,
    &trace_context::RULE,
];
