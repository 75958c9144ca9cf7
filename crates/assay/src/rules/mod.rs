//! The rules: what can be violated, and the page that explains each.
//!
//! Inline rules are raised by the stages that read a message (scanner, envelope, shape); their statics live here so that
//! `rules` and `explain` know them.

mod framing;
mod json;
mod jsonrpc;
mod request;
mod rule;
mod schema;
mod session;

pub use self::rule::{Parties, Rule};

/// The inline rules by the names the stages use.
pub(crate) mod inline {
    pub(crate) use super::framing::{NEWLINE_DELIMITED, UTF8};
    pub(crate) use super::json::{
        DEPTH_LIMIT, FINITE_NUMBERS, INTEGER_PRECISION, NO_BOM, PAIRED_SURROGATES, SIZE_LIMIT,
        TOKEN_LIMIT, TOP_LEVEL_OBJECT, UNIQUE_KEYS, VIOLATION_LIMIT, WELL_FORMED,
    };
    pub(crate) use super::jsonrpc::{
        BATCH_NOT_EMPTY, BATCH_ONE_KIND, BATCH_UNDEFINED, ERROR_CODE_INTEGER, ERROR_ID_NOT_NULL,
        ERROR_ID_REQUIRED, ERROR_MESSAGE_STRING, ERROR_OBJECT, ID_NOT_FRACTIONAL, ID_TYPE,
        KNOWN_KIND, METHOD_STRING, NO_BATCH, NOT_TWO_KINDS, NOTIFICATION_NO_ID, PARAMS_OBJECT,
        REQUEST_HAS_ID, REQUEST_ID_NOT_NULL, RESULT_HAS_ID, RESULT_OBJECT, RESULT_XOR_ERROR,
        VERSION_MEMBER,
    };
    pub(crate) use super::request::{METHOD_DIRECTION, NOTIFICATION_DIRECTION};
    pub(crate) use super::schema::{
        MISSING_MEMBER, NO_NULL_OPTIONAL, OUT_OF_RANGE, OVERRIDE, UNKNOWN_METHOD, UNKNOWN_VALUE,
        UNKNOWN_VARIANT, WRONG_TYPE,
    };
    pub(crate) use super::session::OPEN_REQUESTS_LIMIT;
}

/// All rules, by layer and name.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    [
        framing::ALL,
        json::ALL,
        jsonrpc::ALL,
        request::ALL,
        schema::ALL,
        session::ALL,
    ]
    .into_iter()
    .flatten()
    .copied()
}

/// Finds a rule by its name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Rule> {
    all().find(|rule| rule.name == name)
}
