// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `tools`.

mod arguments_match_schema;
mod call_listed;
mod embedded_needs_resources;
mod headers;
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
mod x_mcp_header_no_secrets;
mod x_mcp_header_not_empty;
mod x_mcp_header_primitive;
mod x_mcp_header_safe_integer;
mod x_mcp_header_static_path;
mod x_mcp_header_token;
mod x_mcp_header_unique;

use super::Rule;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[&Rule] = &[
    &arguments_match_schema::RULE,
    &call_listed::RULE,
    &embedded_needs_resources::RULE,
    &list_changed_sent::RULE,
    &list_order::RULE,
    &name_charset::RULE,
    &name_length::RULE,
    &name_unique::RULE,
    &schema_bounded::RULE,
    &structured_matches_schema::RULE,
    &structured_present::RULE,
    &structured_text_mirror::RULE,
    &x_mcp_header_no_secrets::RULE,
    &x_mcp_header_not_empty::RULE,
    &x_mcp_header_primitive::RULE,
    &x_mcp_header_safe_integer::RULE,
    &x_mcp_header_static_path::RULE,
    &x_mcp_header_token::RULE,
    &x_mcp_header_unique::RULE,
];
