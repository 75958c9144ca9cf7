//! Parts of HTTP exchanges, with the messages in them and without.

use core::ops::ControlFlow;

use super::memory::Memory;
use super::{Stages, with_request};
use crate::catalogue::Sink;
use crate::envelope::MessageKind;
use crate::frame::Http;
use crate::model::Fact;
use crate::rules::check::Findings;
use crate::session::message::{Message, Transfer};
use crate::session::{Moment, Session};
use crate::validator::checked::Summary;
use crate::{Direction, Revision};

impl Stages<'_> {
    /// Finishes a part of an HTTP exchange without a message.
    #[inline(never)]
    pub(super) fn no_message(
        &self,
        summary: Summary,
        mut flow: ControlFlow<()>,
        memory: &mut impl Memory,
        sink: &mut dyn Sink,
    ) -> (Summary, ControlFlow<()>) {
        if let Some(http) = self.frame.http {
            let revision = self.revision_of_part(memory.session());
            let now = memory.session().now(self.frame);
            let transfer = self.transfer(http, None, revision, now);
            flow = self.http_rules(&transfer, memory.session(), flow, sink);
            memory.transferred(&transfer, &self.kit.schedule);
        }
        // A batch was counted message by message.
        if summary.kind != MessageKind::Batch {
            memory.count(self, &summary);
        }
        (summary, flow)
    }

    /// Finishes a message that came over HTTP: runs the rules of HTTP, then updates the session.
    #[inline(never)]
    pub(super) fn carried(
        &self,
        http: &Http<'_>,
        message: &Message<'_>,
        flow: ControlFlow<()>,
        memory: &mut impl Memory,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        let session = memory.session();
        let answer = with_request(message, session);
        let transfer = self.transfer(http, Some(&answer), message.revision(), message.now());
        let flow = self.http_rules(&transfer, session, flow, sink);
        memory.advance(message, &self.kit.schedule);
        let transfer = self.transfer(http, Some(message), message.revision(), message.now());
        memory.transferred(&transfer, &self.kit.schedule);
        flow
    }

    /// Whether an event came before: the message in it counts once.
    #[inline(never)]
    pub(super) fn is_repeated(&self, http: &Http<'_>, session: &Session) -> bool {
        session.state.http.is_repeated(http, self.frame.bytes)
    }

    /// Finishes an event that came before.
    #[cold]
    pub(super) fn repeated(
        &self,
        http: &Http<'_>,
        message: &Message<'_>,
        flow: ControlFlow<()>,
        memory: &mut impl Memory,
        sink: &mut dyn Sink,
    ) -> (Summary, ControlFlow<()>) {
        let transfer = self.transfer(http, None, message.revision(), message.now());
        let flow = self.http_rules(&transfer, memory.session(), flow, sink);
        let summary = Summary::of(message.exchange);
        memory.count(self, &summary);
        (summary, flow)
    }

    pub(super) fn transfer<'t>(
        &'t self,
        http: &'t Http<'t>,
        message: Option<&'t Message<'t>>,
        revision: Revision,
        now: Moment,
    ) -> Transfer<'t> {
        Transfer {
            http,
            message,
            body: self.frame.bytes,
            frame: self.frame,
            policy: &self.kit.policy,
            revision,
            now,
        }
    }

    /// Runs the rules that concern a part of an HTTP exchange.
    pub(super) fn http_rules(
        &self,
        transfer: &Transfer<'_>,
        session: &Session,
        flow: ControlFlow<()>,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        flow?;
        let sender = self.frame.direction.map(Direction::sender);
        let mut findings = Findings::new(
            sender,
            transfer.revision,
            &self.kit.policy,
            session,
            transfer.now.exchange,
            sink,
        );
        for (rule, check) in self.kit.schedule.http_checks(&transfer.http.part) {
            if rule.revisions.contains(transfer.revision) {
                findings.begin(Some(rule));
                check(transfer, session, &mut findings);
            }
        }
        findings.flow()
    }

    /// The revision of a part of an HTTP exchange without a message.
    pub(super) fn revision_of_part(&self, session: &Session) -> Revision {
        self.frame
            .revision
            .or(self.kit.policy.revision)
            .or_else(|| session.revision_in_header(self.frame))
            .or(session.revision())
            .or_else(|| session.revision_of_transport(self.frame))
            .or_else(|| Revision::latest_with(Fact::Handshake))
            .unwrap_or(Revision::latest())
    }
}
