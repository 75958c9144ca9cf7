//! `tools/x-mcp-header-safe-integer`

use crate::rules::prelude::*;

rule! {
    /// An integer that is mirrored into a header is beyond 2^53-1.
    ///
    /// Many programs keep numbers with 53 bits, so header and argument differ by the time they are
    /// compared.
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"query","inputSchema":{"type":"object","properties":{"row":{"type":"integer","x-mcp-header":"Row"}}}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"query","arguments":{"row":9007199254740991},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":"3"}],"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"query","inputSchema":{"type":"object","properties":{"row":{"type":"integer","x-mcp-header":"Row"}}}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"query","arguments":{"row":9007199254740993},"_meta":{…}}}
    ///                                                                                               ^^^^^^^^^^^^^^^^ 2^53+1
    /// ```
    RULE = {
        name: "tools/x-mcp-header-safe-integer",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Client,
        spec: "server/tools#x-mcp-header",
        code: -32602,
        help: "keep mirrored integers between -(2^53-1) and 2^53-1",
        check: Check::Message(&[On::Call("tools/call")], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    // Over stdio nothing is mirrored.
    if message.frame.carrier == Carrier::Stdio {
        return;
    }
    let Some(params) = message.params() else {
        return;
    };
    let tools = &session.state.tools;
    let Some(tool) = params.get("name").and_then(|name| tools.get(name)) else {
        return;
    };
    let Some(arguments) = params.get("arguments") else {
        return;
    };
    for path in &tool.mirrored_integers {
        let mut keys = path.iter();
        let mirrored = keys.try_fold(arguments, |here, key| here.get(key));
        if let Some(mirrored) = mirrored.filter(|value| is_unsafe(*value)) {
            findings.at(
                mirrored,
                "an integer beyond 2^53-1 that is mirrored into a header",
            );
        }
    }
}

fn is_unsafe(value: Node<'_>) -> bool {
    const MAX_SAFE: u64 = (1 << 53) - 1;
    value.kind() == Kind::Number
        && value.is_integer()
        && value
            .as_i64()
            .is_none_or(|integer| integer.unsigned_abs() > MAX_SAFE)
}
