// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `auth`.

mod bearer_header;
mod challenge;
mod challenge_scope;
mod every_request;
mod insufficient_scope;
mod no_offline_access;
mod no_query_token;
mod not_on_stdio;
mod query;
mod status_401;
mod status_codes;
mod www_authenticate;

use super::Rule;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[&Rule] = &[
    &bearer_header::RULE,
    &challenge_scope::RULE,
    &every_request::RULE,
    &insufficient_scope::RULE,
    &no_offline_access::RULE,
    &no_query_token::RULE,
    &not_on_stdio::RULE,
    &status_401::RULE,
    &status_codes::RULE,
    &www_authenticate::RULE,
];
