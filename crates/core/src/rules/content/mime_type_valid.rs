//! `content/mime-type-valid`

use super::blocks::GROUP;
use crate::rules::prelude::*;

rule! {
    /// The MIME type of an image or a sound is not `type/subtype`.
    ///
    /// The host cannot tell how to show it.
    ///
    /// ```mcp,good,2024-11-05
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"draw"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"image","data":"aGk=","mimeType":"image/png"}]}}
    /// ```
    /// ```mcp,bad,2024-11-05
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"draw"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"image","data":"aGk=","mimeType":"png"}]}}
    ///                                                                                           ^^^^^ expected `image/png`
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"draw","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"image","data":"aGk=","mimeType":"image/png"}],"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"draw","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"image","data":"aGk=","mimeType":"png"}],"_meta":{…}}}
    ///                                                                                                                   ^^^^^ expected `image/png`
    /// ```
    RULE = {
        name: "content/mime-type-valid",
        layer: Session,
        level: Error,
        spec: "server/prompts#image-content",
        help: "write the full media type",
        check: Check::Group(&GROUP),
    }
}
