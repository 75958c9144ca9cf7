//! The log itself: receives messages, writes their events, finds the exchanges among them, and
//! writes those.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
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

/// The memory for an event that a log keeps.
const MAX_IDLE_LINE: usize = 64 << 10;

/// An exchange that is over.
type Over = (Box<Open>, ResultEnvelope);

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
    /// The name of the last source.
    source_name: Option<Arc<str>>,
    exchanges: Exchanges,
    text: Text,
}

/// The text of events before they are written: memory that is used again.
#[derive(Default)]
struct Text {
    line: Vec<u8>,
    envelope: String,
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
        let state = &mut *self.state();
        match event.checked.kind() {
            MessageKind::Request => {
                let item = Item::whole(event.checked);
                let number = state.exchanges.number();
                let open = self.opened(event, &item, state, number);
                self.write_message(event, &KnownMeta::Begun(&open), &mut state.text.line);
                if let Some(evicted) = state.exchanges.begin(number, open) {
                    self.write_given_up(&evicted, &mut state.text);
                }
                return;
            }
            MessageKind::Response | MessageKind::Error => {
                let item = Item::whole(event.checked);
                match self.answered(event, &item, state) {
                    Some((open, envelope)) => {
                        let Text {
                            line,
                            envelope: json,
                        } = &mut state.text;
                        json.clear();
                        let meta = envelope.write_json(json);
                        let meta = json.get(meta).unwrap_or("null");
                        self.write_message(event, &KnownMeta::Whole(meta), line);
                        self.write_exchange(&open, envelope.is_ok(), json, line);
                    }
                    None => self.write_alone(event, state),
                }
            }
            MessageKind::Batch => {
                let over = self.batch(event, state);
                self.write_alone(event, state);
                for (open, envelope) in over {
                    self.exchange(&open, &envelope, &mut state.text);
                }
            }
            MessageKind::Notification => {
                cancel(event, state);
                self.write_alone(event, state);
            }
            // A part of an HTTP exchange without content and without a violation is no event.
            MessageKind::Empty if event.checked.violations().is_empty() => {}
            MessageKind::Unreadable | MessageKind::Empty => self.write_alone(event, state),
        }
        let refused = self.refused(event, state);
        cut_off(event, state);
        for (open, envelope) in refused {
            self.exchange(&open, &envelope, &mut state.text);
        }
    }

    /// Writes a message that belongs to no exchange, or to several.
    fn write_alone(&self, event: &Event<'_>, state: &mut State) {
        let trace = self.ids.trace(state.source, event.origin.session);
        self.write_message(event, &KnownMeta::Trace(trace), &mut state.text.line);
    }

    /// Adds an exchange that is over.
    fn exchange(&self, open: &Open, envelope: &ResultEnvelope, text: &mut Text) {
        text.envelope.clear();
        envelope.write_json(&mut text.envelope);
        self.write_exchange(open, envelope.is_ok(), &text.envelope, &mut text.line);
    }

    fn write_exchange(&self, open: &Open, is_ok: bool, envelope: &str, line: &mut Vec<u8>) {
        let mode = self.options.mode;
        self.write(line, |line| {
            event::exchange(open, is_ok, envelope, mode, line);
        });
    }

    /// Writes an event into the file.
    fn write(&self, line: &mut Vec<u8>, render: impl FnOnce(&mut Vec<u8>)) {
        line.clear();
        render(line);
        self.file.line(line);
        line.shrink_to(MAX_IDLE_LINE);
    }

    /// Adds a message that is missing at the end of a session.
    pub(crate) fn ending(&self, origin: &Origin<'_>, ending: &Ending) {
        let mode = self.options.mode;
        self.write(&mut self.state().text.line, |line| {
            event::ending(origin, ending, mode, line);
        });
    }

    /// Adds a message that was repaired before it was forwarded.
    pub(crate) fn repair(&self, origin: &Origin<'_>, mended: &Mended<'_>) {
        let mode = self.options.mode;
        self.write(&mut self.state().text.line, |line| {
            event::repair(origin, mended, mode, line);
        });
    }

    /// Adds a record of traffic that could not be read.
    pub(crate) fn record_fault(&self, fault: &RecordFault<'_>, session: Option<&str>) {
        let mode = self.options.mode;
        self.write(&mut self.state().text.line, |line| {
            event::record_fault(fault, session, mode, line);
        });
    }

    /// Ends the sessions with these names: no answer comes any more.
    pub(crate) fn end(&self, pick: impl Fn(Option<&str>) -> bool) {
        let state = &mut *self.state();
        for open in state.exchanges.end(pick) {
            let reason = if open.cancelled {
                "cancelled"
            } else {
                "unanswered"
            };
            self.write_unanswered(&open, reason, &mut state.text);
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
    fn batch(&self, event: &Event<'_>, state: &mut State) -> Vec<Over> {
        let mut over = Vec::new();
        for item in Item::of_batch(event.checked) {
            match item.kind {
                MessageKind::Request => {
                    let number = state.exchanges.number();
                    let open = self.opened(event, &item, state, number);
                    if let Some(evicted) = state.exchanges.begin(number, open) {
                        self.write_given_up(&evicted, &mut state.text);
                    }
                }
                _ => over.extend(self.answered(event, &item, state)),
            }
        }
        over
    }

    /// The exchange that a request begins.
    fn opened(
        &self,
        event: &Event<'_>,
        item: &Item<'_>,
        state: &mut State,
        number: u64,
    ) -> Box<Open> {
        let checked = event.checked;
        let session = event.origin.session;
        let method = item.method.as_deref().map(short);
        let params = item.root.and_then(|root| root.get("params"));
        let named = |wanted: &str| {
            let params = params.filter(|_| method.as_deref() == Some(wanted))?;
            Some(short(&params.get("name")?.text()?).into_owned())
        };
        let http = checked.http();
        let route = http.and_then(|http| match http.part {
            Part::Request { path, .. } => {
                path.split('?').next().map(|path| short(path).into_owned())
            }
            _ => None,
        });
        let key = Key {
            session: session.map(Box::from),
            direction: checked.direction(),
            id: name::id(item.id),
        };
        let content = content(item.method.as_deref(), params);
        let attempt = state.exchanges.attempt(&key, content, event.time);
        let mut ids = self.ids.exchange(state.source, session, number);
        if let Some(request) = attempt.request {
            ids.request = request;
        }
        let is_same = |name: &&Arc<str>| ***name == *event.origin.source;
        let source = match state.source_name.as_ref().filter(is_same) {
            Some(name) => Arc::clone(name),
            None => Arc::from(event.origin.source),
        };
        state.source_name = Some(Arc::clone(&source));
        Box::new(Open {
            key,
            ids,
            source,
            line: event.origin.line,
            carrier: event.carrier,
            http: http.and_then(|http| http.exchange),
            route,
            tool: named("tools/call").and_then(ToolId::new),
            prompt: named("prompts/get").and_then(NonEmpty::new),
            method: method.map(Cow::into_owned),
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
        })
    }

    /// The exchange that an answer ends, if its request is known.
    fn answered(&self, event: &Event<'_>, item: &Item<'_>, state: &mut State) -> Option<Over> {
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
    fn refused(&self, event: &Event<'_>, state: &mut State) -> Vec<Over> {
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
            (Box::new(open), envelope)
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

    fn write_message(&self, event: &Event<'_>, meta: &KnownMeta<'_>, line: &mut Vec<u8>) {
        let bodies = match &self.options.bodies {
            Bodies::LeftOut => None,
            Bodies::Redacted(redaction) => Some(redaction),
        };
        let (mode, derived) = (self.options.mode, self.ids.are_derived());
        self.write(line, |line| {
            event::message(event, mode, meta, derived, bodies, line);
        });
    }

    fn write_given_up(&self, open: &Open, text: &mut Text) {
        self.write_unanswered(open, "too many open requests", text);
    }

    fn write_unanswered(&self, open: &Open, reason: &'static str, text: &mut Text) {
        let answer = Answer::Nothing(reason);
        let envelope = envelope(open, answer, &Back::default(), self.ids.are_derived());
        self.exchange(open, &envelope, text);
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
