//! Tracks the tasks of the extension: their requests, their inputs, and whether they are finished.

use core::time::Duration;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::tasks::Status;
use crate::catalogue::On;
use crate::model::Fact;
use crate::session::message::Message;
use crate::session::message::{Digester, Input, KnownId, input_responses, inputs};
use crate::session::{Bounded, Hook, Moment, Session};
use crate::syntax::{Kind, Node};

/// The code with which an unknown task is refused.
pub(crate) const INVALID_PARAMS: i64 = -32602;

/// The state: the tasks of the extension.
#[derive(Clone, Debug, Default)]
pub(crate) struct ExtTasks {
    by_id: Bounded<u64, ExtTask>,
    /// The ids of tasks, by the ids of the requests that created them.
    by_request: HashMap<KnownId, u64>,
    digester: Digester,
}

/// A task of the extension.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct ExtTask {
    /// The moment of its creation; `None` if that was not seen.
    pub(crate) created: Option<Moment>,
    /// The id of the request that created it.
    request: Option<KnownId>,
    /// The lifetime that the server stated last.
    lifetime: Lifetime,
    /// Whether the server has reported it after its creation, or has refused it as unknown.
    pub(crate) settled: bool,
    /// Whether the client has named it.
    pub(crate) named: bool,
    /// Whether the client has asked to cancel it.
    pub(crate) given_up: bool,
    /// The final status that was reported.
    pub(crate) ended: Option<(Status, Moment)>,
    /// The inputs that it ever demanded, by key.
    inputs: HashMap<u64, TaskInput>,
    /// The number of the last report of its inputs.
    report: u64,
    /// Whether it has more inputs than are tracked.
    pub(crate) more: bool,
}

/// The lifetime of a task.
#[derive(Clone, Copy, Debug, Default)]
enum Lifetime {
    #[default]
    Unknown,
    ForEver,
    Millis(u64),
}

/// An input that a task demands.
#[derive(Clone, Debug)]
struct TaskInput {
    request: u64,
    /// The number of the last report that demanded it.
    demanded: u64,
    answered: bool,
}

/// The relation of an answer to the inputs of a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    /// The input is demanded, or may be.
    Wanted,
    /// The input was given before, and is no longer demanded.
    Given,
    /// The input was never demanded.
    Unasked,
}

impl ExtTask {
    /// Whether the server still has to keep the task.
    pub(crate) fn is_kept(&self, now: &Moment) -> bool {
        match self.lifetime {
            Lifetime::Unknown => false,
            Lifetime::ForEver => true,
            Lifetime::Millis(millis) => self
                .created
                .and_then(|created| now.since(&created))
                .is_some_and(|age| age < Duration::from_millis(millis)),
        }
    }

    /// The relation of an answer under a key to the inputs of the task.
    fn answer(&self, key: u64) -> Answer {
        match self.inputs.get(&key) {
            // The task no longer demands it, as far as is known.
            Some(input) if input.answered && input.demanded != self.report => Answer::Given,
            Some(_) => Answer::Wanted,
            None if self.more => Answer::Wanted,
            None => Answer::Unasked,
        }
    }
}

impl ExtTasks {
    /// The task with this id.
    pub(crate) fn get(&self, id: Node<'_>) -> Option<&ExtTask> {
        if self.by_id.is_empty() || id.kind() != Kind::String {
            return None;
        }
        self.by_id.get(&self.digester.text(id))
    }

    /// The task that the answered request refers to.
    pub(crate) fn asked_about(&self, message: &Message<'_>) -> Option<&ExtTask> {
        self.by_id.get(&message.request?.data()?.ext_task?)
    }

    /// The task that a request created.
    pub(crate) fn made_by(&self, request: Node<'_>) -> Option<&ExtTask> {
        if self.by_request.is_empty() {
            return None;
        }
        self.by_id.get(self.by_request.get(&KnownId::of(request)?)?)
    }

    /// The relation of an answer under a key to the inputs of a task.
    pub(crate) fn answer(&self, task: &ExtTask, key: Node<'_>) -> Answer {
        task.answer(self.digester.text(key))
    }

    /// Whether the key of an input had another meaning before.
    pub(crate) fn changes(&self, task: &ExtTask, input: &Input<'_>) -> bool {
        if task.inputs.is_empty() {
            return false;
        }
        let (key, request) = (self.digester.text(input.key), self.request(input));
        let known = task.inputs.get(&key);
        known.is_some_and(|known| known.request != request)
    }

    /// The digest of an input request, without its metadata.
    fn request(&self, input: &Input<'_>) -> u64 {
        let method = self.digester.text(input.method);
        let params = input.params.map_or(0, |params| {
            self.digester.members(params, |key| !key.is_text("_meta"))
        });
        method.rotate_left(1) ^ params
    }

    /// The task with this id, added if it is new, and whether another was dropped for it.
    fn entry(&mut self, id: u64, limit: usize) -> (&mut ExtTask, bool) {
        let mut is_full = false;
        if !self.by_id.contains_key(&id)
            && let Some((_, dropped)) = self.by_id.insert(id, ExtTask::default(), limit)
        {
            is_full = true;
            if let Some(request) = dropped.request {
                self.by_request.remove(&request);
            }
        }
        // It was inserted above if it was missing.
        let task = self.by_id.get_mut(&id).expect("a task of this id");
        (task, is_full)
    }
}

pub(super) static HOOKS: &[Hook] = &[
    Hook(
        &[On::Where(Fact::TasksExtension, &On::Result("tools/call"))],
        created,
    ),
    Hook(
        &[
            On::Call("tasks/get"),
            On::Call("tasks/update"),
            On::Call("tasks/cancel"),
        ],
        named,
    ),
    Hook(
        &[On::Result("tasks/get"), On::Call("notifications/tasks")],
        shown,
    ),
    Hook(&[On::Error("tasks/get")], refused),
];

fn created(message: &Message<'_>, session: &mut Session) {
    let Some(result) = message.result() else {
        return;
    };
    let is_task = result
        .get("resultType")
        .is_some_and(|kind| kind.is_text("task"));
    let Some(id) = result.get("taskId").filter(|id| id.kind() == Kind::String) else {
        return;
    };
    if !is_task || !message.has(Fact::TasksExtension) {
        return;
    }
    let tasks = &mut *session.state.ext_tasks;
    let id = tasks.digester.text(id);
    let request = message.id().and_then(KnownId::of);
    let (task, is_full) = tasks.entry(id, message.policy.limits.tasks);
    *task = ExtTask {
        created: Some(message.now()),
        request: request.clone(),
        lifetime: lifetime(result),
        ended: final_status(result, message),
        ..ExtTask::default()
    };
    if let Some(request) = request {
        tasks.by_request.insert(request, id);
    }
    if is_full {
        session.reached_limit_of("tasks");
    }
}

fn named(message: &Message<'_>, session: &mut Session) {
    if !message.has(Fact::TasksExtension) {
        return;
    }
    let tasks = &mut *session.state.ext_tasks;
    let Some(id) = message
        .param("taskId")
        .filter(|id| id.kind() == Kind::String)
    else {
        return;
    };
    let id = tasks.digester.text(id);
    if let Some(task) = tasks.by_id.get_mut(&id) {
        task.named = true;
        task.given_up |= message.method() == Some("tasks/cancel");
        let responses = input_responses(message).into_iter().flat_map(Node::members);
        for (key, _) in responses {
            let key = tasks.digester.text(key);
            if let Some(known) = task.inputs.get_mut(&key) {
                known.answered = true;
            }
        }
    }
    // A malformed request may be refused for its fault.
    if message.sound
        && let Some(mut request) = session.newest_request()
    {
        request.data_mut().ext_task = Some(id);
    }
}

fn shown(message: &Message<'_>, session: &mut Session) {
    let Some(holder) = message.result().or_else(|| message.params()) else {
        return;
    };
    let Some(id) = holder.get("taskId").filter(|id| id.kind() == Kind::String) else {
        return;
    };
    if !message.has(Fact::TasksExtension) {
        return;
    }
    let limits = &message.policy.limits;
    let mut demanded = Vec::new();
    let tasks = &mut *session.state.ext_tasks;
    for input in inputs(message).take(limits.elicitations + 1) {
        demanded.push((tasks.digester.text(input.key), tasks.request(&input)));
    }
    let id = tasks.digester.text(id);
    let (task, is_full) = tasks.entry(id, limits.tasks);
    task.settled = true;
    task.lifetime = lifetime(holder);
    task.ended = match (final_status(holder, message), task.ended) {
        (Some((now, _)), Some((before, since))) if now == before => Some((before, since)),
        (now, _) => now,
    };
    task.report += 1;
    for (key, request) in demanded {
        let room = task.inputs.len() < limits.elicitations;
        let new = TaskInput {
            request,
            demanded: task.report,
            answered: false,
        };
        match task.inputs.entry(key) {
            Entry::Occupied(mut known) => {
                let answered = known.get().answered && known.get().request == request;
                known.insert(TaskInput { answered, ..new });
            }
            Entry::Vacant(free) if room => {
                free.insert(new);
            }
            Entry::Vacant(_) => task.more = true,
        }
    }
    let more = task.more;
    if is_full {
        session.reached_limit_of("tasks");
    }
    if more {
        session.reached_limit_of("inputs of a task");
    }
}

fn refused(message: &Message<'_>, session: &mut Session) {
    let about = message.request.and_then(|request| request.data()?.ext_task);
    let tasks = &mut *session.state.ext_tasks;
    if message.error_code() == Some(INVALID_PARAMS)
        && let Some(task) = about.and_then(|id| tasks.by_id.get_mut(&id))
    {
        task.settled = true;
    }
}

fn lifetime(task: Node<'_>) -> Lifetime {
    match task.get("ttlMs") {
        Some(millis) if millis.kind() == Kind::Null => Lifetime::ForEver,
        Some(millis) => millis
            .as_i64()
            .and_then(|millis| u64::try_from(millis).ok())
            .map_or(Lifetime::Unknown, Lifetime::Millis),
        None => Lifetime::Unknown,
    }
}

fn final_status(task: Node<'_>, message: &Message<'_>) -> Option<(Status, Moment)> {
    let status = Status::of(task).filter(|status| status.is_final())?;
    Some((status, message.now()))
}
