//! Redirect URIs, registered or sent.

use serde_json::Value;

use super::verdict::Verdict;
use crate::requirement::{ERROR, Requirement, SINCE_2025_03};
use crate::serve::oauth::Errand;

pub(super) static REDIRECT: Requirement = Requirement::of_client(
    "auth/redirect-uri",
    ERROR,
    SINCE_2025_03,
    "Redirect URIs are localhost or https.",
)
.page(
    "basic/authorization/security-considerations#communication-security",
    "Over plain http to another host the code can be read on its way.",
    "use a loopback address or https as the redirect",
);

pub(super) fn check(verdict: &mut Verdict<'_>) {
    let (registered, authorized) = (verdict.on(Errand::Register), verdict.on(Errand::Authorize));
    for visit in &registered {
        let uris = visit.body["redirect_uris"].as_array();
        let mut uris = uris.into_iter().flatten().filter_map(Value::as_str);
        if uris.any(|uri| !is_safe(uri)) {
            let message = "a redirect URI is registered that is neither localhost nor https";
            verdict.fail_at(&REDIRECT, message, &[visit]);
            return;
        }
    }
    for visit in &authorized {
        if visit
            .parameter("redirect_uri")
            .is_some_and(|uri| !is_safe(uri))
        {
            let message = "the `redirect_uri` is neither localhost nor https";
            verdict.fail_at(&REDIRECT, message, &[visit]);
            return;
        }
    }
    if !registered.is_empty() || !authorized.is_empty() {
        verdict.pass(&REDIRECT);
    }
}

/// Whether a redirect URI is localhost or https.
fn is_safe(uri: &str) -> bool {
    let Some((scheme, rest)) = uri.split_once("://") else {
        return false;
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let name = match host.strip_prefix('[') {
        Some(address) => address.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    let is_loopback = name.eq_ignore_ascii_case("localhost")
        || name
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback());
    scheme.eq_ignore_ascii_case("https") || (scheme.eq_ignore_ascii_case("http") && is_loopback)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirects_stay_on_the_machine_or_are_encrypted() {
        for uri in [
            "http://localhost:1/cb",
            "http://127.0.0.1/cb?x",
            "http://[::1]:9/cb",
            "https://app.example.com/cb",
        ] {
            assert!(is_safe(uri), "{uri}");
        }
        for uri in [
            "http://app.example.com/cb",
            "http://localhost.example.com/cb",
            "http://localhost@app.example.com/cb",
            "app://cb",
            "cb",
        ] {
            assert!(!is_safe(uri), "{uri}");
        }
    }
}
