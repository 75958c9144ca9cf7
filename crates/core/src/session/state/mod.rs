//! The state of a session, one file for each feature of the protocol.

mod cancelled;
mod elicitation;
mod ext_tasks;
mod http;
mod http_heads;
mod lists;
mod logging;
mod progress;
mod prompts;
mod requests;
mod resources;
mod rounds;
mod sampling;
mod stdio;
mod subscriptions;
mod tasks;
mod tools;
mod versions;

pub(crate) use self::cancelled::{ARRIVAL, Cancellations};
pub(crate) use self::elicitation::{Elicitations, Form, is_url, required};
pub(crate) use self::ext_tasks::{Answer, ExtTasks, INVALID_PARAMS};
pub(crate) use self::http::HttpMemory;
pub(crate) use self::http_heads::{HttpHeads, initializes, is_bearer, key_header};
pub(crate) use self::lists::{CacheScope, List, Lists, Origin, Page, Walk};
pub(crate) use self::logging::{LEVEL_KEY, LogLevel, Logging};
pub(crate) use self::progress::{Key, Progress, State, is_in_use, token_of};
pub(crate) use self::prompts::Prompts;
pub(crate) use self::requests::{PING_TIMEOUT, Reply, Requests, UNKNOWN, used_id};
pub(crate) use self::resources::Resources;
pub(crate) use self::rounds::{Relation, Repeatable, Round, Rounds};
pub(crate) use self::sampling::{Choice, Offer, Sampling, blocks, is_kind};
pub(crate) use self::stdio::Stdio;
pub(crate) use self::subscriptions::{Notice, Subscription, Subscriptions, subscription_id};
pub(crate) use self::tasks::{
    RELATED_TASK, Status, Support, Task, Tasks, counter, created_task, related_task, tasks_in,
};
pub use self::tools::ListedTools;
pub(crate) use self::tools::{Listing, Tool, Tools};
pub(crate) use self::versions::{NamedVersion, Versions};
use super::lazy::{Lazy, unused};
use super::{Hook, HttpHook, handshake};

/// The state of all features. Those that a handshake alone changes are stored in place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Features {
    pub(crate) cancelled: Cancellations,
    pub(crate) elicitation: Lazy<Elicitations>,
    pub(crate) ext_tasks: Lazy<ExtTasks>,
    pub(crate) http: Lazy<HttpMemory>,
    pub(crate) http_heads: Lazy<HttpHeads>,
    pub(crate) lists: Lazy<Lists>,
    pub(crate) logging: Logging,
    pub(crate) progress: Lazy<Progress>,
    pub(crate) prompts: Lazy<Prompts>,
    pub(crate) requests: Requests,
    pub(crate) resources: Lazy<Resources>,
    pub(crate) rounds: Lazy<Rounds>,
    pub(crate) sampling: Lazy<Sampling>,
    pub(crate) stdio: Stdio,
    pub(crate) subscriptions: Lazy<Subscriptions>,
    pub(crate) tasks: Lazy<Tasks>,
    pub(crate) tools: Lazy<Tools>,
    pub(crate) versions: Lazy<Versions>,
}

unused!(
    Elicitations,
    ExtTasks,
    HttpHeads,
    HttpMemory,
    Lists,
    Progress,
    Prompts,
    Resources,
    Rounds,
    Sampling,
    Subscriptions,
    Tasks,
    Tools,
    Versions,
);

impl Features {
    /// Releases memory that is held for reuse.
    pub(super) fn release_buffers(&mut self) {
        self.cancelled.release();
        if let Some(http) = self.http.used_mut() {
            http.release();
        }
        if let Some(heads) = self.http_heads.used_mut() {
            heads.release();
        }
    }
}

/// Every hook. Those of `requests` come first: the others use the capabilities that a request
/// declares.
pub(crate) static HOOKS: &[&[Hook]] = &[
    requests::HOOKS,
    handshake::HOOKS,
    cancelled::HOOKS,
    elicitation::HOOKS,
    ext_tasks::HOOKS,
    http::HOOKS,
    http_heads::HOOKS,
    lists::HOOKS,
    logging::HOOKS,
    progress::HOOKS,
    prompts::HOOKS,
    resources::HOOKS,
    rounds::HOOKS,
    sampling::HOOKS,
    stdio::HOOKS,
    subscriptions::HOOKS,
    tasks::HOOKS,
    tools::HOOKS,
    versions::HOOKS,
];

/// Every hook on parts of HTTP exchanges.
pub(crate) static HTTP_HOOKS: &[&[HttpHook]] = &[
    requests::HTTP_HOOKS,
    http_heads::HTTP_HOOKS,
    http::HTTP_HOOKS,
];
