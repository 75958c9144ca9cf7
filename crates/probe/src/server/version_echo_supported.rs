//! Versions that the server chose at least once, each offered in a session of its own.

use mcp_assay::Revision;

use super::Probe;
use crate::findings::{Findings, Outcome};
use crate::record::Record;
use crate::requirement::{ERROR, Requirement, UNTIL_2025_11};

static ECHO: Requirement = Requirement::of_server(
    "version/echo-supported",
    ERROR,
    UNTIL_2025_11,
    "A server that supports the offered version answers with that same version.",
)
.page(
    "basic/lifecycle#version-negotiation",
    "Client and server speak an older revision than both know.",
    "answer with the offered version if the server supports it",
)
.examples(
    r#"```mcp,good,2025-06-18,only
--> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
<-- {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"garden","version":"3.1.0"}}}
```
```mcp,bad,2025-06-18,only
--> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
<-- {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2024-11-05","capabilities":{},"serverInfo":{"name":"garden","version":"3.1.0"}}}
                                                        ^^^^^^^^^^^^ the server knows 2025-06-18, too
```"#,
);

pub(super) static PROBE: Probe = Probe::between(&[&ECHO]);

/// An offered version, the version that the server chose, and the records of that.
pub(super) type Offer = (Revision, String, Vec<Record>);

/// A version that the server chose once is one that it supports; offered, it has to be chosen.
pub(super) fn check(offers: &[Offer], findings: &mut Findings) {
    for (offered, chosen, evidence) in offers {
        let supported = offers
            .iter()
            .any(|(_, version, _)| version == offered.name());
        let outcome = if chosen == offered.name() {
            Outcome::Pass
        } else if supported {
            Outcome::Fail {
                message: format!(
                    "version {offered} was answered with {chosen} although the server supports it"
                ),
                evidence: evidence.clone(),
            }
        } else {
            continue;
        };
        findings.add(ECHO.id, Some(*offered), outcome);
    }
}
