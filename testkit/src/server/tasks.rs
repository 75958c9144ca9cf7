//! Tasks, which one revision has.

use serde_json::{Value, json};

use crate::server::answers::{Server, error, result};

impl Server {
    pub(crate) fn task(&mut self, method: &str, params: &Value) -> Value {
        let fault = self.fault;
        if method == "tasks/list" {
            let hidden = usize::from(fault.is("hides-tasks"));
            let tasks = self.tasks.iter().enumerate().skip(hidden);
            let tasks: Vec<Value> = tasks.map(|(number, ended)| state(number, *ended)).collect();
            return result(json!({"tasks": tasks}));
        }
        let number = (0..self.tasks.len()).find(|number| params["taskId"] == task_id(*number));
        let Some(number) = number else {
            let internal = fault.is("task-unknown-is-internal");
            return error(if internal { -32603 } else { -32602 }, "no such task");
        };
        if method == "tasks/result" {
            self.tasks[number] = !fault.is("does-not-wait-for-tasks");
            return result(json!({
                "content": [{"type": "text", "text": "{\"echoed\":\"done\"}"}],
                "structuredContent": {"echoed": "done"},
                "_meta": {"io.modelcontextprotocol/related-task": {"taskId": task_id(number)}},
            }));
        }
        result(state(number, self.tasks[number]))
    }
}

fn task_id(number: usize) -> String {
    format!("9f1c6a70-5b1e-4c7e-8d0b-{number:012}")
}

pub(crate) fn state(number: usize, ended: bool) -> Value {
    json!({
        "taskId": task_id(number),
        "status": if ended { "completed" } else { "working" },
        "createdAt": "2026-01-02T03:04:05Z",
        "lastUpdatedAt": "2026-01-02T03:04:05Z",
        "ttl": 60_000,
    })
}
