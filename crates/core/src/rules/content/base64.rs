//! `content/base64`

use super::blocks::GROUP;
use crate::rules::prelude::*;

rule! {
    /// The data of an image, a sound or a blob is not base64.
    ///
    /// Nobody can decode it: the user sees a broken picture, or nothing.
    ///
    /// ```mcp,good,2024-11-05
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"draw"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"image","data":"aGk=","mimeType":"image/png"}]}}
    /// ```
    /// ```mcp,bad,2024-11-05
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"draw"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"image","data":"<<raw>>","mimeType":"image/png"}]}}
    ///                                                                         ^^^^^^^^^ not base64
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"draw","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"image","data":"aGk=","mimeType":"image/png"}],"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"draw","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"image","data":"<<raw>>","mimeType":"image/png"}],"_meta":{…}}}
    ///                                                                                                 ^^^^^^^^^ not base64
    /// ```
    ///
    /// ```mcp,good,2024-11-05
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///a"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":"file:///a","blob":"eA=="}]}}
    /// ```
    /// ```mcp,bad,2024-11-05
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///a"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":"file:///a","blob":"eA"}]}}
    ///                                                                             ^^^^ the padding is missing
    /// ```
    RULE = {
        name: "content/base64",
        layer: Session,
        level: Error,
        spec: "server/prompts#image-content",
        help: "encode the bytes with the standard alphabet of RFC 4648, with padding",
        check: Check::Group(&GROUP),
    }
}
