//! `content/resource-text-xor-blob`

use super::blocks::GROUP;
use crate::rules::prelude::*;

rule! {
    /// A resource has both a text and a blob.
    ///
    /// Receivers disagree on which of them is the content.
    ///
    /// ```mcp,good,2024-11-05
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///a"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":"file:///a","text":"x"}]}}
    /// ```
    /// ```mcp,bad,2024-11-05
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///a"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":"file:///a","text":"x","blob":"eA=="}]}}
    ///                                                                                        ^^^^^^ there is a text already
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///a","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","contents":[{"uri":"file:///a","text":"x"}],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///a","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","contents":[{"uri":"file:///a","text":"x","blob":"eA=="}],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    ///                                                                                                                ^^^^^^ there is a text already
    /// ```
    RULE = {
        name: "content/resource-text-xor-blob",
        layer: Session,
        level: Error,
        party: Server,
        spec: "server/resources#resource-contents",
        help: "send `text` for text and `blob` for bytes, not both",
        check: Check::Group(&GROUP),
    }
}
