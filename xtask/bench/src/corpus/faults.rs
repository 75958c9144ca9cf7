//! Messages with a fault, one of each common sort.

use mcp_assay::Direction;

use super::random::Random;
use super::{Message, lists, small};

/// A request without a member that it needs.
pub(super) fn missing_member() -> Message {
    let message = small::tools_call();
    message.replacing(r#""name":"search_files","#, "")
}

/// A number sent as a string.
pub(super) fn wrong_type() -> Message {
    small::progress().replacing(r#""progress":37"#, r#""progress":"37""#)
}

/// One tool among twenty whose schema is not that of an object.
pub(super) fn deep_value(random: &mut Random) -> Message {
    let list = lists::tools(random, 42, 20);
    let middle = list.bytes.len() / 2;
    let (before, after) = list.bytes.split_at(middle);
    let mut bytes = before.to_vec();
    // The next tool's schema, and only that one: all schemas of the corpus begin like this or with
    // `$schema`.
    let opening = br#""inputSchema":{"type":"object""#;
    let at = after
        .windows(opening.len())
        .position(|window| window == opening);
    let at = at.expect("twenty tools have more than one schema of this form after the middle");
    bytes.extend_from_slice(&after[..at]);
    bytes.extend_from_slice(br#""inputSchema":{"type":"array""#);
    bytes.extend_from_slice(&after[at + opening.len()..]);
    Message { bytes, ..list }
}

/// A content block that fits none of the five kinds.
pub(super) fn failing_union(random: &mut Random) -> Message {
    small::tools_call_result(random, 1024)
        .replacing(r#""type":"text","text":"#, r#""type":"text","body":"#)
}

/// A handshake with several faults.
pub(super) fn several_faults() -> Message {
    let message = small::initialize().replacing(r#""version":"3.14.1","#, "");
    let message = message.replacing(r#""listChanged":true"#, r#""listChanged":"yes""#);
    let message = message.replacing(r#""sizes":["48x48"]"#, r#""sizes":"48x48""#);
    Message {
        direction: Direction::ClientToServer,
        ..message
    }
}
