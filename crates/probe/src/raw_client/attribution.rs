//! Answers whose ids are wrong: each is understood as the answer that it evidently is, and the
//! fault is reported once.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::{Duration, Instant};

use mcp_assay::{Direction, rules};
use serde_json::{Value, json};

use super::Client;
use crate::judge::Broken;
use crate::record::{Content, Record};

/// How long the right answer may come after one that bears the id of an answered request.
const GRACE: Duration = Duration::from_millis(300);

/// Requests tracked that wait for an answer.
const MAX_OPEN: usize = 1024;

/// Requests that wait for an answer, and answers whose ids are wrong.
#[derive(Default)]
pub(super) struct Attribution {
    /// Our requests that wait for an answer, oldest first; over HTTP with their exchange.
    open: VecDeque<(i64, Option<i64>)>,
    /// Messages without a readable id that an error may answer.
    unreadable: usize,
    /// Records that answer a request under a wrong id.
    owners: BTreeMap<usize, i64>,
    /// A record with the id of an answered request, when it came, and the request that waits.
    repeated: Option<(usize, Instant, i64)>,
    /// Rules about ids that were reported.
    reported: BTreeSet<&'static str>,
    /// Whether an answer with a wrong id was seen.
    is_wrong: bool,
}

impl Attribution {
    /// Tracks a request of ours.
    pub(super) fn expect(&mut self, id: i64, exchange: Option<i64>) {
        if let Some(known) = self.open.iter_mut().find(|(open, _)| *open == id) {
            known.1 = exchange;
        } else if self.open.len() < MAX_OPEN {
            self.open.push_back((id, exchange));
        }
    }

    /// Tracks the exchange of the request that was just sent over HTTP.
    pub(super) fn sent_on(&mut self, exchange: Option<i64>) {
        if let Some(request) = self.open.iter_mut().find(|(_, open)| open.is_none()) {
            request.1 = exchange;
        }
    }

    /// Tracks a message that an error without an id may answer.
    pub(super) fn expect_refusal(&mut self) {
        self.unreadable += 1;
    }

    /// The request is answered, or nobody waits for the answer any more.
    pub(super) fn settle(&mut self, id: i64) {
        self.open.retain(|(open, _)| *open != id);
        self.repeated = None;
    }

    /// The request that a record answers under a wrong id.
    pub(super) fn owner_of(&self, at: usize) -> Option<i64> {
        self.owners.get(&at).copied()
    }

    /// The request that a response with a wrong id evidently answers.
    fn find(&mut self, message: &Value, exchange: Option<i64>) -> Option<i64> {
        let is_error = message.get("error").is_some();
        if message.get("method").is_some() || !(is_error || message.get("result").is_some()) {
            return None;
        }
        let id = &message["id"];
        let text = id.as_str().and_then(|text| text.parse::<i64>().ok());
        let is_open = |id: i64| self.open.iter().any(|(open, _)| *open == id);
        if let Some(id) = text.filter(|id| is_open(*id)) {
            return Some(id);
        }
        // An error that names no request may answer bytes that had none.
        if is_error && id.is_null() && self.unreadable > 0 {
            self.unreadable -= 1;
            return None;
        }
        let of_exchange = |(_, open): &&(i64, Option<i64>)| exchange.is_none() || *open == exchange;
        let mut waiting = self.open.iter().filter(of_exchange);
        match (waiting.next(), waiting.next()) {
            (Some((id, _)), None) => Some(*id),
            // In order is the best guess once the ids are known to be wrong.
            (Some((id, _)), Some(_)) if self.is_wrong => Some(*id),
            _ => None,
        }
    }
}

impl Client<'_> {
    /// Checks a record. A response with a wrong id is reported once for each rule, and then checked
    /// as the answer that it evidently is.
    pub(super) fn judge_attributed(&mut self, record: &Record, at: usize) -> Vec<Broken> {
        let Some(id) = self.attribute(record, at) else {
            return self.judge(record, at);
        };
        let mut broken = self.judge(record, at);
        let is_understood = broken
            .iter()
            .any(|broken| *broken.rule == rules::response::ID_TYPE_PRESERVED);
        broken.retain(|broken| {
            let is_about_id = broken.rule.family() == "response"
                || *broken.rule == rules::inline::ERROR_ID_NOT_NULL
                || broken.pointer == "/id";
            !is_about_id || self.attribution.reported.insert(broken.rule.name)
        });
        // The rule for the type of an id knows which request is meant.
        if is_understood {
            return broken;
        }
        let mended = mended(record, id);
        for more in self.judge(&mended, at) {
            let is_known = broken.iter().any(|known| known.rule == more.rule);
            if !is_known {
                broken.push(more);
            }
        }
        broken
    }

    /// The request that a record answers under a wrong id, if it does.
    fn attribute(&mut self, record: &Record, at: usize) -> Option<i64> {
        if record.direction() != Direction::ServerToClient {
            return None;
        }
        let message = record.message().filter(Value::is_object)?;
        // Over HTTP an answer comes back on the exchange of its request.
        let exchange = record.exchange().filter(|_| !self.two_endpoints);
        let numeric = message["id"].as_i64();
        let was_used = numeric.is_some_and(|id| (1..=self.last_id).contains(&id));
        if let Some(id) = numeric.filter(|_| was_used) {
            // A second answer may be a copy of the first: then the right one follows.
            let is_copy = |known: &usize| self.records[*known].message().as_ref() == Some(&message);
            let is_repeated = self.answers.get(&id).is_some_and(|known| !is_copy(known));
            if !is_repeated {
                return None;
            }
            let owner = self.attribution.find(&message, exchange)?;
            // Over HTTP the exchange shows which request it answers.
            if !self.attribution.is_wrong && exchange.is_none() {
                self.attribution.repeated = Some((at, Instant::now(), owner));
                return None;
            }
            self.attribution.is_wrong = true;
            self.attribution.owners.insert(at, owner);
            return Some(owner);
        }
        let owner = self.attribution.find(&message, exchange)?;
        self.attribution.is_wrong = true;
        self.attribution.owners.insert(at, owner);
        Some(owner)
    }

    /// Whether an answer under the id of another request is all that came.
    pub(super) fn has_stray_answer(&self, id: i64) -> bool {
        let repeated = self.attribution.repeated;
        repeated.is_some_and(|(_, since, owner)| owner == id && since.elapsed() >= GRACE)
    }

    /// Takes an answer under the id of another request for the one that is waited for.
    pub(super) fn take_stray_answer(&mut self, id: i64) {
        if !self.answers.contains_key(&id)
            && self.has_stray_answer(id)
            && let Some((at, ..)) = self.attribution.repeated
        {
            self.attribution.is_wrong = true;
            self.attribution.owners.insert(at, id);
            self.answers.insert(id, at);
        }
    }
}

/// The record with the id that it should have.
fn mended(record: &Record, id: i64) -> Record {
    let mut mended = record.clone();
    let message = record.message().map(|mut message| {
        message["id"] = json!(id);
        message.to_string().into_bytes()
    });
    if let Some(bytes) = message {
        match &mut mended.content {
            Content::Line { bytes: place, .. }
            | Content::Response { body: place, .. }
            | Content::Event { data: place, .. } => *place = bytes,
            Content::Request { .. } | Content::End { .. } => {}
        }
    }
    mended
}
