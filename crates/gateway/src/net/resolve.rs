//! Connects to a name that may have several addresses.

use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::time::Duration;

use tokio::net::{TcpStream, lookup_host};

use super::failure::Failure;
use super::server::Server;

/// After so long the other kind of address is tried beside the first: one of the two networks may
/// lead nowhere.
const HEAD_START: Duration = Duration::from_millis(300);

/// Connects to the first address that answers, each in its share of the time.
pub(crate) async fn connect(server: &Server, timeout: Duration) -> Result<TcpStream, Failure> {
    let addresses = lookup_host((&*server.host, server.port)).await;
    let addresses = addresses.map_err(|error| Failure::of_lookup(&error))?;
    let stream = first_to_answer(addresses.collect(), timeout).await;
    stream.map_err(|error| Failure::of_connecting(&error))
}

async fn first_to_answer(addresses: Vec<SocketAddr>, timeout: Duration) -> io::Result<TcpStream> {
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

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn one_address_that_answers_is_enough() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let open = listener.local_addr().unwrap();
        let refused = |address: &str| {
            let address = format!("{address}:{}", open.port());
            address.parse::<SocketAddr>().unwrap()
        };
        let (other, other_kind) = (refused("127.0.0.2"), refused("[::1]"));
        let connect = |addresses: &[SocketAddr]| {
            let mut runtime = tokio::runtime::Builder::new_current_thread();
            let runtime = runtime.enable_all().build().unwrap();
            let connecting = first_to_answer(addresses.to_vec(), Duration::from_secs(5));
            let stream = runtime.block_on(connecting);
            stream.and_then(|stream| stream.peer_addr())
        };
        for addresses in [
            &[open][..],
            &[other, open],
            &[other_kind, open],
            &[open, other_kind],
            &[other, other_kind, open],
            &[other_kind, other, open],
        ] {
            assert_eq!(connect(addresses).unwrap(), open, "{addresses:?}");
        }
        assert!(connect(&[other, other_kind]).is_err());
        assert!(connect(&[]).is_err());
    }
}
