//! What is remembered of an open request besides its id and method: whatever some rule needs when the answer comes.

use super::Key;
use super::capabilities::Capabilities;
use super::topics::NamedVersion;
use super::topics::{LogLevel, Page};
use super::topics::Repeatable;

/// What is remembered of an open request.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    /// What the client declared in this very request, where there is no handshake.
    pub(crate) capabilities: Option<Capabilities>,
    /// The batch that it came in, by its place in the session.
    pub(crate) batch: Option<u64>,
    /// Its progress token.
    pub(crate) progress: Option<Key>,
    /// Whether its receiver has ended it by a cancellation: a subscription.
    pub(crate) closed: bool,
    /// Whether it asks to be run as a task.
    pub(crate) task: bool,
    /// The name of the tool that it asks to run as a task.
    pub(crate) task_tool: Option<Key>,
    /// The task that it asks about.
    pub(crate) task_id: Option<Key>,
    /// The task that it says it belongs to.
    pub(crate) related_task: Option<Key>,
    /// How it is recognised when it is repeated with more input.
    pub(crate) repeatable: Option<Repeatable>,
    /// The page of a list that it asks for.
    pub(crate) page: Option<Page>,
    /// The least level of log messages that it asks for, for itself or for the session.
    pub(crate) log_level: Option<LogLevel>,
    /// The resource that it subscribes to or unsubscribes from, by hash.
    pub(crate) resource: Option<u64>,
    /// The version that it names, where there is no handshake.
    pub(crate) version: Option<NamedVersion>,
    /// The status of the HTTP response to it, once that has begun.
    pub(crate) status: Option<u16>,
    /// Whether its HTTP exchange ended and it is still open.
    pub(crate) exchange_over: bool,
    /// Whether it was at fault itself: its receiver may ignore it.
    pub(crate) faulty: bool,
    /// The task of the extension that it is about.
    pub(crate) ext_task: Option<u64>,
}
