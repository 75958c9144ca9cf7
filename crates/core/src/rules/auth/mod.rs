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

pub use self::bearer_header::RULE as BEARER_HEADER;
pub use self::challenge_scope::RULE as CHALLENGE_SCOPE;
pub use self::every_request::RULE as EVERY_REQUEST;
pub use self::insufficient_scope::RULE as INSUFFICIENT_SCOPE;
pub use self::no_offline_access::RULE as NO_OFFLINE_ACCESS;
pub use self::no_query_token::RULE as NO_QUERY_TOKEN;
pub use self::not_on_stdio::RULE as NOT_ON_STDIO;
pub use self::status_401::RULE as STATUS_401;
pub use self::status_codes::RULE as STATUS_CODES;
pub use self::www_authenticate::RULE as WWW_AUTHENTICATE;
use super::Rule;
use super::check::Check;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[(&Rule, &Check)] = &[
    (&BEARER_HEADER, &bearer_header::CHECK),
    (&CHALLENGE_SCOPE, &challenge_scope::CHECK),
    (&EVERY_REQUEST, &every_request::CHECK),
    (&INSUFFICIENT_SCOPE, &insufficient_scope::CHECK),
    (&NO_OFFLINE_ACCESS, &no_offline_access::CHECK),
    (&NO_QUERY_TOKEN, &no_query_token::CHECK),
    (&NOT_ON_STDIO, &not_on_stdio::CHECK),
    (&STATUS_401, &status_401::CHECK),
    (&STATUS_CODES, &status_codes::CHECK),
    (&WWW_AUTHENTICATE, &www_authenticate::CHECK),
];
