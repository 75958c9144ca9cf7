//! The client against servers that do what servers do.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use http::Request;
use hyper::body::{Body as _, Incoming};
use rustls::{ClientConfig, RootCertStore};

use super::{Body, Client, Failure, Server, whole};

const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";

#[test]
fn a_connection_is_used_again() {
    let (address, connections) = server(|stream| {
        while request(stream) {
            stream.write_all(ANSWER).unwrap();
        }
    });
    run(async {
        let client = client(&[address], Duration::from_secs(5));
        for _ in 0..3 {
            assert_eq!(answer(&client, 0).await.unwrap(), b"{}");
        }
    });
    assert_eq!(connections.iter().count(), 1);
}

#[test]
fn a_connection_that_was_closed_while_idle_is_replaced() {
    let (address, connections) = server(|stream| {
        if request(stream) {
            stream.write_all(ANSWER).unwrap();
        }
    });
    run(async {
        let client = client(&[address], Duration::from_secs(5));
        for _ in 0..3 {
            assert_eq!(answer(&client, 0).await.unwrap(), b"{}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        client.sweep();
        assert_eq!(answer(&client, 0).await.unwrap(), b"{}");
    });
    assert_eq!(connections.iter().count(), 4);
}

#[test]
fn an_answer_that_takes_its_time_leaves_the_connection_to_the_next() {
    let (address, connections) = server(|stream| {
        while request(stream) {
            for part in [&ANSWER[..ANSWER.len() - 1], &ANSWER[ANSWER.len() - 1..]] {
                stream.write_all(part).unwrap();
                thread::sleep(Duration::from_millis(30));
            }
        }
    });
    run(async {
        let client = client(&[address], Duration::from_secs(5));
        for _ in 0..2 {
            assert_eq!(answer(&client, 0).await.unwrap(), b"{}");
            // The task that read it to its end gives the connection back.
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    assert_eq!(connections.iter().count(), 1);
}

#[test]
fn requests_at_the_same_time_have_connections_of_their_own() {
    let (address, connections) = server(|stream| {
        while request(stream) {
            thread::sleep(Duration::from_millis(100));
            stream.write_all(ANSWER).unwrap();
        }
    });
    run(async {
        let client = client(&[address], Duration::from_secs(5));
        let (one, other) = tokio::join!(answer(&client, 0), answer(&client, 0));
        assert_eq!(
            (one.unwrap(), other.unwrap()),
            (b"{}".to_vec(), b"{}".to_vec())
        );
    });
    assert_eq!(connections.iter().count(), 2);
}

#[test]
fn failures_are_told_apart() {
    let (breaks_off, _one) = server(|stream| {
        request(stream);
    });
    let (is_silent, _other) = server(|stream| while request(stream) {});
    let closed = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    run(async {
        let client = client(&[breaks_off, is_silent, closed], Duration::from_millis(200));
        for (number, failure) in [Failure::BrokenOff, Failure::Silent, Failure::Unreachable]
            .into_iter()
            .enumerate()
        {
            assert_eq!(answer(&client, number).await, Err(failure));
        }
    });
}

#[test]
fn whoever_gives_up_hangs_up() {
    let (sender, ended) = channel();
    let (address, _connections) = server(move |stream| {
        request(stream);
        // Nothing more comes.
        sender.send(stream.read(&mut [0])).unwrap();
    });
    run(async {
        let client = client(&[address], Duration::from_secs(5));
        let waiting = tokio::time::timeout(Duration::from_millis(100), answer(&client, 0));
        assert!(waiting.await.is_err());
    });
    assert_eq!(ended.recv().unwrap().unwrap(), 0);
}

fn run(test: impl Future<Output = ()>) {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_all().build().unwrap().block_on(test);
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
    Client::new(
        servers,
        Duration::from_secs(5),
        response_timeout,
        Arc::new(tls),
    )
}

/// The body of an answer.
async fn answer(client: &Arc<Client>, server: usize) -> Result<Vec<u8>, Failure> {
    let request: Request<Body> = Request::post("/mcp")
        .header("content-length", 2)
        .body(whole("[]".into()))
        .unwrap();
    let response = client.send(server, request).await?;
    Ok(collect(response.into_body()).await)
}

async fn collect(mut body: Incoming) -> Vec<u8> {
    let mut bytes = Vec::new();
    while let Some(frame) =
        std::future::poll_fn(|context| std::pin::Pin::new(&mut body).poll_frame(context)).await
    {
        if let Ok(data) = frame.unwrap().into_data() {
            bytes.extend_from_slice(&data);
        }
    }
    bytes
}

/// A server that treats each of its connections like this. The receiver gets a word for each; there
/// are no more when the client is gone and a second has passed.
fn server(serve: impl Fn(&mut TcpStream) + Send + Clone + 'static) -> (SocketAddr, Receiver<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    listener.set_nonblocking(true).unwrap();
    let (sender, connections) = channel();
    thread::spawn(move || {
        for _ in 0..100 {
            if let Ok((mut stream, _)) = listener.accept() {
                stream.set_nonblocking(false).unwrap();
                let (serve, sender) = (serve.clone(), sender.clone());
                thread::spawn(move || {
                    sender.send(()).unwrap();
                    serve(&mut stream);
                });
            }
            thread::sleep(Duration::from_millis(10));
        }
    });
    (address, connections)
}

/// Reads a request; false if the client is gone.
fn request(stream: &mut TcpStream) -> bool {
    let mut got = Vec::new();
    let mut buffer = [0; 1024];
    while !got.ends_with(b"\r\n\r\n[]") {
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return false,
            Ok(count) => got.extend_from_slice(&buffer[..count]),
        }
    }
    true
}
