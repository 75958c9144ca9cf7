//! Handlers of the test for requests of the server, by method.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mcp_assay::Revision;
use mcp_assay::model::Fact;
use mcp_assay_probe::RequestHandler;
use serde_json::{Value, json};

use crate::RpcError;

/// Answers a request of the server, given its params.
pub(crate) type Handler = Box<dyn FnMut(&Value) -> Result<Value, RpcError> + Send>;

/// The handlers of a connection; it and its harness share them.
#[derive(Clone, Default)]
pub(crate) struct Handlers(Arc<Mutex<BTreeMap<String, Handler>>>);

impl Handlers {
    pub(crate) fn set(&self, method: &str, handler: Handler) {
        self.all().insert(method.to_owned(), handler);
    }

    /// The answer of a handler, if there is one for the method.
    pub(crate) fn answer(&self, method: &str, params: &Value) -> Option<Result<Value, RpcError>> {
        let mut all = self.all();
        let handler = all.get_mut(method)?;
        Some(handler(params))
    }

    /// For a connection: without a handler, `ping` is answered, and nothing else is known.
    pub(crate) fn handler(&self) -> RequestHandler {
        let handlers = self.clone();
        Box::new(
            move |method, params| match handlers.answer(method, params) {
                // A result is an object, also that of a handler without anything to say.
                Some(Ok(Value::Null)) => Ok(json!({})),
                Some(answer) => answer.map_err(|error| error.to_value()),
                None if method == "ping" => Ok(json!({})),
                None => Err(RpcError::new(-32601, "method not found").to_value()),
            },
        )
    }

    /// The capabilities that the handlers amount to; a revision is told of none that it does not
    /// have.
    pub(crate) fn capabilities(&self, revision: Revision) -> Value {
        let all = self.all();
        let mut capabilities = json!({});
        for (method, name) in [
            ("roots/list", "roots"),
            ("sampling/createMessage", "sampling"),
            ("elicitation/create", "elicitation"),
        ] {
            // It came together with structured results.
            let exists = name != "elicitation" || revision.has(Fact::StructuredContent);
            if exists && all.contains_key(method) {
                capabilities[name] = json!({});
            }
        }
        capabilities
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<String, Handler>> {
        // A handler that panicked has failed its test; the others are what they were.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
