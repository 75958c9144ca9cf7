//! Selects the checks and the tracking that a message needs, once for each policy instead of once
//! for each message.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use crate::catalogue::{Layer, On, OnHttp, Policy, Rule};
use crate::envelope::MessageKind;
use crate::exchange::Exchange;
use crate::frame::Part;
use crate::model::{METHODS, method_named};
use crate::rules::check::{Check, EndCheck, Group, HttpCheck, MessageCheck, MethodKeys};
use crate::rules::{self, DIALECT, Listed};
use crate::session::{HOOKS, HTTP_HOOKS, Hook, HttpHook};
use crate::syntax::KeyHash;
use crate::{Revision, RevisionSet};

/// The hashes of all keys: every message has one of them.
const ANY_KEY: u64 = u64::MAX;

/// The kinds of message that have checks.
const KINDS: usize = 4;

/// The checks and hooks for each kind of message.
pub(crate) struct Schedule {
    /// Checks and hooks by kind, method and revision. One more method stands for those that the
    /// model does not have.
    checks: Table<ScheduledCheck>,
    hooks: Table<&'static Hook>,
    /// Whether no message has checks or hooks, so that nothing has to be looked up.
    is_empty: bool,
    http_checks: [Vec<(&'static Rule, HttpCheck)>; 4],
    http_hooks: [Vec<&'static HttpHook>; 4],
    ends: Vec<(&'static Rule, EndCheck)>,
}

/// A check, as it is scheduled for a message.
#[derive(Clone, Copy)]
pub(crate) struct ScheduledCheck {
    /// The hashes of keys of which a message must have one.
    pub(crate) keys: u64,
    /// The rule; `None` for a group.
    pub(crate) rule: Option<&'static Rule>,
    pub(crate) check: MessageCheck,
    group: Option<&'static Group>,
}

impl ScheduledCheck {
    fn of_group(group: &'static Group) -> Self {
        let keys = match group.keys {
            [] => ANY_KEY,
            keys => KeyHash::all_of(keys),
        };
        Self {
            keys,
            rule: None,
            check: group.check,
            group: Some(group),
        }
    }

    /// Whether both are the same rule or the same group. Several rules share a group, and two
    /// conditions may select the same message.
    fn is_same(&self, other: &Self) -> bool {
        match (self.group, other.group) {
            (Some(one), Some(other)) => core::ptr::eq(one, other),
            (None, None) => self.rule == other.rule,
            _ => false,
        }
    }
}

/// Lists side by side in one vector. Equal lists are stored once.
struct Table<T> {
    /// The bounds of the list of each row.
    ranges: Vec<(u32, u32)>,
    items: Vec<T>,
}

impl<T: Copy> Table<T> {
    fn new(lists: &Lists<T>) -> Self {
        let mut known: HashMap<&[u16], (u32, u32)> = HashMap::new();
        let mut ranges = Vec::with_capacity(lists.rows.len());
        let mut items = Vec::new();
        for row in &lists.rows {
            let range = *known.entry(row).or_insert_with(|| {
                let start = items.len() as u32;
                items.extend(row.iter().map(|index| lists.items[usize::from(*index)]));
                (start, items.len() as u32)
            });
            ranges.push(range);
        }
        Self { ranges, items }
    }

    #[inline]
    fn row(&self, row: usize) -> &[T] {
        match self.ranges.get(row) {
            Some(&(start, end)) => self
                .items
                .get(start as usize..end as usize)
                .unwrap_or_default(),
            None => &[],
        }
    }
}

/// A table under construction. Rows hold the index of an item, because an item is in many rows:
/// otherwise a program that checks one message would spend most of its memory here.
struct Lists<T> {
    items: Vec<T>,
    rows: Vec<Vec<u16>>,
}

impl<T> Lists<T> {
    fn new() -> Self {
        Self {
            items: Vec::new(),
            rows: vec![Vec::new(); ROWS],
        }
    }

    /// Appends an item to rows, except where a row has the same item.
    fn add(
        &mut self,
        item: T,
        rows: impl Iterator<Item = usize>,
        is_same: impl Fn(&T, &T) -> bool,
    ) {
        // There are only a few hundred rules and hooks.
        let index = self.items.len() as u16;
        self.items.push(item);
        let items = &self.items;
        for row in rows {
            let row = &mut self.rows[row];
            let same =
                |known: &u16| is_same(&items[usize::from(*known)], &items[usize::from(index)]);
            if !row.iter().any(same) {
                row.push(index);
            }
        }
    }
}

/// The number of schedules in the cache.
const MAX_CACHED: usize = 16;

/// The schedules of the last policies. Building one takes as long as hundreds of checks, and many
/// validators have the same policy.
static CACHE: Mutex<VecDeque<(Demand, Arc<Schedule>)>> = Mutex::new(VecDeque::new());

/// The parts of a policy that determine a schedule.
#[derive(Clone, PartialEq, Eq)]
struct Demand {
    /// Whether each rule counts.
    rules: Vec<bool>,
    has_tracking: bool,
    has_profile: bool,
}

impl Demand {
    fn of(policy: &Policy) -> Self {
        let tracking = [Layer::Tools, Layer::Session, Layer::Http];
        Self {
            rules: rules::all().map(|rule| policy.wants(rule)).collect(),
            // If no rule needs the session, nothing is tracked.
            has_tracking: tracking
                .into_iter()
                .any(|layer| policy.layers.contains(layer)),
            has_profile: policy.dialect().is_some(),
        }
    }
}

impl Schedule {
    /// The schedule of a policy, from the cache if it is there.
    pub(crate) fn of(policy: &Policy) -> Arc<Self> {
        let demand = Demand::of(policy);
        let lock = || CACHE.lock().unwrap_or_else(PoisonError::into_inner);
        let known = lock().iter().find(|(known, _)| *known == demand).cloned();
        if let Some((_, schedule)) = known {
            return schedule;
        }
        let schedule = Arc::new(Self::new(&demand));
        let mut known = lock();
        known.truncate(MAX_CACHED - 1);
        known.push_front((demand, Arc::clone(&schedule)));
        schedule
    }

    fn new(demand: &Demand) -> Self {
        let rules = rules::listed().zip(&demand.rules);
        let wanted: Vec<Listed> = rules
            .filter_map(|(listed, is_wanted)| is_wanted.then_some(listed))
            .collect();
        let mut schedule = Self {
            checks: Table::new(&check_rows(&wanted, demand.has_profile)),
            hooks: Table::new(&hook_rows(demand.has_tracking)),
            is_empty: false,
            http_checks: Default::default(),
            http_hooks: Default::default(),
            ends: Vec::new(),
        };
        for Listed { rule, check } in wanted {
            if let Some(Check::Http(on, check) | Check::HttpAndEnd(on, check, _)) = check {
                for part in *on {
                    schedule.http_checks[*part as usize].push((rule, *check));
                }
            }
            if let Some(
                Check::End(check)
                | Check::MessageAndEnd(_, _, check)
                | Check::HttpAndEnd(_, _, check),
            ) = check
            {
                schedule.ends.push((rule, *check));
            }
        }
        for hook in HTTP_HOOKS.iter().copied().flatten() {
            for part in hook.0 {
                schedule.http_hooks[*part as usize].push(hook);
            }
        }
        schedule.is_empty = schedule.checks.items.is_empty() && schedule.hooks.items.is_empty();
        schedule
    }

    /// The checks of a message.
    #[inline(always)]
    pub(crate) fn checks(&self, exchange: &Exchange<'_>) -> &[ScheduledCheck] {
        if self.is_empty {
            return &[];
        }
        row(exchange).map_or(&[], |row| self.checks.row(row))
    }

    /// The hooks of a message.
    #[inline(always)]
    pub(crate) fn hooks(&self, exchange: &Exchange<'_>) -> &[&'static Hook] {
        if self.is_empty {
            return &[];
        }
        row(exchange).map_or(&[], |row| self.hooks.row(row))
    }

    /// The checks of a part of an HTTP exchange.
    pub(crate) fn http_checks(&self, part: &Part<'_>) -> &[(&'static Rule, HttpCheck)] {
        &self.http_checks[on_http(part) as usize]
    }

    /// The hooks of a part of an HTTP exchange.
    pub(crate) fn http_hooks(&self, part: &Part<'_>) -> &[&'static HttpHook] {
        &self.http_hooks[on_http(part) as usize]
    }

    /// The checks of the end of a session.
    pub(crate) fn ends(&self) -> &[(&'static Rule, EndCheck)] {
        &self.ends
    }
}

/// The row of a message: its kind, its method and its revision.
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
    Some((method * KINDS + kind) * Revision::COUNT + exchange.revision.index())
}

/// The number of rows: kinds of message times methods times revisions, with one more method for
/// those that the model does not have.
const ROWS: usize = KINDS * (METHODS.len() + 1) * Revision::COUNT;

/// The rows of the messages that a condition selects.
fn rows_of(on: On, revisions: RevisionSet) -> impl Iterator<Item = usize> {
    let (on, fact) = match on {
        On::Where(fact, on) => (*on, Some(fact)),
        on => (on, None),
    };
    let revisions = move || {
        let has = move |revision: &Revision| fact.is_none_or(|fact| revision.has(fact));
        revisions.iter().filter(has)
    };
    let (method, kinds) = match on {
        // A condition within a condition has no meaning; a test ensures that there is none.
        On::Where(..) => (None, 0..0),
        On::Call(name) => (Some(name), 0..2),
        On::Result(name) => (Some(name), 2..3),
        On::Error(name) => (Some(name), 3..4),
        On::AnyRequest => (None, 0..1),
        On::AnyNotification => (None, 1..2),
        On::AnyResult => (None, 2..3),
        On::AnyError => (None, 3..4),
    };
    let methods = match method {
        None => 0..METHODS.len() + 1,
        // A rule about a method that the model does not have would never run; a test ensures that
        // there is none.
        Some(name) => method_named(name.as_bytes()).map_or(0..0, |method| {
            usize::from(method.index)..usize::from(method.index) + 1
        }),
    };
    methods
        .flat_map(move |method| kinds.clone().map(move |kind| method * KINDS + kind))
        .flat_map(move |row| revisions().map(move |at| row * Revision::COUNT + at.index()))
}

fn hook_rows(has_tracking: bool) -> Lists<&'static Hook> {
    let hooks = if has_tracking { HOOKS } else { &[] };
    let mut lists = Lists::new();
    for hook in hooks.iter().copied().flatten() {
        let rows = hook.0.iter().flat_map(|on| rows_of(*on, RevisionSet::ALL));
        lists.add(hook, rows, |one, other| core::ptr::eq(*one, *other));
    }
    lists
}

fn check_rows(wanted: &[Listed], has_profile: bool) -> Lists<ScheduledCheck> {
    let mut lists = Lists::new();
    for &Listed { rule, check } in wanted {
        let Some(found_by) = check else {
            continue;
        };
        let of_rule = |keys, on, check| {
            let scheduled = ScheduledCheck {
                keys,
                rule: Some(rule),
                check,
                group: None,
            };
            (on, scheduled)
        };
        if let Check::KeyedByMethod(keys, on, check) = *found_by {
            let mut by_keys: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
            for row in on.iter().flat_map(|on| rows_of(*on, rule.revisions)) {
                by_keys.entry(keys_of_row(keys, row)).or_default().push(row);
            }
            // Messages without such keys cannot violate the rule.
            by_keys.remove(&0);
            for (keys, rows) in by_keys {
                let (_, scheduled) = of_rule(keys, on, check);
                lists.add(scheduled, rows.into_iter(), ScheduledCheck::is_same);
            }
            continue;
        }
        let (on, scheduled) = match *found_by {
            Check::Message(on, check) | Check::MessageAndEnd(on, check, _) => {
                of_rule(ANY_KEY, on, check)
            }
            Check::Keyed(keys, on, check) => of_rule(KeyHash::all_of(keys), on, check),
            Check::Group(group) => (group.on, ScheduledCheck::of_group(group)),
            Check::KeyedByMethod(..) | Check::Http(..) | Check::HttpAndEnd(..) | Check::End(_) => {
                continue;
            }
        };
        let rows = on.iter().flat_map(|on| rows_of(*on, rule.revisions));
        lists.add(scheduled, rows, ScheduledCheck::is_same);
    }
    if has_profile {
        lists.add(
            ScheduledCheck::of_group(&DIALECT),
            0..ROWS,
            ScheduledCheck::is_same,
        );
    }
    lists
}

/// The keys that a rule names for the messages of a row.
fn keys_of_row(keys: MethodKeys, row: usize) -> u64 {
    let (row, revision) = (row / Revision::COUNT, row % Revision::COUNT);
    let (method, kind) = (METHODS.get(row / KINDS), row % KINDS);
    let kind = match kind {
        0 => MessageKind::Request,
        1 => MessageKind::Notification,
        2 => MessageKind::Response,
        _ => MessageKind::Error,
    };
    let revision = Revision::ALL.get(revision);
    match (method, revision) {
        (Some(method), Some(revision)) => keys(method, *revision, kind),
        _ => 0,
    }
}

fn on_http(part: &Part<'_>) -> OnHttp {
    match part {
        Part::Request { .. } => OnHttp::Request,
        Part::Response { .. } => OnHttp::Response,
        Part::Event { .. } => OnHttp::Event,
        Part::End { .. } => OnHttp::End,
    }
}
