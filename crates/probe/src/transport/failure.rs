//! The reason why a URL could not be reached, in words.

use std::io;

use super::url;

/// Describes why a request over HTTP found nobody.
pub(super) fn describe(url: &str, error: &ureq::Error) -> String {
    let authority = url::authority(url);
    match error {
        ureq::Error::HostNotFound => no_such_host(url),
        ureq::Error::ConnectionFailed => format!("no connection to {authority} could be made"),
        ureq::Error::Io(error) => of_io(url, error),
        ureq::Error::Tls(why) => tls(url, why),
        // `Rustls` exists only with that feature; its text names the certificate or alert.
        other if url.starts_with("https://") && is_tls(&other.to_string()) => {
            tls(url, &other.to_string())
        }
        ureq::Error::Protocol(_) | ureq::Error::Http(_) => {
            format!("the answer of {authority} is not HTTP: {error}")
        }
        other => other.to_string(),
    }
}

fn of_io(url: &str, error: &io::Error) -> String {
    let authority = url::authority(url);
    let text = error.to_string();
    let is_cut = matches!(
        error.kind(),
        io::ErrorKind::ConnectionReset | io::ErrorKind::UnexpectedEof
    );
    if is_cut && url.starts_with("https://") {
        let why = format!("{authority} closed the connection");
        return format!("TLS failed: {why}{}", plain_hint(url, "corrupt message"));
    }
    match error.kind() {
        io::ErrorKind::ConnectionRefused => {
            format!("nothing listens at {authority} (connection refused)")
        }
        io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe => {
            let why = format!("{authority} closed the connection before it answered");
            format!("{why}{}", tls_hint(url))
        }
        io::ErrorKind::UnexpectedEof => {
            let why = format!("{authority} closed the connection before its answer was complete");
            format!("{why}{}", tls_hint(url))
        }
        _ if text.contains("lookup") || text.contains("not known") => no_such_host(url),
        _ if url.starts_with("https://") && is_tls(&text) => tls(url, &text),
        _ => text,
    }
}

/// The reason why TLS failed. A certificate that nobody vouches for has many names.
fn tls(url: &str, why: &str) -> String {
    let is_of_nobody = ["CaUsedAsEndEntity", "UnknownIssuer"];
    if is_of_nobody.iter().any(|name| why.contains(name)) {
        let host = url::host(url);
        return format!(
            "TLS failed: the certificate of {host} is signed by itself or by an unknown authority \
             ({why})"
        );
    }
    format!("TLS failed: {why}{}", plain_hint(url, why))
}

/// A server that speaks TLS takes plain HTTP for a broken handshake.
fn tls_hint(url: &str) -> String {
    match url.strip_prefix("http://") {
        Some(rest) => format!("; the server may speak TLS: --url https://{rest}"),
        None => String::new(),
    }
}

fn no_such_host(url: &str) -> String {
    format!(
        "the name `{}` is not known (DNS); check its spelling",
        url::host(url)
    )
}

/// Whether a text is one of the TLS library.
fn is_tls(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    [
        "certificate",
        "tls",
        "handshake",
        "alert",
        "corrupt message",
    ]
    .iter()
    .any(|word| text.contains(word))
}

/// A server that speaks no TLS answers with something that is no record of it.
fn plain_hint(url: &str, why: &str) -> String {
    let speaks_no_tls = why.contains("corrupt message") || why.contains("InvalidContentType");
    if !speaks_no_tls {
        return String::new();
    }
    let rest = url.trim_start_matches("https://");
    format!("; the server may speak plain HTTP: --url http://{rest}")
}
