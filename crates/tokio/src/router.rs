//! From a method to its handler.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use mcp_assay_contract::canonical::CanonicalError;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedSender;

/// JSON-RPC: the method does not exist.
const METHOD_NOT_FOUND: i64 = -32601;

/// JSON-RPC: something went wrong here.
const INTERNAL_ERROR: i64 = -32603;

type Boxed<T> = Pin<Box<dyn Future<Output = T> + Send>>;
/// Gives the result as JSON.
type RequestHandler = Arc<dyn Fn(Call) -> Boxed<Result<String, RpcError>> + Send + Sync>;
type NotificationHandler = Arc<dyn Fn(Notification) -> Boxed<()> + Send + Sync>;

/// Handlers by the methods that they are for. [`serve`](crate::serve) runs it.
///
/// ```
/// use mcp_assay_tokio::{Call, Router, RpcError};
/// use serde_json::json;
///
/// let router = Router::new()
///     .request("ping", |_: Call| async { Ok(json!({})) })
///     .request("prompts/get", |call: Call| async move {
///         match call.params["name"].as_str() {
///             Some("greet") => Ok(json!({"messages": []})),
///             _ => Err(RpcError::new(-32602, "no such prompt")),
///         }
///     })
///     .notification("notifications/initialized", |_| async {});
/// # let _ = router;
/// ```
#[derive(Clone, Default)]
#[must_use]
pub struct Router {
    requests: HashMap<String, RequestHandler>,
    notifications: HashMap<String, NotificationHandler>,
}

/// A request that waits for its result.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Call {
    /// Its id.
    pub id: Value,
    /// Its params; `null` if there are none.
    pub params: Value,
    /// Tells the client something before the result is there.
    pub notifier: Notifier,
}

/// A notification.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Notification {
    /// Its params; `null` if there are none.
    pub params: Value,
    /// Tells the client something.
    pub notifier: Notifier,
}

/// Sends notifications to the client.
#[derive(Clone, Debug)]
pub struct Notifier(pub(crate) UnboundedSender<String>);

/// An error that is the answer to a request.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct RpcError {
    /// The code of JSON-RPC, of MCP, or of one's own.
    pub code: i64,
    /// A short sentence.
    pub message: String,
    /// More about it.
    pub data: Option<Value>,
}

impl Router {
    /// Without any handler: every request is answered with "method not found".
    pub fn new() -> Self {
        Self::default()
    }

    /// Handles the requests of a method. The result is anything that can be written as JSON.
    pub fn request<F, T, R>(mut self, method: impl Into<String>, handler: F) -> Self
    where
        F: Fn(Call) -> T + Send + Sync + 'static,
        T: Future<Output = Result<R, RpcError>> + Send + 'static,
        R: Serialize,
    {
        let handler: RequestHandler = Arc::new(move |call| {
            let running = handler(call);
            Box::pin(async { running.await.and_then(|result| written(&result)) })
        });
        self.requests.insert(method.into(), handler);
        self
    }

    /// Handles the notifications of a method. Those without a handler are passed over.
    pub fn notification<F, T>(mut self, method: impl Into<String>, handler: F) -> Self
    where
        F: Fn(Notification) -> T + Send + Sync + 'static,
        T: Future<Output = ()> + Send + 'static,
    {
        let handler: NotificationHandler = Arc::new(move |notice| Box::pin(handler(notice)));
        self.notifications.insert(method.into(), handler);
        self
    }

    /// Runs the handler of a request: gives its result, or the error that answers it.
    pub(crate) fn call(&self, method: &str, call: Call) -> Boxed<Result<String, RpcError>> {
        match self.requests.get(method) {
            Some(handler) => handler(call),
            None => {
                let why = "method not found";
                let error = RpcError::canonical(CanonicalError::NotFound, METHOD_NOT_FOUND, why);
                Box::pin(std::future::ready(Err(error)))
            }
        }
    }

    /// Runs the handler of a notification, if there is one.
    pub(crate) fn notice(&self, method: &str, notice: Notification) -> Option<Boxed<()>> {
        self.notifications
            .get(method)
            .map(|handler| handler(notice))
    }
}

impl Notifier {
    /// Sends a notification; params that are `null` are left out. It is judged like everything else
    /// that is sent.
    pub fn notify(&self, method: &str, params: impl Serialize) {
        let method = Value::from(method);
        let message = match written(&params) {
            Ok(params) if params == "null" => format!(r#"{{"jsonrpc":"2.0","method":{method}}}"#),
            Ok(params) => format!(r#"{{"jsonrpc":"2.0","method":{method},"params":{params}}}"#),
            // Params that cannot be written cannot be sent.
            Err(_) => return,
        };
        // If the connection is over, nobody is there to hear it.
        let _ = self.0.send(message);
    }
}

/// A value as JSON.
fn written(value: &impl Serialize) -> Result<String, RpcError> {
    serde_json::to_string(value).map_err(|_| {
        let why = "the result cannot be written as JSON";
        RpcError::canonical(CanonicalError::InternalError, INTERNAL_ERROR, why)
    })
}

impl RpcError {
    /// An error with a code and a short sentence.
    #[must_use]
    pub fn new(code: i64, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            data: None,
        }
    }

    /// Says more about it.
    #[must_use]
    pub fn with_data(self, data: Value) -> Self {
        Self {
            data: Some(data),
            ..self
        }
    }

    /// A refusal of our own: its data is that of the canonical table.
    pub(crate) fn canonical(kind: CanonicalError, code: i64, message: &str) -> Self {
        Self::new(code, message).with_data(json!({
            "canonical": kind.name(),
            "httpStatus": kind.to_http_status(),
            "message": message,
            "retryable": kind.is_retryable(),
        }))
    }

    /// As the member `error` of an answer.
    pub(crate) fn into_json(self) -> Value {
        let mut error = json!({"code": self.code, "message": self.message});
        if let Some(data) = self.data {
            error["data"] = data;
        }
        error
    }
}

impl std::fmt::Debug for Router {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Router")
            .field("requests", &self.requests.keys())
            .field("notifications", &self.notifications.keys())
            .finish()
    }
}
