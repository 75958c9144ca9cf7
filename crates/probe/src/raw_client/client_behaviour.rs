//! The way a connection behaves where clients differ: what it declares, how it answers what a
//! server asks, what it puts up with.

use mcp_assay::Level;
use serde_json::{Value, json};

use super::Client;
use super::mirrors::Mirrors;
use crate::judge::Broken;
use crate::record::Record;

/// Findings kept of one connection.
const MOST_BROKEN: usize = 10_000;

/// Answers a request of the server, given its method and params: with a result, or with the object
/// of an error.
pub type RequestHandler = Box<dyn FnMut(&str, &Value) -> Result<Value, Value> + Send>;

/// The way a connection behaves where clients differ.
pub(super) struct ClientBehaviour {
    /// The capabilities that we declare where a revision has no handshake.
    pub(super) declared: Value,
    /// Answers requests of the server.
    pub(super) handler: RequestHandler,
    /// Whether lines on standard output that are text are let pass.
    pub(super) allows_noise: bool,
    /// Waiting for an answer ends when a rule of this level is broken.
    pub(super) stops_at: Option<Level>,
    /// Arguments that tools want repeated in headers.
    pub(super) mirrors: Mirrors,
}

impl Default for ClientBehaviour {
    fn default() -> Self {
        Self {
            declared: json!({}),
            handler: Box::new(decline),
            allows_noise: false,
            stops_at: None,
            mirrors: Mirrors::default(),
        }
    }
}

impl Client<'_> {
    /// Answers what the server asks.
    pub(super) fn answer_request(&mut self, id: &Value, method: &str, params: &Value) {
        let answer = match (self.behaviour.handler)(method, params) {
            Ok(mut result) => {
                // A message that belongs to a task says so.
                let task = &params["_meta"]["io.modelcontextprotocol/related-task"];
                if task.is_object() && result.is_object() {
                    result["_meta"]["io.modelcontextprotocol/related-task"] = task.clone();
                }
                json!({"jsonrpc": "2.0", "id": id, "result": result})
            }
            Err(error) => json!({"jsonrpc": "2.0", "id": id, "error": error}),
        };
        // Whoever asks without end says too much, however often we answer.
        let at_once = self.at_once;
        self.send(answer.to_string().into_bytes());
        self.at_once = at_once;
    }

    /// Checks a record that is about to be kept.
    pub(super) fn judge(&mut self, record: &Record, at: usize) -> Vec<Broken> {
        if self.behaviour.allows_noise && record.is_noise() {
            return Vec::new();
        }
        if self.is_http() && self.is_stateless() {
            self.behaviour.mirrors.see(record);
        }
        let mut broken = self.judge.see(record, at);
        broken.truncate(MOST_BROKEN.saturating_sub(self.broken.len()));
        broken
    }

    /// Whether a rule was broken that ends the waiting, beyond those that were known before.
    pub(super) fn is_stopped(&self, before: usize) -> bool {
        self.behaviour.stops_at.is_some_and(|level| {
            self.broken[before..]
                .iter()
                .any(|broken| broken.level >= level)
        })
    }
}

/// Nobody is there to sample for, and the user declines.
fn decline(method: &str, _: &Value) -> Result<Value, Value> {
    match method {
        "ping" => Ok(json!({})),
        "roots/list" => Ok(json!({"roots": []})),
        "elicitation/create" => Ok(json!({"action": "decline"})),
        "sampling/createMessage" => {
            Err(json!({"code": -1, "message": "the user rejected the sampling request"}))
        }
        _ => Err(json!({"code": -32601, "message": "method not found"})),
    }
}
