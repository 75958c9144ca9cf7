//! `cancel/silence-after`

use super::no_response_after::answers_after_cancellation;
use crate::rules::prelude::*;
use crate::session::{OpenRequest, Phase};

rule! {
    /// A server sends something for a request although its cancellation has arrived.
    ///
    /// The client has forgotten the request by then: an answer, progress or a log message for it
    /// belongs to nothing.
    ///
    /// Reported only if the two cannot have crossed: after an answer to a later request. Time alone
    /// proves nothing, because a server that is busy or still starting has not read it yet.
    ///
    /// ```mcp,good,2026-07-28
    /// --> {"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"copy","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":8}}
    /// <-- {"jsonrpc":"2.0","id":8,"result":{"resultType":"complete","content":[],"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> {"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"copy","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":8}}
    /// --> {"jsonrpc":"2.0","id":9,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":9,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":8,"result":{"resultType":"complete","content":[],"_meta":{…}}}
    ///                           ^ the request after the cancellation is answered
    /// ```
    /// ```mcp,good,2026-07-28
    /// --> {"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"copy","_meta":{…,"progressToken":"a"}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"a","progress":1}}
    /// --> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":8}}
    /// --> {"jsonrpc":"2.0","id":9,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":9,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> {"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"copy","_meta":{…,"progressToken":"a"}}}
    /// --> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":8}}
    /// --> {"jsonrpc":"2.0","id":9,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":9,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"a","progress":1}}
    ///                                                                                  ^^^ the request after the cancellation is answered
    /// ```
    /// ```mcp,good,2026-07-28,stdio
    /// --> {"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"copy","_meta":{…,"io.modelcontextprotocol/logLevel":"info"}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"half done"}}
    /// --> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":8}}
    /// --> {"jsonrpc":"2.0","id":9,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":9,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28,stdio
    /// --> {"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"copy","_meta":{…,"io.modelcontextprotocol/logLevel":"info"}}}
    /// --> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":8}}
    /// --> {"jsonrpc":"2.0","id":9,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":9,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"half done"}}
    ///                               ^^^^^^^^^^^^^^^^^^^^^^^ the request after the cancellation is answered
    /// ```
    RULE = {
        name: "cancel/silence-after",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "basic/transports/stdio#cancellation",
        help: "stop the work when a request is cancelled, and send nothing more for it",
        check: Check::Message(
            &[
                On::AnyResult,
                On::AnyError,
                On::Call("notifications/progress"),
                On::Call("notifications/message"),
            ],
            check,
        ),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let found = answers_after_cancellation(message, session)
        .or_else(|| reports_after_cancellation(message, session))
        .or_else(|| logs_after_cancellation(message, session));
    if let Some(node) = found {
        findings.at(
            node,
            "the request was cancelled, and the cancellation has arrived",
        );
    }
}

/// The token of progress for a request whose cancellation has arrived.
fn reports_after_cancellation<'a>(message: &Message<'a>, session: &Session) -> Option<Node<'a>> {
    let token = message.param("progressToken")?;
    let request_direction = message.direction()?.reverse();
    let key = session.state.progress.keys.of(token)?;
    let mut requests = session.with_token(request_direction, key);
    let cancelled = requests.next()?.cancelled?;
    // Another request may use the token again.
    let in_use = requests.next().is_some();
    let read = !in_use && session.was_cancellation_read(&cancelled, request_direction, message);
    Some(token).filter(|_| read)
}

/// The method of a log message, if the cancellations of all requests that could have requested it
/// have arrived.
fn logs_after_cancellation<'a>(message: &Message<'a>, session: &Session) -> Option<Node<'a>> {
    let request_direction = message.direction()?.reverse();
    message.param("level")?;
    let all_known = session.is_whole(message)
        && session.losses.unread[request_direction as usize] == 0
        && session.handshake.phase == Phase::Closed
        && message.frame.carrier != Carrier::Http;
    // An open request that was not cancelled may have requested it.
    if !all_known || session.tally(request_direction).want_logs > 0 {
        return None;
    }
    let wants_logs =
        |request: &&OpenRequest| request.data().is_some_and(|data| data.log_level.is_some());
    let mut requests = session
        .waiting(request_direction)
        .iter()
        .filter(wants_logs)
        .peekable();
    requests.peek()?;
    let all_read = requests.all(|request| {
        let cancelled = request.cancelled.as_ref();
        cancelled
            .is_some_and(|moment| session.was_cancellation_read(moment, request_direction, message))
    });
    Some(message.method_or_root()).filter(|_| all_read)
}
