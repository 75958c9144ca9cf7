//! Definitions from a JSON Schema document that replace the built-in model, and the rules that
//! their refusals violate.

use core::ops::ControlFlow;

use mcp_assay_schemas::json_schema::{
    Refusal, RefusalKind, RefusalSink, SchemaDefinitions, Subject,
};

use crate::catalogue::{Detail, Sink, inline};
use crate::envelope::{MessageKind, raise};
use crate::exchange::Exchange;
use crate::model::Direction;
use crate::syntax::{Node, Tape};
use crate::validator::Definitions;

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
        let (rule, keyword, member) = match refusal.kind {
            RefusalKind::WrongDirection => {
                return raise_direction(self.exchange, refusal.at, self.sink);
            }
            RefusalKind::UnknownMethod => (&inline::UNKNOWN_METHOD, "method", None),
            RefusalKind::NotCompiled => (&inline::OVERRIDE, "$ref", None),
            RefusalKind::Keyword { keyword, member } => (&inline::OVERRIDE, keyword, member),
        };
        let detail = Detail::Schema { keyword, member };
        raise(rule, refusal.at, detail, self.sink)
    }
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
