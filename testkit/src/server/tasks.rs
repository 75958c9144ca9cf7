//! Tasks, which one revision has.

use serde_json::{Value, json};

use crate::server::answers::{Server, error, result};
use crate::server::http::unguessable;

/// A task.
pub(crate) struct Task {
    id: String,
    status: &'static str,
    /// How often its result was asked for.
    results: usize,
}

impl Server {
    pub(crate) fn start_task(&mut self) -> Value {
        let number = self.tasks.len();
        let id = if self.fault.is("task-ids-count") {
            format!("task-{}", number + 1)
        } else {
            unguessable(number as u64)
        };
        let status = if self.fault.is("tasks-start-completed") {
            "completed"
        } else {
            "working"
        };
        let results = 0;
        self.tasks.push(Task {
            id,
            status,
            results,
        });
        result(json!({"task": self.tasks[number].state()}))
    }

    pub(crate) fn task(&mut self, method: &str, params: &Value) -> Value {
        let fault = self.fault;
        if method == "tasks/list" {
            let hidden = usize::from(fault.is("hides-tasks"));
            let tasks: Vec<Value> = self.tasks.iter().skip(hidden).map(Task::state).collect();
            return result(json!({"tasks": tasks}));
        }
        let known = self.tasks.iter_mut();
        let Some(task) = known.into_iter().find(|task| params["taskId"] == *task.id) else {
            let internal = fault.is("task-unknown-is-internal");
            return error(if internal { -32603 } else { -32602 }, "no such task");
        };
        match method {
            "tasks/result" => {
                task.results += 1;
                if task.status == "working" && !fault.is("does-not-wait-for-tasks") {
                    task.status = "completed";
                }
                let mut answer = json!({
                    "content": [{"type": "text", "text": "{\"echoed\":\"done\"}"}],
                    "structuredContent": {"echoed": "done"},
                });
                if !fault.is("task-results-unrelated") {
                    answer["_meta"] =
                        json!({"io.modelcontextprotocol/related-task": {"taskId": task.id}});
                }
                return result(answer);
            }
            "tasks/cancel" if task.status != "working" && !fault.is("tasks-cancelled-twice") => {
                return error(-32602, "it is over");
            }
            "tasks/cancel" if fault.is("tasks-not-cancelled") => {}
            "tasks/cancel" => task.status = "cancelled",
            _ if fault.is("tasks-forgotten") && task.results > 0 => {
                return error(-32602, "no such task");
            }
            _ => {}
        }
        let mut state = task.state();
        // After its second result, a task that is over goes on.
        if fault.is("tasks-return") && task.results > 1 {
            state["status"] = json!("working");
        }
        if fault.is("tasks-lose-ttl") && method == "tasks/get" {
            drop(state.as_object_mut().unwrap().remove("ttl"));
        }
        result(state)
    }
}

impl Task {
    fn state(&self) -> Value {
        json!({
            "taskId": self.id,
            "status": self.status,
            "createdAt": "2026-01-02T03:04:05Z",
            "lastUpdatedAt": "2026-01-02T03:04:05Z",
            "ttl": 60_000,
        })
    }
}
