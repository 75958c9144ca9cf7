//! A stream of valid messages that never ends.

use std::collections::VecDeque;

use super::build::Builder;
use super::message::Invented;
use super::random::Random;
use super::tables::Tables;
use super::value::{Spelling, Value};
use crate::party::{Direction, MessageKind};
use crate::tables::{ERRORS, ErrorCode, Fact, Method, MethodForm, MethodKind, Revision, ShapeId};

/// Invents valid messages of a revision: first every form that a message can take, then random ones
/// without end.
#[derive(Debug)]
pub struct Inventor {
    tables: Tables,
    builder: Builder,
    random: Random,
    /// The methods whose forms are still to come.
    methods: VecDeque<(&'static Method, &'static MethodForm)>,
    ready: VecDeque<Invented>,
    /// The number of messages made; ids and spellings take turns.
    count: usize,
}

/// Ids in all their forms; two of them are the same number.
const IDS: [&str; 8] = [
    "1",
    "0",
    "-7",
    "1.0",
    "1e2",
    "9007199254740991",
    "-9007199254740991",
    "42",
];
const TEXT_IDS: [&str; 5] = [
    "a",
    "",
    "1",
    "é\n\"",
    "6f1c9cbe-6b2e-4f0e-a0b7-1de2f8a3f2f4",
];

impl Inventor {
    /// The same revision and seed give the same messages.
    #[must_use]
    pub fn new(revision: Revision, seed: u64) -> Self {
        let tables = Tables { revision };
        Self {
            tables,
            builder: Builder::new(revision),
            random: Random::new(seed),
            methods: tables.methods().collect(),
            ready: VecDeque::new(),
            count: 0,
        }
    }

    /// Whether the next message is a random one: every form was made.
    #[must_use]
    pub fn is_random(&self) -> bool {
        self.ready.is_empty() && self.methods.is_empty()
    }

    /// Prepares every form of one method.
    fn prepare(&mut self, method: &'static Method, form: &'static MethodForm) {
        for direction in senders(form) {
            if !form.params_required {
                self.push_call(method, form, direction, None);
            }
            for (index, params) in self.builder.variants(form.params).iter().enumerate() {
                self.push_call(method, form, direction, Some(params.clone()));
                self.respell(index);
            }
            if form.kind != MethodKind::Request {
                continue;
            }
            let back = direction.reverse();
            for (index, result) in self.builder.variants(form.result).iter().enumerate() {
                self.push_result(method, back, result.clone());
                self.respell(index);
            }
            self.push_errors(method, back);
            if self.tables.revision.has(Fact::Batches) {
                self.push_batch(method, form, direction);
            }
        }
    }

    /// Adds the last message in every spelling, if it is the least or the fullest of its kind.
    fn respell(&mut self, index: usize) {
        let Some(last) = self.ready.back().filter(|_| index < 2).cloned() else {
            return;
        };
        self.ready
            .extend(Spelling::ALL.map(|spelling| last.spelt(spelling)));
    }

    fn push_call(
        &mut self,
        method: &'static Method,
        form: &MethodForm,
        direction: Direction,
        params: Option<Value>,
    ) {
        let mut root = Value::object([("jsonrpc", Value::text("2.0"))]);
        let kind = match form.kind {
            MethodKind::Request => {
                root.set("id", self.id());
                MessageKind::Request
            }
            _ => MessageKind::Notification,
        };
        root.set("method", Value::text(method.name));
        if let Some(params) = params {
            root.set("params", params);
        }
        self.push(root, direction, kind, method);
    }

    fn push_result(&mut self, method: &'static Method, direction: Direction, result: Value) {
        let root = Value::object([
            ("jsonrpc", Value::text("2.0")),
            ("id", self.id()),
            ("result", result),
        ]);
        self.push(root, direction, MessageKind::Response, method);
    }

    /// One error of every code, and the data of those that prescribe it.
    fn push_errors(&mut self, method: &'static Method, direction: Direction) {
        let revision = self.tables.revision;
        for known in ERRORS
            .iter()
            .filter(|known| known.revisions.contains(revision))
        {
            let data = match known.data {
                ShapeId::ABSENT => vec![
                    None,
                    Some(Value::Null),
                    Some(Value::object([("why", Value::text("so"))])),
                ],
                shape => self
                    .builder
                    .variants(shape)
                    .iter()
                    .cloned()
                    .map(Some)
                    .collect(),
            };
            for data in data {
                let error = Self::error(known.code, data);
                self.push_error(method, direction, error);
            }
        }
        for code in [0, 1, -32000, 404] {
            let error = Self::error(code, None);
            self.push_error(method, direction, error);
        }
    }

    fn error(code: i32, data: Option<Value>) -> Value {
        let mut error = Value::object([
            ("code", Value::Number(code.to_string())),
            ("message", Value::text("went wrong")),
        ]);
        if let Some(data) = data {
            error.set("data", data);
        }
        error
    }

    fn push_error(&mut self, method: &'static Method, direction: Direction, error: Value) {
        let mut root = Value::object([("jsonrpc", Value::text("2.0"))]);
        if !self.tables.revision.has(Fact::ErrorWithoutId) || !self.count.is_multiple_of(3) {
            root.set("id", self.id());
        }
        root.set("error", error);
        self.push(root, direction, MessageKind::Error, method);
    }

    /// The call, and a notification that both sides may send.
    fn push_batch(&mut self, method: &'static Method, form: &MethodForm, direction: Direction) {
        if method.name == "initialize" {
            return;
        }
        let mut call = Value::object([
            ("jsonrpc", Value::text("2.0")),
            ("id", self.id()),
            ("method", Value::text(method.name)),
        ]);
        call.set("params", self.builder.full(form.params));
        let notice = self.tables.methods().find(|(_, form)| {
            form.kind == MethodKind::Notification && form.from_client && form.from_server
        });
        let mut items = vec![call];
        if let Some((other, form)) = notice {
            items.push(Value::object([
                ("jsonrpc", Value::text("2.0")),
                ("method", Value::text(other.name)),
                ("params", self.builder.least(form.params)),
            ]));
        }
        self.push(Value::Array(items), direction, MessageKind::Batch, method);
    }

    fn push(
        &mut self,
        mut root: Value,
        direction: Direction,
        kind: MessageKind,
        method: &'static Method,
    ) {
        self.count += 1;
        if let Value::Object(members) = &mut root
            && self.count.is_multiple_of(7)
        {
            members.reverse();
        }
        let spelling = match self.count % 16 {
            3 => Spelling::Spaced,
            7 => Spelling::Escaped,
            _ => Spelling::Compact,
        };
        let place = (self.tables.revision, direction);
        self.ready
            .push_back(Invented::new(root, spelling, place, (kind, method)));
    }

    fn id(&self) -> Value {
        let turn = self.count / 2;
        if self.count.is_multiple_of(2) {
            Value::number(IDS[turn % IDS.len()])
        } else {
            Value::text(TEXT_IDS[turn % TEXT_IDS.len()])
        }
    }

    /// Prepares one random message.
    fn improvise(&mut self) {
        let methods: Vec<_> = self.tables.methods().collect();
        let Some(&(method, form)) = self.random.pick(&methods) else {
            return;
        };
        let directions: Vec<_> = senders(form).collect();
        let Some(&direction) = self.random.pick(&directions) else {
            return;
        };
        // Turns of ids and spellings would repeat themselves.
        self.count += self.random.below(16);
        let choice = if form.kind == MethodKind::Request {
            self.random.below(8)
        } else {
            0
        };
        match choice {
            0..4 => {
                let given = form.params_required || !self.random.once_in(4);
                let params = given.then(|| self.builder.random(form.params, &mut self.random));
                self.push_call(method, form, direction, params);
            }
            4..7 => {
                let result = self.builder.random(form.result, &mut self.random);
                self.push_result(method, direction.reverse(), result);
            }
            _ => {
                let revision = self.tables.revision;
                let known: Vec<_> = ERRORS
                    .iter()
                    .filter(|known| known.revisions.contains(revision))
                    .collect();
                let data =
                    |known: &ErrorCode| (known.data != ShapeId::ABSENT).then_some(known.data);
                let Some(&known) = self.random.pick(&known) else {
                    return;
                };
                let data = data(known).map(|shape| self.builder.random(shape, &mut self.random));
                let error = Self::error(known.code, data);
                self.push_error(method, direction.reverse(), error);
            }
        }
    }
}

impl Iterator for Inventor {
    type Item = Invented;

    fn next(&mut self) -> Option<Invented> {
        while self.ready.is_empty() {
            if let Some((method, form)) = self.methods.pop_front() {
                self.prepare(method, form);
            } else {
                self.improvise();
                break;
            }
        }
        self.ready.pop_front()
    }
}

/// The senders that a method may have.
fn senders(form: &MethodForm) -> impl Iterator<Item = Direction> + use<> {
    let client = form.from_client.then_some(Direction::ClientToServer);
    let server = form.from_server.then_some(Direction::ServerToClient);
    [client, server].into_iter().flatten()
}
