//! The `resource` parameter of authorisation and token requests.

use super::verdict::Verdict;
use crate::requirement::{ERROR, Requirement, SINCE_2025_06};
use crate::serve::oauth::{Errand, is_absolute};

pub(super) static PARAMETER: Requirement = Requirement::of_client(
    "auth/resource-parameter",
    ERROR,
    SINCE_2025_06,
    "Authorization and token requests have the resource parameter with the canonical URI of \
     the server: scheme present, no fragment.",
)
.page(
    "basic/authorization/index#resource-parameter-implementation",
    "A token without a resource is valid everywhere, also where it was not meant to be \
         used.",
    "send `resource` with the canonical URI of the server in the authorization and the \
         token request",
);

pub(super) fn check(verdict: &mut Verdict<'_>) {
    let origin = verdict.scene.origin.clone();
    let authorizations = verdict.on(Errand::Authorize);
    let tokens = verdict.on(Errand::Token);
    // Other grants may carry the resource elsewhere.
    let tokens = tokens
        .iter()
        .filter(|visit| visit.parameter("code").is_some());
    for visit in authorizations.iter().chain(tokens) {
        let what = match visit.errand {
            Errand::Token => "token",
            _ => "authorisation",
        };
        let message = match visit.parameter("resource") {
            None => format!("the {what} request has no `resource`"),
            Some(uri) if !is_absolute(uri) => {
                format!("the `resource` of the {what} request has no scheme")
            }
            Some(uri) if uri.contains('#') => {
                format!("the `resource` of the {what} request has a fragment")
            }
            Some(uri) if !is_at(uri, &origin) => {
                format!("the `resource` of the {what} request is another server")
            }
            Some(_) => continue,
        };
        verdict.fail_at(&PARAMETER, message, &[visit]);
        return;
    }
    if !authorizations.is_empty() {
        verdict.pass(&PARAMETER);
    }
}

/// Whether a resource is this server: its endpoint, or something above it.
fn is_at(uri: &str, origin: &str) -> bool {
    let head = uri.get(..origin.len());
    let rest = uri.get(origin.len()..).unwrap_or_default();
    head.is_some_and(|head| head.eq_ignore_ascii_case(origin))
        && matches!(rest.trim_end_matches('/'), "" | crate::serve::subject::PATH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resource_is_the_endpoint_or_what_it_is_below() {
        let origin = "http://127.0.0.1:5000";
        for rest in ["", "/", "/mcp", "/mcp/"] {
            assert!(is_at(&format!("{origin}{rest}"), origin), "{rest}");
        }
        for rest in ["0", "/other", "/mcp/other"] {
            assert!(!is_at(&format!("{origin}{rest}"), origin), "{rest}");
        }
        assert!(!is_at("https://127.0.0.1:5000/mcp", origin));
    }
}
