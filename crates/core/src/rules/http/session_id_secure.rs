//! `http/session-id-secure`

use crate::rules::prelude::*;
use crate::rules::support::response_head;

rule! {
    /// A session id can be guessed.
    ///
    /// A stranger who guesses the id of another client can act in its session; a counter, a word or
    /// a few characters are guessed in no time.
    ///
    /// ```mcp,good,2025-06-18
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 200 #1
    ///     …
    ///     mcp-session-id: 4f9c1b2e-7d53-4a86-9f0e-2c6b8d1a3e57
    ///     {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{"tools":{}},"serverInfo":{"name":"garden","version":"3.1.0"}}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 200 #1
    ///     …
    ///     mcp-session-id: 1
    ///     ^^^^^^^^^^^^^^^^^ anybody can guess this
    ///     {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{"tools":{}},"serverInfo":{"name":"garden","version":"3.1.0"}}}
    /// ```
    /// ```mcp,good,2025-06-18
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 200 #1
    ///     …
    ///     mcp-session-id: eyJhbGciOiJIUzI1NiJ9.eyJzaWQiOiI3In0.tQ1nZlY2c
    ///     {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{"tools":{}},"serverInfo":{"name":"garden","version":"3.1.0"}}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 200 #1
    ///     …
    ///     mcp-session-id: session-0017
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ a word and a number
    ///     {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{"tools":{}},"serverInfo":{"name":"garden","version":"3.1.0"}}}
    /// ```
    RULE = {
        name: "http/session-id-secure",
        layer: Http,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2025_03_26)
            .intersection(RevisionSet::until(Revision::V2025_11_25)),
        party: Server,
        spec: "basic/transports#session-management",
        help: "take a random UUID or another value with at least 128 random bits",
        check: Check::Http(&[OnHttp::Response], check),
    }
}

/// Words that are typical of session ids without randomness.
const WORDS: [&str; 14] = [
    "",
    "anonymous",
    "default",
    "demo",
    "example",
    "id",
    "mcp",
    "mcp-session",
    "session",
    "session-id",
    "sessionid",
    "test",
    "test-session",
    "user",
];

/// The number of digits from which an id may be random.
const MIN_RANDOM_DIGITS: usize = 16;

/// The length below which any id can be guessed.
const MIN_LENGTH: usize = 8;

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Some((status, headers)) = response_head(transfer) else {
        return;
    };
    let heads = &session.state.http_heads;
    let opens = heads
        .request(transfer)
        .is_some_and(|pending| pending.initialize);
    let Some((position, id)) = headers.find("mcp-session-id") else {
        return;
    };
    let is_legible = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_graphic());
    if opens && status < 400 && is_legible && is_guessable(id) {
        findings.head(
            Place::Header(position),
            "the session id can be guessed, expected a random one",
        );
    }
}

/// Whether an id is plainly guessable: a few characters, a number, one repeated character, a word
/// with or without a number.
fn is_guessable(id: &str) -> bool {
    let word = id
        .trim_end_matches(|character: char| character.is_ascii_digit())
        .trim_end_matches(['-', '_', ':', '.']);
    let is_number = id.bytes().all(|byte| byte.is_ascii_digit());
    let mut bytes = id.bytes();
    let first = bytes.next();
    id.len() < MIN_LENGTH
        || (is_number && id.len() < MIN_RANDOM_DIGITS)
        || bytes.all(|byte| Some(byte) == first)
        || (!is_number && WORDS.iter().any(|known| word.eq_ignore_ascii_case(known)))
}

#[cfg(test)]
mod tests {
    use super::is_guessable;

    #[test]
    fn only_what_is_plain_is_guessable() {
        for weak in [
            "1",
            "abc",
            "00000042",
            "1731676400123",
            "aaaaaaaaaaaaaaaa",
            "test-session_1",
            "SESSION0001",
        ] {
            assert!(is_guessable(weak), "{weak}");
        }
        for strong in [
            "4f9c1b2e7d53",
            "bed-0001",
            "83649102736450192837",
            "user-7c2f90ab41",
        ] {
            assert!(!is_guessable(strong), "{strong}");
        }
    }
}
