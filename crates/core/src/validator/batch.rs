//! Batches: arrays of messages, which only one revision has.

use core::ops::ControlFlow;

use super::Stages;
use super::memory::Memory;
use super::sinks::OfMessage;
use crate::catalogue::profile::Tolerance;
use crate::catalogue::{Detail, MessageScope, Sink, inline};
use crate::envelope::MessageKind;
use crate::exchange::Exchange;
use crate::frame::Frame;
use crate::model::Fact;
use crate::session::message::Message;
use crate::syntax::{Head, Kind, Node};
use crate::validator::checked::Summary;
use crate::{Revision, RevisionSet};

impl<'a> Stages<'a> {
    #[inline(never)]
    pub(super) fn batch(
        &self,
        root: Node<'a>,
        memory: &mut impl Memory,
        summary: &mut Summary,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        let known = self
            .frame
            .revision
            .or(self.kit.policy.revision)
            .or_else(|| memory.session().revision_in_header(self.frame));
        let profile = self.kit.policy.dialect();
        let tolerated = profile.is_some_and(|profile| profile.allows(Tolerance::Batches));
        let known = known.or(memory.session().settled_revision());
        // Without any other sign an array belongs to the revision that has batches. Where a profile
        // allows them everywhere, it is no sign.
        let batches = Revision::latest_with(Fact::Batches).filter(|_| !tolerated);
        let revision = known.or(batches).unwrap_or(Revision::assumed());
        // Violations of the batch itself; each message in it has a scope of its own.
        let scope = if self.scoped {
            self.scope_of_kind(MessageKind::Batch)
        } else {
            MessageScope::EVERYTHING
        };
        *summary = Summary {
            kind: MessageKind::Batch,
            revision: Some(revision),
            ..*summary
        };
        let frame = Frame {
            revision: known.or(batches),
            ..*self.frame
        };
        let is_refused = !tolerated && inline::NO_BATCH.revisions.contains(revision);
        if is_refused && !memory.session().has_version_gap() {
            // Its messages are not checked: answers to them, and answers among them, are lost.
            memory.count(self, summary);
            return self.raise(
                &inline::NO_BATCH,
                root,
                Detail::Revisions(batch_revisions()),
                &mut OfMessage { scope, sink },
            );
        }
        if !tolerated && inline::BATCH_UNDEFINED.revisions.contains(revision) {
            self.raise(
                &inline::BATCH_UNDEFINED,
                root,
                Detail::Revisions(batch_revisions()),
                &mut OfMessage { scope, sink },
            )?;
        }
        let defined = tolerated || inline::BATCH_NOT_EMPTY.revisions.contains(revision);
        if root.items().next().is_none() {
            memory.unnamed(summary.direction);
        }
        if defined && root.items().next().is_none() {
            let sink = &mut OfMessage { scope, sink };
            return self.raise(&inline::BATCH_NOT_EMPTY, root, Detail::Plain, sink);
        }
        let mut calls = None;
        for item in root.items() {
            if item.kind() != Kind::Object {
                let detail = Detail::EnvelopeType {
                    expected: "an object",
                    found: item.kind(),
                };
                memory.unnamed(summary.direction);
                let sink = &mut OfMessage { scope, sink };
                self.raise(&inline::TOP_LEVEL_OBJECT, item, detail, sink)?;
                continue;
            }
            let mut exchange = Exchange::of(item);
            exchange.place(&Head::UNSEEN, &frame, memory.session(), &self.kit.policy);
            summary.direction = summary.direction.or(exchange.direction);
            summary.has_lone_result |= exchange.envelope.kind == MessageKind::Response
                && exchange.method.is_none()
                && exchange.answered.is_none();
            let is_call = exchange.envelope.is_call();
            if *calls.get_or_insert(is_call) != is_call && defined {
                let sink = &mut OfMessage { scope, sink };
                self.raise(&inline::BATCH_ONE_KIND, item, Detail::Plain, sink)?;
            }
            let scope = if self.scoped {
                self.scope_of(&exchange, &[MessageKind::Batch], memory.session())
            } else {
                MessageScope::EVERYTHING
            };
            let mut message = Message {
                batched: true,
                ..self.in_context(&exchange, memory.session().seen())
            };
            let mut sink = OfMessage { scope, sink };
            let flow = self.message(&mut message, memory.session(), &mut sink);
            memory.advance(&message, &self.kit.schedule);
            flow?;
        }
        ControlFlow::Continue(())
    }
}

fn batch_revisions() -> RevisionSet {
    Revision::ALL
        .into_iter()
        .filter(|revision| revision.has(Fact::Batches))
        .collect()
}
