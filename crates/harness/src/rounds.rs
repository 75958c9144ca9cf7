//! Requests that ask for more before they are answered, where a revision embeds that in results.

use mcp_assay::model::Fact;
use serde_json::{Map, Value, json};

use crate::{Error, Harness};

/// Times that a request may ask for more.
const MOST_ROUNDS: usize = 16;

impl Harness {
    /// Sends a request, and gives what it asks for as often as it asks.
    pub(crate) fn ask_in_rounds(&mut self, method: &str, params: &Value) -> Result<Value, Error> {
        let mut sent = params.clone();
        for _ in 0..MOST_ROUNDS {
            let result = self.ask_ready(method, sent)?;
            let has_rounds = self
                .revision()
                .is_some_and(|revision| revision.has(Fact::InputRequests));
            if !has_rounds || result["resultType"] != "input_required" {
                return Ok(result);
            }
            sent = params.clone();
            sent["inputResponses"] = self.responses(method, &result["inputRequests"])?;
            if let Some(state) = result.get("requestState") {
                sent["requestState"] = state.clone();
            }
        }
        Err(Error::Unmet(format!(
            "{method} asked for more {MOST_ROUNDS} times"
        )))
    }

    fn responses(&self, method: &str, requests: &Value) -> Result<Value, Error> {
        let mut responses = Map::new();
        for (key, request) in requests.as_object().into_iter().flatten() {
            let asked = request["method"].as_str().unwrap_or_default();
            let response = match self.handlers.answer(asked, &request["params"]) {
                Some(Ok(Value::Null)) => json!({}),
                Some(Ok(response)) => response,
                Some(Err(error)) => {
                    return Err(Error::Unmet(format!(
                        "{method} asks for {asked}, which the handler refuses: {}",
                        error.message
                    )));
                }
                None => {
                    return Err(Error::Unmet(format!(
                        "{method} asks for {asked}, which has no handler: give it one with \
                         on_request()"
                    )));
                }
            };
            responses.insert(key.clone(), response);
        }
        Ok(json!(responses))
    }
}
