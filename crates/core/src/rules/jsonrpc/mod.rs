// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `jsonrpc`.

mod batch_answer_per_request;
mod error_code_legacy_range;
mod error_code_mcp_range;
mod error_code_meaning;
mod error_code_reserved;
mod error_code_retired;
mod error_id_omitted_only_if_unreadable;

pub use self::batch_answer_per_request::RULE as BATCH_ANSWER_PER_REQUEST;
pub use self::error_code_legacy_range::RULE as ERROR_CODE_LEGACY_RANGE;
pub use self::error_code_mcp_range::RULE as ERROR_CODE_MCP_RANGE;
pub use self::error_code_meaning::RULE as ERROR_CODE_MEANING;
pub use self::error_code_reserved::RULE as ERROR_CODE_RESERVED;
pub use self::error_code_retired::RULE as ERROR_CODE_RETIRED;
pub use self::error_id_omitted_only_if_unreadable::RULE as ERROR_ID_OMITTED_ONLY_IF_UNREADABLE;
use super::Rule;
use super::check::Check;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[(&Rule, &Check)] = &[
    (&BATCH_ANSWER_PER_REQUEST, &batch_answer_per_request::CHECK),
    (&ERROR_CODE_LEGACY_RANGE, &error_code_legacy_range::CHECK),
    (&ERROR_CODE_MCP_RANGE, &error_code_mcp_range::CHECK),
    (&ERROR_CODE_MEANING, &error_code_meaning::CHECK),
    (&ERROR_CODE_RESERVED, &error_code_reserved::CHECK),
    (&ERROR_CODE_RETIRED, &error_code_retired::CHECK),
    (&ERROR_ID_OMITTED_ONLY_IF_UNREADABLE, &error_id_omitted_only_if_unreadable::CHECK),
];
