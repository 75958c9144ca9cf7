//! Methods that a profile adds: their senders, params and results.

use core::ops::ControlFlow;

use super::Stages;
use crate::Direction;
use crate::catalogue::profile::{Body, METHOD, Own, Tolerance};
use crate::catalogue::{Detail, Owner, Sink, Violation, inline};
use crate::envelope::MessageKind;
use crate::exchange::Exchange;
use crate::model::{MethodForm, MethodKind, ShapeId};
use crate::session::Session;
use crate::syntax::{Kind, Node};

impl Stages<'_> {
    /// The profile's own method for a name that the revision in force does not have.
    pub(super) fn method_of_dialect(&self, call: &Exchange<'_>) -> Option<&Own> {
        let profile = self.kit.policy.dialect()?;
        profile.own(&call.method_node()?.text()?)
    }

    /// Checks a call of a method that the profile adds.
    #[cold]
    pub(super) fn call_of_dialect(
        &self,
        call: &Exchange<'_>,
        own: &Own,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        let (root, name) = (call.envelope.root(), call.method_node());
        let name = name.unwrap_or(root);
        match (call.envelope.kind, own.kind, call.envelope.id()) {
            (MessageKind::Request, MethodKind::Notification, Some(id)) => {
                let detail = Detail::Unexpected { member: "id" };
                self.raise(&inline::NOTIFICATION_NO_ID, id, detail, sink)?;
            }
            (MessageKind::Notification, MethodKind::Request, _) => {
                let detail = missing("id");
                self.raise(&inline::REQUEST_HAS_ID, root, detail, sink)?;
            }
            _ => {}
        }
        if let (Some(direction), Some(wanted)) = (call.direction, own.direction())
            && direction != wanted
        {
            let text = match wanted {
                Direction::ClientToServer => "the profile lets only the client send this",
                Direction::ServerToClient => "the profile lets only the server send this",
            };
            self.raise(&METHOD, name, Detail::Text(text), sink)?;
        }
        match call.envelope.params() {
            None if own.params_required => {
                self.raise(&inline::MISSING_MEMBER, root, missing("params"), sink)
            }
            Some(params) => self.body(call, params, &own.params, |form| form.params, sink),
            None => ControlFlow::Continue(()),
        }
    }

    /// Checks the result of a method that the profile adds.
    #[cold]
    pub(super) fn result_of_dialect(
        &self,
        answer: &Exchange<'_>,
        result: Node<'_>,
        session: &Session,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        let Some(profile) = self.kit.policy.dialect() else {
            return ControlFlow::Continue(());
        };
        let request = answer
            .answered
            .and_then(|answered| session.request(answered));
        let name = match request {
            Some(request) => request.method_name().or(request.unknown_method.as_deref()),
            None => self.frame.answers,
        };
        match name.and_then(|name| profile.own(name)) {
            Some(own) => self.body(answer, result, &own.result, |form| form.result, sink),
            None => ControlFlow::Continue(()),
        }
    }

    fn tolerates(&self, tolerance: Tolerance) -> bool {
        let profile = self.kit.policy.dialect();
        profile.is_some_and(|profile| profile.allows(tolerance))
    }

    /// Checks params or a result; an earlier step checked that they are objects.
    fn body(
        &self,
        exchange: &Exchange<'_>,
        at: Node<'_>,
        body: &Body,
        part: impl Fn(&MethodForm) -> ShapeId,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        match body {
            Body::Any => ControlFlow::Continue(()),
            Body::Like(method) => match method.forms[exchange.revision.index()] {
                Some(form) if at.kind() == Kind::Object && part(form) != ShapeId::ABSENT => {
                    self.walk(exchange, at, part(form), sink)
                }
                _ => ControlFlow::Continue(()),
            },
            Body::Schema(schema) => {
                let tolerance = if exchange.envelope.is_call() {
                    Tolerance::PositionalParams
                } else {
                    Tolerance::AnyResults
                };
                if at.kind() != Kind::Object && !self.tolerates(tolerance) {
                    return ControlFlow::Continue(());
                }
                let mut flow = ControlFlow::Continue(());
                schema.check(at, |at, keyword, place| {
                    if flow.is_continue() {
                        let detail = Detail::Schema {
                            keyword,
                            member: None,
                        };
                        let schema = sink.note("profile", place, keyword);
                        let at = (at.span(), Some(at.index()));
                        flow = sink.push(Violation {
                            schema,
                            ..Violation::new(&METHOD, at.0, at.1, detail)
                        });
                    }
                });
                flow
            }
        }
    }
}

fn missing(member: &'static str) -> Detail {
    Detail::Missing {
        member,
        owner: Owner::Message,
    }
}
