//! The messages in a message: itself, or the items of a batch.

use std::borrow::Cow;

use mcp_assay::syntax::{Kind, Node};
use mcp_assay::{Checked, Level, MessageKind, Verdict};
use mcp_assay_contract::canonical::CanonicalError;

use super::outcome::Fault;

/// Errors of a message that are kept until its exchange is over.
const MAX_FAULTS: usize = 16;

/// A message, or an item of a batch.
pub(super) struct Item<'a> {
    pub(super) kind: MessageKind,
    pub(super) root: Option<Node<'a>>,
    pub(super) method: Option<Cow<'a, str>>,
    pub(super) id: Option<Node<'a>>,
    pub(super) bytes: usize,
    pub(super) verdict: Verdict,
    /// Its first errors.
    pub(super) faults: Vec<Fault>,
}

impl<'a> Item<'a> {
    pub(super) fn whole(checked: &Checked<'a>) -> Self {
        Self {
            kind: checked.kind(),
            root: checked.root(),
            method: checked.method(),
            id: checked.id(),
            bytes: checked.bytes().len(),
            verdict: checked.verdict(),
            faults: faults(checked, None),
        }
    }

    /// The items that are requests or answers.
    pub(super) fn of_batch(checked: &Checked<'a>) -> Vec<Self> {
        let items = checked.root().into_iter().flat_map(Node::items);
        let item = |node: Node<'a>| {
            let id = node.get("id")?;
            let (method, error) = (node.get("method"), node.get("error"));
            let kind = match (method, error) {
                (Some(_), _) => MessageKind::Request,
                (None, Some(_)) => MessageKind::Error,
                (None, None) => {
                    node.get("result")?;
                    MessageKind::Response
                }
            };
            // The table knows whole messages; an item shows its side by itself.
            let canonical = match kind {
                MessageKind::Request => CanonicalError::InvalidInput,
                _ => CanonicalError::InvalidOutput,
            };
            let mut faults = faults(checked, Some(node));
            for fault in &mut faults {
                fault.canonical = canonical;
            }
            let found = checked.violations().iter();
            let flagged = found
                .into_iter()
                .any(|violation| within(violation.span, node));
            Some(Self {
                kind,
                root: Some(node).filter(|node| node.kind() == Kind::Object),
                method: method.and_then(Node::text),
                id: Some(id),
                bytes: node.raw().len(),
                verdict: match (faults.is_empty(), flagged) {
                    (false, _) => Verdict::Block,
                    (true, true) => Verdict::Flag,
                    (true, false) => Verdict::Pass,
                },
                faults,
            })
        };
        items.filter_map(item).collect()
    }
}

/// The errors of a message, or of one item of it.
fn faults(checked: &Checked<'_>, item: Option<Node<'_>>) -> Vec<Fault> {
    let errors = checked.violations().iter().filter(|violation| {
        checked.level(violation) == Level::Error
            && item.is_none_or(|item| within(violation.span, item))
    });
    errors
        .take(MAX_FAULTS)
        .map(|violation| Fault::new(checked, violation))
        .collect()
}

fn within(span: mcp_assay::Span, item: Node<'_>) -> bool {
    let item = item.span();
    item.start <= span.start && span.end <= item.end
}
