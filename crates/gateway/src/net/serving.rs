//! Answers a client, request by request.

use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http::{Request, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::Service;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::timeout;

use super::body::Body;
use super::clock::Clock;
use super::waiting::Waiting;
use super::wire::{MAX_BUFFER, Wire};

/// How long the head of a request may take, and how long a connection may be idle.
const HEAD_TIMEOUT: Duration = Duration::from_secs(90);

/// Answers the requests of a client.
pub(crate) trait Handler: Send + Sync + 'static {
    /// Answers a request. It is dropped if the client hangs up.
    fn handle(self: Arc<Self>, request: Request<Incoming>) -> Waiting<Response<Body>>;
}

/// Serves a connection until it ends; after `stopped` has changed or nobody can change it, until
/// its exchange is over.
pub(crate) fn serve(
    stream: TcpStream,
    handler: Arc<dyn Handler>,
    stopped: watch::Receiver<()>,
) -> Waiting<()> {
    Box::pin(run(stream, handler, stopped))
}

async fn run(stream: TcpStream, handler: Arc<dyn Handler>, mut stopped: watch::Receiver<()>) {
    // Events are small, and somebody waits for them.
    let _ = stream.set_nodelay(true);
    let is_http2 = tokio::select! {
        begun = timeout(HEAD_TIMEOUT, begins_http2(&stream)) => match begun {
            Ok(is_http2) => is_http2,
            Err(_) => return,
        },
        _ = stopped.changed() => return,
    };
    if is_http2 {
        return refuse_http2(&stream).await;
    }
    let mut serving = pin!(
        http1::Builder::new()
            .max_buf_size(MAX_BUFFER)
            .preserve_header_case(true)
            .auto_date_header(false)
            .timer(Clock::new())
            .header_read_timeout(HEAD_TIMEOUT)
            .serve_connection(TokioIo::new(Wire::Plain(stream)), Handled(handler))
    );
    tokio::select! {
        // How a connection ends is the client's affair.
        _ = poll_fn(|context| serving.as_mut().poll(context)) => return,
        _ = stopped.changed() => {}
    }
    serving.as_mut().graceful_shutdown();
    let _ = serving.await;
}

/// The bytes with which a client begins that takes it for granted that we speak HTTP/2.
const PREFACE: &[u8] = b"PRI * HTTP/2.0";

/// Whether a connection begins as one of HTTP/2. Nothing is taken from it.
async fn begins_http2(stream: &TcpStream) -> bool {
    let mut beginning = [0; PREFACE.len()];
    loop {
        match stream.peek(&mut beginning).await {
            Ok(read @ 1..) if beginning[..read] == PREFACE[..read] => {
                // Three letters are enough: no method of HTTP/1.1 is called so.
                if read >= 3 {
                    return true;
                }
            }
            _ => return false,
        }
        // The rest of a word is on its way.
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

/// Ends a connection of HTTP/2 in its own terms: `GOAWAY` with the error `HTTP_1_1_REQUIRED` (RFC
/// 9113, 7), after the frame of settings that has to come first.
async fn refuse_http2(stream: &TcpStream) {
    const WHY: &[u8] = b"mcp-assay speaks HTTP/1.1 only";
    let mut frames = vec![0, 0, 0, 4, 0, 0, 0, 0, 0];
    frames.extend_from_slice(&[0, 0, 8 + WHY.len() as u8, 7, 0, 0, 0, 0, 0]);
    frames.extend_from_slice(&[0, 0, 0, 0, 0, 0, 0, 0xd]);
    frames.extend_from_slice(WHY);
    // The buffer of a new connection has room for them.
    let is_written = stream.writable().await.is_ok() && stream.try_write(&frames).is_ok();
    // To close a connection with unread bytes resets it, and the client may lose the reason.
    let read = async {
        let mut sent = [0; 1024];
        while stream.readable().await.is_ok() {
            match stream.try_read(&mut sent) {
                Ok(0) => return,
                Err(error) if error.kind() != std::io::ErrorKind::WouldBlock => return,
                _ => {}
            }
        }
    };
    if is_written {
        let _ = timeout(REFUSAL_READ, read).await;
    }
}

/// How long a refused client may take to read the reason.
const REFUSAL_READ: Duration = Duration::from_secs(1);

/// A handler as hyper knows it.
struct Handled(Arc<dyn Handler>);

impl Service<Request<Incoming>> for Handled {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Answer;

    fn call(&self, request: Request<Incoming>) -> Answer {
        Answer(Arc::clone(&self.0).handle(request))
    }
}

struct Answer(Waiting<Response<Body>>);

impl Future for Answer {
    type Output = Result<Response<Body>, Infallible>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.0.as_mut().poll(context).map(Ok)
    }
}
