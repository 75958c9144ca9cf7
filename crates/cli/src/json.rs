//! JSON texts, walked and written anew without a tree of values, and without recursion on their
//! depth.

use std::borrow::Cow;
use std::fmt::Write as _;

use mcp_assay::Limits;
use mcp_assay::syntax::{Items, Kind, Members, Node, Tape, scan};
use mcp_assay_report::write_json;

/// Reads a text; fails with the byte at which it stops being JSON. The scanner is compiled anew
/// wherever it is called, and is large.
#[inline(never)]
pub(crate) fn read<'t>(
    text: &'t [u8],
    limits: &Limits,
    tape: &'t mut Tape,
) -> Result<Option<Node<'t>>, u32> {
    match scan(text, &limits.for_scan(), tape) {
        Ok(()) => Ok(tape.root(text)),
        Err(fault) => Err(fault.start),
    }
}

/// A step of a walk.
pub(crate) enum Step<'a, 'n> {
    /// An object or array begins.
    Begin(Node<'a>),
    /// The key of a member; its value follows unless it is skipped.
    Key(&'n str),
    /// An item of an array; it follows unless it is skipped.
    Item,
    /// A string, a number, or a name.
    Scalar(Node<'a>),
    /// The object or array that was begun last ends.
    End(Kind),
}

/// The treatment of a member or item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fate {
    /// The walk enters it.
    Enter,
    /// The walk skips it.
    Skip,
}

/// Walks a value. `visit` receives each step and the JSON Pointer of the place; its result matters
/// for keys and items.
pub(crate) fn walk(root: Node<'_>, mut visit: impl FnMut(Step<'_, '_>, &str) -> Fate) {
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut pointer = String::new();
    let mut value = Some(root);
    loop {
        if let Some(node) = value.take() {
            if let Some(children) = Children::of(node) {
                visit(Step::Begin(node), &pointer);
                let length = pointer.len();
                open.push(Open { children, length });
            } else {
                visit(Step::Scalar(node), &pointer);
            }
        }
        let Some(Open { children, length }) = open.last_mut() else {
            return;
        };
        pointer.truncate(*length);
        let fate = match children {
            Children::Members(members) => members.next().map(|(key, member)| {
                let name = key.text().unwrap_or_default();
                push_segment(&mut pointer, &name);
                (visit(Step::Key(&name), &pointer), member)
            }),
            Children::Items(items, position) => items.next().map(|item| {
                // Writing to a string cannot fail.
                let _ = write!(pointer, "/{position}");
                *position += 1;
                (visit(Step::Item, &pointer), item)
            }),
        };
        match fate {
            Some((Fate::Enter, child)) => value = Some(child),
            Some((Fate::Skip, _)) => {}
            None => {
                let kind = children.kind();
                open.pop();
                visit(Step::End(kind), &pointer);
            }
        }
    }
}

/// Writes a value on one line, in a form that every parser reads. `replace` gives, by key and
/// pointer, the text in place of a member's value, and an empty one leaves the member out.
pub(crate) fn write(
    root: Node<'_>,
    out: &mut Vec<u8>,
    mut replace: impl FnMut(&str, &str) -> Option<&'static str>,
) {
    let mut comma = false;
    walk(root, |step, pointer| {
        let mut fate = Fate::Enter;
        match step {
            Step::Item => {}
            Step::Begin(node) => {
                separate(&mut comma, out);
                comma = false;
                out.push(if node.kind() == Kind::Object {
                    b'{'
                } else {
                    b'['
                });
            }
            Step::End(kind) => {
                out.push(if kind == Kind::Object { b'}' } else { b']' });
                comma = true;
            }
            Step::Scalar(node) => {
                separate(&mut comma, out);
                comma = true;
                out.extend_from_slice(scalar(node).as_bytes());
            }
            Step::Key(name) => {
                let instead = replace(name, pointer);
                if instead == Some("") {
                    return Fate::Skip;
                }
                separate(&mut comma, out);
                push_text(name, out);
                out.push(b':');
                comma = false;
                if let Some(text) = instead {
                    push_text(text, out);
                    comma = true;
                    fate = Fate::Skip;
                }
            }
        }
        fate
    });
}

/// A string, number or name as JSON; strings in the one spelling that [`push_text`] gives them.
pub(crate) fn scalar(node: Node<'_>) -> Cow<'_, str> {
    match node.text() {
        Some(text) => {
            let mut out = Vec::with_capacity(text.len() + 2);
            push_text(&text, &mut out);
            Cow::Owned(String::from_utf8_lossy(&out).into_owned())
        }
        None => String::from_utf8_lossy(node.raw()),
    }
}

/// Adds a string with its quotes, as reports write it.
pub(crate) fn push_text(text: &str, out: &mut Vec<u8>) {
    if text.bytes().all(|byte| IS_PLAIN[usize::from(byte)]) {
        out.push(b'"');
        out.extend_from_slice(text.as_bytes());
        out.push(b'"');
        return;
    }
    // Writing to a vector cannot fail.
    let _ = write_json(text, out);
}

/// The characters that every string has as they are.
const IS_PLAIN: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0x20;
    while byte < 0x7f {
        table[byte] = !matches!(byte as u8, b'"' | b'\\');
        byte += 1;
    }
    table
};

/// Adds a whole number.
pub(crate) fn push_number(number: u64, out: &mut Vec<u8>) {
    let mut digits = [b'0'; 20];
    let (mut rest, mut start) = (number, digits.len());
    for digit in digits.iter_mut().rev() {
        *digit = b'0' + (rest % 10) as u8;
        (rest, start) = (rest / 10, start - 1);
        if rest == 0 {
            break;
        }
    }
    out.extend_from_slice(digits.get(start..).unwrap_or_default());
}

fn separate(comma: &mut bool, out: &mut Vec<u8>) {
    if *comma {
        out.push(b',');
    }
}

fn push_segment(pointer: &mut String, name: &str) {
    pointer.push('/');
    for character in name.chars() {
        match character {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            _ => pointer.push(character),
        }
    }
}

/// An object or array that the walk is in.
struct Open<'a> {
    children: Children<'a>,
    /// The length of its pointer.
    length: usize,
}

enum Children<'a> {
    Members(Members<'a>),
    Items(Items<'a>, usize),
}

impl<'a> Children<'a> {
    fn of(node: Node<'a>) -> Option<Self> {
        match node.kind() {
            Kind::Object => Some(Self::Members(node.members())),
            Kind::Array => Some(Self::Items(node.items(), 0)),
            _ => None,
        }
    }

    fn kind(&self) -> Kind {
        match self {
            Self::Members(_) => Kind::Object,
            Self::Items(..) => Kind::Array,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str, replace: impl FnMut(&str, &str) -> Option<&'static str>) -> String {
        let mut limits = Limits::DEFAULT;
        limits.depth = 1 << 20;
        let (mut tape, mut out) = (Tape::new(), Vec::new());
        scan(text.as_bytes(), &limits.for_scan(), &mut tape).unwrap();
        write(tape.root(text.as_bytes()).unwrap(), &mut out, replace);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn values_are_written_on_one_line() {
        let text = "{ \"a\": [1, 1.50, true,\n null, {}, [], \"x\\u0041\\n\"], \"b\": {\"c\": \"\u{1}\"} }"
            .replace('\u{1}', "\\u0001\\u009b\\ud800");
        assert_eq!(
            written(&text, |_, _| None),
            "{\"a\":[1,1.50,true,null,{},[],\"xA\\n\"],\"b\":{\"c\":\"\\u0001\\u009b\u{fffd}\"}}"
        );
    }

    #[test]
    fn members_are_replaced_and_left_out() {
        let text = r#"{"a":{"b":1,"c":[2]},"d":[{"b":{"c":3}},4],"e":5}"#;
        let replace = |name: &str, pointer: &str| match (name, pointer) {
            (_, "/a/c") => Some("-"),
            ("b" | "e", _) => Some(""),
            _ => None,
        };
        assert_eq!(written(text, replace), r#"{"a":{"c":"-"},"d":[{},4]}"#);
    }

    #[test]
    fn depth_does_not_matter() {
        let deep = 300_000;
        let text = "[".repeat(deep) + &"]".repeat(deep);
        assert_eq!(written(&text, |_, _| None), text);
    }
}
