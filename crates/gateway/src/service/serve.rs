//! Takes connections, until it is stopped.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::watch;

use super::connection::Connection;
use super::options::{Options, Until};
use super::state::State;
use crate::net;

/// Connections beyond the limit that are told so, and can still ask for `/healthz`.
const MAX_OVERFLOW: usize = 64;

/// How often idle sessions and connections are looked for.
const SWEEP: Duration = Duration::from_secs(10);

/// Serves until `stop` is done, or a session is over if that is the end, and then until all
/// exchanges are over or the grace is.
pub(crate) async fn serve(
    listener: TcpListener,
    gateway: &Arc<State>,
    options: &Options,
    mut stop: impl AsyncFnMut(),
) {
    let (until, grace) = (options.until, options.grace);
    let awake = Arc::clone(gateway);
    let awake = tokio::spawn(async move { awake.inspector.stay_awake().await });
    let (ending, ended) = watch::channel(());
    let mut sweep = tokio::time::interval(SWEEP);
    let mut over = pin!(async {
        match until {
            Until::Stopped => std::future::pending().await,
            Until::SessionOver => {
                let is_vacant = || gateway.has_exchanges() && gateway.metrics.connections() == 0;
                gateway.once.session_over(grace, is_vacant).await;
            }
        }
    });
    loop {
        tokio::select! {
            taken = listener.accept() => match taken {
                Ok((stream, _)) => {
                    let count = usize::try_from(gateway.metrics.connections()).unwrap_or(0);
                    let connection = if count < options.max_connections {
                        Connection::new(gateway)
                    } else if count < options.max_connections.saturating_add(MAX_OVERFLOW) {
                        gateway.metrics.connection_refused();
                        Connection::refusing(gateway)
                    } else {
                        gateway.metrics.connection_refused();
                        continue;
                    };
                    tokio::spawn(net::serve(stream, connection, ended.clone()));
                }
                // Out of file descriptors, mostly: it gets better when connections end.
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            },
            _ = sweep.tick() => {
                gateway.expire_sessions();
                gateway.client.sweep();
            }
            () = &mut over => break,
            () = stop() => break,
        }
    }
    drop((listener, ended));
    let _ = ending.send(());
    tokio::select! {
        () = ending.closed() => {}
        () = tokio::time::sleep(grace) => {}
        () = stop() => {}
    }
    awake.abort();
}
