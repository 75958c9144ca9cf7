//! `jsonrpc/error-id-omitted-only-if-unreadable`

use crate::rules::prelude::*;

rule! {
    /// An error has no id, although that of the request could be read.
    ///
    /// The peer cannot tell which of its requests failed, and goes on waiting.
    ///
    /// ```mcp,good,2025-11-25
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"no such tool"}}
    /// === end
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"add"}}
    /// <-- {"jsonrpc":"2.0","error":{"code":-32602,"message":"no such tool"}}
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the id of the request is 4
    /// === end
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"_meta":{…},"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"no such tool"}}
    /// === end
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"_meta":{…},"name":"add"}}
    /// <-- {"jsonrpc":"2.0","error":{"code":-32602,"message":"no such tool"}}
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the id of the request is 4
    /// === end
    /// ```
    RULE = {
        name: "jsonrpc/error-id-omitted-only-if-unreadable",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_11_25),
        spec: "basic#error-responses",
        help: "send the id of the request that the error refuses",
        check: Check::Message(&[On::AnyError], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let (None, Some(direction)) = (message.id(), message.direction()) else {
        return;
    };
    let request_direction = direction.reverse();
    // An unreadable message may be the refused one; another rule reports an answer to a
    // notification.
    let readable =
        !session.has_unnamed(Some(direction)) && message.error_code() != Some(PARSE_ERROR);
    if readable
        && !session.was_notified_last(request_direction)
        && are_sound(session, request_direction)
        && session.is_whole(message)
        && !is_refused_by_http(message)
    {
        findings.at(
            message.root(),
            "the error has no id, but every request has one that can be read",
        );
    }
}

/// Whether there are open requests, and none of them was faulty.
fn are_sound(session: &Session, request_direction: Direction) -> bool {
    session.open_requests(request_direction) > 0 && session.tally(request_direction).faulty == 0
}

/// Whether the error is the body of an HTTP refusal, which need not name a request.
fn is_refused_by_http(message: &Message<'_>) -> bool {
    message.frame.http.is_some_and(|http| match http.part {
        Part::Response { status, .. } => status >= 400,
        _ => false,
    })
}

/// The code of a party that could not read the message.
const PARSE_ERROR: i64 = -32700;
