//! Requests that become tasks, which take a moment.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::obey::{error, hello};
use crate::client::talk::Client;

/// How long a task takes.
const TASK: Duration = Duration::from_millis(200);

const ID: &str = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
const CREATED: &str = "2026-01-01T00:00:00Z";

#[derive(Default)]
pub(crate) struct Tasks {
    begun: Option<Instant>,
}

impl Tasks {
    fn status(&self) -> &'static str {
        match self.begun {
            Some(begun) if begun.elapsed() < TASK => "working",
            _ => "completed",
        }
    }

    fn task(&self) -> Value {
        json!({"taskId": ID, "status": self.status(), "createdAt": CREATED, "lastUpdatedAt": CREATED, "ttl": 60_000,
            "pollInterval": 50})
    }
}

pub(crate) fn is_for(client: &Client, message: &Value) -> bool {
    let method = message["method"].as_str().unwrap_or_default();
    client.tasks.is_some()
        && (method.starts_with("tasks/") || message["params"]["task"].is_object())
}

pub(crate) fn answer(client: &mut Client, message: &Value) -> Value {
    let (forgets, hurries) = (client.is("lists-no-tasks"), client.is("hurries-tasks"));
    let unknown = if client.is("unknown-task-is-internal") {
        -32603
    } else {
        -32602
    };
    let Some(tasks) = &mut client.tasks else {
        return error(-32601, "method not found");
    };
    if message["params"]["task"].is_object() {
        tasks.begun = Some(Instant::now());
        return json!({"result": {"task": tasks.task()}});
    }
    let known = tasks.begun.is_some() && message["params"]["taskId"] == ID;
    match message["method"].as_str() {
        Some("tasks/list") if tasks.begun.is_none() || forgets => {
            json!({"result": {"tasks": []}})
        }
        Some("tasks/list") => json!({"result": {"tasks": [tasks.task()]}}),
        Some("tasks/get") if known => json!({"result": tasks.task()}),
        Some("tasks/result") if known => {
            if !hurries {
                thread::sleep(
                    TASK.saturating_sub(tasks.begun.map_or(TASK, |begun| begun.elapsed())),
                );
            }
            let mut answer = hello("hello");
            answer["result"]["_meta"] =
                json!({"io.modelcontextprotocol/related-task": {"taskId": ID}});
            answer
        }
        _ => error(unknown, "no such task"),
    }
}
