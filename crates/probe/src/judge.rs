//! Puts what passed to the passive rules. Only the other side is judged: what we send wrongly is
//! sent so on purpose.

use std::collections::{BTreeMap, BTreeSet};

use mcp_assay::model::Fact;
use mcp_assay::profile::Profile;
use mcp_assay::rules::Parties;
use mcp_assay::{
    Detail, Level, MessageKind, Party, Revision, Rule, SchemaPlace, Session, Span, Validator, rules,
};

use crate::options::Options;
use crate::record::Record;

/// Whether the end of a session shows a rule broken because a request was not answered.
pub(crate) fn is_about_missing_answer(rule: &Rule) -> bool {
    [
        &rules::jsonrpc::BATCH_ANSWER_PER_REQUEST,
        &rules::ping::ANSWERED,
        &rules::response::EVERY_REQUEST,
    ]
    .contains(&rule)
}

/// A passive rule that the other side broke.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Broken {
    /// The rule.
    pub rule: &'static Rule,
    /// Its level under the policy.
    pub level: Level,
    /// The finding, and what was expected instead.
    pub message: String,
    /// A way to mend it.
    pub help: String,
    /// The place in the message, as a JSON Pointer; empty for the whole message.
    pub pointer: String,
    /// The keyword of the schema behind it, if a schema states the rule.
    pub schema: Option<SchemaPlace>,
    /// The bytes of the message at fault.
    pub span: Span,
    /// The member that is missing, if that is the fault.
    pub missing: Option<&'static str>,
    /// The kind of the message.
    pub kind: MessageKind,
    /// The method that it calls or answers.
    pub method: Option<String>,
    /// The revision in force.
    pub revision: Option<Revision>,
    /// The record that shows it.
    pub at: usize,
}

/// Judges one connection.
pub(crate) struct Judge {
    /// The party that is checked.
    party: Party,
    validator: Validator,
    session: Session,
    /// The revision in the header of each HTTP exchange, which is also that of its answer.
    headers: BTreeMap<i64, Revision>,
    /// Rules that had something to check.
    asked: BTreeSet<&'static str>,
    kinds: BTreeSet<(u8, Option<String>)>,
}

impl Judge {
    pub(crate) fn new(options: &Options, party: Party) -> Self {
        Self {
            party,
            validator: options.validator(),
            session: Session::new(),
            headers: BTreeMap::new(),
            asked: BTreeSet::new(),
            kinds: BTreeSet::new(),
        }
    }

    /// Judges a record; `at` is its place among those of the connection.
    pub(crate) fn see(&mut self, record: &Record, at: usize) -> Vec<Broken> {
        if let (Some(exchange), Some(revision)) = (record.exchange(), record.header_revision()) {
            self.headers.insert(exchange, revision);
        }
        let header = record
            .exchange()
            .and_then(|exchange| self.headers.get(&exchange).copied());
        let judged = self.party;
        let Self {
            validator,
            session,
            asked,
            kinds,
            ..
        } = self;
        let mut sent = None;
        let broken = record.with_frame(at as u64, header, |frame| {
            let http = frame.http.copied();
            let checked = validator.check(session, frame);
            if record.direction().sender() == judged {
                let method = checked.method().map(std::borrow::Cow::into_owned);
                let kind = checked.kind();
                let key = (kind as u8, method.clone());
                let is_new = kinds.insert(key) && kind != MessageKind::Empty;
                for rule in rules::all() {
                    let message = is_new && rule.looks_at(kind, method.as_deref());
                    let part = http.is_some_and(|http| rule.looks_at_part(&http.part));
                    if concerns(rule.party, judged)
                        && (message || part)
                        && !asked.contains(rule.name)
                    {
                        asked.insert(rule.name);
                    }
                }
                sent = Some((kind, method));
            }
            checked
                .violations()
                .iter()
                .filter(|violation| checked.party(violation) == Some(judged))
                .filter(|violation| {
                    // Where an error needs an id and what it answers had none that could be read,
                    // null is all that is left. We sent that.
                    *violation.rule != rules::inline::ERROR_ID_NOT_NULL
                        || checked
                            .revision()
                            .is_some_and(|revision| revision.has(Fact::ErrorWithoutId))
                })
                .map(|violation| Broken {
                    rule: violation.rule,
                    level: checked.level(violation),
                    message: checked.message(violation),
                    help: checked.help(violation),
                    pointer: checked.pointer(violation),
                    schema: checked.schema(violation),
                    span: violation.span,
                    missing: match violation.detail {
                        Detail::Missing { member, .. } => Some(member),
                        _ => None,
                    },
                    kind: checked.kind(),
                    method: checked.method().map(std::borrow::Cow::into_owned),
                    revision: checked.revision(),
                    at,
                })
                .collect()
        });
        if let (Some((kind, method)), Some(profile)) = (sent, validator.policy().dialect()) {
            note_profile(profile, kind, method.as_deref(), record, asked);
        }
        broken
    }

    /// The connection is over.
    pub(crate) fn end(&mut self) -> Vec<Broken> {
        for rule in rules::all() {
            if rule.looks_at_ends() && concerns(rule.party, self.party) {
                self.asked.insert(rule.name);
            }
        }
        self.validator
            .end(&self.session)
            .into_iter()
            .filter(|ending| ending.party == Some(self.party))
            .map(|ending| Broken {
                rule: ending.rule,
                level: ending.level,
                message: ending.message.to_owned(),
                help: ending.rule.help.to_owned(),
                pointer: String::new(),
                schema: None,
                span: Span::default(),
                missing: None,
                kind: ending.kind,
                method: ending.method.as_deref().map(str::to_owned),
                revision: ending.revision,
                at: usize::try_from(ending.at).unwrap_or_default(),
            })
            .collect()
    }

    /// The rules that were asked about something.
    pub(crate) fn asked(&self) -> &BTreeSet<&'static str> {
        &self.asked
    }
}

/// Takes note of the rules of a profile that a message has something for.
fn note_profile(
    profile: &Profile,
    kind: MessageKind,
    method: Option<&str>,
    record: &Record,
    asked: &mut BTreeSet<&'static str>,
) {
    let about = profile.rules_about(kind, method, record.direction());
    let mut about = about
        .filter(|(rule, _)| !asked.contains(rule.name))
        .peekable();
    if about.peek().is_none() {
        return;
    }
    let message = record.message().unwrap_or_default();
    let found: Vec<_> = about
        .filter(|(_, pointer)| message.pointer(pointer).is_some())
        .map(|(rule, _)| rule.name)
        .collect();
    asked.extend(found);
}

/// Whether a rule for these parties is one for this party.
pub(crate) fn concerns(parties: Parties, party: Party) -> bool {
    matches!(parties, Parties::Both) || parties == Parties::Only(party)
}

/// Whether records on their own show that a party breaks a rule.
pub(crate) fn shows(records: &[Record], rule: &str, options: &Options, party: Party) -> bool {
    let mut judge = Judge::new(options, party);
    let found = records
        .iter()
        .enumerate()
        .flat_map(|(at, record)| judge.see(record, at))
        .any(|broken| broken.rule.name == rule);
    found || judge.end().iter().any(|broken| broken.rule.name == rule)
}
