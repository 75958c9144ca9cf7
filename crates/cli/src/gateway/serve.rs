//! Takes connections, until a signal comes.

use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::watch;

use super::connection::Connection;
use super::service::Gateway;

/// How often idle sessions and connections are looked for.
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
                    let connection = Connection::new(&gateway);
                    tokio::spawn(mcp_assay_relay::serve(stream, connection, stopped.clone()));
                }
                // Out of file descriptors, mostly: it gets better when connections end.
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            },
            _ = sweep.tick() => {
                gateway.expire_sessions();
                gateway.client.sweep();
            }
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

/// The signals that end the program.
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

/// The signals that end the program.
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
