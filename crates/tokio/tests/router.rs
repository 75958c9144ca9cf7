//! A server on a router: what it answers, and what never reaches it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mcp_assay_live::guard::Mode;
use mcp_assay_tokio::{Call, Notification, Options, Router, RpcError, serve};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};
use tokio::sync::Notify;

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#;
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// The calls that the handlers have seen.
#[derive(Default)]
struct Seen {
    calls: AtomicUsize,
    notices: AtomicUsize,
    dropped: AtomicUsize,
    go_on: Notify,
}

/// Counts handlers that were dropped before they were done.
struct Unfinished(Arc<Seen>);

impl Drop for Unfinished {
    fn drop(&mut self) {
        self.0.dropped.fetch_add(1, Ordering::SeqCst);
    }
}

fn router(seen: &Arc<Seen>) -> Router {
    let (calls, notices) = (Arc::clone(seen), Arc::clone(seen));
    Router::new()
        .request("initialize", |_: Call| async {
            Ok(json!({
                "protocolVersion": "2025-06-18",
                "capabilities": {"tools": {}, "logging": {}},
                "serverInfo": {"name": "test", "version": "1"},
            }))
        })
        .request("tools/call", move |call: Call| {
            let seen = Arc::clone(&calls);
            async move {
                seen.calls.fetch_add(1, Ordering::SeqCst);
                match call.params["name"].as_str() {
                    Some("slow") => {
                        let unfinished = Unfinished(Arc::clone(&seen));
                        seen.go_on.notified().await;
                        std::mem::forget(unfinished);
                    }
                    Some("talks") => {
                        let params = json!({"level": "info", "data": "working"});
                        call.notifier.notify("notifications/message", params);
                    }
                    Some("broken") => return Ok(json!({"content": 7})),
                    _ => return Err(RpcError::new(-32602, "no such tool")),
                }
                Ok(json!({"content": []}))
            }
        })
        .notification("notifications/initialized", move |_: Notification| {
            let seen = Arc::clone(&notices);
            async move {
                seen.notices.fetch_add(1, Ordering::SeqCst);
            }
        })
}

struct Client {
    read: BufReader<ReadHalf<DuplexStream>>,
    write: WriteHalf<DuplexStream>,
}

impl Client {
    async fn say(&mut self, message: &str) {
        self.write.write_all(message.as_bytes()).await.unwrap();
        self.write.write_all(b"\n").await.unwrap();
    }

    async fn call(&mut self, id: u64, name: &str) {
        let params = json!({"name": name});
        let call = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params});
        self.say(&call.to_string()).await;
    }

    async fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.read.read_line(&mut line).await.unwrap();
        serde_json::from_str(&line).unwrap()
    }

    /// No more is said, and nothing is left to hear.
    async fn end(mut self) {
        self.write.shutdown().await.unwrap();
        let mut line = String::new();
        self.read.read_line(&mut line).await.unwrap();
        assert_eq!(line, "");
    }
}

/// Runs a dialogue with a server; the server ends when the dialogue does.
async fn dialogue<F: Future<Output = ()>>(talk: impl FnOnce(Client, Arc<Seen>) -> F) -> Arc<Seen> {
    let seen = Arc::new(Seen::default());
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    let (read, write) = tokio::io::split(ours);
    let options = Options::server().mode(Mode::Enforce);
    let serving = serve(read, write, router(&seen), options);
    let (read, write) = tokio::io::split(theirs);
    let mut client = Client {
        read: BufReader::new(read),
        write,
    };
    let talking = async {
        client.say(INITIALIZE).await;
        assert_eq!(client.hear().await["id"], 0);
        client.say(INITIALIZED).await;
        talk(client, Arc::clone(&seen)).await;
    };
    let (served, ()) = tokio::join!(serving, talking);
    served.unwrap();
    seen
}

#[tokio::test]
async fn handlers_run_side_by_side() {
    let seen = dialogue(|mut client, seen| async move {
        client.call(1, "slow").await;
        client.call(2, "talks").await;
        let notice = client.hear().await;
        assert_eq!(notice["method"], "notifications/message");
        assert_eq!(client.hear().await["id"], 2);
        seen.go_on.notify_one();
        assert_eq!(client.hear().await["id"], 1);
        client.end().await;
    })
    .await;
    assert_eq!(seen.notices.load(Ordering::SeqCst), 1);
    assert_eq!(seen.dropped.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_cancelled_request_is_dropped_and_not_answered() {
    let seen = dialogue(|mut client, _| async move {
        client.call(1, "slow").await;
        client.call(2, "talks").await;
        client.hear().await;
        assert_eq!(client.hear().await["id"], 2);
        client
            .say(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#)
            .await;
        client.end().await;
    })
    .await;
    assert_eq!(seen.dropped.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn what_is_not_valid_does_not_reach_a_handler() {
    let seen = dialogue(|mut client, _| async move {
        for (message, id, code) in [
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#,
                json!(1),
                -32602,
            ),
            (r#"{"jsonrpc":"2.0","id":"#, json!(null), -32700),
            (
                r#"{"jsonrpc":"2.0","id":3,"method":"ping"}"#,
                json!(3),
                -32601,
            ),
            (
                r#"{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"none"}}"#,
                json!(4),
                -32602,
            ),
        ] {
            client.say(message).await;
            let answer = client.hear().await;
            assert_eq!(
                (&answer["id"], &answer["error"]["code"]),
                (&id, &json!(code)),
                "{message}"
            );
        }
        client.end().await;
    })
    .await;
    assert_eq!(seen.calls.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_result_that_is_none_does_not_reach_the_client() {
    dialogue(|mut client, _| async move {
        client.call(1, "broken").await;
        let answer = client.hear().await;
        assert_eq!(
            (&answer["id"], answer["error"].is_object()),
            (&json!(1), true)
        );
        client.end().await;
    })
    .await;
}
