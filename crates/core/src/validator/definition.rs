//! Checks one text against one definition of the model, outside of any session.

use core::ops::ControlFlow;

use super::schema_place::struct_named;
use super::sinks::Selected;
use super::{Checked, Summary, Validator};
use crate::catalogue::{Collect, Detail, Layer, Owner, Rule, Sink, Violation, inline};
use crate::envelope::{MessageKind, raise};
use crate::frame::Frame;
use crate::model::{Calls, Codes, Definition, ErrorCode, Method, MethodKind, ShapeId};
use crate::shape::check_value;
use crate::syntax::{Kind, Node, Tape};
use crate::{Party, Revision, Session};

/// The layers that need nothing but the text.
const TEXT: [Layer; 2] = [Layer::Framing, Layer::Json];
/// The layers that need nothing but the envelope.
const ENVELOPE: [Layer; 3] = [Layer::Framing, Layer::Json, Layer::Jsonrpc];
/// The layers that need nothing but the message.
const MESSAGE: [Layer; 4] = [Layer::Framing, Layer::Json, Layer::Jsonrpc, Layer::Schema];

impl Validator {
    /// Checks a text against one definition of a revision, as if nothing came before it. No rule of
    /// sessions, tools or HTTP is checked.
    ///
    /// ```
    /// use mcp_assay::model::Definition;
    /// use mcp_assay::{Revision, Validator, Verdict};
    ///
    /// let revision = Revision::V2025_11_25;
    /// let definition = Definition::named("tools/call", revision).expect("a method");
    /// let mut validator = Validator::default();
    /// let message = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add"}}"#;
    /// let checked = validator.check_as(&definition, revision, &message[..]);
    /// assert_eq!(checked.verdict(), Verdict::Pass);
    /// ```
    pub fn check_as<'v>(
        &'v mut self,
        definition: &Definition,
        revision: Revision,
        frame: impl Into<Frame<'v>>,
    ) -> Checked<'v> {
        let frame = frame.into().revision(revision);
        match *definition {
            Definition::Shape(shape) => self.check_text(frame, |root, tape, sink| {
                check_value((tape, root.bytes()), root.index(), shape, revision, sink)
            }),
            Definition::Error(code) => self.check_text(frame, |root, tape, sink| {
                error_object(root, tape, code, revision, sink)
            }),
            Definition::Input(method) => self.check_text(frame, |root, tape, sink| {
                input(root, tape, method, revision, sink)
            }),
            Definition::Response(method) => {
                let frame = frame.answers(method.name);
                self.check_message(definition, revision, frame)
            }
            _ => self.check_message(definition, revision, frame),
        }
    }

    /// Checks a text that is no message with a function: the faults of JSON first, then, if it can
    /// be read, those that the function reports.
    pub fn check_text<'v>(
        &'v mut self,
        frame: impl Into<Frame<'v>>,
        check: impl FnOnce(Node<'_>, &Tape, &mut dyn Sink) -> ControlFlow<()>,
    ) -> Checked<'v> {
        let frame = frame.into();
        self.check_frame(&mut Session::new(), &frame);
        self.retain_layers(&TEXT);
        // Only a message has to be an object.
        let is_of_values = |found: &Violation| *found.rule != inline::TOP_LEVEL_OBJECT;
        self.last.violations.retain(is_of_values);
        self.last.summary = Summary {
            revision: self.last.summary.revision,
            is_value: true,
            ..Summary::UNREADABLE
        };
        self.report_more(&frame, check);
        Checked::new(self, &frame)
    }

    fn check_message<'v>(
        &'v mut self,
        definition: &Definition,
        revision: Revision,
        frame: Frame<'v>,
    ) -> Checked<'v> {
        self.check_frame(&mut Session::new(), &frame);
        let layers = match definition {
            Definition::Message => &ENVELOPE[..],
            _ => &MESSAGE[..],
        };
        self.retain_layers(layers);
        let root = self.kit.tape.root(frame.bytes);
        let misfit = root.and_then(|root| self.misfit(definition, root));
        if let Some((rule, at, detail)) =
            misfit.map(|(rule, at, detail)| (rule, at.index(), detail))
        {
            // It is another message: its own faults say nothing about this definition.
            self.retain_layers(&ENVELOPE);
            self.report_more(&frame, |root, _, sink| {
                raise(rule, root.at(at), detail, sink)
            });
        } else if matches!(definition, Definition::Answer) {
            self.report_more(&frame, |root, tape, sink| {
                lone_result(root, tape, revision, sink)
            });
        }
        Checked::new(self, &frame)
    }

    /// The reason why a message is not of the kind that a definition describes.
    fn misfit<'n>(
        &self,
        definition: &Definition,
        root: Node<'n>,
    ) -> Option<(&'static Rule, Node<'n>, Detail)> {
        let summary = &self.last.summary;
        let (kind, revision) = (summary.kind, summary.revision?);
        let is_sound = matches!(
            kind,
            MessageKind::Request
                | MessageKind::Notification
                | MessageKind::Response
                | MessageKind::Error
                | MessageKind::Batch
        );
        if !is_sound {
            // The envelope has said so.
            return None;
        }
        let other = |name| {
            let text = "the message is not {}";
            (&inline::WRONG_TYPE, root, Detail::Named { text, name })
        };
        let is_a = |wanted: MessageKind, name| (kind != wanted).then(|| other(name));
        match *definition {
            Definition::Call(method) => {
                let form = method.forms[revision.index()]?;
                is_a(kind_of(form.kind), noun(form.kind)).or_else(|| wrong_method(root, method))
            }
            Definition::Calls(calls) => {
                let is_call = matches!(kind, MessageKind::Request | MessageKind::Notification);
                let form = summary.method?.forms[revision.index()];
                // A method that is not known is reported as such.
                let fits = is_call && form.is_none_or(|form| calls.contains(form));
                (!fits).then(|| other(described(calls)))
            }
            Definition::Response(_) => is_a(MessageKind::Response, "a response with a result"),
            Definition::Answer => {
                let is_answer = matches!(kind, MessageKind::Response | MessageKind::Error);
                (!is_answer).then(|| other("a response"))
            }
            Definition::ErrorResponse(codes) => {
                is_a(MessageKind::Error, "a response with an error")
                    .or_else(|| wrong_code(root.get("error")?, codes, revision))
            }
            _ => None,
        }
    }

    fn retain_layers(&mut self, layers: &[Layer]) {
        let is_wanted = |violation: &Violation| layers.contains(&violation.rule.layer);
        self.last.violations.retain(is_wanted);
        self.last.left_out.retain(is_wanted);
    }

    /// Adds the violations that a function reports about the last text, if it could be read.
    fn report_more(
        &mut self,
        frame: &Frame<'_>,
        check: impl FnOnce(Node<'_>, &Tape, &mut dyn Sink) -> ControlFlow<()>,
    ) {
        let Self { kit, last } = self;
        let Some(root) = kit.tape.root(frame.bytes) else {
            return;
        };
        let mut sink = Collect {
            violations: &mut last.violations,
            limit: kit.policy.limits.violations,
            left_out: &mut last.left_out,
            notes: &mut last.notes,
        };
        let mut selected = Selected {
            policy: &kit.policy,
            sink: &mut sink,
        };
        let _never_breaks = check(root, &kit.tape, &mut selected);
    }
}

fn kind_of(kind: MethodKind) -> MessageKind {
    match kind {
        MethodKind::Notification => MessageKind::Notification,
        MethodKind::Request | MethodKind::Input => MessageKind::Request,
    }
}

fn noun(kind: MethodKind) -> &'static str {
    match kind {
        MethodKind::Notification => "a notification",
        MethodKind::Request | MethodKind::Input => "a request",
    }
}

fn described(calls: Calls) -> &'static str {
    let is_request = calls.kind.map(|kind| kind == MethodKind::Request);
    match (calls.sender, is_request) {
        (Some(Party::Client), Some(true)) => "a request of the client",
        (Some(Party::Client), Some(false)) => "a notification of the client",
        (Some(Party::Server), Some(true)) => "a request of the server",
        (Some(Party::Server), Some(false)) => "a notification of the server",
        _ => "a request or a notification",
    }
}

fn wrong_method<'n>(
    call: Node<'n>,
    method: &'static Method,
) -> Option<(&'static Rule, Node<'n>, Detail)> {
    let found = call.get("method")?;
    let (text, name) = ("the method is not `{}`", method.name);
    (!found.is_text(name)).then_some((&inline::UNKNOWN_VALUE, found, Detail::Named { text, name }))
}

fn wrong_code(
    error: Node<'_>,
    codes: Codes,
    revision: Revision,
) -> Option<(&'static Rule, Node<'_>, Detail)> {
    let found = error.get("code")?;
    let code = found.as_i64()?;
    let detail = match codes {
        Codes::Only(error) => Detail::Named {
            text: "the code is not that of `{}`",
            name: error.name,
        },
        _ => Detail::Text("the code has a definition of its own"),
    };
    (!codes.contains(code, revision)).then_some((&inline::UNKNOWN_VALUE, found, detail))
}

/// Checks an error object of one code.
fn error_object(
    root: Node<'_>,
    tape: &Tape,
    code: &'static ErrorCode,
    revision: Revision,
    sink: &mut dyn Sink,
) -> ControlFlow<()> {
    let text = (tape, root.bytes());
    if let Some(shape) = struct_named("Error") {
        check_value(text, root.index(), shape, revision, sink)?;
    }
    if root.kind() != Kind::Object {
        return ControlFlow::Continue(());
    }
    if let Some((rule, at, detail)) = wrong_code(root, Codes::Only(code), revision) {
        raise(rule, at, detail, sink)?;
    }
    match root.get("data") {
        Some(data) if code.data != ShapeId::ABSENT => {
            check_value(text, data.index(), code.data, revision, sink)
        }
        _ => ControlFlow::Continue(()),
    }
}

/// Checks the method and params of a request that is embedded in a result.
fn input(
    root: Node<'_>,
    tape: &Tape,
    method: &'static Method,
    revision: Revision,
    sink: &mut dyn Sink,
) -> ControlFlow<()> {
    let text = (tape, root.bytes());
    if let Some(shape) = struct_named("Request") {
        check_value(text, root.index(), shape, revision, sink)?;
    }
    let Some(form) = method.forms[revision.index()].filter(|_| root.kind() == Kind::Object) else {
        return ControlFlow::Continue(());
    };
    if let Some((rule, at, detail)) = wrong_method(root, method) {
        return raise(rule, at, detail, sink);
    }
    match root.get("params") {
        Some(params) => check_value(text, params.index(), form.params, revision, sink),
        None if form.params_required => {
            let member = "params";
            let owner = Owner::Message;
            let detail = Detail::Missing { member, owner };
            raise(&inline::MISSING_MEMBER, root, detail, sink)
        }
        None => ControlFlow::Continue(()),
    }
}

/// Checks the part that every result has.
fn lone_result(
    root: Node<'_>,
    tape: &Tape,
    revision: Revision,
    sink: &mut dyn Sink,
) -> ControlFlow<()> {
    match (root.get("result"), struct_named("Result")) {
        (Some(result), Some(shape)) => {
            check_value((tape, root.bytes()), result.index(), shape, revision, sink)
        }
        _ => ControlFlow::Continue(()),
    }
}
