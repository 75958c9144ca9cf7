//! Documents of authorisation name the server by its own address. Clients compare that with the
//! address that they use, so it is rewritten: in the metadata of a protected resource (RFC 9728),
//! in the challenge that points to it, and in redirects.

use std::sync::Arc;

use bytes::Bytes;
use http::header::{CONTENT_LENGTH, HOST, HeaderName, HeaderValue, LOCATION, WWW_AUTHENTICATE};
use http::response::Parts;
use http::{HeaderMap, Response};
use http_body_util::{BodyExt as _, Limited};
use hyper::body::Incoming;
use mcp_assay::Limits;
use mcp_assay::syntax::{Kind, Tape, scan};

use super::answers;
use super::exchange::Exchange;
use crate::headers;
use crate::net::headers::first;
use crate::net::{Body, whole};
use crate::upstream::Upstream;

/// The path of well-known documents on a protected resource.
const METADATA: &str = "/.well-known/oauth-protected-resource";

/// The longest document.
const LONGEST: usize = 1 << 20;

/// Says how the client asked whoever stands before us.
static FORWARDED: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// The address under which the client knows the gateway.
pub(crate) struct Here {
    scheme: &'static str,
    /// `127.0.0.1:8808`
    host: Option<HeaderValue>,
    is_metadata: bool,
}

impl Here {
    pub(crate) fn new(request: &http::request::Parts) -> Self {
        let host = match request.uri.authority() {
            Some(authority) => HeaderValue::from_str(authority.as_str()).ok(),
            None => first(&request.headers, &HOST).cloned(),
        };
        let is_metadata = request.uri.path().starts_with(METADATA);
        // We speak no TLS, but who stands before us may.
        let scheme = match headers::text(&request.headers, &FORWARDED) {
            Some("https") => "https",
            _ => "http",
        };
        Self {
            scheme,
            host,
            is_metadata,
        }
    }

    /// Whether this answer is the metadata of a protected resource.
    pub(crate) fn is_metadata(&self, response: &Parts) -> bool {
        self.is_metadata && response.status.is_success()
    }

    /// Rewrites `resource_metadata="..."` in challenges.
    pub(crate) fn rewrite_challenges(&self, upstream: &Upstream, headers: &mut HeaderMap) {
        if first(headers, &WWW_AUTHENTICATE).is_none() {
            return;
        }
        for value in headers
            .iter_mut()
            .filter(|(name, _)| **name == WWW_AUTHENTICATE)
        {
            let rewritten = value
                .1
                .to_str()
                .ok()
                .and_then(|text| self.challenge(upstream, text));
            if let Some(rewritten) = rewritten.and_then(|text| HeaderValue::from_str(&text).ok()) {
                *value.1 = rewritten;
            }
        }
    }

    /// Rewrites an address of the server in `Location`: a client that followed it would leave the
    /// gateway.
    pub(crate) fn rewrite_location(&self, upstream: &Upstream, headers: &mut HeaderMap) {
        let location = first(headers, &LOCATION).and_then(|location| location.to_str().ok());
        let rewritten = location.and_then(|there| {
            if there.starts_with('/') && !upstream.keeps_paths() {
                upstream.path_here(there)
            } else {
                self.url(upstream, there)
            }
        });
        if let Some(rewritten) = rewritten.and_then(|text| HeaderValue::from_str(&text).ok()) {
            headers.insert(LOCATION, rewritten);
        }
    }

    /// The name under which the client knows the gateway.
    pub(crate) fn host(&self) -> Option<&HeaderValue> {
        self.host.as_ref()
    }

    fn challenge(&self, upstream: &Upstream, text: &str) -> Option<String> {
        const NAME: &str = "resource_metadata=\"";
        let start = text.to_ascii_lowercase().find(NAME)? + NAME.len();
        let (before, rest) = text.split_at_checked(start)?;
        let (url, after) = rest.split_once('"')?;
        Some(format!("{before}{}\"{after}", self.url(upstream, url)?))
    }

    /// A URL of the server as one of the gateway.
    fn url(&self, upstream: &Upstream, there: &str) -> Option<String> {
        // A path alone is right as it is.
        if there.starts_with('/') {
            return None;
        }
        let host = self.host.as_ref().and_then(|host| host.to_str().ok());
        Some(format!(
            "{}://{}{}",
            self.scheme,
            host.unwrap_or_default().trim_ascii(),
            upstream.path_here(there)?
        ))
    }

    /// A document with its `resource` rewritten.
    fn document(&self, upstream: &Upstream, body: &[u8]) -> Option<Vec<u8>> {
        let mut tape = Tape::new();
        scan(body, &Limits::DEFAULT.for_scan(), &mut tape).ok()?;
        let resource = tape.root(body)?.get("resource")?;
        if resource.kind() != Kind::String {
            return None;
        }
        let url = self.url(upstream, &resource.text()?)?;
        let span = resource.span();
        let mut out = body.get(..span.start as usize)?.to_vec();
        out.extend_from_slice(&serde_json::to_vec(&url).ok()?);
        out.extend_from_slice(body.get(span.end as usize..)?);
        Some(out)
    }
}

/// Forwards the metadata of a protected resource, with the gateway as the resource.
pub(crate) async fn metadata(
    exchange: &Arc<Exchange>,
    here: &Here,
    mut response: Parts,
    body: Incoming,
) -> Response<Body> {
    let gateway = &exchange.gateway;
    let collected = Limited::new(body, LONGEST).collect();
    let body = match tokio::time::timeout(gateway.response_timeout, collected).await {
        Ok(Ok(body)) => body.to_bytes(),
        _ => {
            return answers::answer(
                502,
                "text/plain",
                "the server's document could not be read\n",
            );
        }
    };
    let body = here
        .document(exchange.upstream(), &body)
        .map_or(body, Bytes::from);
    let headers = &mut response.headers;
    if headers.contains_key(CONTENT_LENGTH) {
        headers.insert(CONTENT_LENGTH, HeaderValue::from(body.len()));
    }
    exchange.response(answers::head(&response, false), Some(body.clone()));
    Response::from_parts(response, whole(body))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gateway_takes_the_place_of_the_server() {
        let (whole, part) = (
            Upstream::new("", "https://a/mcp").unwrap(),
            Upstream::new("/x", "https://a/mcp").unwrap(),
        );
        let here = Here {
            scheme: "http",
            host: Some(HeaderValue::from_static("localhost:1")),
            is_metadata: true,
        };
        let document =
            br#"{ "resource" : "https:\/\/a/mcp", "authorization_servers": ["https://a"] }"#;
        let rewritten =
            br#"{ "resource" : "http://localhost:1/mcp", "authorization_servers": ["https://a"] }"#;
        assert_eq!(
            here.document(&whole, document).as_deref(),
            Some(&rewritten[..])
        );
        assert_eq!(
            here.document(&whole, br#"{"resource":"https://b/mcp"}"#),
            None
        );
        assert_eq!(here.document(&whole, b"no JSON"), None);
        assert_eq!(
            here.challenge(&part, r#"Bearer realm="r", resource_metadata="https://a/.well-known/oauth-protected-resource/mcp", scope="s""#)
                .as_deref(),
            Some(r#"Bearer realm="r", resource_metadata="http://localhost:1/.well-known/oauth-protected-resource/x", scope="s""#)
        );
        assert_eq!(here.challenge(&part, "Basic realm=\"r\""), None);
    }
}
