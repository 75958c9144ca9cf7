//! Small mistakes that can be mended without guessing, and tools that can be left out of a list.

use mcp_assay::model::{Shape, ShapeId};
use mcp_assay::rules::inline;
use mcp_assay::syntax::{Kind, Node};
use mcp_assay::{Checked, Detail, Level, MessageKind, Span, Violation};

/// The faults that are mended rather than refused.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct Repairs {
    /// Null members that must be absent are dropped, and `[]` where an empty object is meant
    /// becomes `{}`.
    pub values: bool,
    /// A broken tool is left out of a list of tools.
    pub quarantine: bool,
}

/// One thing that was mended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Repair {
    /// The kind of repair.
    pub kind: RepairKind,
    /// The rule that was violated.
    pub rule: &'static str,
    /// Where, as a JSON Pointer into the message as it was sent.
    pub pointer: String,
    /// The bytes that were taken out, of the message as it was sent.
    pub before: Span,
    /// The text in their place.
    pub after: &'static str,
    /// The name of the tool that was left out.
    pub tool: Option<String>,
}

/// The kind of repair.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum RepairKind {
    /// A null member was dropped.
    NullDropped,
    /// `[]` became `{}`.
    EmptyObject,
    /// A tool was left out of the list.
    ToolRemoved,
}

impl RepairKind {
    /// The name in logs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NullDropped => "null-dropped",
            Self::EmptyObject => "empty-object",
            Self::ToolRemoved => "tool-removed",
        }
    }
}

/// Writes a message anew without what can be mended; `false` if nothing can.
pub(super) fn repair(
    checked: &Checked<'_>,
    repairs: Repairs,
    out: &mut Vec<u8>,
    done: &mut Vec<Repair>,
) -> bool {
    let Some(root) = checked.root() else {
        return false;
    };
    for violation in checked.violations() {
        if checked.level(violation) != Level::Error {
            continue;
        }
        let Some(token) = violation.token else {
            continue;
        };
        let node = root.at(token);
        let mut found = None;
        if repairs.values {
            found = value(violation, node);
        }
        if repairs.quarantine {
            found = found.or_else(|| tool(checked, root, node));
        }
        if let Some((kind, span, after, tool)) = found
            && !done
                .iter()
                .any(|known| known.before.start <= span.start && span.end <= known.before.end)
        {
            // A tool that goes takes what was to be mended in it along.
            done.retain(|known| known.before.start < span.start || span.end < known.before.end);
            done.push(Repair {
                kind,
                rule: violation.rule.name,
                pointer: checked.pointer(violation),
                before: span,
                after,
                tool,
            });
        }
    }
    if done.is_empty() {
        return false;
    }
    done.sort_by_key(|repair| repair.before.start);
    cut(checked.bytes(), done, out);
    true
}

type Found = (RepairKind, Span, &'static str, Option<String>);

/// A null member, or an empty array in place of an object.
fn value(violation: &Violation, node: Node<'_>) -> Option<Found> {
    if *violation.rule == inline::NO_NULL_OPTIONAL {
        return Some((RepairKind::NullDropped, member_span(node)?, "", None));
    }
    let empty = node.kind() == Kind::Array && node.items().next().is_none();
    let meant = matches!(violation.detail, Detail::Type { expected, .. } if is_object(expected))
        || matches!(
            violation.detail,
            Detail::EnvelopeType {
                expected: "an object",
                ..
            }
        );
    (empty && meant).then(|| (RepairKind::EmptyObject, node.span(), "{}", None))
}

fn is_object(expected: ShapeId) -> bool {
    matches!(
        expected.get(),
        Some(Shape::Object | Shape::Map(_) | Shape::Struct(_))
    )
}

/// The tool of a list that a value belongs to.
fn tool(checked: &Checked<'_>, root: Node<'_>, node: Node<'_>) -> Option<Found> {
    if checked.kind() != MessageKind::Response || checked.method().as_deref() != Some("tools/list")
    {
        return None;
    }
    let tools = root.get("result")?.get("tools")?;
    let at = node.span();
    let tool = tools
        .items()
        .find(|tool| tool.span().start <= at.start && at.end <= tool.span().end)?;
    let name = tool
        .get("name")
        .and_then(|name| name.text().map(std::borrow::Cow::into_owned));
    Some((
        RepairKind::ToolRemoved,
        tool.span(),
        "",
        Some(name.unwrap_or_default()),
    ))
}

/// The bytes of a member with its key.
fn member_span(value: Node<'_>) -> Option<Span> {
    let bytes = value.bytes();
    let start = value.span().start as usize;
    // Before the value stand white space, a colon, white space and the key.
    let before = bytes
        .get(..start)?
        .trim_ascii_end()
        .strip_suffix(b":")?
        .trim_ascii_end();
    let key = before.strip_suffix(b"\"")?;
    let mut open = key.len();
    loop {
        open = memchr::memrchr(b'"', bytes.get(..open)?)?;
        let escapes = bytes
            .get(..open)?
            .iter()
            .rev()
            .take_while(|byte| **byte == b'\\')
            .count();
        if escapes % 2 == 0 {
            break;
        }
    }
    Some(Span {
        start: open as u32,
        end: value.span().end,
    })
}

/// Writes the bytes with the repairs, which are in order.
fn cut(bytes: &[u8], repairs: &[Repair], out: &mut Vec<u8>) {
    out.clear();
    let mut from = 0;
    for repair in repairs {
        let start = (repair.before.start as usize).max(from);
        out.extend_from_slice(bytes.get(from..start).unwrap_or_default());
        out.extend_from_slice(repair.after.as_bytes());
        from = repair.before.end as usize;
    }
    out.extend_from_slice(bytes.get(from..).unwrap_or_default());
    tidy(out);
}

/// Takes out the commas that members and items leave over when they go.
fn tidy(out: &mut Vec<u8>) {
    let mut kept = Vec::with_capacity(out.len());
    let (mut in_string, mut escaped) = (false, false);
    // The last byte that is not white space, outside of strings, and where it was put.
    let (mut last, mut place) = (b'[', 0);
    for &byte in out.iter() {
        if in_string {
            in_string = escaped || byte != b'"';
            escaped = !escaped && byte == b'\\';
        } else if !byte.is_ascii_whitespace() {
            if byte == b',' && matches!(last, b'[' | b'{' | b',') {
                continue;
            }
            if matches!(byte, b']' | b'}') && last == b',' {
                kept.remove(place);
            }
            in_string = byte == b'"';
            (last, place) = (byte, kept.len());
        }
        kept.push(byte);
    }
    *out = kept;
}
