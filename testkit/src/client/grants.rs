//! How the client gets a token without a user at hand: with its own credentials, or with the
//! identity of a user who is logged in elsewhere.

use std::env;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::client::oauth::{form, send_with};
use crate::client::proof::{KeyPair, now};

const FORM: &str = "application/x-www-form-urlencoded";
const JWT_BEARER: &str = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const ASSERTION: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

const CLIENT_CREDENTIALS: &str = "client_credentials";

/// Whether a server gives tokens without a user at hand.
pub(crate) fn needs_no_user(server: &Value) -> bool {
    takes(server, CLIENT_CREDENTIALS) || takes(server, JWT_BEARER)
}

fn takes(server: &Value, grant: &str) -> bool {
    let grants = server["grant_types_supported"].as_array();
    grants.is_some_and(|grants| grants.contains(&json!(grant)))
}

/// The token of such a server.
pub(crate) fn token(fault: &str, issuer: &str, server: &Value, endpoint: &str) -> Option<String> {
    let id = env::var("MCP_ASSAY_CLIENT_ID").ok()?;
    let place = server["token_endpoint"].as_str()?;
    if takes(server, CLIENT_CREDENTIALS) {
        own(fault, &id, issuer, place, endpoint)
    } else {
        identity(fault, &id, issuer, place, endpoint)
    }
}

/// With the credentials of the client itself.
fn own(fault: &str, id: &str, issuer: &str, place: &str, endpoint: &str) -> Option<String> {
    let mut body = vec![
        ("grant_type", CLIENT_CREDENTIALS.to_owned()),
        ("resource", endpoint.to_owned()),
    ];
    if let Ok(pem) = env::var("MCP_ASSAY_CLIENT_KEY") {
        let audience = match fault {
            "asserts-for-others" => "https://other.example.com",
            _ => issuer,
        };
        let subject = match fault {
            "asserts-as-another" => "somebody",
            _ => id,
        };
        let claims = json!({"iss": id, "sub": subject, "aud": audience, "iat": now(),
            "exp": now() + 60, "jti": now().to_string()});
        let assertion = KeyPair::from_pem(&pem).sign("JWT", &Value::Null, &claims);
        body.push(("client_assertion_type", ASSERTION.to_owned()));
        body.push(("client_assertion", assertion));
        return ask(place, None, &body, "access_token");
    }
    let secret = env::var("MCP_ASSAY_CLIENT_SECRET").ok()?;
    let secret = match fault {
        "guesses-its-secret" => "secret".to_owned(),
        _ => secret,
    };
    ask(place, Some((id, &secret)), &body, "access_token")
}

/// With the identity of a user.
fn identity(fault: &str, id: &str, issuer: &str, place: &str, endpoint: &str) -> Option<String> {
    let provider = env::var("MCP_ASSAY_IDP_TOKEN_ENDPOINT").ok()?;
    let audience = match fault {
        "exchanges-for-the-server" => endpoint,
        _ => issuer,
    };
    let body = [
        (
            "grant_type",
            "urn:ietf:params:oauth:grant-type:token-exchange".to_owned(),
        ),
        (
            "requested_token_type",
            "urn:ietf:params:oauth:token-type:id-jag".to_owned(),
        ),
        ("audience", audience.to_owned()),
        ("resource", endpoint.to_owned()),
        ("subject_token", env::var("MCP_ASSAY_ID_TOKEN").ok()?),
        (
            "subject_token_type",
            "urn:ietf:params:oauth:token-type:id_token".to_owned(),
        ),
        ("client_id", env::var("MCP_ASSAY_IDP_CLIENT_ID").ok()?),
    ];
    let grant = ask(&provider, None, &body, "access_token")?;
    let secret = env::var("MCP_ASSAY_CLIENT_SECRET").ok()?;
    let body = [
        ("grant_type", JWT_BEARER.to_owned()),
        ("assertion", grant),
        ("client_id", id.to_owned()),
    ];
    let pair = (fault != "redeems-without-its-secret").then_some((id, &secret[..]));
    ask(place, pair, &body, "access_token")
}

/// A member of the answer to a form.
fn ask(
    place: &str,
    pair: Option<(&str, &str)>,
    body: &[(&str, String)],
    member: &str,
) -> Option<String> {
    let mut headers = vec![("content-type".to_owned(), FORM.to_owned())];
    if let Some((id, secret)) = pair {
        let pair = STANDARD.encode(format!("{id}:{secret}"));
        headers.push(("authorization".to_owned(), format!("Basic {pair}")));
    }
    let (_, _, answer) = send_with("POST", place, &headers, &form(body))?;
    let answer: Value = serde_json::from_slice(&answer).ok()?;
    answer[member].as_str().map(str::to_owned)
}
