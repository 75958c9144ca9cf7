//! Walking over what the protocol defines in a message, and not over what belongs to its users.

use crate::syntax::{Kind, Node};

/// Members whose values belong to the user, the tool or an extension: what is inside has no meaning to the protocol.
const FOREIGN: &[&str] = &[
    "arguments",
    "structuredContent",
    "inputSchema",
    "outputSchema",
    "requestedSchema",
    "input",
    "metadata",
    "data",
    "experimental",
    "extensions",
    "_meta",
];

/// Visits every object of a value that the protocol defines, in the order of the message. Does not recurse.
pub(crate) fn each_object<'a>(value: Node<'a>, mut visit: impl FnMut(Node<'a>)) {
    let end = value.end();
    let mut index = value.index();
    while index < end {
        let node = value.at(index);
        match node.kind() {
            Kind::Object => {
                visit(node);
                index += 1;
            }
            Kind::Key if is_foreign(node) => index = value.at(index + 1).end(),
            _ => index += 1,
        }
    }
}

fn is_foreign(key: Node<'_>) -> bool {
    // Most names are of another length; one with escapes is longer than it reads.
    match key.plain().map(<[u8]>::len) {
        None | Some(4 | 5 | 8 | 9 | 10 | 11 | 12 | 15 | 17) => {
            FOREIGN.iter().any(|name| key.is_text(name))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Limits;
    use crate::syntax::{Tape, scan};

    #[test]
    fn what_belongs_to_users_is_passed_over_however_its_name_is_written() {
        for json in [
            r#"{"_meta":{},"a":{"data":[{}]}}"#,
            r#"{"\u005fmeta":{},"\u0061":{"d\u0061ta":[{}]}}"#,
        ] {
            let mut tape = Tape::new();
            scan(json.as_bytes(), &Limits::DEFAULT, &mut tape).expect("JSON");
            let mut visited = 0;
            each_object(tape.root(json.as_bytes()).expect("a value"), |_| {
                visited += 1;
            });
            assert_eq!(visited, 2, "{json}");
        }
    }
}
