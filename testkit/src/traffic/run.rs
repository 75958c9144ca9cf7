//! The findings of the program in recorded traffic.

use std::collections::BTreeMap;
use std::time::Duration;

use mcp_assay::{Carrier, Frame, Headers, Http, Party, Policy, Revision, Session, Validator};

use super::{Carried, Record};

/// A violation, and the record that it was found in.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Finding {
    /// The position of the record.
    pub at: usize,
    /// The rule.
    pub rule: &'static str,
    /// The party at fault, if it is known.
    pub party: Option<&'static str>,
}

/// Checks traffic; what it has built once serves for all of it.
pub struct Runner {
    validators: BTreeMap<Option<Revision>, Validator>,
}

impl Runner {
    /// One with the usual policy.
    #[must_use]
    pub fn new() -> Self {
        Self {
            validators: BTreeMap::new(),
        }
    }

    /// Everything that is found in records of one session, the end of the session included.
    ///
    /// # Panics
    ///
    /// If the end of the session is not one of the records: it is part of a test.
    pub fn run(&mut self, revision: Option<Revision>, records: &[Record]) -> Vec<Finding> {
        let validator = self.validators.entry(revision).or_insert_with(|| {
            let mut policy = Policy::default();
            policy.revision = revision;
            Validator::new(policy)
        });
        let mut session = Session::new();
        let mut named = BTreeMap::new();
        let mut found = Vec::new();
        for (at, record) in records.iter().enumerate() {
            let header = record.header("mcp-protocol-version");
            let header: Option<Revision> = header.and_then(|value| value.parse().ok());
            if let (Some(exchange), Some(revision)) = (record.exchange(), header) {
                named.insert(exchange, revision);
            }
            let header = record
                .exchange()
                .and_then(|exchange| named.get(&exchange).copied());
            check(record, at, header, validator, &mut session, &mut found);
        }
        for ending in validator.end(&session) {
            let at = usize::try_from(ending.at).expect("the position of a record");
            let rule = ending.rule.name;
            let party = ending.party.map(Party::name);
            found.push(Finding { at, rule, party });
        }
        found
    }
}

impl Default for Runner {
    fn default() -> Self {
        Self::new()
    }
}

fn check(
    record: &Record,
    at: usize,
    header: Option<Revision>,
    validator: &mut Validator,
    session: &mut Session,
    found: &mut Vec<Finding>,
) {
    let pairs: Vec<(&str, &str)> = record
        .headers()
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    let carrier = http(record, &pairs);
    let frame = match (&record.carrier, &carrier) {
        (_, Some(carrier)) if record.bytes.is_empty() => Frame::without_message(carrier),
        (_, Some(carrier)) => Frame::over_http(&record.bytes, carrier),
        (Carried::Line { stdio: true, .. }, None) => {
            Frame::new(&record.bytes).carrier(Carrier::Stdio)
        }
        (_, None) => Frame::new(&record.bytes),
    };
    let mut frame = frame
        .direction(record.direction)
        .time(Duration::from_secs_f64(record.time))
        .at(at as u64);
    frame.header_revision = header;
    if let Carried::Line { unterminated, .. } = record.carrier {
        frame.unterminated = unterminated;
    }
    let checked = validator.check(session, frame);
    found.extend(checked.violations().iter().map(|violation| Finding {
        at,
        rule: violation.rule.name,
        party: checked.party(violation).map(Party::name),
    }));
}

fn http<'r>(record: &'r Record, headers: &'r [(&'r str, &'r str)]) -> Option<Http<'r>> {
    let Carried::Http { exchange, head, .. } = &record.carrier else {
        return None;
    };
    let part = head.part(Headers(headers));
    Some(Http::new(*exchange, part))
}
