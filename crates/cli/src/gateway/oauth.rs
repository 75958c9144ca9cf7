//! Documents of authorisation name the server by its own address. Clients compare that with the address that they use, so it is
//! rewritten: in the metadata of a protected resource (RFC 9728), and in the challenge that points to it.

use std::sync::Arc;

use bytes::Bytes;
use http::header::{CONTENT_LENGTH, HOST, HeaderValue, WWW_AUTHENTICATE};
use http::uri::Authority;
use http::{HeaderMap, Response};
use http_body_util::{BodyExt as _, Limited};
use hyper::body::Incoming;
use mcp_assay::Limits;
use mcp_assay::syntax::{Kind, Tape, scan};

use super::answers;
use super::download::Download;
use super::exchange::Exchange;
use super::headers;
use super::route::Upstream;

/// What well-known documents on a protected resource are called.
const METADATA: &str = "/.well-known/oauth-protected-resource";

/// The longest document.
const LONGEST: usize = 1 << 20;

/// How the client knows the gateway.
pub(super) struct Here {
    /// `http://127.0.0.1:8808`
    origin: String,
    upstream: Upstream,
    is_metadata: bool,
}

impl Here {
    pub(super) fn new(request: &http::request::Parts, upstream: &Upstream) -> Self {
        let host = request.uri.authority().map(Authority::as_str);
        let host = host.or_else(|| headers::text(&request.headers, HOST.as_str()));
        let is_metadata = request.uri.path().starts_with(METADATA);
        // We speak no TLS, but who stands before us may.
        let scheme = match headers::text(&request.headers, "x-forwarded-proto") {
            Some("https") => "https",
            _ => "http",
        };
        Self {
            origin: format!("{scheme}://{}", host.unwrap_or_default()),
            upstream: upstream.clone(),
            is_metadata,
        }
    }

    /// Whether the request is for the metadata of a protected resource.
    pub(super) fn is_metadata(&self) -> bool {
        self.is_metadata
    }

    /// Rewrites `resource_metadata="..."` in challenges.
    pub(super) fn rewrite_challenges(&self, headers: &mut HeaderMap) {
        if !headers.contains_key(WWW_AUTHENTICATE) {
            return;
        }
        for value in headers
            .iter_mut()
            .filter(|(name, _)| **name == WWW_AUTHENTICATE)
        {
            let rewritten = value.1.to_str().ok().and_then(|text| self.challenge(text));
            if let Some(rewritten) = rewritten.and_then(|text| HeaderValue::from_str(&text).ok()) {
                *value.1 = rewritten;
            }
        }
    }

    fn challenge(&self, text: &str) -> Option<String> {
        const NAME: &str = "resource_metadata=\"";
        let start = text.to_ascii_lowercase().find(NAME)? + NAME.len();
        let (before, rest) = text.split_at_checked(start)?;
        let (url, after) = rest.split_once('"')?;
        Some(format!("{before}{}\"{after}", self.url(url)?))
    }

    /// A URL of the server as one of the gateway.
    fn url(&self, there: &str) -> Option<String> {
        // A path alone is right as it is.
        if there.starts_with('/') {
            return None;
        }
        Some(format!(
            "{}{}",
            self.origin,
            self.upstream.path_here(there)?
        ))
    }

    /// A document with its `resource` rewritten.
    fn document(&self, body: &[u8]) -> Option<Vec<u8>> {
        let mut tape = Tape::new();
        scan(body, &Limits::default(), &mut tape).ok()?;
        let resource = tape.root(body)?.get("resource")?;
        if resource.kind() != Kind::String {
            return None;
        }
        let url = self.url(&resource.text()?)?;
        let span = resource.span();
        let mut out = body.get(..span.start as usize)?.to_vec();
        out.extend_from_slice(&serde_json::to_vec(&url).ok()?);
        out.extend_from_slice(body.get(span.end as usize..)?);
        Some(out)
    }
}

/// Passes the metadata of a protected resource on, with the gateway as the resource.
pub(super) async fn metadata(
    exchange: &Arc<Exchange>,
    here: &Here,
    mut response: Response<Download>,
    body: Incoming,
) -> Response<Download> {
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
    let body = here.document(&body).map_or(body, Bytes::from);
    let headers = response.headers_mut();
    if headers.contains_key(CONTENT_LENGTH) {
        headers.insert(CONTENT_LENGTH, HeaderValue::from(body.len()));
    }
    exchange.response(
        Arc::new(answers::head(&response, false)),
        Some(body.clone()),
    );
    *response.body_mut() = Download::whole(body);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gateway_takes_the_place_of_the_server() {
        let here = |prefix, url| Here {
            origin: "http://localhost:1".to_owned(),
            upstream: Upstream::new(prefix, url).unwrap(),
            is_metadata: true,
        };
        let whole = here("", "https://a/mcp");
        let document =
            br#"{ "resource" : "https:\/\/a/mcp", "authorization_servers": ["https://a"] }"#;
        let rewritten =
            br#"{ "resource" : "http://localhost:1/mcp", "authorization_servers": ["https://a"] }"#;
        assert_eq!(whole.document(document).as_deref(), Some(&rewritten[..]));
        assert_eq!(whole.document(br#"{"resource":"https://b/mcp"}"#), None);
        assert_eq!(whole.document(b"no JSON"), None);
        let part = here("/x", "https://a/mcp");
        assert_eq!(
            part.challenge(r#"Bearer realm="r", resource_metadata="https://a/.well-known/oauth-protected-resource/mcp", scope="s""#)
                .as_deref(),
            Some(r#"Bearer realm="r", resource_metadata="http://localhost:1/.well-known/oauth-protected-resource/x", scope="s""#)
        );
        assert_eq!(part.challenge("Basic realm=\"r\""), None);
    }
}
