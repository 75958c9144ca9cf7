//! The document by which a client makes itself known.

use serde_json::Value;

use super::verdict::Verdict;
use crate::requirement::{ERROR, Requirement, SINCE_2025_11};
use crate::serve::oauth::{Document, Errand, Visit, is_absolute};

pub(super) static DOCUMENT: Requirement = Requirement::of_client(
    "auth/client-metadata-document",
    ERROR,
    SINCE_2025_11,
    "A client metadata document is at an https URL with a path, repeats that URL as client_id \
     and has client_name and redirect_uris.",
)
.page(
    "basic/authorization/client-registration#implementation-requirements",
    "The authorization server fetches the document to learn who asks; one that does not \
         match its own URL is refused.",
    "publish it at an https URL with a path, and repeat that URL as `client_id` beside \
         `client_name` and `redirect_uris`",
);

pub(super) fn check(verdict: &mut Verdict<'_>) {
    let of_url = |visit: &&Visit| visit.parameter("client_id").is_some_and(is_absolute);
    let authorizations = verdict.on(Errand::Authorize);
    let Some(visit) = authorizations.iter().find(of_url) else {
        if !authorizations.is_empty() {
            verdict.not_applicable(
                &DOCUMENT,
                "the client does not make itself known by a document",
            );
        }
        return;
    };
    let url = visit.parameter("client_id").unwrap_or_default();
    let fault = match verdict.reach.documents.get(url) {
        _ if !has_path(url) => {
            Some("the `client_id` is a URL, but not one of https with a path".to_owned())
        }
        None | Some(Document::Unreachable) => {
            verdict.not_observed(&DOCUMENT, "the document of the client could not be fetched");
            return;
        }
        Some(Document::Unreadable) => {
            Some("the document of the client is no JSON object".to_owned())
        }
        Some(Document::Read(document)) => misfit(url, document),
    };
    match fault {
        Some(message) => verdict.fail_at(&DOCUMENT, message, &[visit]),
        None => verdict.pass(&DOCUMENT),
    }
}

/// Whether the URL of a document is one of https with a path.
fn has_path(url: &str) -> bool {
    let rest = url.strip_prefix("https://").unwrap_or_default();
    let path = rest.split_once('/').map(|(_, path)| path);
    path.is_some_and(|path| !path.split(['?', '#']).next().unwrap_or_default().is_empty())
}

/// The fault of the document of a client.
fn misfit(url: &str, document: &Value) -> Option<String> {
    if document["client_id"] != *url {
        return Some("the `client_id` in the document of the client is not its URL".to_owned());
    }
    let lacks = if !document["client_name"].is_string() {
        "client_name"
    } else if document["redirect_uris"]
        .as_array()
        .is_none_or(Vec::is_empty)
    {
        "redirect_uris"
    } else {
        return None;
    };
    Some(format!("the document of the client has no `{lacks}`"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_document_has_a_path_and_says_who_it_is() {
        for url in [
            "http://a.example/c.json",
            "https://a.example",
            "https://a.example/",
            "https://a.example/?c",
        ] {
            assert!(!has_path(url), "{url}");
        }
        let url = "https://a.example/c.json";
        assert!(has_path(url));
        let good =
            json!({"client_id": url, "client_name": "c", "redirect_uris": ["http://localhost/cb"]});
        assert_eq!(misfit(url, &good), None);
        for (member, value) in [
            ("client_id", json!("https://a.example/d.json")),
            ("client_name", Value::Null),
            ("redirect_uris", json!([])),
        ] {
            let mut bad = good.clone();
            bad[member] = value;
            let said = misfit(url, &bad).unwrap_or_default();
            assert!(said.contains(member), "{said}");
        }
    }
}
