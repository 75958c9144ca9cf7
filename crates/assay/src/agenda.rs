//! Which checks and which parts of the memory a message concerns, looked up once per policy instead of once per message.

use crate::Revision;
use crate::envelope::MessageKind;
use crate::exchange::Exchange;
use crate::frame::Part;
use crate::model::METHODS;
use crate::policy::Policy;
use crate::rules::check::{Check, EndCheck, Group, HttpCheck, MessageCheck, On, OnHttp};
use crate::rules::{self, Rule};
use crate::session::{HOOKS, HTTP_HOOKS, Hook, HttpHook};

/// The kinds of message that have checks.
const KINDS: usize = 4;

/// Which checks and hooks each message concerns.
pub(crate) struct Agenda {
    /// By kind and method, with a place for methods that the model does not have; by revision.
    checks: Table<Asked>,
    /// The same without revisions.
    hooks: Table<&'static Hook>,
    http_checks: [Vec<(&'static Rule, HttpCheck)>; 4],
    http_hooks: [Vec<&'static HttpHook>; 4],
    ends: Vec<(&'static Rule, EndCheck)>,
}

/// A check as a message meets it.
#[derive(Clone, Copy)]
pub(crate) struct Asked {
    /// The rule; `None` for a group.
    pub(crate) rule: Option<&'static Rule>,
    pub(crate) check: MessageCheck,
    /// Whether it is asked even if the message is malformed.
    pub(crate) whatever_shape: bool,
}

/// Lists side by side in one vector.
struct Table<T> {
    /// Where the list of each row begins, and where the last one ends.
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy> Table<T> {
    fn new(rows: usize, list: impl Fn(usize) -> Vec<T>) -> Self {
        let (mut starts, mut items) = (vec![0], Vec::new());
        for row in 0..rows {
            items.extend(list(row));
            starts.push(items.len() as u32);
        }
        Self { starts, items }
    }

    #[inline]
    fn row(&self, row: usize) -> &[T] {
        match self.starts.get(row..row + 2) {
            Some(&[start, end]) => self
                .items
                .get(start as usize..end as usize)
                .unwrap_or_default(),
            _ => &[],
        }
    }
}

impl Agenda {
    /// What a policy asks for.
    pub(crate) fn new(policy: &Policy) -> Self {
        let wanted: Vec<&'static Rule> = rules::all().filter(|rule| policy.wants(rule)).collect();
        let rows = KINDS * (METHODS.len() + 1);
        let mut agenda = Self {
            checks: Table::new(rows * Revision::COUNT, |row| {
                let revision = Revision::ALL[row % Revision::COUNT];
                checks(&wanted, row / Revision::COUNT, revision)
            }),
            hooks: Table::new(rows, |row| {
                let hooks = HOOKS.iter().copied().flatten();
                hooks.filter(|hook| concerns(hook.0, row)).collect()
            }),
            http_checks: Default::default(),
            http_hooks: Default::default(),
            ends: Vec::new(),
        };
        for rule in wanted {
            if let Check::Http(on, check) | Check::HttpAndEnd(on, check, _) = rule.check {
                for part in on {
                    agenda.http_checks[*part as usize].push((rule, check));
                }
            }
            if let Check::End(check)
            | Check::MessageAndEnd(_, _, check)
            | Check::HttpAndEnd(_, _, check) = rule.check
            {
                agenda.ends.push((rule, check));
            }
        }
        for hook in HTTP_HOOKS.iter().copied().flatten() {
            for part in hook.0 {
                agenda.http_hooks[*part as usize].push(hook);
            }
        }
        agenda
    }

    /// The checks that a message is put to.
    #[inline]
    pub(crate) fn checks(&self, exchange: &Exchange<'_>) -> &[Asked] {
        match row(exchange) {
            Some(row) => self
                .checks
                .row(row * Revision::COUNT + exchange.revision.index()),
            None => &[],
        }
    }

    /// The hooks that are told of a message.
    #[inline]
    pub(crate) fn hooks(&self, exchange: &Exchange<'_>) -> &[&'static Hook] {
        row(exchange).map_or(&[], |row| self.hooks.row(row))
    }

    /// The checks that a part of an HTTP exchange is put to.
    pub(crate) fn http_checks(&self, part: &Part<'_>) -> &[(&'static Rule, HttpCheck)] {
        &self.http_checks[on_http(part) as usize]
    }

    /// The hooks that are told of a part of an HTTP exchange.
    pub(crate) fn http_hooks(&self, part: &Part<'_>) -> &[&'static HttpHook] {
        &self.http_hooks[on_http(part) as usize]
    }

    /// The checks that a session is put to when it is over.
    pub(crate) fn ends(&self) -> &[(&'static Rule, EndCheck)] {
        &self.ends
    }
}

/// The row of a message: its kind and its method.
#[inline]
fn row(exchange: &Exchange<'_>) -> Option<usize> {
    let kind = match exchange.envelope.kind {
        MessageKind::Request => 0,
        MessageKind::Notification => 1,
        MessageKind::Response => 2,
        MessageKind::Error => 3,
        MessageKind::Batch | MessageKind::Unreadable | MessageKind::Empty => return None,
    };
    let method = exchange
        .method
        .map_or(METHODS.len(), |method| usize::from(method.index));
    Some(method * KINDS + kind)
}

/// Whether one of the conditions holds for the messages of a row.
fn concerns(on: &[On], row: usize) -> bool {
    let (method, kind) = (METHODS.get(row / KINDS), row % KINDS);
    let is = |name: &str| method.is_some_and(|method| method.name == name);
    on.iter().any(|on| match *on {
        On::Call(name) => kind < 2 && is(name),
        On::Result(name) => kind == 2 && is(name),
        On::Error(name) => kind == 3 && is(name),
        On::AnyRequest => kind == 0,
        On::AnyNotification => kind == 1,
        On::AnyResult => kind == 2,
        On::AnyError => kind == 3,
    })
}

fn checks(wanted: &[&'static Rule], row: usize, revision: Revision) -> Vec<Asked> {
    let mut found = Vec::new();
    let mut groups: Vec<&'static Group> = Vec::new();
    for rule in wanted
        .iter()
        .filter(|rule| rule.revisions.contains(revision))
    {
        match rule.check {
            Check::Message(on, check) | Check::MessageAndEnd(on, check, _)
                if concerns(on, row) =>
            {
                found.push(Asked {
                    rule: Some(rule),
                    check,
                    whatever_shape: stands_alone(rule),
                });
            }
            Check::Group(group)
                if concerns(group.on, row)
                    && !groups.iter().any(|known| core::ptr::eq(*known, group)) =>
            {
                groups.push(group);
                found.push(Asked {
                    rule: None,
                    check: group.check,
                    whatever_shape: false,
                });
            }
            _ => {}
        }
    }
    found
}

/// Rules about order, correlation and declarations hold whatever is inside params and results; all others would only repeat
/// in other words that the shape is wrong.
fn stands_alone(rule: &Rule) -> bool {
    matches!(
        rule.family(),
        "lifecycle" | "capability" | "request" | "response" | "cancel" | "version"
    )
}

fn on_http(part: &Part<'_>) -> OnHttp {
    match part {
        Part::Request { .. } => OnHttp::Request,
        Part::Response { .. } => OnHttp::Response,
        Part::Event { .. } => OnHttp::Event,
        Part::End => OnHttp::End,
    }
}
