//! What a client sends to an authorisation server.

use mcp_assay::{Revision, RevisionSet};
use serde_json::Value;

use crate::serve::oauth::{Document, Errand, Visit, is_absolute};
use crate::serve::verdicts::Verdict;

/// Since then the better method has to be used.
const HASHED: RevisionSet = RevisionSet::since(Revision::V2025_11_25);

impl Verdict<'_> {
    pub(super) fn pkce(&mut self) {
        const ID: &str = "auth/pkce";
        let (authorizations, tokens) = (self.on(Errand::Authorize), self.on(Errand::Token));
        for visit in &authorizations {
            let challenge = visit.parameter("code_challenge").unwrap_or_default();
            let method = visit.parameter("code_challenge_method");
            if challenge.is_empty() {
                self.fail_at(
                    ID,
                    "the authorisation request has no `code_challenge`",
                    &[visit],
                );
                return;
            }
            if method != Some("S256") && HASHED.contains(self.scene.revision) {
                let message =
                    "the authorisation request has not the `code_challenge_method` `S256`";
                self.fail_at(ID, message, &[visit]);
                return;
            }
        }
        for visit in tokens
            .iter()
            .filter(|visit| visit.parameter("code").is_some())
        {
            let before = authorizations.iter().rfind(|other| other.at < visit.at);
            let shown: Vec<&Visit> = before.into_iter().chain([visit]).collect();
            if visit.parameter("code_verifier").is_none() {
                self.fail_at(ID, "the token request has no `code_verifier`", &shown);
                return;
            }
            if visit.misfit {
                let message = "the `code_verifier` does not fit the `code_challenge`";
                self.fail_at(ID, message, &shown);
                return;
            }
        }
        if !authorizations.is_empty() {
            self.pass(ID);
        }
    }

    pub(super) fn resource(&mut self) {
        const ID: &str = "auth/resource-parameter";
        let origin = self.scene.origin.clone();
        let authorizations = self.on(Errand::Authorize);
        for visit in authorizations.iter().chain(&self.on(Errand::Token)) {
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
            self.fail_at(ID, message, &[visit]);
            return;
        }
        if !authorizations.is_empty() {
            self.pass(ID);
        }
    }

    pub(super) fn redirects(&mut self) {
        const ID: &str = "auth/redirect-uri";
        let (registered, authorized) = (self.on(Errand::Register), self.on(Errand::Authorize));
        for visit in &registered {
            let uris = visit.body["redirect_uris"].as_array();
            let mut uris = uris.into_iter().flatten().filter_map(Value::as_str);
            if uris.any(|uri| !is_safe(uri)) {
                let message = "a redirect URI is registered that is neither localhost nor https";
                self.fail_at(ID, message, &[visit]);
                return;
            }
        }
        for visit in &authorized {
            if visit
                .parameter("redirect_uri")
                .is_some_and(|uri| !is_safe(uri))
            {
                let message = "the `redirect_uri` is neither localhost nor https";
                self.fail_at(ID, message, &[visit]);
                return;
            }
        }
        if !registered.is_empty() || !authorized.is_empty() {
            self.pass(ID);
        }
    }

    pub(super) fn registration(&mut self) {
        const ID: &str = "auth/application-type";
        let registered = self.on(Errand::Register);
        let lacks = |visit: &&Visit| !visit.body["application_type"].is_string();
        if let Some(visit) = registered.iter().find(lacks) {
            self.fail_at(ID, "the registration has no `application_type`", &[visit]);
        } else if registered.is_empty() {
            self.not_observed(ID, "the client does not register itself");
        } else {
            self.pass(ID);
        }
    }

    /// Clients may make themselves known by a document.
    pub(super) fn documents(&mut self) {
        const ID: &str = "auth/client-metadata-document";
        let of_url = |visit: &&Visit| visit.parameter("client_id").is_some_and(is_absolute);
        let authorizations = self.on(Errand::Authorize);
        let Some(visit) = authorizations.iter().find(of_url) else {
            if !authorizations.is_empty() {
                self.not_applicable(ID, "the client does not make itself known by a document");
            }
            return;
        };
        let url = visit.parameter("client_id").unwrap_or_default();
        let fault = match self.reach.documents.get(url) {
            _ if !has_path(url) => {
                Some("the `client_id` is a URL, but not one of https with a path".to_owned())
            }
            None | Some(Document::Unreachable) => {
                self.not_observed(ID, "the document of the client could not be fetched");
                return;
            }
            Some(Document::Unreadable) => {
                Some("the document of the client is no JSON object".to_owned())
            }
            Some(Document::Read(document)) => misfit(url, document),
        };
        match fault {
            Some(message) => self.fail_at(ID, message, &[visit]),
            None => self.pass(ID),
        }
    }
}

/// Whether a resource is this server: its endpoint, or something above it.
fn is_at(uri: &str, origin: &str) -> bool {
    let head = uri.get(..origin.len());
    let rest = uri.get(origin.len()..).unwrap_or_default();
    head.is_some_and(|head| head.eq_ignore_ascii_case(origin))
        && matches!(rest.trim_end_matches('/'), "" | crate::serve::subject::PATH)
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

/// Whether the URL of a document is one of https with a path.
fn has_path(url: &str) -> bool {
    let rest = url.strip_prefix("https://").unwrap_or_default();
    let path = rest.split_once('/').map(|(_, path)| path);
    path.is_some_and(|path| !path.split(['?', '#']).next().unwrap_or_default().is_empty())
}

/// What is wrong with the document of a client.
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
