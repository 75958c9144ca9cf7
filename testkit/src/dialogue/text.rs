//! From the text of a message to its bytes.

use mcp_assay::{Direction, Revision};

/// The values of the placeholders of a message.
pub(super) struct Setting<'s> {
    pub(super) revision: Revision,
    pub(super) direction: Direction,
    /// The capabilities of the client.
    pub(super) client: &'s str,
    /// Whether `\xHH` stands for a byte.
    pub(super) raw: bool,
}

/// The bytes of a message, and the offset of each of its columns, two past the last included.
pub(super) fn bytes(text: &str, setting: &Setting<'_>) -> (Vec<u8>, Vec<u32>) {
    let (mut bytes, mut columns) = (Vec::new(), Vec::new());
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let start = u32::try_from(bytes.len()).expect("examples are short");
        let byte = rest
            .strip_prefix("\\x")
            .filter(|_| setting.raw)
            .and_then(|digits| u8::from_str_radix(digits.get(..2)?, 16).ok());
        if let Some(byte) = byte {
            bytes.push(byte);
            columns.extend([start; 4]);
            rest = &rest[4..];
        } else if let Some(after) = rest.strip_prefix("YYYY-MM-DD") {
            bytes.extend_from_slice(setting.revision.name().as_bytes());
            columns.extend((start..).take(10));
            rest = after;
        } else if let Some(after) = rest.strip_prefix('…') {
            let usual = usual_meta(setting);
            bytes.extend_from_slice(usual.as_bytes());
            columns.push(start);
            // Nothing stands for it where nothing is usual.
            rest = if usual.is_empty() {
                after
                    .strip_prefix(',')
                    .inspect(|_| columns.push(start))
                    .unwrap_or(after)
            } else {
                after
            };
        } else {
            bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            columns.push(start);
            rest = &rest[character.len_utf8()..];
        }
    }
    // A caret may stand one past the end, where the text breaks off.
    let end = u32::try_from(bytes.len()).expect("examples are short");
    columns.extend([end, end]);
    (bytes, columns)
}

/// The members that every correct message has in `_meta`.
fn usual_meta(setting: &Setting<'_>) -> String {
    if setting.revision != Revision::V2026_07_28 {
        return String::new();
    }
    match setting.direction {
        Direction::ClientToServer => format!(
            r#""io.modelcontextprotocol/protocolVersion":"{}","io.modelcontextprotocol/clientInfo":{{"name":"client","version":"1"}},"io.modelcontextprotocol/clientCapabilities":{}"#,
            setting.revision, setting.client
        ),
        Direction::ServerToClient => {
            r#""io.modelcontextprotocol/serverInfo":{"name":"server","version":"1"}"#.to_owned()
        }
    }
}

/// The messages that open a session.
pub(super) fn opening(revision: Revision, client: &str, server: &str) -> Vec<(Direction, String)> {
    let (to_server, to_client) = (Direction::ClientToServer, Direction::ServerToClient);
    if revision == Revision::V2026_07_28 {
        vec![
            (
                to_server,
                r#"{"jsonrpc":"2.0","id":"open","method":"server/discover","params":{"_meta":{…}}}"#.to_owned(),
            ),
            (
                to_client,
                format!(
                    r#"{{"jsonrpc":"2.0","id":"open","result":{{"resultType":"complete","supportedVersions":["{revision}"],"capabilities":{server},"ttlMs":0,"cacheScope":"private","_meta":{{…}}}}}}"#
                ),
            ),
        ]
    } else {
        vec![
            (
                to_server,
                format!(
                    r#"{{"jsonrpc":"2.0","id":"open","method":"initialize","params":{{"protocolVersion":"{revision}","capabilities":{client},"clientInfo":{{"name":"client","version":"1"}}}}}}"#
                ),
            ),
            (
                to_client,
                format!(
                    r#"{{"jsonrpc":"2.0","id":"open","result":{{"protocolVersion":"{revision}","capabilities":{server},"serverInfo":{{"name":"server","version":"1"}}}}}}"#
                ),
            ),
            (
                to_server,
                r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_owned(),
            ),
        ]
    }
}
