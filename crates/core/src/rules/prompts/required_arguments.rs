//! `prompts/required-arguments`

use crate::rules::prelude::*;

rule! {
    /// A client asks for a prompt without an argument that it requires.
    ///
    /// The prompt cannot be filled in: the server refuses, or sends a text with a hole in it.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"prompts":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"prompts/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"prompts":[{"name":"review","arguments":[{"name":"code","required":true},{"name":"style"}]}]}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"name":"review","arguments":{"code":"a + b"}}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"prompts":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"prompts/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"prompts":[{"name":"review","arguments":[{"name":"code","required":true},{"name":"style"}]}]}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"name":"review","arguments":{"style":"terse"}}}
    ///                                                                                          ^^^^^^^^^^^^^^^^^ `code` is required
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open server:{"prompts":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"prompts/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","prompts":[{"name":"review","arguments":[{"name":"code","required":true},{"name":"style"}]}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"name":"review","arguments":{"code":"a + b"},"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"prompts":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"prompts/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","prompts":[{"name":"review","arguments":[{"name":"code","required":true},{"name":"style"}]}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"name":"review","_meta":{…}}}
    ///                                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ no arguments at all
    /// ```
    RULE = {
        name: "prompts/required-arguments",
        layer: Session,
        level: Error,
        party: Client,
        spec: "schema#promptargument",
        code: -32602,
        help: "send every argument that `prompts/list` marks as required",
        check: Check::Message(&[On::Call("prompts/get")], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Some(params) = message.params() else {
        return;
    };
    let (name, arguments) = (params.get("name"), params.get("arguments"));
    if name.is_some_and(|name| session.state.prompts.lacks(name, arguments)) {
        findings.at(
            arguments.unwrap_or(params),
            "an argument that the prompt requires is missing",
        );
    }
}
