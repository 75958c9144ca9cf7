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

/// Host and port, without user and password.
pub(crate) fn authority(url: &str) -> &str {
    let authority = origin(url)
        .split_once("://")
        .map_or("", |(_, authority)| authority);
    authority
        .rsplit_once('@')
        .map_or(authority, |(_, authority)| authority)
}

/// The target of a redirect that may be followed: the same host, and no step back from TLS.
pub(crate) fn redirected(from: &str, location: &str) -> Option<String> {
    let target = absolute(from, location)?;
    let keeps_tls = target.starts_with("https://")
        || (target.starts_with("http://") && from.starts_with("http://"));
    (keeps_tls && host(&target).eq_ignore_ascii_case(host(from)) && target != from)
        .then_some(target)
}

/// A reference as seen from a URL, wherever it leads.
pub(crate) fn absolute(base: &str, reference: &str) -> Option<String> {
    if reference.is_empty()
        || reference
            .chars()
            .any(|char| char.is_control() || char == ' ')
    {
        return None;
    }
    if reference.contains("://") {
        return Some(reference.to_owned());
    }
    if let Some(rest) = reference.strip_prefix("//") {
        let scheme = base.split_once("://").map_or("http", |(scheme, _)| scheme);
        return Some(format!("{scheme}://{rest}"));
    }
    resolve(base, reference)
}

/// The host, without port and brackets.
pub(crate) fn host(url: &str) -> &str {
    match authority(url).strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => authority(url).split(':').next().unwrap_or_default(),
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

    #[test]
    fn redirects_are_followed_to_the_same_host_only() {
        let to = |from, location| redirected(from, location);
        assert_eq!(
            to("http://a/mcp", "/mcp/").as_deref(),
            Some("http://a/mcp/")
        );
        assert_eq!(
            to("http://a/mcp", "https://a/mcp").as_deref(),
            Some("https://a/mcp")
        );
        assert_eq!(
            to("http://a/mcp", "//a:81/mcp").as_deref(),
            Some("http://a:81/mcp")
        );
        assert_eq!(to("https://a/mcp", "http://a/mcp"), None);
        assert_eq!(to("http://a/mcp", "http://b/mcp"), None);
        assert_eq!(to("http://a/mcp", "http://a/mcp"), None);
        assert_eq!(to("http://a/mcp", ""), None);
    }
}
