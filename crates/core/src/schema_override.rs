//! Definitions from a JSON Schema document that replace the built-in model, and the rules that
//! their refusals violate.

use core::ops::ControlFlow;

use mcp_assay_schemas::json_schema::{
    Refusal, RefusalKind, RefusalSink, SchemaDefinitions, Subject,
};

use crate::catalogue::{Detail, Rule, Sink, Violation, inline};
use crate::envelope::{MessageKind, raise};
use crate::exchange::Exchange;
use crate::frame::Frame;
use crate::model::Direction;
use crate::syntax::{Node, Tape};
use crate::validator::{Checked, Definitions, Validator};

impl Definitions for SchemaDefinitions {
    fn check(&self, exchange: &Exchange<'_>, _: &Tape, sink: &mut dyn Sink) -> ControlFlow<()> {
        let subject = Subject {
            root: exchange.envelope.root(),
            kind: exchange.envelope.kind,
            direction: exchange.direction,
            revision: exchange.revision,
            method: exchange.method,
            method_node: exchange.method_node(),
            result: exchange.envelope.result(),
            error: exchange.envelope.error(),
        };
        self.check(&subject, &mut Violations { exchange, sink })
    }
}

/// Turns refusals into violations.
struct Violations<'s, 'a> {
    exchange: &'s Exchange<'a>,
    sink: &'s mut dyn Sink,
}

impl RefusalSink for Violations<'_, '_> {
    fn push(&mut self, refusal: Refusal<'_>) -> ControlFlow<()> {
        let Refusal {
            at, kind, schema, ..
        } = refusal;
        let (rule, keyword, member) = match kind {
            RefusalKind::WrongDirection => {
                return raise_direction(self.exchange, at, self.sink);
            }
            RefusalKind::UnknownMethod => (&inline::UNKNOWN_METHOD, "method", None),
            RefusalKind::NotCompiled => (&inline::OVERRIDE, "$ref", None),
            RefusalKind::Keyword { keyword, member } => (&inline::OVERRIDE, keyword, member),
        };
        let detail = Detail::Schema { keyword, member };
        push(rule, at, detail, (schema, keyword), self.sink)
    }
}

impl Validator {
    /// Checks a text against the definition that has this name in a document, outside of any
    /// session. Nothing is found if the document has no such definition.
    pub fn check_as_named<'v>(
        &'v mut self,
        definitions: &SchemaDefinitions,
        name: &str,
        frame: impl Into<Frame<'v>>,
    ) -> Checked<'v> {
        self.check_text(frame, |root, _, sink| {
            let checked = definitions.check_named(name, root, &mut Refusals { sink });
            checked.unwrap_or(ControlFlow::Continue(()))
        })
    }
}

/// Turns refusals of a value, which is no message, into violations.
struct Refusals<'s> {
    sink: &'s mut dyn Sink,
}

impl RefusalSink for Refusals<'_> {
    fn push(&mut self, refusal: Refusal<'_>) -> ControlFlow<()> {
        let (keyword, member) = match refusal.kind {
            RefusalKind::Keyword { keyword, member } => (keyword, member),
            _ => ("$ref", None),
        };
        let detail = Detail::Schema { keyword, member };
        let place = (refusal.schema, keyword);
        push(&inline::OVERRIDE, refusal.at, detail, place, self.sink)
    }
}

/// The name of the document in reports.
const DOCUMENT: &str = "override";

fn push(
    rule: &'static Rule,
    at: Node<'_>,
    detail: Detail,
    (pointer, keyword): (&str, &'static str),
    sink: &mut dyn Sink,
) -> ControlFlow<()> {
    let mut violation = Violation::new(rule, at.span(), Some(at.index()), detail);
    if !pointer.is_empty() {
        violation.schema = sink.note(DOCUMENT, pointer, keyword);
    }
    sink.push(violation)
}

/// Reports a method that only the other party sends. If the model agrees, its rule has the better
/// text.
fn raise_direction(exchange: &Exchange<'_>, at: Node<'_>, sink: &mut dyn Sink) -> ControlFlow<()> {
    let known = exchange
        .form()
        .zip(exchange.method)
        .filter(|(form, _)| match exchange.direction {
            Some(Direction::ClientToServer) => !form.from_client,
            Some(Direction::ServerToClient) => !form.from_server,
            None => false,
        });
    let rule = match exchange.envelope.kind {
        MessageKind::Notification => &inline::NOTIFICATION_DIRECTION,
        _ => &inline::METHOD_DIRECTION,
    };
    match known {
        Some((_, method)) => raise(rule, at, Detail::Direction { method }, sink),
        None => raise(rule, at, Detail::Plain, sink),
    }
}

#[cfg(test)]
mod tests;
