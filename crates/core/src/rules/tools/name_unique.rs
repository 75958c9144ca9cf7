//! `tools/name-unique`

use super::names::GROUP;
use crate::rules::prelude::*;

rule! {
    /// Two tools of a server share a name.
    ///
    /// A call names a tool by nothing else, so one of the two can never be called.
    ///
    /// ```mcp,good,2024-11-05
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"search","inputSchema":{"type":"object"}},{"name":"fetch","inputSchema":{"type":"object"}}]}}
    /// ```
    /// ```mcp,bad,2024-11-05
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"search","inputSchema":{"type":"object"}},{"name":"search","inputSchema":{"type":"object"}}]}}
    ///                                                                                                          ^^^^^^^^ the second one
    /// ```
    ///
    /// The pages of one list belong together.
    ///
    /// ```mcp,good,2024-11-05
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"search","inputSchema":{"type":"object"}}],"nextCursor":"p2"}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"p2"}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"fetch","inputSchema":{"type":"object"}}]}}
    /// ```
    /// ```mcp,bad,2024-11-05
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"search","inputSchema":{"type":"object"}}],"nextCursor":"p2"}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"p2"}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"search","inputSchema":{"type":"object"}}]}}
    ///                                                        ^^^^^^^^ the first page has it too
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"search","inputSchema":{"type":"object"}}],"nextCursor":"p2","ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"p2","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[{"name":"fetch","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"search","inputSchema":{"type":"object"}}],"nextCursor":"p2","ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"p2","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[{"name":"search","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    ///                                                                                ^^^^^^^^ the first page has it too
    /// ```
    RULE = {
        name: "tools/name-unique",
        layer: Session,
        level: Warning,
        party: Server,
        spec: "server/tools#tool-names",
        help: "give each tool a name of its own, across all pages",
        check: Check::Group(&GROUP),
    }
}

/// A small filter of names that needs no allocation: only names with equal hashes are compared.
#[derive(Default)]
pub(super) struct Filter([u64; 16]);

impl Filter {
    /// Adds a name; returns whether one with the same hash was added before.
    pub(super) fn may_have(&mut self, name: Node<'_>) -> bool {
        let Some(plain) = name.plain() else {
            return true;
        };
        let hash = plain.iter().fold(0x811c_9dc5_u32, |hash, byte| {
            (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193)
        });
        let hash = hash ^ (hash >> 16);
        let (word, bit) = ((hash >> 6) as usize % self.0.len(), 1 << (hash % 64));
        let Some(word) = self.0.get_mut(word) else {
            return true;
        };
        let had = *word & bit != 0;
        *word |= bit;
        had
    }
}
