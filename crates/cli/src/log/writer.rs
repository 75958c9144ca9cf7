//! The log itself: receives messages, writes their events, finds the exchanges among them, and
//! writes those.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use mcp_assay::syntax::Node;
use mcp_assay::{Checked, Ending, MessageKind, Part};
use mcp_assay_contract::envelope::{JsonText, NonEmpty, ResultEnvelope};
use mcp_assay_contract::tool_io::ToolId;
use mcp_assay_live::guard;
use mcp_assay_live::output_queue::OnDropped;
use mcp_assay_report::{Origin, RecordFault};

use super::content::content;
use super::event::{self, Event, KnownMeta, Mended};
use super::exchanges::{Exchanges, Key, Open};
use super::file::{LogFile, SideDoor};
use super::ids::Ids;
use super::item::Item;
use super::name::{self, short};
use super::outcome::{Answer, Back, envelope};
use super::redact::Redaction;
use crate::output_file::Rotation;

/// The settings of a log.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) mode: Mode,
    pub(crate) bodies: Bodies,
    /// Whether ids follow from the input alone.
    pub(crate) deterministic_ids: bool,
}

/// The treatment of the traffic that is logged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// Nothing: it is recorded traffic.
    Check,
    /// The decision of the guard.
    Live(guard::Mode),
}

impl Mode {
    /// The name in logs.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Live(mode) => mode.name(),
        }
    }
}

/// Whether messages are part of the log.
#[derive(Clone, Debug)]
pub(crate) enum Bodies {
    /// They are not.
    LeftOut,
    /// They are, without secrets.
    Redacted(Redaction),
}

/// Adds events of the program itself to a log, from another thread than the traffic.
#[derive(Clone)]
pub(crate) struct Notices {
    file: SideDoor,
    mode: Mode,
}

impl Notices {
    /// Adds the outcome of reading the definitions again: the reason if it failed.
    pub(crate) fn definitions(&self, source: &str, failure: Option<&str>) {
        self.file
            .line(&event::definitions(source, failure, self.mode));
    }
}

/// A log. Several threads may add messages.
pub(crate) struct Log {
    options: Options,
    ids: Ids,
    file: LogFile,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The number of the source, from 1.
    source: u64,
    exchanges: Exchanges,
}

impl Log {
    /// Opens a log of recorded traffic in a folder, which is created if necessary.
    pub(crate) fn open(folder: &Path, options: Options) -> anyhow::Result<Self> {
        let file = LogFile::create(folder, SystemTime::now())?;
        Ok(Self::over(file, options))
    }

    /// Opens a log of live traffic, which never waits for it.
    pub(crate) fn open_live(
        folder: &Path,
        options: Options,
        rotation: Rotation,
        on_dropped: OnDropped,
    ) -> anyhow::Result<Self> {
        let file = LogFile::create_live(folder, rotation, on_dropped)?;
        Ok(Self::over(file, options))
    }

    fn over(file: LogFile, options: Options) -> Self {
        Self {
            ids: if options.deterministic_ids {
                Ids::derived()
            } else {
                Ids::drawn()
            },
            file,
            options,
            state: Mutex::default(),
        }
    }

    /// A handle for events of the program itself.
    pub(crate) fn notices(&self) -> Notices {
        Notices {
            file: self.file.side_door(),
            mode: self.options.mode,
        }
    }

    /// Begins a further source of recorded traffic. Requests that still wait are dropped.
    pub(crate) fn begin_source(&self) {
        let mut state = self.state();
        state.source += 1;
        state.exchanges.clear();
    }

    /// Adds a message that was validated.
    pub(crate) fn message(&self, event: &Event<'_>) {
        let mut state = self.state();
        let over = match event.checked.kind() {
            MessageKind::Request => {
                let item = Item::whole(event.checked);
                let number = state.exchanges.number();
                let open = self.opened(event, &item, &mut state, number);
                self.write_message(event, &KnownMeta::Begun(&open));
                let evicted = state.exchanges.begin(number, open);
                self.write_given_up(evicted);
                return;
            }
            MessageKind::Response | MessageKind::Error => {
                let item = Item::whole(event.checked);
                self.answered(event, &item, &mut state)
                    .into_iter()
                    .collect()
            }
            MessageKind::Batch => self.batch(event, &mut state),
            MessageKind::Notification => {
                cancel(event, &mut state);
                Vec::new()
            }
            MessageKind::Unreadable | MessageKind::Empty => Vec::new(),
        };
        let meta = match &over[..] {
            [(_, envelope)] if event.checked.kind() != MessageKind::Batch => {
                KnownMeta::Whole(envelope)
            }
            _ => {
                let session = event.origin.session;
                KnownMeta::Trace(self.ids.trace(state.source, session).to_string())
            }
        };
        // A part of an HTTP exchange without content and without a violation is no event.
        let silent =
            event.checked.kind() == MessageKind::Empty && event.checked.violations().is_empty();
        if !silent {
            self.write_message(event, &meta);
        }
        let over = over.into_iter().chain(self.refused(event, &mut state));
        cut_off(event, &mut state);
        for (open, envelope) in over {
            self.exchange(&open, &envelope);
        }
    }

    /// Adds an exchange that is over.
    fn exchange(&self, open: &Open, envelope: &ResultEnvelope) {
        self.file
            .line(&event::exchange(open, envelope, self.options.mode));
    }

    /// Adds a message that is missing at the end of a session.
    pub(crate) fn ending(&self, origin: &Origin<'_>, ending: &Ending) {
        self.file
            .line(&event::ending(origin, ending, self.options.mode));
    }

    /// Adds a message that was repaired before it was forwarded.
    pub(crate) fn repair(&self, origin: &Origin<'_>, mended: &Mended<'_>) {
        self.file
            .line(&event::repair(origin, mended, self.options.mode));
    }

    /// Adds a record of traffic that could not be read.
    pub(crate) fn record_fault(&self, fault: &RecordFault<'_>, session: Option<&str>) {
        self.file
            .line(&event::record_fault(fault, session, self.options.mode));
    }

    /// Ends the sessions with these names: no answer comes any more.
    pub(crate) fn end(&self, pick: impl Fn(Option<&str>) -> bool) {
        let open = self.state().exchanges.end(pick);
        for open in open {
            let reason = if open.cancelled {
                "cancelled"
            } else {
                "unanswered"
            };
            self.write_unanswered(&open, reason);
        }
    }

    /// Flushes the buffer, if a reader may be waiting for it.
    pub(crate) fn flush(&self) {
        self.file.flush();
    }

    /// Takes no more events: the traffic is over.
    pub(crate) fn close(&self) {
        self.file.close_queue();
    }

    /// Ends the log. Returns the number of events that are missing from it, and its path.
    pub(crate) fn finish(self) -> (u64, PathBuf) {
        let path = self.file.path();
        (self.file.finish(), path)
    }

    /// The items of a batch: some begin exchanges, others end them.
    fn batch(&self, event: &Event<'_>, state: &mut State) -> Vec<(Open, ResultEnvelope)> {
        let mut over = Vec::new();
        for item in Item::of_batch(event.checked) {
            match item.kind {
                MessageKind::Request => {
                    let number = state.exchanges.number();
                    let open = self.opened(event, &item, state, number);
                    let evicted = state.exchanges.begin(number, open);
                    self.write_given_up(evicted);
                }
                _ => over.extend(self.answered(event, &item, state)),
            }
        }
        over
    }

    /// The exchange that a request begins.
    fn opened(&self, event: &Event<'_>, item: &Item<'_>, state: &mut State, number: u64) -> Open {
        let checked = event.checked;
        let session = event.origin.session;
        let method = item.method.clone().map(|name| short(&name));
        let named = |wanted: &str| {
            let name = item.root?.get("params")?.get("name")?.text()?;
            (method.as_deref() == Some(wanted)).then(|| short(&name))
        };
        let http = checked.http();
        let route = http.and_then(|http| match http.part {
            Part::Request { path, .. } => path.split('?').next().map(short),
            _ => None,
        });
        let key = Key {
            session: session.map(Box::from),
            direction: checked.direction(),
            id: name::id(item.id),
        };
        let params = item.root.and_then(|root| root.get("params"));
        let content = content(item.method.as_deref(), params);
        let attempt = state.exchanges.attempt(&key, content, event.time);
        let mut ids = self.ids.exchange(state.source, session, number);
        if let Some(request) = attempt.request {
            ids.request = request;
        }
        Open {
            key,
            ids,
            source: event.origin.source.into(),
            line: event.origin.line,
            carrier: event.carrier,
            http: http.and_then(|http| http.exchange),
            route,
            tool: named("tools/call").and_then(ToolId::new),
            prompt: named("prompts/get").and_then(NonEmpty::new),
            method,
            revision: checked.revision(),
            time: event.time,
            bytes: item.bytes,
            verdict: item.verdict,
            faults: item.faults.clone(),
            cancelled: false,
            cut_off: false,
            repeated: false,
            attempt: attempt.number,
            content,
        }
    }

    /// The exchange that an answer ends, if its request is known.
    fn answered(
        &self,
        event: &Event<'_>,
        item: &Item<'_>,
        state: &mut State,
    ) -> Option<(Open, ResultEnvelope)> {
        let (session, direction) = (event.origin.session, event.checked.direction());
        let id = name::id(item.id);
        let mut open = state.exchanges.answer(session, direction, &id)?;
        open.verdict = open.verdict.max(item.verdict);
        let answer = if item.kind == MessageKind::Error {
            let code = item.root.and_then(|root| root.get("error")?.get("code"));
            Answer::Error(code.and_then(Node::as_i64))
        } else {
            Answer::Result(self.data(item.root))
        };
        let back = Back {
            status: status(event.checked),
            bytes: item.bytes,
            time: event.time,
            faults: item.faults.clone(),
        };
        if let Some(error) = answer.error(open.revision) {
            state.exchanges.failed(&open, error);
        }
        let envelope = envelope(&open, answer, &back, self.ids.are_derived());
        Some((open, envelope))
    }

    /// The exchanges that end because HTTP refuses them.
    fn refused(&self, event: &Event<'_>, state: &mut State) -> Vec<(Open, ResultEnvelope)> {
        let number = event.checked.http().and_then(|http| http.exchange);
        let (Some(number), Some(status @ 400..)) = (number, status(event.checked)) else {
            return Vec::new();
        };
        let refused = state.exchanges.refuse(event.origin.session, number);
        let ended = |mut open: Open| {
            open.verdict = open.verdict.max(event.checked.verdict());
            let back = Back {
                status: Some(status),
                bytes: event.checked.bytes().len(),
                time: event.time,
                faults: Vec::new(),
            };
            let answer = Answer::Refused(status);
            if let Some(error) = answer.error(open.revision) {
                state.exchanges.failed(&open, error);
            }
            let envelope = envelope(&open, answer, &back, self.ids.are_derived());
            (open, envelope)
        };
        refused.into_iter().map(ended).collect()
    }

    /// The result, where bodies are kept.
    fn data(&self, root: Option<Node<'_>>) -> JsonText {
        let Bodies::Redacted(redaction) = &self.options.bodies else {
            return JsonText::null();
        };
        let mut text = Vec::new();
        if let Some(result) = root.and_then(|root| root.get("result")) {
            redaction.body(result, &mut text);
        }
        JsonText::parse(&text).unwrap_or_else(|_| JsonText::null())
    }

    fn write_message(&self, event: &Event<'_>, meta: &KnownMeta<'_>) {
        let bodies = match &self.options.bodies {
            Bodies::LeftOut => None,
            Bodies::Redacted(redaction) => Some(redaction),
        };
        let derived = self.ids.are_derived();
        self.file.line(&event::message(
            event,
            self.options.mode,
            meta,
            derived,
            bodies,
        ));
    }

    fn write_given_up(&self, evicted: Option<Open>) {
        if let Some(open) = evicted {
            self.write_unanswered(&open, "too many open requests");
        }
    }

    fn write_unanswered(&self, open: &Open, reason: &'static str) {
        let answer = Answer::Nothing(reason);
        let envelope = envelope(open, answer, &Back::default(), self.ids.are_derived());
        self.exchange(open, &envelope);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Records a cancelled request.
fn cancel(event: &Event<'_>, state: &mut State) {
    let checked = event.checked;
    if checked.method().as_deref() != Some("notifications/cancelled") {
        return;
    }
    let id = checked
        .root()
        .and_then(|root| root.get("params")?.get("requestId"));
    if id.is_some() {
        let (session, direction) = (event.origin.session, checked.direction());
        state.exchanges.cancel(session, direction, &name::id(id));
    }
}

/// Records that a stream is at its end: the requests that it was to answer stay open.
fn cut_off(event: &Event<'_>, state: &mut State) {
    let http = event.checked.http();
    if let Some(http) = http.filter(|http| matches!(http.part, Part::End { .. }))
        && let Some(number) = http.exchange
    {
        state.exchanges.cut_off(event.origin.session, number);
    }
}

/// The status of the HTTP response that a message is in.
fn status(checked: &Checked<'_>) -> Option<u16> {
    match checked.http()?.part {
        Part::Response { status, .. } => Some(status),
        _ => None,
    }
}
