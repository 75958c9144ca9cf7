//! What is remembered of an open request besides its id and method: whatever some rule needs when the answer comes.

use std::sync::Arc;

use super::Key;
use super::capabilities::Capabilities;
use super::state::Offer;
use super::state::Repeatable;
use super::state::{Form, Tool};
use super::state::{LogLevel, Page};
use super::state::{NamedVersion, Reply};

/// What is remembered of an open request.
#[derive(Clone, Debug, Default)]
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
    /// The HTTP response to it, which has not brought the answer yet.
    pub(crate) reply: Option<Reply>,
    /// Whether it was at fault itself: its receiver may ignore it.
    pub(crate) faulty: bool,
    /// The task of the extension that it is about.
    pub(crate) ext_task: Option<u64>,
    /// The tool that it calls, as it was shown.
    pub(crate) tool: Option<Arc<Tool>>,
    /// What it offers to a model.
    pub(crate) offer: Option<Offer>,
    /// What it asks the user for.
    pub(crate) elicitation: Option<Form>,
}
