//! Checks a line or a body as a text: whether it is JSON, is a message, is framed correctly, and
//! avoids legal but risky JSON.

use core::ops::ControlFlow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::Stages;
use super::memory::Memory;
use super::recover::{is_notification, recover_all};
use crate::catalogue::{Detail, Level, Limits, Rule, Sink, Violation, inline};
use crate::exchange::Exchange;
use crate::frame::{Carrier, Frame, classify};
use crate::session::message::{Memo, Message, input_keys};
use crate::syntax::{Fault, FaultKind, Span, Tape, scan};
use crate::validator::checked::Summary;
use crate::{Revision, rules};

impl Stages<'_> {
    /// Handles a line that is not JSON: a message with an error, or no message at all.
    #[cold]
    pub(super) fn unreadable(
        &self,
        fault: Fault,
        memory: &mut impl Memory,
        sink: &mut dyn Sink,
    ) -> (Summary, ControlFlow<()>) {
        let summary = self.unread(memory.session());
        let mut found = None;
        if self.frame.carrier != Carrier::Http {
            let direction = summary.direction;
            let before = memory.session().state.stdio.before(direction);
            let line = classify(self.frame.bytes, &fault, direction, before);
            memory.line(direction, line.then);
            if line.explained {
                return self.no_message(summary, ControlFlow::Continue(()), memory, sink);
            }
            // Without the layer of framing the JSON error is still reported.
            found = line.rule.filter(|(rule, _)| self.kit.policy.wants(rule));
        }
        let flow = match found {
            Some((rule, span)) => sink.push(Violation::new(rule, span, None, Detail::Plain)),
            None => self.not_json(fault, summary.revision, sink),
        };
        let heads = recover_all(self.frame.bytes, &fault);
        self.half_read(&heads, summary, flow, memory, sink)
    }

    /// Handles messages of which only the heads were recovered: the session tracks them.
    fn half_read(
        &self,
        heads: &[Vec<u8>],
        summary: Summary,
        mut flow: ControlFlow<()>,
        memory: &mut impl Memory,
        sink: &mut dyn Sink,
    ) -> (Summary, ControlFlow<()>) {
        let now = memory.session().now(self.frame);
        let revision = self.revision_of_part(memory.session());
        let mut is_tracked = false;
        for head in heads {
            let frame = Frame {
                bytes: head,
                ..*self.frame
            };
            let mut tape = Tape::new();
            let is_read = scan(head, &self.kit.policy.limits.for_scan(), &mut tape).is_ok();
            let Some(root) = tape.root(head).filter(|_| is_read) else {
                break;
            };
            let mut exchange = Exchange::of(root);
            exchange.place(tape.head(), &frame, memory.session(), &self.kit.policy);
            let is_call = exchange.envelope.is_call();
            let named = exchange.method_node();
            if is_call
                && exchange.method.is_none()
                && exchange.envelope.id().is_none()
                && !named.is_some_and(is_notification)
            {
                // The id may come after the recovered part, so it may be a request or a
                // notification.
                break;
            }
            let memo = Memo::default();
            let message = Message {
                frame: &frame,
                key_hashes: tape.key_hashes(),
                sound: false,
                reliable: false,
                is_partial: true,
                ..self.in_context(&exchange, &memo, now.order)
            };
            if !is_tracked && let Some(http) = self.frame.http {
                let transfer = self.transfer(http, None, revision, now);
                flow = self.http_rules(&transfer, memory.session(), flow, sink);
            }
            is_tracked = true;
            memory.advance(&message, &self.kit.schedule);
            // Its receiver cannot read the id.
            memory.unnamed(exchange.direction);
        }
        if !is_tracked {
            return self.no_message(summary, flow, memory, sink);
        }
        if let Some(http) = self.frame.http {
            let transfer = self.transfer(http, None, revision, now);
            memory.transferred(&transfer, &self.kit.schedule);
        }
        (summary, flow)
    }

    pub(super) fn not_json(
        &self,
        fault: Fault,
        revision: Option<Revision>,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        let mut violation = unreadable(fault, &self.kit.policy.limits, revision);
        // Only streams of lines have newlines between messages.
        if violation.rule == &inline::NEWLINE_DELIMITED && self.frame.carrier == Carrier::Http {
            violation.rule = &inline::WELL_FORMED;
        }
        if !self.selects(violation.rule) {
            return ControlFlow::Continue(());
        }
        sink.push(violation)
    }

    /// Checks the position of a message on its line.
    #[inline(never)]
    pub(super) fn framing(&self, sink: &mut dyn Sink) -> ControlFlow<()> {
        let bytes = self.frame.bytes;
        let mut at = |rule: &'static Rule, start: usize, length: u32| {
            let start = start as u32;
            let end = start + length;
            if self.selects(rule) {
                sink.push(Violation::new(
                    rule,
                    Span { start, end },
                    None,
                    Detail::Plain,
                ))
            } else {
                ControlFlow::Continue(())
            }
        };
        if self.frame.carrier == Carrier::Stdio {
            // The carriage return before the newline of the line belongs to that.
            let text = bytes.strip_suffix(b"\r").unwrap_or(bytes);
            if let Some(line_end) = memchr::memchr2(b'\n', b'\r', text) {
                at(&inline::NO_EMBEDDED_NEWLINE, line_end, 1)?;
            }
        }
        if self.frame.unterminated {
            at(&inline::FINAL_NEWLINE, bytes.len(), 0)?;
        }
        ControlFlow::Continue(())
    }

    /// Reports legal but risky JSON.
    #[cold]
    pub(super) fn remarks(&self, flow: ControlFlow<()>, sink: &mut dyn Sink) -> ControlFlow<()> {
        flow?;
        // The keys of input requests have a rule of their own, with a higher level.
        let own = Some(&rules::mrtr::INPUT_KEY_UNIQUE).filter(|own| self.kit.policy.wants(own));
        let root = self
            .kit
            .tape
            .root(self.frame.bytes)
            .filter(|_| own.is_some());
        let folded = root.map(input_keys).unwrap_or_default();
        let harmless = self.harmless_repeats();
        let is_harmless = |key: u32| harmless.binary_search(&key).is_ok();
        let repeated = self.kit.tape.repeated_keys().iter().copied();
        let repeated = repeated.filter(|key| folded.binary_search(key).is_err());
        // The list is bounded: those that matter come first.
        let graver = repeated.clone().filter(|key| !is_harmless(*key));
        for key in graver.chain(repeated.filter(|key| is_harmless(*key))) {
            let node = self.kit.tape.node(self.frame.bytes, key);
            let (span, token) = (node.span(), Some(node.index()));
            let found = Violation::new(&inline::UNIQUE_KEYS, span, token, Detail::Repeated);
            let at_most = if is_harmless(key) {
                Level::Warning
            } else {
                Level::Error
            };
            sink.push(Violation { at_most, ..found })?;
        }
        if let Some((start, end)) = self.kit.tape.lone_surrogate() {
            sink.push(Violation::new(
                &inline::PAIRED_SURROGATES,
                Span { start, end },
                None,
                Detail::Plain,
            ))?;
        }
        ControlFlow::Continue(())
    }
}

impl Stages<'_> {
    /// The keys that repeat a member with the same value: it does not matter which of them counts.
    fn harmless_repeats(&self) -> Vec<u32> {
        let tape = &self.kit.tape;
        let mut objects: Vec<u32> = tape.objects_with_repeats().collect();
        objects.sort_unstable();
        objects.dedup();
        let mut harmless = Vec::new();
        let mut values: HashMap<Vec<u8>, &[u8]> = HashMap::new();
        for object in objects {
            values.clear();
            for (key, value) in tape.node(self.frame.bytes, object).members() {
                let mut name = Vec::new();
                key.text_into(&mut name);
                match values.entry(name) {
                    Entry::Vacant(first) => {
                        first.insert(value.raw());
                    }
                    Entry::Occupied(first) if *first.get() == value.raw() => {
                        harmless.push(key.index());
                    }
                    Entry::Occupied(_) => {}
                }
            }
        }
        harmless.sort_unstable();
        harmless
    }
}

/// The violation of a text that is not JSON, or exceeds a limit.
#[must_use]
pub fn unreadable(fault: Fault, limits: &Limits, revision: Option<Revision>) -> Violation {
    let (rule, detail) = match fault.kind {
        FaultKind::TooLarge => (
            &inline::SIZE_LIMIT,
            Detail::Limit {
                limit: limits.bytes,
            },
        ),
        FaultKind::TooDeep => (
            &inline::DEPTH_LIMIT,
            Detail::Limit {
                limit: limits.depth,
            },
        ),
        FaultKind::TooManyTokens => (
            &inline::TOKEN_LIMIT,
            Detail::Limit {
                limit: limits.tokens,
            },
        ),
        FaultKind::ByteOrderMark => (&inline::NO_BOM, Detail::Syntax(fault.kind)),
        FaultKind::NotFinite => (&inline::FINITE_NUMBERS, Detail::Syntax(fault.kind)),
        FaultKind::SecondValue => (&inline::NEWLINE_DELIMITED, Detail::Syntax(fault.kind)),
        // 2024-11-05 demands UTF-8 only by way of JSON.
        FaultKind::NotUtf8
            if revision.is_none_or(|revision| inline::UTF8.revisions.contains(revision)) =>
        {
            (&inline::UTF8, Detail::Syntax(fault.kind))
        }
        kind => (&inline::WELL_FORMED, Detail::Syntax(kind)),
    };
    let span = Span {
        start: fault.start,
        end: fault.end,
    };
    Violation::new(rule, span, None, detail)
}
