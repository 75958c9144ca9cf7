//! Tracks the tools that a server has listed, with their compiled schemas.
//!
//! Tools that were listed before a notification of change are no longer used: the other party may
//! have newer data.

mod pages;

use std::collections::HashMap;
use std::hash::BuildHasher;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use foldhash::quality::RandomState;

use self::pages::{PageText, Pages};
use crate::catalogue::On;
use crate::compiled_schema::{DeferredSchema, HeaderType, Schema, param_headers};
use crate::session::message::Message;
use crate::session::message::{defer, load, mentions_headers, mentions_patterns};
use crate::session::{Bounded, Hook, Lists, Seed, Session, Walk, created_task, hash_of};
use crate::syntax::{Kind, Node};

/// The state: the tools that a server has listed, with their compiled schemas.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tools {
    seed: Seed,
    /// The tools, by the hash of the name.
    shown: HashMap<u64, ListedTool, RandomState>,
    /// The last pages.
    pages: Pages,
    /// The number of notifications of change.
    changes: u64,
    /// The position of the last notification.
    changed: u64,
    /// Whether the list was walked to its end since the last notification.
    walked: bool,
    /// Whether there are more tools than are tracked.
    dropped: bool,
    /// Calls that became tasks, by the hash of the task id.
    tasks: Bounded<u64, Arc<Tool>>,
    /// The list of another session that the tools are from.
    adopted: Option<u64>,
}

#[derive(Clone, Debug)]
struct ListedTool {
    tool: Arc<Tool>,
    /// The number of changes at that time.
    changes: u64,
    page: PageOfWalk,
    /// The position of the message that listed it.
    at: u64,
    /// The tracked page that contains exactly this entry.
    text: Option<u64>,
}

/// A page of a walk over the list: the beginning of the walk, and the number of tools before the
/// page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct PageOfWalk {
    begun: u64,
    before: u64,
}

impl PageOfWalk {
    fn of(before: &Walk) -> Self {
        Self {
            begun: before.begun,
            before: before.count,
        }
    }
}

/// A tool as it was last listed.
#[derive(Debug)]
pub(crate) struct Tool {
    name: u64,
    /// A digest of both schemas as they were written.
    schemas: u64,
    /// Its `inputSchema`, if it can be enforced.
    input: Option<DeferredSchema>,
    /// Its `outputSchema`, if it can be enforced.
    output: Option<DeferredSchema>,
    /// Whether it has an `outputSchema`, enforceable or not.
    pub(crate) has_output: bool,
    /// The paths of the integers in the arguments that are mirrored into headers.
    pub(crate) mirrored_integers: Vec<Vec<Box<str>>>,
    /// Whether its schemas are without fault.
    fine: bool,
}

/// The tools that a server has listed in one session, for others of the same client.
#[derive(Clone, Debug)]
pub struct ListedTools(Arc<Tools>);

impl ListedTools {
    /// Whether a tool of this name is among them.
    #[must_use]
    pub fn has(&self, name: Node<'_>) -> bool {
        self.0.get(name).is_some()
    }
}

impl Session {
    /// The tools that the server has listed in this session, unless they may have changed.
    #[must_use]
    pub fn listed_tools(&self) -> Option<ListedTools> {
        let tools = &self.state.tools;
        if tools.adopted.is_some() || tools.shown.is_empty() {
            return None;
        }
        let current = tools.shown.iter();
        let current = current.filter(|(_, shown)| shown.changes == tools.changes);
        // Order, pages and tasks are those of the session.
        let entries = current.map(|(name, shown)| {
            let shown = ListedTool {
                tool: Arc::clone(&shown.tool),
                changes: 0,
                page: PageOfWalk {
                    begun: ELSEWHERE,
                    before: ELSEWHERE,
                },
                at: ELSEWHERE,
                text: None,
            };
            (*name, shown)
        });
        Some(ListedTools(Arc::new(Tools {
            seed: tools.seed,
            shown: entries.collect(),
            adopted: Some(LISTS.fetch_add(1, Ordering::Relaxed)),
            ..Tools::default()
        })))
    }

    /// Whether the session knows no tools by itself, so that those of another may be adopted.
    #[inline]
    #[must_use]
    pub fn lacks_tools(&self) -> bool {
        let tools = &self.state.tools;
        tools.adopted.is_some() || (tools.shown.is_empty() && tools.changes == 0)
    }

    /// Takes over the tools that the server has listed in another session, if it has listed none in
    /// this one.
    pub fn adopt_tools(&mut self, listed: &ListedTools) {
        let known = &self.state.tools;
        let is_adopted = known.adopted == listed.0.adopted && known.changes == 0;
        if self.lacks_tools() && !is_adopted {
            *self.state.tools = Tools::clone(&listed.0);
        }
    }

    /// Forgets tools that were listed in another session: they have changed there.
    pub fn disown_tools(&mut self) {
        if self.state.tools.adopted.is_some() {
            *self.state.tools = Tools::default();
        }
    }

    /// Whether the server has listed a tool of this name, so that its arguments can be checked.
    #[must_use]
    pub fn knows_tool(&self, name: Node<'_>) -> bool {
        self.state.tools.get(name).is_some()
    }
}

/// The number of lists that were shared.
static LISTS: AtomicU64 = AtomicU64::new(0);

/// The place of a tool that was listed in another session.
const ELSEWHERE: u64 = u64::MAX - 1;

/// A name in the list of tools.
pub(crate) enum Listing<'t> {
    /// The tool as it was last listed.
    Current(&'t Arc<Tool>),
    /// The list was walked to its end and never had a tool of this name.
    Absent,
    /// There may be a tool of this name, and what it is now is not known.
    Unknown,
}

impl Tools {
    /// The tool of a name as it was last listed, unless it may have changed.
    pub(crate) fn get(&self, name: Node<'_>) -> Option<&Arc<Tool>> {
        match self.listing(self.hash(name)) {
            Listing::Current(tool) => Some(tool),
            Listing::Absent | Listing::Unknown => None,
        }
    }

    /// The place in the list of the tool that a message calls.
    pub(crate) fn listing_of_call(&self, call: &Message<'_>) -> Listing<'_> {
        let hash = || call.param("name").and_then(|name| self.hash(name));
        self.listing(call.memo.tool(hash))
    }

    /// The place of a name in the list.
    fn listing(&self, hash: Option<u64>) -> Listing<'_> {
        let Some(hash) = hash else {
            return Listing::Unknown;
        };
        match self.shown.get(&hash) {
            Some(shown) if shown.changes == self.changes => Listing::Current(&shown.tool),
            None if self.is_walked() => Listing::Absent,
            _ => Listing::Unknown,
        }
    }

    /// Whether a tool is still as it was listed.
    pub(crate) fn is_current(&self, tool: &Arc<Tool>) -> bool {
        let shown = self.shown.get(&tool.name);
        shown.is_some_and(|shown| shown.changes == self.changes && Arc::ptr_eq(&shown.tool, tool))
    }

    /// Whether the list was walked to its end since it last changed.
    pub(crate) fn is_walked(&self) -> bool {
        self.walked && !self.dropped
    }

    /// Whether a tool was listed on another page of the walk that this page belongs to.
    pub(crate) fn is_on_other_page(&self, name: Node<'_>, before: &Walk) -> bool {
        let page = PageOfWalk::of(before);
        self.hash(name)
            .and_then(|hash| self.shown.get(&hash))
            .is_some_and(|shown| shown.page.begun == page.begun && shown.page != page)
    }

    /// Whether a page was seen before, byte for byte.
    pub(super) fn knows_page(&self, message: &Message<'_>) -> bool {
        let page = message.in_result("tools");
        page.is_some_and(|page| self.pages.find(message, page).is_some())
    }

    /// Whether a page was seen before, byte for byte, and its schemas are without fault.
    pub(crate) fn is_fine_page(&self, message: &Message<'_>) -> bool {
        let page = message.in_result("tools");
        page.and_then(|page| self.pages.find(message, page))
            .is_some_and(|page| page.fine)
    }

    /// Whether a page was seen before, byte for byte, and its names are without fault.
    pub(crate) fn has_fine_names(&self, message: &Message<'_>) -> bool {
        let page = message.in_result("tools");
        page.and_then(|page| self.pages.find(message, page))
            .is_some_and(|page| page.fine_names)
    }

    /// Whether a tool has the same schemas as before, and they are without fault.
    pub(crate) fn is_fine(&self, message: &Message<'_>, tool: Node<'_>) -> bool {
        let hash = tool.get("name").and_then(|name| self.hash(name));
        hash.and_then(|hash| self.shown.get(&hash))
            .is_some_and(|shown| {
                shown.tool.fine && shown.tool.schemas == self.schemas(message, tool)
            })
    }

    /// The hash of a name.
    fn hash(&self, name: Node<'_>) -> Option<u64> {
        if name.kind() != Kind::String {
            return None;
        }
        match name.plain() {
            Some(plain) => Some(hash_of(self.seed, plain)),
            None => Some(hash_of(self.seed, name.text()?.as_bytes())),
        }
    }

    /// A digest of both schemas and of the revision, which determines how they are read.
    fn schemas(&self, message: &Message<'_>, tool: Node<'_>) -> u64 {
        let raw = |name| tool.get(name).map(Node::raw);
        let revision = message.revision().index();
        self.seed
            .hash_one((raw("inputSchema"), raw("outputSchema"), revision))
    }

    /// Tracks a tool of a page with this serial number; returns whether its schemas are without
    /// fault, or `None` at the limit.
    fn track(
        &mut self,
        message: &Message<'_>,
        tool: Node<'_>,
        page: PageOfWalk,
        text: u64,
    ) -> Option<bool> {
        let Some(name) = tool.get("name").and_then(|name| self.hash(name)) else {
            return Some(false);
        };
        let (changes, text) = (self.changes, Some(text));
        let at = message.now().order;
        if let Some(shown) = self.shown.get_mut(&name)
            && shown.text == text
            && shown.at != at
        {
            (shown.page, shown.changes, shown.at) = (page, changes, at);
            return Some(shown.tool.fine);
        }
        let schemas = self.schemas(message, tool);
        if let Some(shown) = self.shown.get_mut(&name) {
            let twice = shown.at == at || (shown.page.begun == page.begun && shown.page != page);
            shown.text = text;
            if shown.tool.schemas != schemas {
                let mut tool = Tool::read(message, tool, name, schemas);
                if twice {
                    tool.drop_schemas();
                }
                shown.tool = Arc::new(tool);
            }
            (shown.page, shown.changes, shown.at) = (page, changes, at);
            return Some(shown.tool.fine);
        }
        if self.shown.len() >= message.policy.limits.listed.max(1) {
            self.dropped = true;
            return None;
        }
        let tool = Tool::read(message, tool, name, schemas);
        let fine = tool.fine;
        let shown = ListedTool {
            tool: Arc::new(tool),
            changes,
            page,
            at,
            text,
        };
        self.shown.insert(name, shown);
        Some(fine)
    }
}

impl Tool {
    /// Its `inputSchema`, if it can be enforced.
    pub(crate) fn input(&self, message: &Message<'_>) -> Option<Schema> {
        self.input.as_ref()?.get(message.registry)
    }

    /// Its `outputSchema`, if it can be enforced.
    pub(crate) fn output(&self, message: &Message<'_>) -> Option<Schema> {
        self.output.as_ref()?.get(message.registry)
    }

    fn read(message: &Message<'_>, tool: Node<'_>, name: u64, schemas: u64) -> Self {
        let schema = |name| {
            tool.get(name)
                .filter(|schema| schema.kind() == Kind::Object)
        };
        let without_fault = |schema: Node<'_>| {
            let compiled = || load(message, schema).ok().map(DeferredSchema::Compiled);
            defer(message, schema).or_else(compiled)
        };
        let (input, output) = (schema("inputSchema"), schema("outputSchema"));
        let mut read = Self {
            name,
            schemas,
            input: input.and_then(without_fault),
            output: output.and_then(without_fault),
            has_output: output.is_some(),
            mirrored_integers: Vec::new(),
            fine: false,
        };
        read.fine = read.input.is_some() == input.is_some()
            && read.output.is_some() == output.is_some()
            && [input, output].into_iter().flatten().all(is_simple);
        if let Some(input) = input.filter(|input| mentions_headers(*input)) {
            read.mirrored_integers = param_headers(input)
                .filter(|header| header.is_static && header.declared == HeaderType::Integer)
                .filter_map(|header| {
                    let keys = header.path.iter();
                    keys.map(|key| key.text().map(Into::into)).collect()
                })
                .collect();
        }
        read
    }

    /// Drops the schemas of a tool whose name another tool has, too: a call may mean either.
    fn drop_schemas(&mut self) {
        (self.input, self.output) = (None, None);
        (self.has_output, self.fine) = (false, false);
        self.mirrored_integers.clear();
    }
}

/// Whether the names on a page are complete, unique and well-formed.
fn have_fine_names(page: Node<'_>) -> bool {
    let is_usual = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
    let mut names: Vec<&[u8]> = Vec::new();
    for tool in page.items() {
        let name = tool.get("name").filter(|name| name.kind() == Kind::String);
        match name.and_then(Node::plain) {
            Some(name) if (1..=128).contains(&name.len()) && name.iter().all(is_usual) => {
                names.push(name);
            }
            _ => return false,
        }
    }
    names.sort_unstable();
    names.windows(2).all(|pair| pair[0] != pair[1])
}

/// Whether a schema has neither patterns nor annotations for headers, which are checked each time.
fn is_simple(schema: Node<'_>) -> bool {
    !mentions_patterns(schema) && !mentions_headers(schema)
}

pub(super) static HOOKS: &[Hook] = &[
    Hook(&[On::Result("tools/list")], shown),
    Hook(&[On::Call("notifications/tools/list_changed")], changed),
    Hook(&[On::Call("initialize")], opened),
    Hook(&[On::Call("tools/call")], called),
    Hook(&[On::Result("tools/call")], deferred),
    Hook(&[On::Call("tasks/result")], fetched),
];

fn shown(message: &Message<'_>, session: &mut Session) {
    let tools = message.in_result("tools");
    let Some(tools) = tools.filter(|tools| tools.kind() == Kind::Array) else {
        return;
    };
    let before = Lists::before(message);
    let page = before.as_ref().map_or(
        PageOfWalk {
            begun: u64::MAX,
            before: message.now().order,
        },
        PageOfWalk::of,
    );
    session.disown_tools();
    let known = &mut *session.state.tools;
    let seen = known.pages.find(message, tools).map(|page| page.serial);
    let text = seen.unwrap_or(known.pages.next_serial());
    let (mut tracked, mut fine) = (true, true);
    for tool in tools.items().filter(|tool| tool.kind() == Kind::Object) {
        let of_tool = known.track(message, tool, page, text);
        tracked &= of_tool.is_some();
        fine &= of_tool.unwrap_or(false);
    }
    if seen.is_none() {
        let (text, names) = (PageText::of(message, tools), have_fine_names(tools));
        known.pages.track(text, fine, names);
    }
    let is_last = message
        .result()
        .is_some_and(|result| result.get("nextCursor").is_none());
    if let Some(walk) = before.filter(|_| is_last) {
        let is_of_session = walk.begun >= session.handshake.initialize_at;
        let is_newer = known.changes == 0 || walk.begun > known.changed;
        known.walked |= is_newer && is_of_session;
    }
    if !tracked {
        session.reached_limit_of("tools");
    }
}

fn changed(message: &Message<'_>, session: &mut Session) {
    let tools = &mut *session.state.tools;
    tools.changes += 1;
    tools.changed = message.now().order;
    tools.walked = false;
}

/// A new handshake may be with another state of the server.
fn opened(message: &Message<'_>, session: &mut Session) {
    if session.state.tools.used_mut().is_some() {
        changed(message, session);
    }
}

fn called(message: &Message<'_>, session: &mut Session) {
    let tool = match session.state.tools.listing_of_call(message) {
        Listing::Current(tool) => Some(Arc::clone(tool)),
        Listing::Absent => None,
        Listing::Unknown => return,
    };
    if let Some(mut request) = session.newest_request() {
        let data = request.data_mut();
        data.unlisted_tool = tool.is_none();
        data.tool = tool;
    }
}

/// Tracks a call that became a task: its result is fetched later.
fn deferred(message: &Message<'_>, session: &mut Session) {
    let task = created_task(message);
    let called = message.request.and_then(|request| request.data());
    let (Some(task), Some(tool)) = (task, called.and_then(|called| called.tool.as_ref())) else {
        return;
    };
    let tools = &mut *session.state.tools;
    let Some(id) = task.get("taskId").and_then(|id| tools.hash(id)) else {
        return;
    };
    let limit = message.policy.limits.tasks;
    let dropped = tools.tasks.insert(id, Arc::clone(tool), limit);
    if dropped.is_some() {
        session.reached_limit_of("tasks");
    }
}

/// Tracks a request for the result of a task, which may be repeated.
fn fetched(message: &Message<'_>, session: &mut Session) {
    let tools = &session.state.tools;
    let id = message.param("taskId").and_then(|id| tools.hash(id));
    let tool = id.and_then(|id| tools.tasks.get(&id)).map(Arc::clone);
    if let Some(tool) = tool
        && let Some(mut request) = session.newest_request()
    {
        request.data_mut().tool = Some(tool);
    }
}
