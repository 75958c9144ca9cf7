//! Metadata of the resource and of authorisation servers.

use serde_json::{Value, json};

use super::guard::Guard;

/// The scope that the challenge names.
pub(crate) const SCOPE: &str = "mcp";

/// A scope that calls of tools need, where they need one.
pub(crate) const SCOPE_TO_WRITE: &str = "mcp:write";

/// A scope that no token ever has enough of.
pub(crate) const SCOPE_TO_ADMINISTER: &str = "mcp:admin";

/// A scope that the metadata of the resource lists where the challenge names another.
const SCOPE_OF_PROFILE: &str = "mcp:profile";

/// The scope by which a client asks for refresh tokens.
pub(crate) const OFFLINE_ACCESS: &str = "offline_access";

/// Another server altogether.
const OTHER: &str = "https://other.example.com";

/// The metadata of the resource, RFC 9728.
pub(super) fn resource(guard: Guard, endpoint: &str, issuer: &str) -> Value {
    let resource = match guard {
        Guard::OtherResource => format!("{OTHER}/mcp"),
        _ => endpoint.to_owned(),
    };
    let mut document = json!({
        "resource": resource,
        "authorization_servers": [issuer],
        "bearer_methods_supported": ["header"],
    });
    if let Some(scopes) = scopes(guard) {
        document["scopes_supported"] = json!(scopes);
    }
    document
}

/// The scopes that the metadata of the resource lists.
pub(crate) fn scopes(guard: Guard) -> Option<&'static [&'static str]> {
    match guard {
        // They need not be those of the challenge.
        Guard::Told | Guard::StepUp => Some(&[SCOPE_OF_PROFILE]),
        Guard::ScopesListed => Some(&[SCOPE, SCOPE_TO_WRITE]),
        Guard::ScopesUnnamed => None,
        _ => Some(&[SCOPE]),
    }
}

/// The metadata of an authorisation server, RFC 8414 and `OpenID` Connect Discovery alike.
pub(super) fn issuer(guard: Guard, issuer: &str) -> Value {
    let endpoints = format!("{issuer}{}", guard.endpoints());
    let named = match guard {
        Guard::OtherIssuer => OTHER,
        _ => issuer,
    };
    let methods = guard.authentications().iter();
    let methods: Vec<_> = methods.map(|method| method.name()).collect();
    let mut scopes = vec![SCOPE, SCOPE_TO_WRITE, SCOPE_OF_PROFILE, SCOPE_TO_ADMINISTER];
    if guard == Guard::OfflineAccess {
        scopes.push(OFFLINE_ACCESS);
    }
    let mut document = json!({
        "issuer": named,
        "authorization_endpoint": format!("{endpoints}/authorize"),
        "token_endpoint": format!("{endpoints}/token"),
        "jwks_uri": format!("{endpoints}/keys"),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": guard.grants(),
        "token_endpoint_auth_methods_supported": methods,
        "scopes_supported": scopes,
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
        "authorization_response_iss_parameter_supported": guard != Guard::IssUnasked,
    });
    match guard {
        Guard::KeyGrant => {
            document["token_endpoint_auth_methods_supported"] = json!(["private_key_jwt"]);
            document["token_endpoint_auth_signing_alg_values_supported"] = json!(["ES256"]);
        }
        Guard::Enterprise => {
            document["authorization_grant_profiles_supported"] =
                json!(["urn:ietf:params:oauth:grant-profile:id-jag"]);
        }
        Guard::Proof | Guard::ProofWithNonce => {
            document["dpop_signing_alg_values_supported"] = json!(["ES256"]);
        }
        _ => {}
    }
    if !guard.gives_credentials() {
        document["registration_endpoint"] = json!(format!("{endpoints}/register"));
    }
    if guard == Guard::IssUnpromised
        && let Some(document) = document.as_object_mut()
    {
        document.remove("authorization_response_iss_parameter_supported");
    }
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
        Guard::IssMissing | Guard::IssUnpromised => None,
        Guard::IssAltered => Some(format!("{issuer}/")),
        Guard::IssUnasked => Some(OTHER.to_owned()),
        _ => Some(issuer.to_owned()),
    }
}

/// The metadata of the identity provider.
pub(super) fn identity_provider(guard: Guard, issuer: &str) -> Value {
    let mut document = self::issuer(guard, issuer);
    document["grant_types_supported"] = json!(["urn:ietf:params:oauth:grant-type:token-exchange"]);
    document
}
