//! The client against servers that do what servers do.

use std::net::{SocketAddr, TcpListener};
use std::pin::Pin;
use std::sync::mpsc::channel;
use std::sync::{Barrier, Mutex};

use hyper::body::Body as _;
use mcp_assay_testkit::http::server::{Server as TestServer, Then, until_gone};
use mcp_assay_testkit::wait::until;
use rustls::RootCertStore;

use super::super::body::whole;
use super::super::failure::Cause;
use super::*;

const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";

/// Longer than any of these tests takes.
const LONG: Duration = Duration::from_secs(3600);

#[test]
fn a_connection_is_used_again() {
    let server = TestServer::new(|_, wire| {
        wire.write_all(ANSWER).unwrap();
        Then::Keep
    });
    run(async {
        let client = client(&[server.address], LONG);
        for _ in 0..3 {
            assert_eq!(answer(&client, 0).await.unwrap(), b"{}");
        }
    });
    assert_eq!(server.connections(), 1);
}

#[test]
fn a_connection_that_was_closed_while_idle_is_replaced() {
    let server = Arc::new(TestServer::new(|_, wire| {
        wire.write_all(ANSWER).unwrap();
        Then::Close
    }));
    run(async {
        let client = client(&[server.address], LONG);
        for number in 1..=3 {
            assert_eq!(answer(&client, 0).await.unwrap(), b"{}");
            let server = Arc::clone(&server);
            holds(move || server.ended() == number).await;
        }
        client.sweep();
        assert_eq!(client.pools[0].idle().len(), 0);
        assert_eq!(answer(&client, 0).await.unwrap(), b"{}");
    });
    assert_eq!(server.connections(), 4);
}

#[test]
fn an_answer_that_takes_its_time_leaves_the_connection_to_the_next() {
    let (go, wait) = channel();
    let wait = Mutex::new(wait);
    let server = TestServer::new(move |_, wire| {
        let (most, rest) = ANSWER.split_at(ANSWER.len() - 1);
        wire.write_all(most).unwrap();
        wait.lock().unwrap().recv().unwrap();
        wire.write_all(rest).unwrap();
        Then::Keep
    });
    run(async {
        let client = client(&[server.address], LONG);
        for _ in 0..2 {
            let response = client.send(0, request()).await.ok().unwrap();
            assert_eq!(client.pools[0].idle().len(), 0);
            go.send(()).unwrap();
            assert_eq!(collect(response.into_body()).await, b"{}");
            // The task that read it to its end gives the connection back.
            while client.pools[0].idle().is_empty() {
                tokio::task::yield_now().await;
            }
        }
    });
    assert_eq!(server.connections(), 1);
}

#[test]
fn requests_at_the_same_time_have_connections_of_their_own() {
    let both = Barrier::new(2);
    let server = TestServer::new(move |_, wire| {
        both.wait();
        wire.write_all(ANSWER).unwrap();
        Then::Keep
    });
    run(async {
        let client = client(&[server.address], LONG);
        let (one, other) = tokio::join!(answer(&client, 0), answer(&client, 0));
        assert_eq!(
            (one.unwrap(), other.unwrap()),
            (b"{}".to_vec(), b"{}".to_vec())
        );
    });
    assert_eq!(server.connections(), 2);
}

#[test]
fn failures_are_told_apart() {
    let breaks_off = TestServer::new(|_, _| Then::Close);
    let is_silent = TestServer::new(|_, wire| {
        until_gone(wire);
        Then::Close
    });
    let closed = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    run(async {
        for (address, timeout, cause) in [
            (breaks_off.address, LONG, Cause::Reset),
            (is_silent.address, Duration::from_millis(50), Cause::Timeout),
            (closed, LONG, Cause::Refused),
        ] {
            let client = client(&[address], timeout);
            let failure = answer(&client, 0).await.unwrap_err();
            assert_eq!(failure.cause, cause, "{failure:?}");
        }
    });
}

#[test]
fn a_caller_that_gives_up_hangs_up() {
    let server = Arc::new(TestServer::new(|_, wire| {
        until_gone(wire);
        Then::Close
    }));
    run(async {
        let client = client(&[server.address], LONG);
        let asked = Arc::clone(&server);
        tokio::select! {
            _ = answer(&client, 0) => panic!("nobody answers"),
            () = holds(move || !asked.requests().is_empty()) => {}
        }
    });
    until(|| server.ended() == 1);
}

fn run(test: impl Future<Output = ()>) {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_all().build().unwrap().block_on(test);
}

/// Waits beside the runtime, which then hears of everything that the system has to say.
async fn holds(condition: impl Fn() -> bool + Send + 'static) {
    let waiting = tokio::task::spawn_blocking(move || until(condition));
    waiting.await.unwrap();
    // The runtime asks the system before it comes back to this task. Without this, a condition
    // that holds at once would be the end, and the client might not know of a closed connection.
    tokio::task::yield_now().await;
}

fn client(servers: &[SocketAddr], response_timeout: Duration) -> Arc<Client> {
    let servers = servers.iter().map(|address| {
        let url = format!("http://{address}/mcp");
        Server::new(&url.parse().unwrap()).unwrap()
    });
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(RootCertStore::empty())
        .with_no_client_auth();
    Client::new(servers, LONG, response_timeout, Arc::new(tls))
}

fn request() -> Request<Body> {
    Request::post("/mcp")
        .header("content-length", 2)
        .body(whole("[]".into()))
        .unwrap()
}

/// The body of an answer.
async fn answer(client: &Arc<Client>, server: usize) -> Result<Vec<u8>, Failure> {
    let response = client.send(server, request()).await;
    let response = response.map_err(|unanswered| unanswered.failure)?;
    Ok(collect(response.into_body()).await)
}

async fn collect(mut body: Incoming) -> Vec<u8> {
    let mut bytes = Vec::new();
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        if let Ok(data) = frame.unwrap().into_data() {
            bytes.extend_from_slice(&data);
        }
    }
    bytes
}
