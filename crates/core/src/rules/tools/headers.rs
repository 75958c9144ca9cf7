//! Checks the annotations `x-mcp-header` of a list of tools in one walk. Only the first fault of
//! each is reported.

use std::collections::HashSet;

use super::listed::tools;
use super::{
    x_mcp_header_no_secrets, x_mcp_header_not_empty, x_mcp_header_primitive,
    x_mcp_header_static_path, x_mcp_header_token, x_mcp_header_unique,
};
use crate::compiled_schema::{HeaderType, ParamHeader, param_headers};
use crate::frame::is_token;
use crate::rules::prelude::*;
use crate::rules::support::{names_person, names_secret};
use crate::session::message::mentions_headers;

pub(super) static GROUP: Group = Group {
    keys: &[],
    on: &[On::Result("tools/list")],
    check,
};

fn check(message: &Message<'_>, _: &Session, findings: &mut Findings<'_>) {
    if !x_mcp_header_token::RULE
        .revisions
        .contains(message.revision())
    {
        return;
    }
    for schema in tools(message).filter_map(|tool| tool.get("inputSchema")) {
        if mentions_headers(schema) {
            check_schema(schema, findings);
        }
    }
}

fn check_schema(schema: Node<'_>, findings: &mut Findings<'_>) {
    let mut headers: Vec<ParamHeader<'_>> = param_headers(schema).collect();
    headers.sort_unstable_by_key(|header| header.name.index());
    // The names of headers so far, in lower case.
    let mut earlier = HashSet::new();
    for header in &headers {
        check_header(header, &mut earlier, findings);
    }
}

fn check_header(
    header: &ParamHeader<'_>,
    earlier: &mut HashSet<String>,
    findings: &mut Findings<'_>,
) {
    let name = header.name;
    let text = if name.kind() == Kind::String {
        name.text()
    } else {
        None
    };
    let Some(text) = text else {
        let expected = "`x-mcp-header` is not a string; it names a header";
        findings.raise(&x_mcp_header_token::RULE, name, expected);
        return;
    };
    let is_repeated = !earlier.insert(text.to_ascii_lowercase());
    if !header.is_static {
        findings.raise(
            &x_mcp_header_static_path::RULE,
            name,
            "`x-mcp-header` on a schema that `properties` alone does not lead to",
        );
    } else if text.is_empty() {
        findings.raise(
            &x_mcp_header_not_empty::RULE,
            name,
            "`x-mcp-header` is empty",
        );
    } else if !is_token(&text) {
        findings.raise(
            &x_mcp_header_token::RULE,
            name,
            "`x-mcp-header` has a character that names of headers cannot have",
        );
    } else if header.declared == HeaderType::Other {
        findings.raise(
            &x_mcp_header_primitive::RULE,
            name,
            "`x-mcp-header` on a property that is not a string, an integer or a boolean",
        );
    } else if is_repeated {
        findings.raise(
            &x_mcp_header_unique::RULE,
            name,
            "another property of this schema is mirrored into the same header",
        );
    } else if holds_secret(header) {
        findings.raise(
            &x_mcp_header_no_secrets::RULE,
            name,
            "`x-mcp-header` on a property that by its name is a secret or personal",
        );
    }
}

fn holds_secret(header: &ParamHeader<'_>) -> bool {
    let key = header.path.last().and_then(|key| key.text());
    key.is_some_and(|key| names_secret(&key) || names_person(&key))
}
