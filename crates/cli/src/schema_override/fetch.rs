//! Fetches the document over http or https.
//!
//! The user may name any server. A server may not: the targets of its redirects are resolved here
//! and checked, and exactly the checked addresses are connected to. Proxies are not used, because
//! behind one nothing can be checked.

use std::fmt;
use std::io::Read;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fluent_uri::{Uri, UriRef};
use ureq::Agent;
use ureq::config::Config;
use ureq::http;
use ureq::http::HeaderMap;
use ureq::http::header::{ETAG, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED, LOCATION};
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};

use super::address;
use super::load::{Error, MAX_BYTES, Stamp};

const MAX_REDIRECTS: usize = 5;

/// The longest header that is repeated to ask whether a document changed.
const MAX_STAMP: usize = 1024;

/// The limits of a fetch.
pub(super) struct Client {
    /// For everything together: names, connections, redirects, the body.
    pub(super) time: Duration,
    pub(super) most_bytes: u64,
    /// Whether a server must not redirect there.
    pub(super) is_private: Arc<dyn Fn(SocketAddr) -> bool + Send + Sync>,
}

impl Default for Client {
    fn default() -> Self {
        let is_private = Arc::new(|address: SocketAddr| address::is_private(address.ip()));
        Self {
            time: Duration::from_secs(10),
            most_bytes: MAX_BYTES,
            is_private,
        }
    }
}

impl Client {
    /// The body behind a URL with its signs; `None` if the server says that it is the one that has
    /// these signs.
    pub(super) fn fetch_unless(
        &self,
        url: &str,
        last: &Stamp,
    ) -> Result<Option<(Vec<u8>, Stamp)>, Error> {
        let start = Instant::now();
        let mut url = Uri::parse(url)
            .map_err(|_| Error::Address)?
            .strip_fragment()
            .to_owned();
        let mut hop = Hop::Given;
        for _ in 0..=MAX_REDIRECTS {
            let left = self
                .time
                .checked_sub(start.elapsed())
                .filter(|left| !left.is_zero())
                .ok_or(Error::TimedOut)?;
            let mut request = self.agent(left, hop).get(url.as_str());
            if let Some(etag) = &last.etag {
                request = request.header(IF_NONE_MATCH, etag);
            }
            if let Some(time) = &last.last_modified {
                request = request.header(IF_MODIFIED_SINCE, time);
            }
            let response = request.call().map_err(failed)?;
            match response.status().as_u16() {
                304 if last != &Stamp::default() => return Ok(None),
                200..=299 => {
                    let stamp = stamp(response.headers());
                    return Ok(Some((self.read(response.into_body())?, stamp)));
                }
                301 | 302 | 303 | 307 | 308 => {
                    let location = response
                        .headers()
                        .get(LOCATION)
                        .and_then(|location| location.to_str().ok());
                    url = follow(&url, location.ok_or(Error::Address)?)?;
                    hop = Hop::Redirected;
                }
                status => return Err(Error::Status(status)),
            }
        }
        Err(Error::TooManyRedirects)
    }

    /// A client for one request: it follows no redirect and keeps no connection.
    fn agent(&self, time: Duration, hop: Hop) -> Agent {
        let config = Config::builder()
            .timeout_global(Some(time))
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            .max_idle_connections(0)
            .proxy(None)
            .user_agent(concat!("mcp-assay/", env!("CARGO_PKG_VERSION")))
            .accept("application/schema+json, application/json")
            .build();
        let resolver = Guard {
            hop,
            is_private: Arc::clone(&self.is_private),
            names: DefaultResolver::default(),
        };
        Agent::with_parts(config, DefaultConnector::new(), resolver)
    }

    fn read(&self, body: ureq::Body) -> Result<Vec<u8>, Error> {
        if body
            .content_length()
            .is_some_and(|length| length > self.most_bytes)
        {
            return Err(Error::TooLarge);
        }
        let mut bytes = Vec::new();
        let reader = body.into_reader().take(self.most_bytes + 1);
        { reader }
            .read_to_end(&mut bytes)
            .map_err(|error| failed(error.into()))?;
        if bytes.len() as u64 > self.most_bytes {
            Err(Error::TooLarge)
        } else {
            Ok(bytes)
        }
    }
}

/// The signs of a body. A later request repeats them as they came.
fn stamp(headers: &HeaderMap) -> Stamp {
    let text = |name| {
        let value = headers.get(name)?.to_str().ok()?;
        Some(value.to_owned()).filter(|value| value.len() <= MAX_STAMP)
    };
    Stamp {
        etag: text(ETAG),
        last_modified: text(LAST_MODIFIED),
        ..Stamp::default()
    }
}

/// The target of a redirect.
pub(super) fn follow(from: &Uri<String>, location: &str) -> Result<Uri<String>, Error> {
    let location = UriRef::parse(location).map_err(|_| Error::Address)?;
    let to = location
        .resolve_against(&from.strip_fragment())
        .map_err(|_| Error::Address)?;
    let scheme = |uri: &Uri<String>| uri.scheme().as_str().to_ascii_lowercase();
    match (scheme(from).as_str(), scheme(&to).as_str()) {
        ("https", "http") => Err(Error::InsecureRedirect),
        (_, "http" | "https") => Ok(to.strip_fragment().to_owned()),
        _ => Err(Error::Address),
    }
}

fn failed(error: ureq::Error) -> Error {
    match error {
        ureq::Error::Timeout(_) => Error::TimedOut,
        ureq::Error::BadUri(_) | ureq::Error::Http(_) => Error::Address,
        ureq::Error::Other(other) => match other.downcast::<PrivateAddress>() {
            Ok(refused) => Error::PrivateRedirect { host: refused.host },
            Err(other) => Error::Network(other.to_string()),
        },
        other => Error::Network(other.to_string()),
    }
}

/// The origin of a URL.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Hop {
    /// The user.
    Given,
    /// A server.
    Redirected,
}

/// Resolves names, and refuses private addresses to servers.
struct Guard {
    hop: Hop,
    is_private: Arc<dyn Fn(SocketAddr) -> bool + Send + Sync>,
    names: DefaultResolver,
}

impl Resolver for Guard {
    fn resolve(
        &self,
        uri: &http::Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.names.resolve(uri, config, timeout)?;
        // One private address among public ones is a trick: the connection might use it.
        if self.hop == Hop::Redirected && found.iter().any(|address| (self.is_private)(*address)) {
            let host = uri.host().unwrap_or_default().to_owned();
            return Err(ureq::Error::Other(Box::new(PrivateAddress { host })));
        }
        Ok(found)
    }
}

impl fmt::Debug for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guard")
            .field("hop", &self.hop)
            .finish_non_exhaustive()
    }
}

#[derive(Debug)]
struct PrivateAddress {
    host: String,
}

impl fmt::Display for PrivateAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is in a private network", self.host)
    }
}

impl std::error::Error for PrivateAddress {}
