//! Tasks of the extension.

use serde_json::{Value, json};

use crate::server::answers::{Server, error, result};
use crate::server::faults::Fault;
use crate::server::http::unguessable;

pub(crate) const EXTENSION: &str = "io.modelcontextprotocol/tasks";

/// A task of the extension: it asks a question, if the client can answer it, works on, and is done.
pub(crate) struct Job {
    id: String,
    asks: bool,
    is_answered: bool,
    is_cancelled: bool,
    /// How often somebody looked at it.
    looks: usize,
    /// How often somebody looked at it since it was answered.
    looks_since: usize,
}

impl Server {
    /// The answer to a method of the extension, or to a call that becomes a task.
    pub(crate) fn job(&mut self, method: &str, params: &Value) -> Option<Value> {
        let fault = self.fault;
        let capabilities = &params["_meta"]["io.modelcontextprotocol/clientCapabilities"];
        let is_declared = capabilities["extensions"].get(EXTENSION).is_some();
        let starts = method == "tools/call" && params["name"] == "job";
        if starts && (is_declared || fault.is("ext-task-for-all")) {
            let asks = capabilities.get("elicitation").is_some();
            return Some(self.start_job(asks));
        }
        if !matches!(method, "tasks/get" | "tasks/update" | "tasks/cancel") {
            return None;
        }
        if !is_declared && !fault.is("ext-task-undeclared") {
            let mut error = error(-32021, "declare the extension");
            error["error"]["data"] =
                json!({"requiredCapabilities": {"extensions": {EXTENSION: {}}}});
            return Some(error);
        }
        let is_known = |job: &&mut Job| params["taskId"] == *job.id;
        let Some(job) = self.jobs.iter_mut().find(is_known) else {
            let code = if fault.is("ext-task-unknown") {
                -32603
            } else {
                -32602
            };
            return Some(error(code, "no such task"));
        };
        Some(match method {
            "tasks/get" => job.look(fault),
            "tasks/update" => {
                let given = params["inputResponses"].get("who").is_some();
                job.is_answered |= given && !fault.is("ext-task-deaf");
                acknowledge(fault, &job.id)
            }
            _ => {
                job.is_cancelled |= !job.is_done();
                acknowledge(fault, &job.id)
            }
        })
    }

    fn start_job(&mut self, asks: bool) -> Value {
        let id = unguessable(self.jobs.len() as u64);
        let mut state = state(&id, "working");
        state["resultType"] = json!("task");
        self.jobs.push(Job {
            id,
            asks,
            is_answered: false,
            is_cancelled: false,
            looks: 0,
            looks_since: 0,
        });
        result(state)
    }
}

impl Job {
    fn is_done(&self) -> bool {
        self.looks_since > 1 || (!self.asks && self.looks > 1)
    }

    fn look(&mut self, fault: Fault) -> Value {
        self.looks += 1;
        self.looks_since += usize::from(self.is_answered);
        if fault.is("ext-task-late") && self.looks == 1 {
            return error(-32602, "not yet");
        }
        let mut state = if self.is_cancelled {
            state(&self.id, "cancelled")
        } else if self.is_done() {
            let mut state = state(&self.id, "completed");
            if !fault.is("ext-task-no-result") {
                state["result"] = json!({"resultType": "complete", "content": [{"type": "text", "text": "done"}]});
            }
            // The third look at a task that is over.
            if fault.is("ext-task-returns") && self.looks_since > 2 {
                state["status"] = json!("working");
                drop(state.as_object_mut().unwrap().remove("result"));
            }
            state
        } else if self.asks && (!self.is_answered || self.asks_again(fault)) {
            let message = if self.is_answered {
                "Once more?"
            } else {
                "For whom?"
            };
            let mut state = state(&self.id, "input_required");
            state["inputRequests"] = json!({"who": {"method": "elicitation/create", "params": {
                "mode": "form", "message": message,
                "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}}}}});
            state
        } else {
            state(&self.id, "working")
        };
        if fault.is("ext-task-get-is-task") {
            state["resultType"] = json!("task");
        }
        result(state)
    }

    fn asks_again(&self, fault: Fault) -> bool {
        fault.is("ext-task-key-again") && self.looks_since == 1
    }
}

fn acknowledge(fault: Fault, id: &str) -> Value {
    if fault.is("ext-task-says-more") {
        return result(state(id, "working"));
    }
    result(json!({}))
}

fn state(id: &str, status: &str) -> Value {
    json!({
        "taskId": id,
        "status": status,
        "createdAt": "2026-01-02T03:04:05Z",
        "lastUpdatedAt": "2026-01-02T03:04:05Z",
        "ttlMs": 60_000,
        "pollIntervalMs": 10,
    })
}
