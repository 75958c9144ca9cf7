//! `capability/completions`

use crate::rules::prelude::*;
use crate::rules::support::method_needs;

rule! {
    /// A client asks for completions of a server that has not declared `completions`.
    ///
    /// The server has no such methods: it refuses the request, or answers with something nobody
    /// meant.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"prompts":{},"completions":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"who","value":"A"}}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"prompts":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"who","value":"A"}}}
    ///                                      ^^^^^^^^^^^^^^^^^^^^^ the server has not declared `completions`
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open server:{"prompts":{},"completions":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"_meta":{…},"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"who","value":"A"}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"prompts":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"_meta":{…},"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"who","value":"A"}}}
    ///                                      ^^^^^^^^^^^^^^^^^^^^^ the server has not declared `completions`
    /// ```
    RULE = {
        name: "capability/completions",
        layer: Session,
        level: Error,
        recommended: RevisionSet::only(Revision::V2025_03_26),
        revisions: RevisionSet::since(Revision::V2025_03_26),
        party: Client,
        spec: "server/utilities/completion#capabilities",
        code: -32601,
        help: "ask for completions only where the server has declared `completions`",
        uses: [Receiver(Completions)],
        check: Check::Message(&[On::Call("completion/complete")], method_needs),
    }
}
