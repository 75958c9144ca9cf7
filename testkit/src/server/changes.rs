//! Changes of the list of tools and of the resource, and those who hear of them.

use serde_json::{Value, json};

use crate::server::faults::Fault;

/// The id of a subscription in `_meta`.
const TAG: &str = "io.modelcontextprotocol/subscriptionId";

const LIST: &str = "notifications/tools/list_changed";
const UPDATED: &str = "notifications/resources/updated";

/// Changes, and who wants to hear of them.
#[derive(Default)]
pub(crate) struct Changes {
    /// Whether the list of tools has one more.
    pub(crate) grown: bool,
    /// Whether the client of a session watches the resource.
    watched: bool,
    /// The request for each subscription, and its filter.
    subscriptions: Vec<(Value, Value)>,
    /// Methods of notifications that were not sent yet.
    waiting: Vec<&'static str>,
}

impl Changes {
    /// The list of tools grows or shrinks, and the resource changes.
    pub(crate) fn grow(&mut self, is_modern: bool, fault: Fault) {
        // Another change would hide what differs, and the resource has another name.
        if fault.0.ends_with("-differ") || fault.is("climbs-out") {
            return;
        }
        self.grown = !self.grown;
        if fault.is("loses-changes") {
            return;
        }
        self.waiting.push(LIST);
        if self.watched || is_modern {
            self.waiting.push(UPDATED);
        }
    }

    pub(crate) fn watch(&mut self, watched: bool, fault: Fault) {
        self.watched = watched || fault.is("unsubscribed-and-updated");
    }

    pub(crate) fn subscribe(&mut self, id: Value, filter: Value) {
        self.subscriptions.push((id, filter));
    }

    pub(crate) fn unsubscribe(&mut self, request: &Value) {
        self.subscriptions.retain(|(id, _)| id != request);
    }

    /// The notifications that are due, on a way for all messages.
    pub(crate) fn notices(&mut self, fault: Fault, is_modern: bool) -> Vec<Value> {
        let waiting = self.take();
        if !is_modern {
            return waiting
                .into_iter()
                .map(|method| notice(method, None))
                .collect();
        }
        let mut notices = Vec::new();
        for (id, filter) in &self.subscriptions {
            notices.extend(wanted(fault, &waiting, id, filter));
        }
        if fault.is("changes-for-all") && self.subscriptions.is_empty() {
            notices.extend(waiting.into_iter().map(|method| notice(method, None)));
        }
        notices
    }

    /// The methods of the notifications that are due.
    pub(crate) fn take(&mut self) -> Vec<&'static str> {
        std::mem::take(&mut self.waiting)
    }
}

/// The notifications that a subscription asked for.
pub(crate) fn wanted(fault: Fault, waiting: &[&str], id: &Value, filter: &Value) -> Vec<Value> {
    let is_wanted = |method: &&&str| {
        let member = match **method {
            LIST => "toolsListChanged",
            _ => "resourceSubscriptions",
        };
        fault.is("changes-of-all-kinds") || filter.get(member).is_some()
    };
    let tag = match fault.0 {
        "changes-untagged" => None,
        "changes-wrongly-tagged" => Some(json!("another")),
        _ => Some(id.clone()),
    };
    let notices = waiting.iter().filter(is_wanted);
    notices.map(|method| notice(method, tag.as_ref())).collect()
}

/// A notification, for a subscription or for a session.
pub(crate) fn notice(method: &str, tag: Option<&Value>) -> Value {
    let mut notice = json!({"jsonrpc": "2.0", "method": method});
    if method == UPDATED {
        notice["params"]["uri"] = json!("test://one");
    }
    if let Some(tag) = tag {
        notice["params"]["_meta"][TAG] = tag.clone();
    }
    notice
}
