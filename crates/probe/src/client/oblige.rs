//! What the server asks of us.

use serde_json::{Value, json};

use super::Client;

impl Client<'_> {
    /// Answers what the server asks: nobody is there to sample for, and the user declines.
    pub(super) fn oblige(&mut self, id: &Value, method: &str) {
        let answer = match method {
            "ping" => json!({"jsonrpc": "2.0", "id": id, "result": {}}),
            "roots/list" => json!({"jsonrpc": "2.0", "id": id, "result": {"roots": []}}),
            "elicitation/create" => {
                json!({"jsonrpc": "2.0", "id": id, "result": {"action": "decline"}})
            }
            "sampling/createMessage" => {
                let error =
                    json!({"code": -1, "message": "the user rejected the sampling request"});
                json!({"jsonrpc": "2.0", "id": id, "error": error})
            }
            _ => {
                let error = json!({"code": -32601, "message": "method not found"});
                json!({"jsonrpc": "2.0", "id": id, "error": error})
            }
        };
        // Whoever asks without end says too much, however often we answer.
        let at_once = self.at_once;
        self.send(answer.to_string().into_bytes());
        self.at_once = at_once;
    }
}
