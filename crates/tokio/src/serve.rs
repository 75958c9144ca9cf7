//! A server: lines in, handlers side by side, lines out.

use std::collections::HashMap;
use std::future::Future;
use std::io;
use std::pin::Pin;

use futures_util::future::{AbortHandle, Abortable};
use futures_util::stream::{FuturesUnordered, StreamExt};
use mcp_assay::Lines;
use mcp_assay_contract::canonical::CanonicalError;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::io::assay_io;
use crate::options::Options;
use crate::router::{Call, Notification, Notifier, Router, RpcError};

/// Serves a connection until the client ends it, and all handlers are done.
///
/// The transport frames, the guard judges, the router sees what passed: under
/// [`Mode::Enforce`](mcp_assay_live::guard::Mode) only what is valid. Handlers run side by side;
/// one whose request is cancelled is dropped, and its request is not answered.
///
/// ```
/// # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
/// # runtime.block_on(async {
/// use mcp_assay_live::guard::Mode;
/// use mcp_assay_tokio::{Call, Options, Router, serve};
/// use serde_json::json;
///
/// let router = Router::new()
///     .request("initialize", |_: Call| async {
///         let server = json!({"name": "small", "version": "1"});
///         Ok(json!({"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": server}))
///     })
///     .request("ping", |_: Call| async { Ok(json!({})) });
///
/// let requests = concat!(
///     r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","#,
///     r#""capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#, "\n",
///     r#"{"jsonrpc":"2.0","id":2,"method":"ping","params":7}"#, "\n",
/// );
/// let (mut client, answers) = tokio::io::duplex(4096);
/// serve(requests.as_bytes(), answers, router, Options::server().mode(Mode::Enforce)).await.unwrap();
///
/// use tokio::io::AsyncReadExt;
/// let mut told = String::new();
/// client.read_to_string(&mut told).await.unwrap();
/// assert!(told.contains(r#"{"jsonrpc":"2.0","id":1,"result":"#));
/// assert!(told.contains(r#""id":2,"error":{"code":-32"#));
/// # });
/// ```
///
/// # Errors
///
/// The streams cannot be read or written.
pub async fn serve<R, W>(read: R, write: W, router: Router, options: Options) -> io::Result<()>
where
    R: AsyncRead,
    W: AsyncWrite + Send + 'static,
{
    let lines = Lines::new(options.policy.limits.bytes);
    let (read, mut write) = assay_io(read, write, options);
    let (sender, notices) = unbounded_channel();
    let mut server = Server {
        router,
        running: FuturesUnordered::new(),
        cancel: HashMap::new(),
        notifier: Notifier(sender),
        notices,
        lines,
    };
    let mut read = std::pin::pin!(read);
    let mut chunk = vec![0; 16 << 10];
    let mut is_open = true;
    while is_open || !server.running.is_empty() {
        tokio::select! {
            // Finished answers go out before more is taken.
            biased;
            Some(notice) = server.notices.recv() => send(&mut write, &notice).await?,
            Some(done) = server.running.next() => {
                // Notifications of a handler go before its answer.
                while let Ok(notice) = server.notices.try_recv() {
                    send(&mut write, &notice).await?;
                }
                if let Some(answer) = server.finish(done) {
                    send(&mut write, &answer).await?;
                }
            }
            count = read.read(&mut chunk), if is_open => {
                let count = count?;
                is_open = count > 0;
                for answer in server.take(chunk.get(..count).unwrap_or_default()) {
                    send(&mut write, &answer).await?;
                }
            }
        }
    }
    while let Ok(notice) = server.notices.try_recv() {
        send(&mut write, &notice).await?;
    }
    write.shutdown().await
}

async fn send(write: &mut (impl AsyncWrite + Unpin), message: &str) -> io::Result<()> {
    let line = format!("{message}\n");
    write.write_all(line.as_bytes()).await?;
    write.flush().await
}

/// The result of a handler: the id of its request, unless it was for a notification, and the
/// answer, unless it was cancelled.
type Done = (Option<Value>, Option<Result<String, RpcError>>);

struct Server {
    router: Router,
    running: FuturesUnordered<Pin<Box<dyn Future<Output = Done> + Send>>>,
    /// The handles that stop requests, by their ids as JSON.
    cancel: HashMap<String, AbortHandle>,
    notifier: Notifier,
    notices: UnboundedReceiver<String>,
    lines: Lines,
}

impl Server {
    /// Takes bytes, and starts a handler for each message. Gives the answers to what is no message:
    /// that passes in `shadow` only.
    fn take(&mut self, bytes: &[u8]) -> Vec<String> {
        let mut messages = Vec::new();
        let mut answers = Vec::new();
        let mut read = |line: mcp_assay::Line<'_>| {
            if line.bytes.trim_ascii().is_empty() {
                return;
            }
            match serde_json::from_slice(line.bytes) {
                Ok(message) => messages.push(message),
                Err(_) => answers.push(unreadable()),
            }
        };
        if bytes.is_empty() {
            self.lines.end(&mut read);
        } else {
            self.lines.feed(bytes, &mut read);
        }
        for message in messages {
            match message {
                // A batch, which one revision has: its messages are answered one by one.
                Value::Array(batch) => {
                    answers.extend(batch.into_iter().filter_map(|message| self.start(message)));
                }
                message => answers.extend(self.start(message)),
            }
        }
        answers
    }

    /// Starts the handler of a message, or refuses it. Answers of the client are passed over:
    /// nothing was asked.
    fn start(&mut self, mut message: Value) -> Option<String> {
        let params = message.get_mut("params").map(Value::take);
        let params = params.unwrap_or_default();
        let method = message.get("method").and_then(Value::as_str)?;
        let notifier = self.notifier.clone();
        let Some(id) = message.get("id").cloned() else {
            if method == "notifications/cancelled"
                && let Some(handle) = params
                    .get("requestId")
                    .and_then(|id| self.cancel.remove(&id.to_string()))
            {
                handle.abort();
            }
            let notice = Notification { params, notifier };
            if let Some(handler) = self.router.notice(method, notice) {
                self.running.push(Box::pin(async {
                    handler.await;
                    (None, None)
                }));
            }
            return None;
        };
        if !is_id(&id) {
            let why = "the id is neither a string nor an integer";
            let error = RpcError::canonical(CanonicalError::InvalidInput, -32600, why);
            return Some(failed(None, error));
        }
        let call = Call {
            id: id.clone(),
            params,
            notifier,
        };
        let (handle, registration) = AbortHandle::new_pair();
        self.cancel.insert(id.to_string(), handle);
        let handler = Abortable::new(self.router.call(method, call), registration);
        self.running
            .push(Box::pin(async move { (Some(id), handler.await.ok()) }));
        None
    }

    /// The answer that a handler came to, if there is one.
    fn finish(&mut self, (id, result): Done) -> Option<String> {
        let id = id?;
        self.cancel.remove(&id.to_string());
        Some(match result? {
            Ok(result) => format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#),
            Err(error) => failed(Some(&id), error),
        })
    }
}

/// The answer to what cannot be read: nobody knows its id.
fn unreadable() -> String {
    let kind = CanonicalError::InvalidInput;
    failed(None, RpcError::canonical(kind, -32700, "not JSON"))
}

/// An error response. An id that is not known is left out: no revision of the schema has the null
/// of plain JSON-RPC.
fn failed(id: Option<&Value>, error: RpcError) -> String {
    let error = error.into_json();
    match id {
        Some(id) => format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#),
        None => format!(r#"{{"jsonrpc":"2.0","error":{error}}}"#),
    }
}

/// Whether an answer can repeat the id.
fn is_id(id: &Value) -> bool {
    id.is_string() || id.is_i64() || id.is_u64()
}
