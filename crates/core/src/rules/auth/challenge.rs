//! Challenges by which a server demands a token.

use crate::rules::Rule;
use crate::rules::prelude::*;
use crate::session::is_bearer;

/// The challenges that demand a bearer token: position and value.
pub(super) fn challenges(headers: Headers<'_>) -> impl Iterator<Item = (u16, &str)> {
    headers
        .all("www-authenticate")
        .filter(|(_, value)| is_bearer(value))
}

/// Whether a rule applies to a response: its request went to an MCP endpoint, not to an
/// authorization server, under a revision that states the rule. A refusal often comes before a
/// version is negotiated, and has none of its own.
pub(super) fn is_stated(rule: &Rule, transfer: &Transfer<'_>, session: &Session) -> bool {
    session
        .state
        .http_heads
        .request(transfer)
        .is_some_and(|pending| pending.at_endpoint && rule.revisions.contains(pending.revision))
}
