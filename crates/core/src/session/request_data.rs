//! The data of an open request, besides its id and method, that rules need when the answer comes.

use std::sync::Arc;

use super::Key;
use super::capabilities::Capabilities;
use super::state::Offer;
use super::state::Repeatable;
use super::state::{Form, Tool};
use super::state::{LogLevel, Page};
use super::state::{NamedVersion, Reply};

/// The data of an open request that rules need when the answer comes.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own, seen at another time"
)]
#[derive(Clone, Debug, Default)]
pub(crate) struct RequestData {
    /// The capabilities that the client declared in this request, if there is no handshake.
    pub(crate) capabilities: Option<Capabilities>,
    /// The batch that it came in, by its position in the session.
    pub(crate) batch: Option<u64>,
    /// Its progress token.
    pub(crate) progress: Option<Key>,
    /// Whether its receiver ended it by a cancellation (a subscription).
    pub(crate) closed: bool,
    /// Whether it asks to be run as a task.
    pub(crate) task: bool,
    /// The name of the tool that it asks to run as a task.
    pub(crate) task_tool: Option<Key>,
    /// The task that it refers to.
    pub(crate) task_id: Option<Key>,
    /// The task that it belongs to, as its `_meta` declares.
    pub(crate) related_task: Option<Key>,
    /// The data that identifies it when it is repeated with more input.
    pub(crate) repeatable: Option<Repeatable>,
    /// The page of a list that it requests.
    pub(crate) page: Option<Page>,
    /// The lowest level of log messages that it requests, for itself or for the session.
    pub(crate) log_level: Option<LogLevel>,
    /// The resource that it subscribes to or unsubscribes from, by hash.
    pub(crate) resource: Option<u64>,
    /// The version that it names, if there is no handshake.
    pub(crate) version: Option<NamedVersion>,
    /// The HTTP response to it, while the answer is still missing.
    pub(crate) reply: Option<Reply>,
    /// Whether it was faulty itself: its receiver may ignore it.
    pub(crate) faulty: bool,
    /// Whether its sender is not known, or somebody may have cancelled it: no rule may conclude
    /// anything from its answer, or from the lack of one.
    pub(crate) uncertain: bool,
    /// The task of the extension that it refers to.
    pub(crate) ext_task: Option<u64>,
    /// The tool that it calls, as the server listed it.
    pub(crate) tool: Option<Arc<Tool>>,
    /// Whether it calls a tool that the complete list does not have.
    pub(crate) unlisted_tool: bool,
    /// The tools and choices that it offers to a model.
    pub(crate) offer: Option<Offer>,
    /// The form that it shows to the user.
    pub(crate) elicitation: Option<Form>,
}
