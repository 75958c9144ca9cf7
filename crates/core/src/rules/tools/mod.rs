// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `tools`.

mod arguments_match_schema;
mod call_listed;
mod calls;
mod embedded_needs_resources;
mod headers;
mod input_error_in_result;
mod list_changed_sent;
mod list_order;
mod listed;
mod name_charset;
mod name_length;
mod name_unique;
mod names;
mod patterns;
mod results;
mod schema_bounded;
mod structured_matches_schema;
mod structured_present;
mod structured_text_mirror;
mod unknown_tool_reply;
mod x_mcp_header_no_secrets;
mod x_mcp_header_not_empty;
mod x_mcp_header_primitive;
mod x_mcp_header_safe_integer;
mod x_mcp_header_static_path;
mod x_mcp_header_token;
mod x_mcp_header_unique;

pub use self::arguments_match_schema::RULE as ARGUMENTS_MATCH_SCHEMA;
pub use self::call_listed::RULE as CALL_LISTED;
pub use self::embedded_needs_resources::RULE as EMBEDDED_NEEDS_RESOURCES;
pub use self::input_error_in_result::RULE as INPUT_ERROR_IN_RESULT;
pub use self::list_changed_sent::RULE as LIST_CHANGED_SENT;
pub use self::list_order::RULE as LIST_ORDER;
pub use self::name_charset::RULE as NAME_CHARSET;
pub use self::name_length::RULE as NAME_LENGTH;
pub use self::name_unique::RULE as NAME_UNIQUE;
pub use self::schema_bounded::RULE as SCHEMA_BOUNDED;
pub use self::structured_matches_schema::RULE as STRUCTURED_MATCHES_SCHEMA;
pub use self::structured_present::RULE as STRUCTURED_PRESENT;
pub use self::structured_text_mirror::RULE as STRUCTURED_TEXT_MIRROR;
pub use self::unknown_tool_reply::RULE as UNKNOWN_TOOL_REPLY;
pub use self::x_mcp_header_no_secrets::RULE as X_MCP_HEADER_NO_SECRETS;
pub use self::x_mcp_header_not_empty::RULE as X_MCP_HEADER_NOT_EMPTY;
pub use self::x_mcp_header_primitive::RULE as X_MCP_HEADER_PRIMITIVE;
pub use self::x_mcp_header_safe_integer::RULE as X_MCP_HEADER_SAFE_INTEGER;
pub use self::x_mcp_header_static_path::RULE as X_MCP_HEADER_STATIC_PATH;
pub use self::x_mcp_header_token::RULE as X_MCP_HEADER_TOKEN;
pub use self::x_mcp_header_unique::RULE as X_MCP_HEADER_UNIQUE;
use super::Rule;
use super::check::Check;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[(&Rule, &Check)] = &[
    (&ARGUMENTS_MATCH_SCHEMA, &arguments_match_schema::CHECK),
    (&CALL_LISTED, &call_listed::CHECK),
    (&EMBEDDED_NEEDS_RESOURCES, &embedded_needs_resources::CHECK),
    (&INPUT_ERROR_IN_RESULT, &input_error_in_result::CHECK),
    (&LIST_CHANGED_SENT, &list_changed_sent::CHECK),
    (&LIST_ORDER, &list_order::CHECK),
    (&NAME_CHARSET, &name_charset::CHECK),
    (&NAME_LENGTH, &name_length::CHECK),
    (&NAME_UNIQUE, &name_unique::CHECK),
    (&SCHEMA_BOUNDED, &schema_bounded::CHECK),
    (&STRUCTURED_MATCHES_SCHEMA, &structured_matches_schema::CHECK),
    (&STRUCTURED_PRESENT, &structured_present::CHECK),
    (&STRUCTURED_TEXT_MIRROR, &structured_text_mirror::CHECK),
    (&UNKNOWN_TOOL_REPLY, &unknown_tool_reply::CHECK),
    (&X_MCP_HEADER_NO_SECRETS, &x_mcp_header_no_secrets::CHECK),
    (&X_MCP_HEADER_NOT_EMPTY, &x_mcp_header_not_empty::CHECK),
    (&X_MCP_HEADER_PRIMITIVE, &x_mcp_header_primitive::CHECK),
    (&X_MCP_HEADER_SAFE_INTEGER, &x_mcp_header_safe_integer::CHECK),
    (&X_MCP_HEADER_STATIC_PATH, &x_mcp_header_static_path::CHECK),
    (&X_MCP_HEADER_TOKEN, &x_mcp_header_token::CHECK),
    (&X_MCP_HEADER_UNIQUE, &x_mcp_header_unique::CHECK),
];
