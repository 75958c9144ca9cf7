//! Connects to a name that may have several addresses.

use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::time::Duration;

use tokio::net::{TcpStream, lookup_host};

use crate::server::Server;

/// After so long the other kind of address is tried beside the first: one of the two networks may lead nowhere.
const HEAD_START: Duration = Duration::from_millis(300);

/// Connects to the first address that answers, each in its share of the time.
pub(crate) async fn connect(server: &Server, timeout: Duration) -> io::Result<TcpStream> {
    let addresses: Vec<SocketAddr> = lookup_host((&*server.host, server.port)).await?.collect();
    let count = u32::try_from(addresses.len()).unwrap_or(u32::MAX).max(1);
    let share = timeout / count;
    let is_v6 = addresses.first().is_some_and(SocketAddr::is_ipv6);
    let (first, other): (Vec<_>, Vec<_>) = addresses
        .into_iter()
        .partition(|address| address.is_ipv6() == is_v6);
    if other.is_empty() {
        return first_of(&first, share).await;
    }
    let mut preferred = pin!(first_of(&first, share));
    let head_start = tokio::time::timeout(HEAD_START, preferred.as_mut()).await;
    let mut second = pin!(first_of(&other, share));
    match head_start {
        Ok(Ok(stream)) => Ok(stream),
        Ok(Err(_)) => second.await,
        Err(_) => tokio::select! {
            stream = preferred.as_mut() => match stream {
                Ok(stream) => Ok(stream),
                Err(_) => second.await,
            },
            stream = second.as_mut() => match stream {
                Ok(stream) => Ok(stream),
                Err(_) => preferred.await,
            },
        },
    }
}

async fn first_of(addresses: &[SocketAddr], share: Duration) -> io::Result<TcpStream> {
    let mut error = io::Error::from(io::ErrorKind::NotFound);
    for address in addresses {
        match tokio::time::timeout(share, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => return Ok(stream),
            Ok(Err(refused)) => error = refused,
            Err(_) => error = io::ErrorKind::TimedOut.into(),
        }
    }
    Err(error)
}
