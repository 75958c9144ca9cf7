//! An index of many open requests: by id, progress token and HTTP exchange, with counts of the
//! properties that rules use.

use std::collections::{BTreeSet, HashMap};
use std::hash::{BuildHasher, Hash};

use foldhash::quality::RandomState;

use super::super::state::{Key, LogLevel};
use super::{Id, OpenRequest};

/// The number of open requests with each property.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Tally {
    /// Requests that are faulty themselves.
    pub(crate) faulty: u32,
    /// Requests for log messages, by level.
    pub(crate) levels: [u32; LogLevel::COUNT],
    /// Requests for log messages that were not cancelled.
    pub(crate) want_logs: u32,
    /// Requests that set the log level of the session, by level; the last for an unknown level.
    pub(crate) set_level: [u32; LogLevel::COUNT + 1],
    /// Requests for work, other than tasks and `ping`, that were not cancelled.
    pub(crate) busy: u32,
}

impl Tally {
    pub(super) fn of(waiting: &[OpenRequest]) -> Self {
        let mut tally = Self::default();
        for request in waiting {
            tally.add(Marks::of(request));
        }
        tally
    }

    fn add(&mut self, marks: Marks) {
        self.change(marks, |count| *count = count.saturating_add(1));
    }

    fn subtract(&mut self, marks: Marks) {
        self.change(marks, |count| *count = count.saturating_sub(1));
    }

    fn change(&mut self, marks: Marks, change: impl Fn(&mut u32)) {
        if marks.faulty {
            change(&mut self.faulty);
        }
        if marks.busy {
            change(&mut self.busy);
        }
        if let Some(level) = marks.level {
            change(&mut self.levels[level.index()]);
            if !marks.cancelled {
                change(&mut self.want_logs);
            }
        }
        if marks.sets_level {
            let level = marks.level.map_or(LogLevel::COUNT, LogLevel::index);
            change(&mut self.set_level[level]);
        }
    }
}

/// The properties by which a request is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent properties")]
struct Marks {
    faulty: bool,
    busy: bool,
    cancelled: bool,
    sets_level: bool,
    level: Option<LogLevel>,
}

impl Marks {
    fn of(request: &OpenRequest) -> Self {
        let cancelled = request.cancelled.is_some();
        let method = request.method_name();
        let idle = method.is_some_and(|name| name.starts_with("tasks/") || name == "ping");
        Self {
            faulty: request.data().is_some_and(|data| data.faulty),
            busy: !cancelled && !idle,
            cancelled,
            sets_level: method == Some("logging/setLevel"),
            level: request.data().and_then(|data| data.log_level),
        }
    }
}

/// The index.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    seed: RandomState,
    /// The indexed data of each request, in the same order.
    notes: Vec<Note>,
    ids: HashMap<u64, u32, RandomState>,
    tokens: Places<Key>,
    exchanges: Places<i64>,
    related: Places<Key>,
    /// The number of requests of each method.
    methods: HashMap<Option<&'static str>, u32, RandomState>,
    tally: Tally,
}

/// Sorted positions: a batch may have any number of requests with the same exchange.
type Places<K> = HashMap<K, BTreeSet<u32>, RandomState>;

static NOWHERE: BTreeSet<u32> = BTreeSet::new();

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Note {
    id: u64,
    token: Option<Key>,
    exchange: Option<i64>,
    related: Option<Key>,
    method: Option<&'static str>,
    marks: Marks,
}

impl Index {
    pub(super) fn of(waiting: &[OpenRequest]) -> Self {
        let mut index = Self::default();
        for request in waiting {
            index.update(index.notes.len(), request);
        }
        index
    }

    /// Adds or updates a request.
    pub(super) fn update(&mut self, position: usize, request: &OpenRequest) {
        let note = Note {
            id: self.hash(request.id, &request.text),
            token: request.data().and_then(|data| data.progress),
            exchange: request.sent.exchange,
            related: request.data().and_then(|data| data.related_task),
            method: request.method_name(),
            marks: Marks::of(request),
        };
        if let Some(&before) = self.notes.get(position) {
            if before == note {
                return;
            }
            self.remove(position, &before);
            self.notes[position] = note;
        } else {
            self.notes.push(note);
        }
        self.insert(position, &note);
    }

    /// Removes a request; the last one takes its position.
    pub(super) fn swap_remove(&mut self, position: usize) {
        let last = self.notes.len().saturating_sub(1);
        if position > last || self.notes.is_empty() {
            return;
        }
        let note = self.notes[position];
        self.remove(position, &note);
        if position < last {
            let moved = self.notes[last];
            self.remove(last, &moved);
            self.insert(position, &moved);
        }
        self.notes.swap_remove(position);
    }

    /// The position of the request with an id; the caller compares the text.
    pub(super) fn with_id(&self, id: Id, text: &[u8]) -> Option<usize> {
        let position = self.ids.get(&self.hash(id, text))?;
        Some(*position as usize)
    }

    pub(super) fn with_token(&self, token: Key) -> &BTreeSet<u32> {
        self.tokens.get(&token).unwrap_or(&NOWHERE)
    }

    pub(super) fn in_exchange(&self, exchange: i64) -> &BTreeSet<u32> {
        self.exchanges.get(&exchange).unwrap_or(&NOWHERE)
    }

    pub(super) fn has_related(&self, task: Key) -> bool {
        self.related.contains_key(&task)
    }

    pub(super) fn methods(&self) -> impl Iterator<Item = Option<&'static str>> {
        self.methods.keys().copied()
    }

    pub(super) fn tally(&self) -> Tally {
        self.tally
    }

    fn hash(&self, id: Id, text: &[u8]) -> u64 {
        match id {
            Id::Digits(_) | Id::Number(_) => self.seed.hash_one(id),
            Id::Text | Id::Other => self.seed.hash_one((id, text)),
        }
    }

    fn insert(&mut self, position: usize, note: &Note) {
        let position = position as u32;
        self.ids.insert(note.id, position);
        put(&mut self.tokens, note.token, position);
        put(&mut self.exchanges, note.exchange, position);
        put(&mut self.related, note.related, position);
        *self.methods.entry(note.method).or_default() += 1;
        self.tally.add(note.marks);
    }

    fn remove(&mut self, position: usize, note: &Note) {
        let position = position as u32;
        if self.ids.get(&note.id) == Some(&position) {
            self.ids.remove(&note.id);
        }
        take(&mut self.tokens, note.token, position);
        take(&mut self.exchanges, note.exchange, position);
        take(&mut self.related, note.related, position);
        if let Some(count) = self.methods.get_mut(&note.method) {
            *count -= 1;
            if *count == 0 {
                self.methods.remove(&note.method);
            }
        }
        self.tally.subtract(note.marks);
    }
}

fn put<K: Hash + Eq>(places: &mut Places<K>, key: Option<K>, position: u32) {
    if let Some(key) = key {
        places.entry(key).or_default().insert(position);
    }
}

fn take<K: Hash + Eq>(places: &mut Places<K>, key: Option<K>, position: u32) {
    let Some(key) = key else {
        return;
    };
    if let Some(known) = places.get_mut(&key) {
        known.remove(&position);
        if known.is_empty() {
            places.remove(&key);
        }
    }
}
