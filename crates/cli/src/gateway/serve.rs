//! Takes connections, until a signal comes.

use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use super::connection::Connection;
use super::service::{self, Gateway};

/// How long the head of a request may take, and how long a connection may be idle.
const HEAD_TIMEOUT: Duration = Duration::from_secs(90);

/// How often idle sessions are looked for.
const SWEEP: Duration = Duration::from_secs(10);

/// Serves until a signal comes, and then until all is done or the grace is over.
pub(super) async fn serve(
    listener: TcpListener,
    gateway: Arc<Gateway>,
    grace: Duration,
) -> std::io::Result<()> {
    let (stop, stopped) = watch::channel(());
    let mut signals = Signals::new()?;
    let mut sweep = tokio::time::interval(SWEEP);
    loop {
        tokio::select! {
            taken = listener.accept() => match taken {
                Ok((stream, _)) => {
                    tokio::spawn(connection(stream, Arc::clone(&gateway), stopped.clone()));
                }
                // Out of file descriptors, mostly: it gets better when connections end.
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            },
            _ = sweep.tick() => gateway.expire_sessions(),
            () = signals.next() => break,
        }
    }
    drop((listener, stopped));
    let _ = stop.send(());
    tokio::select! {
        () = stop.closed() => {}
        () = tokio::time::sleep(grace) => {}
        () = signals.next() => {}
    }
    Ok(())
}

/// Serves a connection until it ends; after the signal, until its exchange is over.
async fn connection(stream: TcpStream, gateway: Arc<Gateway>, mut stopped: watch::Receiver<()>) {
    // Events are small, and somebody waits for them.
    let _ = stream.set_nodelay(true);
    let connection = Connection::new(&gateway);
    let service = service_fn(move |request| {
        let handled = service::handle(Arc::clone(&gateway), Arc::clone(&connection), request);
        async move { Ok::<_, Infallible>(handled.await) }
    });
    let mut serving = pin!(
        http1::Builder::new()
            .preserve_header_case(true)
            .auto_date_header(false)
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_TIMEOUT)
            .serve_connection(TokioIo::new(stream), service)
    );
    tokio::select! {
        // How a connection ends is the client's affair.
        _ = poll_fn(|context| serving.as_mut().poll(context)) => return,
        _ = stopped.changed() => {}
    }
    serving.as_mut().graceful_shutdown();
    let _ = serving.await;
}

/// What asks us to end.
#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

/// What asks us to end.
#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    #[expect(clippy::unnecessary_wraps, reason = "elsewhere it can fail")]
    fn new() -> std::io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) {
        let _ = tokio::signal::ctrl_c().await;
    }
}
