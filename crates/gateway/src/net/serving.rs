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

use super::body::Body;
use super::clock::Clock;
use super::waiting::Waiting;
use super::wire::Wire;

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
    let mut serving = pin!(
        http1::Builder::new()
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
