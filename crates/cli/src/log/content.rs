//! The content of a request as a number: its method and params, whatever its id and its layout.

use std::hash::{BuildHasher as _, Hash as _, Hasher as _};
use std::sync::LazyLock;

use foldhash::quality::{FoldHasher, RandomState};
use mcp_assay::syntax::{Kind, Node};

/// Random, so that nobody can construct two requests of one number.
static SEED: LazyLock<RandomState> = LazyLock::new(RandomState::default);

/// The number of a request. Requests are equal if their method and params are: the order of members
/// and the spelling of strings do not matter, and `_meta` of the params does not count, because a
/// repetition has another progress token or span.
pub(super) fn content(method: Option<&str>, params: Option<Node<'_>>) -> u64 {
    let mut hasher = hasher();
    method.hash(&mut hasher);
    hasher.write_u64(params.map_or_else(|| Container::object(0).number(), number));
    hasher.finish()
}

/// An object or array whose parts are being read.
struct Container {
    kind: Kind,
    /// The index past its last token.
    end: u32,
    /// The number of the key of the next value.
    key: u64,
    sum: u64,
}

impl Container {
    fn object(end: u32) -> Self {
        Self {
            kind: Kind::Object,
            end,
            key: 0,
            sum: 0,
        }
    }

    /// Adds a value: the order counts in an array, the key in an object.
    fn add(&mut self, value: u64) {
        self.sum = if self.kind == Kind::Object {
            self.sum.wrapping_add(of_parts(b'm', self.key, value))
        } else {
            of_parts(b'i', self.sum, value)
        };
    }

    fn number(&self) -> u64 {
        of_parts(self.kind as u8, 0, self.sum)
    }
}

/// The number of params. Nothing recurses: the tokens are read in their order.
fn number(params: Node<'_>) -> u64 {
    let mut open: Vec<Container> = Vec::new();
    let mut index = params.index();
    loop {
        let node = params.at(index);
        let mut value = match node.kind() {
            Kind::Key if open.len() == 1 && node.is_text("_meta") => {
                index = params.at(index + 1).end();
                None
            }
            Kind::Key => {
                if let Some(object) = open.last_mut() {
                    object.key = of_bytes(node.text().unwrap_or_default().as_bytes());
                }
                index += 1;
                None
            }
            kind @ (Kind::Object | Kind::Array) => {
                open.push(Container {
                    kind,
                    ..Container::object(node.end())
                });
                index += 1;
                None
            }
            kind => {
                index = node.end();
                let text = node.text();
                let bytes = text.as_deref().map_or(node.raw(), str::as_bytes);
                Some(of_parts(kind as u8, 0, of_bytes(bytes)))
            }
        };
        // A value may be the last of several containers.
        loop {
            if let Some(value) = value.take() {
                match open.last_mut() {
                    Some(container) => container.add(value),
                    None => return value,
                }
            }
            match open.pop_if(|container| index >= container.end) {
                Some(container) => value = Some(container.number()),
                None => break,
            }
        }
    }
}

fn hasher() -> FoldHasher<'static> {
    SEED.build_hasher()
}

fn of_bytes(bytes: &[u8]) -> u64 {
    let mut hasher = hasher();
    hasher.write(bytes);
    hasher.finish()
}

fn of_parts(kind: u8, first: u64, second: u64) -> u64 {
    let mut hasher = hasher();
    (kind, first, second).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use mcp_assay::Limits;
    use mcp_assay::syntax::Tape;

    use super::*;
    use crate::json;

    fn of(params: &str) -> u64 {
        let mut tape = Tape::new();
        let node = json::read(params.as_bytes(), &Limits::DEFAULT, &mut tape);
        content(Some("tools/call"), node.ok().flatten())
    }

    #[test]
    fn equal_params_have_one_number_and_others_another() {
        let call = of(r#"{"name":"add","arguments":{"a":[1,{"b":null}],"c":{}}}"#);
        for same in [
            r#" { "arguments" : {"c":{},"a":[1,{"b":null}]}, "name": "\u0061dd" } "#,
            r#"{"_meta":{"progressToken":7},"name":"add","arguments":{"a":[1,{"b":null}],"c":{}}}"#,
            r#"{"name":"add","arguments":{"a":[1,{"b":null}],"c":{}},"_meta":{}}"#,
        ] {
            assert_eq!(of(same), call, "{same}");
        }
        for other in [
            r#"{"name":"add","arguments":{"a":[{"b":null},1],"c":{}}}"#,
            r#"{"name":"add","arguments":{"a":[1,{"b":null}],"c":[]}}"#,
            r#"{"name":"add","arguments":{"a":["1",{"b":null}],"c":{}}}"#,
            r#"{"name":"add","arguments":{"a":[1,{"b":false}],"c":{}}}"#,
            r#"{"name":"add","arguments":{"a":[1],"b":null,"c":{}}}"#,
            r#"{"name":"add","arguments":{"a":[1,{"b":null}],"c":{},"_meta":{}}}"#,
            r#"{"name":"add"}"#,
            "{}",
        ] {
            assert_ne!(of(other), call, "{other}");
        }
        assert_eq!(of("{}"), content(Some("tools/call"), None));
        assert_eq!(of(r#"{"_meta":{"a":1}}"#), of("{}"));
        assert_ne!(content(Some("ping"), None), content(None, None));
        assert_ne!(of("[]"), of("{}"));
    }
}
