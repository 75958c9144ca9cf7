//! Metadata of the resource and of authorisation servers.

use serde_json::{Value, json};

use super::guard::Guard;

/// The scope that every token has.
pub(super) const SCOPE: &str = "mcp";

/// Another server altogether.
const OTHER: &str = "https://other.example.com";

/// The metadata of the resource, RFC 9728.
pub(super) fn resource(guard: Guard, endpoint: &str, issuer: &str) -> Value {
    let resource = match guard {
        Guard::OtherResource => format!("{OTHER}/mcp"),
        _ => endpoint.to_owned(),
    };
    json!({
        "resource": resource,
        "authorization_servers": [issuer],
        "scopes_supported": [SCOPE],
        "bearer_methods_supported": ["header"],
    })
}

/// The metadata of an authorisation server, RFC 8414 and `OpenID` Connect Discovery alike.
pub(super) fn issuer(guard: Guard, issuer: &str) -> Value {
    let endpoints = format!("{issuer}{}", guard.endpoints());
    let named = match guard {
        Guard::OtherIssuer => OTHER,
        _ => issuer,
    };
    let mut document = json!({
        "issuer": named,
        "authorization_endpoint": format!("{endpoints}/authorize"),
        "token_endpoint": format!("{endpoints}/token"),
        "registration_endpoint": format!("{endpoints}/register"),
        "jwks_uri": format!("{endpoints}/keys"),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code"],
        "token_endpoint_auth_methods_supported": ["none", "client_secret_basic", "client_secret_post"],
        "scopes_supported": [SCOPE],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
        "authorization_response_iss_parameter_supported": guard != Guard::IssUnasked,
    });
    if guard != Guard::NoPkce {
        document["code_challenge_methods_supported"] = json!(["S256"]);
    }
    if guard.takes_documents() {
        document["client_id_metadata_document_supported"] = json!(true);
    }
    document
}

/// The issuer that a redirect names, if it names one.
pub(super) fn iss(guard: Guard, issuer: &str) -> Option<String> {
    match guard {
        Guard::IssMissing => None,
        Guard::IssAltered => Some(format!("{issuer}/")),
        Guard::IssUnasked => Some(OTHER.to_owned()),
        _ => Some(issuer.to_owned()),
    }
}
