//! `version/unsupported-error`

use crate::rules::prelude::*;
use crate::session::NamedVersion;

rule! {
    /// The server answers a request for a version that it does not support as if it did.
    ///
    /// The client believes that the rules of that version hold, and nobody tells it that they do
    /// not.
    ///
    /// ```mcp,good,2026-07-28,without:version/known-revision
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"1900-01-01","io.modelcontextprotocol/clientInfo":{"name":"client","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}},"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"unsupported version","data":{"supported":["2026-07-28"],"requested":"1900-01-01"}}}
    /// ```
    /// ```mcp,bad,2026-07-28,without:version/known-revision
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"1900-01-01","io.modelcontextprotocol/clientInfo":{"name":"client","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}},"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[],"_meta":{…}}}
    ///                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ there is no such version
    /// ```
    RULE = {
        name: "version/unsupported-error",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "basic/versioning#protocol-version-negotiation",
        code: -32022,
        help: "refuse the request with -32022 and name the versions that you support",
        check: Check::Message(&[On::AnyResult], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let version = message
        .request
        .and_then(|request| request.data()?.version.as_ref());
    let (Some(version), Some(result)) = (version, message.result()) else {
        return;
    };
    let supported = session.state.versions.supports(version);
    // A version newer than all known ones may be supported, unless the server declared otherwise.
    let made_up = matches!(version, NamedVersion::Other(_)) && !version.may_be_newer();
    if supported == Some(false) || (supported.is_none() && made_up) {
        findings.at(
            result,
            "the request names a version that the server does not support, expected is the error -32022",
        );
    }
}
