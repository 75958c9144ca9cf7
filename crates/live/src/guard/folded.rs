//! Members that some receivers take for members of the protocol.
//!
//! JSON distinguishes capital and small letters in names; the readers of some languages do not
//! (`encoding/json` of Go folds names as Unicode does). `Method` or `Arguments` would be executed
//! by them without having been checked. Only the members that decide what is executed are
//! compared: those of the message, and of its params or result.

use mcp_assay::syntax::{Kind, Node};
use mcp_assay::{Checked, MessageKind};

/// The members of a message.
const ENVELOPE: [&str; 6] = ["jsonrpc", "id", "method", "params", "result", "error"];

/// The members of params and results that decide what is executed, or what is shown.
const CONTENT: [&str; 26] = [
    "_meta",
    "argument",
    "arguments",
    "capabilities",
    "clientInfo",
    "content",
    "contents",
    "inputRequests",
    "inputResponses",
    "isError",
    "level",
    "messages",
    "name",
    "progressToken",
    "prompts",
    "protocolVersion",
    "ref",
    "requestId",
    "resources",
    "serverInfo",
    "structuredContent",
    "systemPrompt",
    "task",
    "taskId",
    "tools",
    "uri",
];

/// Whether a message, or one of a batch, has a member that some receivers take for another one.
pub(super) fn has_folded_member(checked: &Checked<'_>) -> bool {
    let Some(root) = checked.root() else {
        return false;
    };
    match checked.kind() {
        MessageKind::Batch => root.items().any(is_folded),
        MessageKind::Unreadable | MessageKind::Empty => false,
        _ => is_folded(root),
    }
}

fn is_folded(message: Node<'_>) -> bool {
    message.kind() == Kind::Object
        && (has_one_of(message, &ENVELOPE)
            || ["params", "result"]
                .iter()
                .filter_map(|name| message.get(name))
                .any(|content| has_one_of(content, &CONTENT)))
}

/// Whether an object has a member with the name of one of these, but for capital letters.
fn has_one_of(object: Node<'_>, names: &[&str]) -> bool {
    object.kind() == Kind::Object
        && object.members().any(|(key, _)| {
            let text = key.text().unwrap_or_default();
            !names.contains(&&*text) && names.iter().any(|name| is_same_folded(name, &text))
        })
}

/// Whether two names are the same if capital and small letters are. Two letters outside of ASCII
/// fold to letters of it: the sign of kelvin and the long s.
fn is_same_folded(name: &str, other: &str) -> bool {
    if other.is_ascii() {
        return name.eq_ignore_ascii_case(other);
    }
    let folded = other.chars().map(|letter| match letter {
        '\u{212a}' => 'k',
        '\u{17f}' => 's',
        letter => letter.to_ascii_lowercase(),
    });
    name.chars()
        .map(|letter| letter.to_ascii_lowercase())
        .eq(folded)
}

#[cfg(test)]
mod tests {
    use mcp_assay::{Direction, Frame, Policy, Session};

    use crate::guard::{Decision, Guard, Mode};

    fn decision(text: &str, direction: Direction) -> (Decision, String) {
        let mut guard = Guard::new(Policy::default(), Mode::Enforce);
        let mut session = Session::new();
        session.lose_track();
        let judged = guard.judge(
            &mut session,
            Frame::new(text.as_bytes()).direction(direction),
        );
        let text = String::from_utf8_lossy(judged.action.text()).into_owned();
        (judged.action.decision(), text)
    }

    #[test]
    fn names_that_differ_in_capital_letters_only_do_not_pass() {
        let to_server = Direction::ClientToServer;
        for members in [
            r#""method":"ping","METHOD":"tools/call""#,
            r#""method":"ping","Method":"tools/call","Params":{"name":"evil"}"#,
            r#""method":"tools/call","params":{"name":"a","Arguments":{}}"#,
            r#""method":"tools/call","params":{"name":"a","NAM\u0045":"evil"}"#,
            r#""method":"tools/call","params":{"name":"a"},"param\u017f":{"name":"evil"}"#,
            "\"method\":\"tools/call\",\"params\":{\"name\":\"a\",\"arguments\":{},\"argument\u{17f}\":{}}",
        ] {
            let text = format!(r#"{{"jsonrpc":"2.0","id":5,{members}}}"#);
            let (decided, answer) = decision(&text, to_server);
            assert_eq!(decided, Decision::Refuse, "{text}");
            assert!(answer.contains("\"id\":5"), "{answer}");
        }
        for members in [
            r#""method":"tools/call","params":{"name":"a","arguments":{"Name":1,"name":2}}"#,
            r#""method":"tools/call","params":{"name":"a","names":1,"named":2}"#,
        ] {
            let text = format!(r#"{{"jsonrpc":"2.0","id":5,{members}}}"#);
            assert_eq!(decision(&text, to_server).0, Decision::Forward, "{text}");
        }
        let answer = r#"{"jsonrpc":"2.0","id":5,"result":{"content":[],"Content":[]}}"#;
        let (decided, _) = decision(answer, Direction::ServerToClient);
        assert_eq!(decided, Decision::Replace);
    }
}
