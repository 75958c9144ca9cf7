//! Messages that are mostly one long string.

use super::random::Random;
use super::text::{base64, document, quote};
use super::{Message, small};

/// A tool that returns a text.
pub(super) fn text_result(random: &mut Random, length: usize) -> Message {
    small::tools_call_result(random, length)
}

/// A tool that returns an image.
pub(super) fn image_result(random: &mut Random, length: usize) -> Message {
    let data = base64(random, length);
    let text = format!(
        r#"{{"jsonrpc":"2.0","id":42,"result":{{"content":[{{"type":"image","data":"{data}","mimeType":"image/png"}}]}}}}"#
    );
    Message::result("tools/call", "CallToolResult", text)
}

/// A resource that is one long text.
pub(super) fn resource(random: &mut Random, length: usize) -> Message {
    let text = quote(&document(random, length));
    let text = format!(
        r#"{{"jsonrpc":"2.0","id":43,"result":{{"contents":[{{"uri":"file:///var/log/build.log","mimeType":"text/plain","text":{text}}}]}}}}"#
    );
    Message::result("resources/read", "ReadResourceResult", text)
}
