//! Walks over the values that the protocol defines in a message, and skips those of users, tools
//! and extensions.

use crate::syntax::{KeyHash, Kind, Node};

/// Members whose values belong to the user, the tool or an extension: the protocol does not define
/// their content.
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

/// The set of their key hashes.
const FOREIGN_KEYS: u64 = KeyHash::all_of(FOREIGN);

/// Visits every object of a value that the protocol defines, in the order of the message. Does not
/// recurse.
pub(crate) fn each_object<'a>(value: Node<'a>, mut visit: impl FnMut(Node<'a>)) {
    let end = value.end();
    let mut index = value.index();
    while let Some(token) = value.tokens().get(index as usize) {
        if index >= end {
            return;
        }
        match token.kind {
            Kind::Object => {
                visit(value.at(index));
                index += 1;
            }
            Kind::Key if token.key_hash().is_in(FOREIGN_KEYS) && is_foreign(value.at(index)) => {
                index = value.at(index + 1).end();
            }
            _ => index += 1,
        }
    }
}

#[inline(never)]
fn is_foreign(key: Node<'_>) -> bool {
    // The names with each key hash; at most two share one.
    const BY_LOOK: [[u8; 2]; KeyHash::COUNT] = by_look();
    let [one, other] = BY_LOOK[key.token().key_hash().index()];
    [one, other].into_iter().any(|name| {
        let name = FOREIGN.get(usize::from(name));
        name.is_some_and(|name| key.is_text(name))
    })
}

const fn by_look() -> [[u8; 2]; KeyHash::COUNT] {
    let mut by_look = [[u8::MAX; 2]; KeyHash::COUNT];
    let mut name = 0;
    while name < FOREIGN.len() {
        let places = &mut by_look[KeyHash::of(FOREIGN[name].as_bytes()).index()];
        assert!(places[1] == u8::MAX, "three foreign names look alike");
        places[1] = places[0];
        places[0] = name as u8;
        name += 1;
    }
    by_look
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Limits;
    use crate::syntax::{Tape, scan};

    #[test]
    fn what_belongs_to_users_is_passed_over_however_its_name_is_written() {
        for json in [
            r#"{"_meta":{},"a":{"data":[{}]}}"#,
            r#"{"\u005fmeta":{},"\u0061":{"d\u0061ta":[{}]}}"#,
        ] {
            let mut tape = Tape::new();
            scan(json.as_bytes(), &Limits::DEFAULT.for_scan(), &mut tape).expect("JSON");
            let mut visited = 0;
            each_object(tape.root(json.as_bytes()).expect("a value"), |_| {
                visited += 1;
            });
            assert_eq!(visited, 2, "{json}");
        }
    }
}
