//! Rules that the stages raise while they read a message (scanner, envelope, shape, framing). They
//! have no check of their own.

mod framing;
mod json;
mod jsonrpc;
mod request;
mod schema;
mod session;

pub use self::framing::{
    FINAL_NEWLINE, NEWLINE_DELIMITED, NO_EMBEDDED_NEWLINE, NO_HEADER_FRAMING, STDIN_MESSAGES_ONLY,
    STDOUT_MESSAGES_ONLY, UTF8,
};
pub use self::json::{
    DEPTH_LIMIT, FINITE_NUMBERS, INTEGER_PRECISION, NO_BOM, PAIRED_SURROGATES, SIZE_LIMIT,
    TOKEN_LIMIT, TOP_LEVEL_OBJECT, UNIQUE_KEYS, VIOLATION_LIMIT, WELL_FORMED,
};
pub use self::jsonrpc::{
    BATCH_NOT_EMPTY, BATCH_ONE_KIND, BATCH_UNDEFINED, ERROR_CODE_INTEGER, ERROR_ID_NOT_NULL,
    ERROR_ID_REQUIRED, ERROR_MESSAGE_STRING, ERROR_OBJECT, ID_NOT_FRACTIONAL, ID_TYPE, KNOWN_KIND,
    METHOD_STRING, NO_BATCH, NOT_TWO_KINDS, NOTIFICATION_NO_ID, PARAMS_OBJECT, REQUEST_HAS_ID,
    REQUEST_ID_NOT_NULL, RESULT_HAS_ID, RESULT_OBJECT, RESULT_XOR_ERROR, VERSION_MEMBER,
};
pub use self::request::{METHOD_DIRECTION, NOTIFICATION_DIRECTION};
pub use self::schema::{
    MISSING_MEMBER, NO_NULL_OPTIONAL, OUT_OF_RANGE, OVERRIDE, UNKNOWN_METHOD, UNKNOWN_VALUE,
    UNKNOWN_VARIANT, WRONG_TYPE,
};
pub use self::session::{MEMORY_LIMIT, OPEN_REQUESTS_LIMIT};
use crate::catalogue::Rule;

/// All of them, by family and name.
pub(crate) static ALL: &[&[&Rule]] = &[
    framing::ALL,
    json::ALL,
    jsonrpc::ALL,
    request::ALL,
    schema::ALL,
    session::ALL,
];
