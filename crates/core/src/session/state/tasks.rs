//! Tracks the tasks of 2025-11-25: their holders, their requests, and their last reported status.
//!
//! A task belongs to the direction of the request that made it; the receiver of that request holds
//! it.

use core::time::Duration;
use std::collections::{HashMap, VecDeque};

use foldhash::quality::RandomState;

use super::progress::Key;
use crate::catalogue::On;
use crate::frame::Part;
use crate::model::{Fact, Method};
use crate::session::message::Message;
use crate::session::{Hook, Moment, Session};
use crate::syntax::{Kind, Node};
use crate::{Direction, Revision};

/// The key of `_meta` under which a message names its task.
pub(crate) const RELATED_TASK: &str = "io.modelcontextprotocol/related-task";

/// The state: the tasks of 2025-11-25.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tasks {
    /// The tasks, by the direction of the requests that made them.
    held: [Held; 2],
    /// The task support that tools declare.
    support: HashMap<Key, Support, RandomState>,
    /// Whether a tool declares that it runs only as a task.
    pub(crate) some_required: bool,
    /// Whether requests are authorised, so that callers can be distinguished.
    pub(crate) authorized: bool,
}

#[derive(Clone, Debug, Default)]
struct Held {
    by_id: HashMap<Key, Task, RandomState>,
    /// The ids, the oldest first.
    order: VecDeque<Key>,
    /// The ids of tasks, by the ids of the requests that made them.
    by_request: HashMap<Key, Key, RandomState>,
    /// The id of the newest task, if it ends in a number: its prefix and the number.
    counter: Option<(Key, u64)>,
    /// Whether an id was the last one plus one.
    counts: bool,
}

/// A task.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own, seen at another time"
)]
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub(crate) created: Moment,
    /// The id of the request that made it.
    request: Option<Key>,
    /// The method of that request.
    pub(crate) method: Option<&'static Method>,
    pub(crate) revision: Revision,
    /// The progress token of that request.
    pub(crate) token: Option<Key>,
    /// The last reported status.
    pub(crate) status: Option<Status>,
    /// The moment of the first report of a final status.
    pub(crate) ended: Option<Moment>,
    /// Whether its failure was reported without a status message.
    pub(crate) unexplained: bool,
    /// Whether its result is the error of a tool.
    pub(crate) is_error: bool,
    /// Whether its holder has dropped it, or has returned its result.
    pub(crate) is_over: bool,
    /// The number of milliseconds that the requestor should wait between polls.
    poll_interval: Option<u64>,
    /// The moment of the last poll.
    polled: Option<Moment>,
    /// Whether the requestor has named it.
    pub(crate) known: bool,
    /// Whether further checks are uncertain: its id was issued twice, or a fault was reported.
    pub(crate) uncertain: bool,
    hurried: bool,
}

/// The state of a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    Working,
    InputRequired,
    Completed,
    Failed,
    Cancelled,
}

impl Status {
    /// The status that a task object names.
    pub(crate) fn of(task: Node<'_>) -> Option<Self> {
        let status = task.get("status")?;
        [
            ("working", Self::Working),
            ("input_required", Self::InputRequired),
            ("completed", Self::Completed),
            ("failed", Self::Failed),
            ("cancelled", Self::Cancelled),
        ]
        .into_iter()
        .find(|(name, _)| status.is_text(name))
        .map(|(_, status)| status)
    }

    pub(crate) fn is_final(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Cancelled)
    }
}

/// The task support that a tool declares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Support {
    Forbidden,
    Optional,
    Required,
    /// It has declared different values.
    RequestMut,
}

impl Task {
    /// Whether a report of this status shows that the task left a final one. Reports that were
    /// prepared before the end may arrive after it, so an answer counts only if it was requested
    /// after the end.
    pub(crate) fn leaves_final(&self, status: Status, message: &Message<'_>) -> bool {
        let (Some(last), Some(ended)) = (self.status, self.ended) else {
            return false;
        };
        let later = match message.request {
            Some(request) => request.sent.order > ended.order,
            None => message.now().exchange == ended.exchange,
        };
        !self.uncertain && last.is_final() && status != last && later
    }

    /// Whether the requestor polls sooner than it should.
    pub(crate) fn is_polled_too_soon(&self, now: &Moment) -> bool {
        let (Some(interval), Some(polled)) = (self.poll_interval, self.polled.as_ref()) else {
            return false;
        };
        // Timers are not exact.
        let due = Duration::from_millis(interval / 10 * 9);
        self.ended.is_none()
            && !self.hurried
            && now.since(polled).is_some_and(|passed| passed < due)
    }
}

impl Tasks {
    /// The task of this id that a request of this direction made.
    pub(crate) fn get(&self, request_direction: Direction, id: Key) -> Option<&Task> {
        self.held[request_direction as usize].by_id.get(&id)
    }

    /// Whether requests of this direction made none.
    pub(crate) fn is_empty(&self, request_direction: Direction) -> bool {
        self.held[request_direction as usize].by_id.is_empty()
    }

    /// The tasks that requests of this direction made.
    pub(crate) fn of(&self, request_direction: Direction) -> impl Iterator<Item = (Key, &Task)> {
        let held = self.held[request_direction as usize].by_id.iter();
        held.map(|(id, task)| (*id, task))
    }

    /// The task that the request with this id made.
    pub(crate) fn made_by(&self, request_direction: Direction, request: Key) -> Option<&Task> {
        let held = &self.held[request_direction as usize];
        held.by_id.get(held.by_request.get(&request)?)
    }

    /// Whether an id is that of the last task plus one, for the first time.
    pub(crate) fn counts_up(&self, request_direction: Direction, prefix: Key, number: u64) -> bool {
        let held = &self.held[request_direction as usize];
        !held.counts
            && held.counter.is_some_and(|(last_prefix, last)| {
                last_prefix == prefix && last.checked_add(1) == Some(number)
            })
    }

    /// The task support of a tool, if it was listed.
    pub(crate) fn support(&self, tool: Key) -> Option<Support> {
        self.support.get(&tool).copied()
    }
}

pub(super) static HOOKS: &[Hook] = &[
    Hook(
        &[
            On::Call("tools/call"),
            On::Call("sampling/createMessage"),
            On::Call("elicitation/create"),
        ],
        track_request,
    ),
    Hook(
        &[
            On::Result("tools/call"),
            On::Result("sampling/createMessage"),
            On::Result("elicitation/create"),
        ],
        created,
    ),
    Hook(
        &[
            On::Call("tasks/get"),
            On::Call("tasks/result"),
            On::Call("tasks/cancel"),
        ],
        named,
    ),
    Hook(
        &[
            On::Result("tasks/get"),
            On::Result("tasks/cancel"),
            On::Result("tasks/list"),
            On::Call("notifications/tasks/status"),
        ],
        reported,
    ),
    Hook(
        &[
            On::Result("tasks/result"),
            On::Error("tasks/result"),
            On::Error("tasks/get"),
        ],
        fetched,
    ),
    Hook(&[On::Result("tools/list")], listed),
];

/// The task in a result that is a task instead of the result of the method.
#[inline(always)]
pub(crate) fn created_task<'a>(message: &Message<'a>) -> Option<Node<'a>> {
    if message.mentions("task") && message.mentions("taskId") {
        some_created_task(message)
    } else {
        None
    }
}

#[inline(never)]
fn some_created_task<'a>(message: &Message<'a>) -> Option<Node<'a>> {
    let result = message.result()?;
    let task = result.get("task")?;
    let is_task = task.get("taskId")?.kind() == Kind::String;
    // Further members are allowed: a result with the members of the method's own result is one.
    let is_result = ["content", "action"]
        .iter()
        .any(|name| result.get(name).is_some());
    (is_task && !is_result).then_some(task)
}

/// The task that a message declares to belong to.
pub(crate) fn related_task<'a>(message: &Message<'a>) -> Option<Node<'a>> {
    message.meta()?.get(RELATED_TASK)?.get("taskId")
}

/// The number at the end of an id, and the length of the prefix.
pub(crate) fn counter(id: &str) -> Option<(usize, u64)> {
    let prefix = id.trim_end_matches(|character: char| character.is_ascii_digit());
    let number = id.get(prefix.len()..)?.parse().ok()?;
    Some((prefix.len(), number))
}

fn track_request(message: &Message<'_>, session: &mut Session) {
    if !message.has(Fact::CoreTasks) {
        return;
    }
    if let Some(http) = message.frame.http
        && let Part::Request { headers, .. } = http.part
    {
        let credentials = ["authorization", "cookie", "x-api-key"];
        session.state.tasks.authorized |=
            credentials.iter().any(|name| headers.get(name).is_some());
    }
    if message.mentions("task") || message.mentions("_meta") {
        may_belong(message, session);
    }
}

/// Tracks a request that asks for a task, or belongs to one.
#[inline(never)]
fn may_belong(message: &Message<'_>, session: &mut Session) {
    let task = message.param("task").map(Node::kind) == Some(Kind::Object);
    let related = related_task(message);
    if !task && related.is_none() {
        return;
    }
    let keys = &session.state.progress.keys;
    let related = related.and_then(|id| keys.of(id));
    let tool = message.param("name").and_then(|name| keys.of(name));
    if let Some(mut request) = session.newest_request() {
        let data = request.data_mut();
        data.task = task;
        data.related_task = related;
        data.task_tool = tool;
    }
}

fn created(message: &Message<'_>, session: &mut Session) {
    let (Some(request), Some(request_direction)) =
        (message.request, message.direction().map(Direction::reverse))
    else {
        return;
    };
    input_came(message, session);
    let keys = &session.state.progress.keys;
    let task = created_task(message).filter(|_| message.has(Fact::CoreTasks));
    let Some((task, id)) = task.and_then(|task| Some((task, task.get("taskId")?))) else {
        return;
    };
    let (Some(key), Some(text)) = (keys.of(id), id.text()) else {
        return;
    };
    let counter = counter(&text).map(|(prefix, number)| (keys.of_prefix(&text, prefix), number));
    let request_id = message.id().and_then(|id| keys.of(id));
    let tasks = &mut *session.state.tasks;
    if let Some((prefix, number)) = counter {
        tasks.held[request_direction as usize].counts |=
            tasks.counts_up(request_direction, prefix, number);
    }
    let held = &mut tasks.held[request_direction as usize];
    held.counter = counter;
    if let Some(same) = held.by_id.get_mut(&key) {
        same.uncertain = true;
        return;
    }
    let full = held.by_id.len() >= message.policy.limits.tasks.max(1);
    if full && let Some(oldest) = held.order.pop_front() {
        let request = held.by_id.remove(&oldest).and_then(|task| task.request);
        if let Some(request) = request {
            held.by_request.remove(&request);
        }
    }
    held.order.push_back(key);
    if let Some(request) = request_id {
        held.by_request.insert(request, key);
    }
    let mut made = Task {
        created: message.now(),
        request: request_id,
        method: request.method,
        revision: message.revision(),
        token: request.data().and_then(|data| data.progress),
        status: None,
        ended: None,
        unexplained: false,
        is_error: false,
        is_over: false,
        poll_interval: None,
        polled: None,
        known: false,
        uncertain: false,
        hurried: false,
    };
    report(&mut made, task, message);
    held.by_id.insert(key, made);
    if full {
        session.reached_limit_of("tasks");
    }
}

/// Tracks an answer to a request of a task: the task may not wait for input any more.
fn input_came(message: &Message<'_>, session: &mut Session) {
    let data = message.request.and_then(|request| request.data());
    if let Some(id) = data.and_then(|data| data.related_task)
        && let Some(direction) = message.direction()
        && let Some(task) = session.state.tasks.held[direction as usize]
            .by_id
            .get_mut(&id)
        && task.status == Some(Status::InputRequired)
    {
        task.status = None;
    }
}

fn named(message: &Message<'_>, session: &mut Session) {
    let (Some(id), Some(direction)) = (message.param("taskId"), message.direction()) else {
        return;
    };
    if !message.has(Fact::CoreTasks) {
        return;
    }
    let Some(key) = session.state.progress.keys.of(id) else {
        return;
    };
    if let Some(mut request) = session.newest_request() {
        request.data_mut().task_id = Some(key);
    }
    let tasks = &mut session.state.tasks.held[direction as usize];
    if let Some(task) = tasks.by_id.get_mut(&key) {
        task.known = true;
        if message.method() == Some("tasks/get") {
            task.hurried |= task.is_polled_too_soon(&message.now());
            task.polled = Some(message.now());
        }
    }
}

/// The task objects of a message that reports existing tasks: in a status, a poll or a list.
pub(crate) fn tasks_in<'a>(message: &Message<'a>) -> impl Iterator<Item = Node<'a>> {
    let whole = message.params().or_else(|| message.result());
    let list = whole.and_then(|whole| whole.get("tasks"));
    let one = whole.filter(|_| list.is_none());
    let items = list.into_iter().flat_map(Node::items);
    one.into_iter().chain(items)
}

fn reported(message: &Message<'_>, session: &mut Session) {
    let Some(request_direction) = message.direction().map(Direction::reverse) else {
        return;
    };
    if !message.has(Fact::CoreTasks) {
        return;
    }
    let state = &mut session.state;
    for task in tasks_in(message) {
        let id = task.get("taskId");
        let Some(key) = id.and_then(|id| state.progress.keys.of(id)) else {
            continue;
        };
        if let Some(known) = state.tasks.held[request_direction as usize]
            .by_id
            .get_mut(&key)
        {
            report(known, task, message);
        }
    }
}

/// Tracks a report of a task.
fn report(known: &mut Task, task: Node<'_>, message: &Message<'_>) {
    let interval = task
        .get("pollInterval")
        .and_then(Node::as_i64)
        .and_then(|interval| u64::try_from(interval).ok());
    // News justify a poll at once, and so does another interval.
    if interval != known.poll_interval || message.params().is_some() {
        known.polled = None;
    }
    known.poll_interval = interval;
    let Some(status) = Status::of(task) else {
        return;
    };
    if known.ended.is_some() {
        known.uncertain |= known.leaves_final(status, message);
        return;
    }
    known.status = Some(status);
    if status.is_final() {
        known.ended = Some(message.now());
        known.unexplained = status == Status::Failed && task.get("statusMessage").is_none();
    }
}

fn fetched(message: &Message<'_>, session: &mut Session) {
    let data = message.request.and_then(|request| request.data());
    let (Some(key), Some(direction)) = (
        data.and_then(|data| data.task_id),
        message.direction().map(Direction::reverse),
    ) else {
        return;
    };
    let tasks = &mut session.state.tasks.held[direction as usize];
    if let Some(task) = tasks.by_id.get_mut(&key) {
        task.is_over = true;
        let is_error = message.in_result("isError");
        task.is_error |= is_error.map(Node::kind) == Some(Kind::True);
    }
}

fn listed(message: &Message<'_>, session: &mut Session) {
    let tools = message.in_result("tools");
    // The entries of a known page are tracked, or were overridden by another page.
    if !message.has(Fact::CoreTasks) || session.state.tools.knows_page(message) {
        return;
    }
    let state = &mut session.state;
    for tool in tools.into_iter().flat_map(Node::items) {
        let name = tool.get("name");
        let Some(key) = name.and_then(|name| state.progress.keys.of(name)) else {
            continue;
        };
        let support = tool
            .get("execution")
            .and_then(|execution| execution.get("taskSupport"));
        let support = match support {
            Some(support) if support.is_text("required") => Support::Required,
            Some(support) if support.is_text("optional") => Support::Optional,
            _ => Support::Forbidden,
        };
        state.tasks.some_required |= support == Support::Required;
        let known = &mut state.tasks.support;
        if let Some(known) = known.get_mut(&key) {
            // The client may have called before it received the change.
            if *known != support {
                *known = Support::RequestMut;
            }
        } else if known.len() < message.policy.limits.listed {
            known.insert(key, support);
        }
    }
}
