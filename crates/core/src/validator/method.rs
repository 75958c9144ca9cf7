//! The demands of a method: its existence, its sender, its params, its result, the data of errors.

use core::ops::ControlFlow;

use super::Stages;
use crate::catalogue::Capability;
use crate::catalogue::profile::Profile;
use crate::catalogue::{Detail, Owner, Sink, inline};
use crate::envelope::{Envelope, Member, MessageKind, raise};
use crate::exchange::Exchange;
use crate::model::{ERRORS, MethodForm, MethodKind, ShapeId};
use crate::session::Session;
use crate::session::message::Message;
use crate::shape::check_value;
use crate::syntax::{Kind, Node};
use crate::{Direction, Party};

impl Stages<'_> {
    #[inline(always)]
    pub(super) fn call(
        &self,
        message: &Message<'_>,
        form: Option<&'static MethodForm>,
        session: &Session,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        let exchange = message.exchange;
        // An input request is embedded in a result and does not exist as a message.
        let Some(form) = form.filter(|form| form.kind != MethodKind::Input) else {
            return self.unknown_method(message, session, sink);
        };
        if exchange
            .direction
            .is_some_and(|direction| !may_send(form, direction))
        {
            wrong_direction(exchange, form, sink)?;
        }
        match exchange.envelope.params() {
            Some(params) if params.kind() == Kind::Object => {
                self.walk(exchange, params, form.params, sink)
            }
            None if form.params_required => missing_params(exchange, sink),
            _ => ControlFlow::Continue(()),
        }
    }

    #[inline(always)]
    pub(super) fn answer(
        &self,
        exchange: &Exchange<'_>,
        form: Option<&'static MethodForm>,
        session: &Session,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        match (form, exchange.envelope.result()) {
            (Some(form), Some(result)) if result.kind() == Kind::Object => {
                self.walk(exchange, result, form.result, sink)?;
            }
            (None, Some(result)) => self.result_of_dialect(exchange, result, session, sink)?,
            _ => {}
        }
        if exchange.envelope.kind == MessageKind::Error && may_have_data(&exchange.envelope) {
            self.error_data(exchange, sink)
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Checks `data` of an error whose code defines a shape for it.
    #[inline(never)]
    pub(super) fn error_data(
        &self,
        exchange: &Exchange<'_>,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        let envelope = &exchange.envelope;
        let Some(code) = envelope.error_code().and_then(Node::as_i64) else {
            return ControlFlow::Continue(());
        };
        let profile = self.kit.policy.dialect();
        if profile.is_some_and(|profile| profile.decides_code(code)) {
            return ControlFlow::Continue(());
        }
        let known = ERRORS.iter().find(|known| {
            i64::from(known.code) == code && known.revisions.contains(exchange.revision)
        });
        let Some(shape) = known
            .map(|known| known.data)
            .filter(|shape| *shape != ShapeId::ABSENT)
        else {
            return ControlFlow::Continue(());
        };
        match (envelope.error_data(), envelope.error()) {
            (Some(data), _) => self.walk(exchange, data, shape, sink),
            (None, Some(error)) => {
                let detail = Detail::Missing {
                    member: "data",
                    owner: Owner::Error,
                };
                raise(&inline::MISSING_MEMBER, error, detail, sink)
            }
            (None, None) => ControlFlow::Continue(()),
        }
    }

    #[inline(always)]
    pub(super) fn walk(
        &self,
        exchange: &Exchange<'_>,
        at: Node<'_>,
        shape: ShapeId,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        let read = (&self.kit.tape, self.frame.bytes);
        check_value(read, at.index(), shape, exchange.revision, sink)
    }

    #[cold]
    fn unknown_method(
        &self,
        message: &Message<'_>,
        session: &Session,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        let exchange = message.exchange;
        if let Some(own) = self.method_of_dialect(exchange) {
            return self.call_of_dialect(exchange, own, sink);
        }
        // An agreed extension may define further methods.
        let agreed = |party| {
            let declared = session.declared(party, message);
            declared.is_some_and(|declared| declared.has(Capability::Foreign))
        };
        let between_them = agreed(Party::Server)
            && (agreed(Party::Client) || exchange.direction == Some(Direction::ServerToClient));
        if exchange.method.is_none() && between_them {
            return ControlFlow::Continue(());
        }
        let Some(method) = exchange.method_node() else {
            return ControlFlow::Continue(());
        };
        // The profile reports a method without a name as a fault of JSON-RPC.
        let demands = |profile: &Profile| profile.demands_method_names();
        if self.kit.policy.dialect().is_some_and(demands) && method.is_text("") {
            return ControlFlow::Continue(());
        }
        let detail = Detail::Method {
            elsewhere: exchange.method,
        };
        raise(&inline::UNKNOWN_METHOD, method, detail, sink)
    }
}

/// The last two digits of the codes whose `data` has a shape.
const CODE_ENDS: [Option<[u8; 2]>; ERRORS.len()] = {
    let mut ends = [None; ERRORS.len()];
    let mut index = 0;
    while index < ERRORS.len() {
        if ERRORS[index].data.0 != ShapeId::ABSENT.0 {
            let end = ERRORS[index].code.unsigned_abs() % 100;
            ends[index] = Some([b'0' + (end / 10) as u8, b'0' + (end % 10) as u8]);
        }
        index += 1;
    }
    ends
};

/// Whether the code of an error may be one whose `data` has a shape: a quick test, which most codes
/// fail.
#[inline(always)]
fn may_have_data(error: &Envelope<'_>) -> bool {
    let Some(code) = error.token(Member::Code) else {
        return false;
    };
    let end = error.bytes().get(..code.end as usize);
    let end = end.and_then(<[u8]>::last_chunk).copied();
    code.complex
        || CODE_ENDS
            .iter()
            .any(|known| known.is_some() && *known == end)
}

/// Reports a request without an id, and a notification with one, by the kind of the method.
pub(super) fn carries_method(exchange: &Exchange<'_>, sink: &mut dyn Sink) -> ControlFlow<()> {
    let Some(form) = exchange.form() else {
        return ControlFlow::Continue(());
    };
    match (exchange.envelope.kind, form.kind, exchange.envelope.id()) {
        (MessageKind::Request, MethodKind::Notification, Some(id)) => raise(
            &inline::NOTIFICATION_NO_ID,
            id,
            Detail::Unexpected { member: "id" },
            sink,
        ),
        (MessageKind::Notification, MethodKind::Request, _) => {
            let detail = Detail::Missing {
                member: "id",
                owner: Owner::Message,
            };
            raise(
                &inline::REQUEST_HAS_ID,
                exchange.envelope.root(),
                detail,
                sink,
            )
        }
        _ => ControlFlow::Continue(()),
    }
}

/// Whether a message has an id exactly if its method requires one.
#[inline(always)]
pub(super) fn carries(message: MessageKind, method: MethodKind) -> bool {
    match message {
        MessageKind::Request => method != MethodKind::Notification,
        MessageKind::Notification => method != MethodKind::Request,
        _ => true,
    }
}

#[cold]
fn wrong_direction(
    exchange: &Exchange<'_>,
    form: &MethodForm,
    sink: &mut dyn Sink,
) -> ControlFlow<()> {
    let (Some(at), Some(method)) = (exchange.method_node(), exchange.method) else {
        return ControlFlow::Continue(());
    };
    let rule = if form.kind == MethodKind::Notification {
        &inline::NOTIFICATION_DIRECTION
    } else {
        &inline::METHOD_DIRECTION
    };
    raise(rule, at, Detail::Direction { method }, sink)
}

#[cold]
fn missing_params(exchange: &Exchange<'_>, sink: &mut dyn Sink) -> ControlFlow<()> {
    let detail = Detail::Missing {
        member: "params",
        owner: Owner::Message,
    };
    raise(
        &inline::MISSING_MEMBER,
        exchange.envelope.root(),
        detail,
        sink,
    )
}

#[inline(always)]
fn may_send(form: &MethodForm, direction: Direction) -> bool {
    match direction {
        Direction::ClientToServer => form.from_client,
        Direction::ServerToClient => form.from_server,
    }
}
