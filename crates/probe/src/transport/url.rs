//! As much about URLs as a client of one endpoint needs.

use std::net::IpAddr;

/// Scheme and authority.
pub(crate) fn origin(url: &str) -> &str {
    let start = url.find("://").map_or(0, |at| at + 3);
    let end = url[start..]
        .find(['/', '?', '#'])
        .map_or(url.len(), |at| start + at);
    &url[..end]
}

/// The path with its query; at least a slash.
pub(crate) fn path(url: &str) -> &str {
    let rest = &url[origin(url).len()..];
    let rest = rest.split('#').next().unwrap_or_default();
    if rest.starts_with('/') { rest } else { "/" }
}

/// The host, without port and brackets.
pub(crate) fn host(url: &str) -> &str {
    let authority = origin(url)
        .split_once("://")
        .map_or("", |(_, authority)| authority);
    let authority = authority
        .rsplit_once('@')
        .map_or(authority, |(_, authority)| authority);
    match authority.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    }
}

/// Whether it is this machine.
pub(crate) fn is_local(url: &str) -> bool {
    let host = host(url);
    host == "localhost"
        || host
            .parse::<IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

/// A reference as seen from a URL; `None` if it leads to another origin.
pub(crate) fn resolve(base: &str, reference: &str) -> Option<String> {
    if reference.contains("://") {
        return (origin(reference) == origin(base)).then(|| reference.to_owned());
    }
    if reference.starts_with("//") || reference.chars().any(char::is_control) {
        return None;
    }
    if reference.starts_with('/') {
        return Some(format!("{}{reference}", origin(base)));
    }
    let path = path(base).split('?').next().unwrap_or_default();
    let folder = match path.rsplit_once('/') {
        Some((folder, _)) if !reference.starts_with('?') => format!("{folder}/"),
        _ => path.to_owned(),
    };
    Some(format!("{}{folder}{reference}", origin(base)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_come_apart() {
        for (url, is_origin, is_path, is_host) in [
            ("http://a.example", "http://a.example", "/", "a.example"),
            ("https://a:81/b/c?d", "https://a:81", "/b/c?d", "a"),
            ("http://[::1]:9/x#y", "http://[::1]:9", "/x", "::1"),
            ("http://u@a/b", "http://u@a", "/b", "a"),
        ] {
            assert_eq!(origin(url), is_origin);
            assert_eq!(path(url), is_path);
            assert_eq!(host(url), is_host);
        }
        assert!(is_local("http://127.0.0.1:8/") && !is_local("http://127.example/"));
    }

    #[test]
    fn references_stay_at_home() {
        let base = "http://a:1/x/sse?k";
        let to = |reference| resolve(base, reference);
        assert_eq!(to("/m?s=1").as_deref(), Some("http://a:1/m?s=1"));
        assert_eq!(to("m").as_deref(), Some("http://a:1/x/m"));
        assert_eq!(to("?s=1").as_deref(), Some("http://a:1/x/sse?s=1"));
        assert_eq!(to("http://a:1/m").as_deref(), Some("http://a:1/m"));
        assert_eq!(to("http://b/m"), None);
        assert_eq!(to("//b/m"), None);
    }
}
