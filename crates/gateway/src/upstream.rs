//! Routes: the server that a path belongs to, and its path there.

use std::borrow::Cow;

use http::uri::PathAndQuery;
use http::{HeaderValue, Uri};

use crate::error::Error;
use crate::net::Server;

/// A server behind the gateway.
///
/// ```
/// use mcp_assay_gateway::Upstream;
///
/// let server = Upstream::new("/weather", "https://example.com/mcp?key=1")?;
/// assert_eq!(server.url(), "https://example.com/mcp");
/// # Ok::<(), mcp_assay_gateway::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Upstream {
    /// The beginning of the paths that belong to it; empty if all do.
    prefix: String,
    /// `https://example.com:8443`
    origin: String,
    /// `example.com:8443`
    host: HeaderValue,
    server: Server,
    /// The path of its endpoint.
    path: String,
    /// The query, with its question mark.
    query: String,
}

const WELL_KNOWN: &str = "/.well-known/";

impl Upstream {
    /// The server at a URL, for paths that begin with `prefix`; all do if it is empty. See
    /// [`Upstream::check_prefix`].
    pub fn new(prefix: &str, url: &str) -> Result<Self, Error> {
        let wrong = |text: &str| Error::Upstream(text.to_owned());
        let uri: Uri = url.parse().map_err(|error| {
            let url = mcp_assay_report::visible(url);
            Error::Upstream(format!("`{url}` is no URL: {error}"))
        })?;
        let scheme = uri.scheme_str().unwrap_or_default();
        if !matches!(scheme, "http" | "https") {
            return Err(wrong(
                "the server's URL begins with neither http:// nor https://",
            ));
        }
        let authority = uri.authority().map_or("", |authority| authority.as_str());
        if authority.contains('@') {
            return Err(wrong(
                "the server's URL holds a name or password; use a header",
            ));
        }
        let nameless = || wrong("the server's URL names no server");
        let server = Server::new(&uri).ok_or_else(nameless)?;
        let host = HeaderValue::from_str(authority).map_err(|_| nameless())?;
        Ok(Self {
            server,
            prefix: prefix.trim_end_matches('/').to_owned(),
            origin: format!("{scheme}://{authority}"),
            host,
            path: uri.path().to_owned(),
            query: uri
                .query()
                .map(|query| format!("?{query}"))
                .unwrap_or_default(),
        })
    }

    /// Whether a text can stand before the paths of a server; says what is wrong.
    pub fn check_prefix(prefix: &str) -> Result<(), &'static str> {
        if !prefix.starts_with('/') {
            return Err("a path begins with `/`");
        }
        if prefix.starts_with(WELL_KNOWN) || prefix.contains(['?', '#', '%', ' ']) {
            return Err("this cannot be the beginning of a path here");
        }
        Ok(())
    }

    /// Its URL as it is shown: without the query, which may be a secret.
    pub fn url(&self) -> String {
        format!("{}{}", self.origin, self.path)
    }

    /// The beginning of the paths that belong to it; empty if all do.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Its name in the `Host` header.
    pub(crate) fn host(&self) -> &HeaderValue {
        &self.host
    }

    /// Its address.
    pub(crate) fn server(&self) -> &Server {
        &self.server
    }

    /// Maps a path with its query to the server; `None` if it does not belong to this server.
    pub(crate) fn target(&self, path_and_query: &PathAndQuery) -> Option<PathAndQuery> {
        let query = path_and_query.query();
        let (mapped, is_endpoint) = self.mapped(path_and_query.path())?;
        let further = match (is_endpoint && !self.query.is_empty(), query) {
            (true, Some(further)) => format!("{}&{further}", self.query),
            (true, None) => self.query.clone(),
            // Most are called there as they are here.
            (false, _) if mapped == path_and_query.path() => return Some(path_and_query.clone()),
            (false, Some(query)) => format!("?{query}"),
            (false, None) => String::new(),
        };
        format!("{mapped}{further}").parse().ok()
    }

    /// Whether a path is that of the endpoint, as the most lenient router reads it.
    pub(crate) fn is_endpoint(&self, path: &str) -> bool {
        let mapped = self.mapped(path);
        mapped.is_some_and(|(path, is_endpoint)| is_endpoint || plain(&path) == plain(&self.path))
    }

    /// Maps a URL or path of the server to the gateway; `None` if it is another server's.
    pub(crate) fn path_here(&self, there: &str) -> Option<String> {
        let path = match there.strip_prefix(&self.origin) {
            Some(rest) if rest.is_empty() || rest.starts_with(['/', '?']) => rest,
            _ if there.starts_with('/') && !there.starts_with("//") => there,
            _ => return None,
        };
        if self.prefix.is_empty() {
            return Some(path.to_owned());
        }
        if let Some(known) = path.strip_prefix(WELL_KNOWN) {
            let (name, rest) = known.split_at(known.find('/').unwrap_or(known.len()));
            let rest = rest.strip_prefix(&*self.path).unwrap_or(rest);
            return Some(format!("{WELL_KNOWN}{name}{}{rest}", self.prefix));
        }
        let rest = match path.strip_prefix(&*self.path) {
            Some(rest) if rest.is_empty() || rest.starts_with('?') => rest,
            _ => path.trim_end_matches('/'),
        };
        Some(format!("{}{rest}", self.prefix))
    }

    /// Whether paths are called here as they are there.
    pub(crate) fn keeps_paths(&self) -> bool {
        self.prefix.is_empty()
    }

    /// A path there, and whether it is that of the endpoint.
    fn mapped<'p>(&'p self, path: &'p str) -> Option<(Cow<'p, str>, bool)> {
        // `*` stands for the gateway itself.
        if !path.starts_with('/') {
            return None;
        }
        if self.prefix.is_empty() {
            return Some(if path == "/" {
                (Cow::Borrowed(&*self.path), true)
            } else {
                (Cow::Borrowed(path), path == self.path)
            });
        }
        if let Some(known) = path.strip_prefix(WELL_KNOWN) {
            let (name, rest) = known.split_at(known.find('/')?);
            let rest = below(rest, &self.prefix)?;
            let endpoint = self.path.trim_end_matches('/');
            let path = format!("{WELL_KNOWN}{name}{endpoint}{rest}");
            return Some((Cow::Owned(path), false));
        }
        match below(path, &self.prefix)? {
            "" | "/" => Some((Cow::Borrowed(&*self.path), true)),
            rest => Some((Cow::Borrowed(rest), rest == self.path)),
        }
    }
}

/// A path without case, escapes, parameters, and slashes or dots that many routers do not heed.
/// Some take a backslash for a slash.
fn plain(path: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = path.as_bytes();
    while let [first, others @ ..] = rest {
        let escaped = match rest {
            [b'%', high, low, ..] => str::from_utf8(&[*high, *low])
                .ok()
                .and_then(|digits| u8::from_str_radix(digits, 16).ok()),
            _ => None,
        };
        bytes.push(escaped.unwrap_or(*first).to_ascii_lowercase());
        rest = match escaped {
            Some(_) => rest.get(3..).unwrap_or_default(),
            None => others,
        };
    }
    let mut segments: Vec<&[u8]> = Vec::new();
    for segment in bytes.split(|byte| matches!(byte, b'/' | b'\\')) {
        let end = segment.iter().position(|byte| *byte == b';');
        match segment
            .get(..end.unwrap_or(segment.len()))
            .unwrap_or_default()
        {
            b"" | b"." => {}
            b".." => {
                segments.pop();
            }
            segment => segments.push(segment),
        }
    }
    segments.join(&b'/')
}

/// The rest of a path below a folder.
fn below<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    let rest = path.strip_prefix(folder)?;
    (rest.is_empty() || rest.starts_with('/')).then_some(rest)
}

/// The server that a path belongs to: the one with the longest beginning.
pub(crate) fn find(
    upstreams: &[Upstream],
    path_and_query: &PathAndQuery,
) -> Option<(usize, PathAndQuery)> {
    let (number, _, target) = upstreams
        .iter()
        .enumerate()
        .filter_map(|(number, upstream)| Some((number, upstream, upstream.target(path_and_query)?)))
        .max_by_key(|(_, upstream, _)| upstream.prefix.len())?;
    Some((number, target))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_there_and_here() {
        let whole = Upstream::new("", "http://a:1/mcp").unwrap();
        let part = Upstream::new("/weather", "https://b/x/mcp?key=1").unwrap();
        for (upstream, here, there) in [
            (&whole, "/", Some("/mcp")),
            (&whole, "/?q=1", Some("/mcp?q=1")),
            (&whole, "/mcp", Some("/mcp")),
            (&whole, "/sse", Some("/sse")),
            (&whole, "/.well-known/a/mcp", Some("/.well-known/a/mcp")),
            (&part, "/weather", Some("/x/mcp?key=1")),
            (&part, "/weather/?q=1", Some("/x/mcp?key=1&q=1")),
            (&part, "/weather/messages?s=1", Some("/messages?s=1")),
            (
                &part,
                "/.well-known/a/weather",
                Some("/.well-known/a/x/mcp"),
            ),
            (&part, "/.well-known/a", None),
            (&part, "/weathers", None),
            (&whole, "*", None),
            (&part, "/", None),
        ] {
            let target = upstream.target(&here.parse().unwrap());
            let target = target.as_ref().map(PathAndQuery::as_str);
            assert_eq!(target, there, "{here}");
        }
        for (upstream, there, here) in [
            (&whole, "http://a:1/mcp", Some("/mcp")),
            (&whole, "http://a:1", Some("")),
            (&whole, "http://a:10/mcp", None),
            (&whole, "/messages?s=1", Some("/messages?s=1")),
            (&part, "https://b/x/mcp", Some("/weather")),
            (&part, "https://b/", Some("/weather")),
            (&part, "/messages?s=1", Some("/weather/messages?s=1")),
            (
                &part,
                "https://b/.well-known/a/x/mcp",
                Some("/.well-known/a/weather"),
            ),
            (&part, "https://c/x/mcp", None),
            (&part, "//c/x", None),
        ] {
            assert_eq!(upstream.path_here(there).as_deref(), here, "{there}");
        }
    }

    #[test]
    fn the_endpoint_is_known_in_every_spelling_that_a_router_may_take() {
        let server = Upstream::new("", "http://a/x/mcp").unwrap();
        for path in [
            "/",
            "/x/mcp",
            "/x/mcp/",
            "/X/Mcp",
            "//x/./mcp",
            "/x/%6dcp",
            "/x/y/../mcp",
        ] {
            assert!(server.is_endpoint(path), "{path}");
        }
        for path in ["/x", "/x/mcps", "/token", "/x/mcp/token", "*"] {
            assert!(!server.is_endpoint(path), "{path}");
        }
        let part = Upstream::new("/weather", "http://a/x/mcp").unwrap();
        assert!(part.is_endpoint("/weather/") && !part.is_endpoint("/weather/token"));
    }

    #[test]
    fn the_longest_beginning_counts() {
        let upstreams = [
            Upstream::new("/", "http://a/mcp").unwrap(),
            Upstream::new("/b", "http://b/mcp").unwrap(),
        ];
        let found = |path: &str| {
            let path = path.parse().unwrap();
            find(&upstreams, &path).map(|(number, ..)| number)
        };
        assert_eq!(found("/b"), Some(1));
        assert_eq!(found("/bc"), Some(0));
        assert!(find(&upstreams[1..], &"/c".parse().unwrap()).is_none());
    }

    #[test]
    fn what_is_no_server() {
        for url in ["mcp", "ftp://a", "http://a:b@c/", "http://"] {
            assert!(Upstream::new("", url).is_err(), "{url}");
        }
    }
}
