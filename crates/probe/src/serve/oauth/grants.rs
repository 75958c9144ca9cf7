//! Credentials that a client has before it starts, and the grants of the authorisation extensions
//! that go with them.

use serde_json::{Value, json};

use super::jwt::{Jwt, KeyPair, now};
use super::visit::Visit;

/// The type of an assertion by which a client authenticates, RFC 7523.
const CLIENT_ASSERTION: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

const TOKEN_EXCHANGE: &str = "urn:ietf:params:oauth:grant-type:token-exchange";
const ID_JAG: &str = "urn:ietf:params:oauth:token-type:id-jag";
const ID_TOKEN: &str = "urn:ietf:params:oauth:token-type:id_token";

/// How long a token of the identity provider is valid, in seconds.
const LIFETIME: u64 = 3600;

/// The credentials of a client.
pub(super) struct Given {
    pub(super) id: String,
    pub(super) secret: String,
    /// The key with which it signs assertions.
    key: Option<KeyPair>,
    provider: Option<Provider>,
}

/// An identity provider with one user, who is logged in.
struct Provider {
    issuer: String,
    token_endpoint: String,
    keys: KeyPair,
    client: String,
    id_token: String,
    /// The grant that it gave out last.
    granted: Option<String>,
}

impl Given {
    pub(super) fn new(id: String, secret: String) -> Self {
        Self {
            id,
            secret,
            key: None,
            provider: None,
        }
    }

    /// Gives the client a key in place of a secret.
    pub(super) fn with_key(mut self) -> Self {
        self.key = KeyPair::generate();
        self
    }

    /// Lets the user be logged in at an identity provider.
    pub(super) fn with_provider(mut self, issuer: String, token_endpoint: String) -> Self {
        let client = format!("{}-at-provider", self.id);
        let claims = json!({"iss": issuer, "sub": "assay-user", "aud": client,
            "iat": now(), "exp": now() + LIFETIME});
        self.provider = KeyPair::generate().and_then(|keys| {
            let id_token = keys.sign("JWT", &claims)?;
            Some(Provider {
                issuer,
                token_endpoint,
                keys,
                client,
                id_token,
                granted: None,
            })
        });
        self
    }

    /// The variables of the environment that hold them.
    pub(super) fn variables(&self) -> Vec<(&'static str, String)> {
        let mut all = vec![("MCP_ASSAY_CLIENT_ID", self.id.clone())];
        match &self.key {
            Some(key) => all.push(("MCP_ASSAY_CLIENT_KEY", key.to_pem())),
            None => all.push(("MCP_ASSAY_CLIENT_SECRET", self.secret.clone())),
        }
        if let Some(provider) = &self.provider {
            all.extend([
                ("MCP_ASSAY_IDP_ISSUER", provider.issuer.clone()),
                (
                    "MCP_ASSAY_IDP_TOKEN_ENDPOINT",
                    provider.token_endpoint.clone(),
                ),
                ("MCP_ASSAY_IDP_CLIENT_ID", provider.client.clone()),
                ("MCP_ASSAY_ID_TOKEN", provider.id_token.clone()),
            ]);
        }
        all
    }

    /// The fault of the assertion by which the client authenticates.
    pub(super) fn wrong_assertion(
        &self,
        visit: &Visit,
        audiences: &[&str],
    ) -> Option<&'static str> {
        let Some(text) = visit.parameter("client_assertion") else {
            return Some("without an assertion");
        };
        if visit.parameter("client_assertion_type") != Some(CLIENT_ASSERTION) {
            return Some("with an assertion of another `client_assertion_type`");
        }
        let (Some(jwt), Some(key)) = (Jwt::read(text), &self.key) else {
            return Some("with an assertion that is no JWT");
        };
        let is_client = |name: &str| jwt.claims[name] == self.id;
        if !jwt.is_signed_by(key.public()) {
            Some("with an assertion whose signature does not fit its key")
        } else if !is_client("iss") || !is_client("sub") {
            Some("with an assertion whose `iss` or `sub` is not the id of the client")
        } else if !jwt.is_for(audiences) {
            Some("with an assertion whose `aud` is not the authorisation server")
        } else if !jwt.is_alive() {
            Some("with an assertion that has no `exp` in the future")
        } else {
            None
        }
    }

    /// Exchanges the identity of the user for a grant at an authorisation server.
    pub(super) fn exchange(
        &mut self,
        visit: &Visit,
        audience: &str,
        resource: &str,
    ) -> Result<Value, &'static str> {
        let provider = self.provider.as_mut().ok_or("has no identity provider")?;
        let is = |name: &str, wanted: &str| visit.parameter(name) == Some(wanted);
        let names = |name: &str, wanted: &str| {
            let found = visit.parameter(name).unwrap_or_default();
            found.trim_end_matches('/') == wanted
        };
        if !is("grant_type", TOKEN_EXCHANGE) {
            return Err("asks for another grant than a token exchange");
        }
        if !is("requested_token_type", ID_JAG) {
            return Err("asks for another type of token than an ID-JAG");
        }
        if !is("subject_token", &provider.id_token) || !is("subject_token_type", ID_TOKEN) {
            return Err("does not have the ID token of the user as its subject");
        }
        if !names("audience", audience) {
            return Err("names another `audience` than the issuer of the authorisation server");
        }
        if visit.parameter("resource").is_some() && !names("resource", resource) {
            return Err("names another `resource` than the server");
        }
        let claims = json!({"iss": provider.issuer, "sub": "assay-user", "aud": audience,
            "resource": resource, "client_id": self.id, "jti": format!("{audience}-{}", now()),
            "iat": now(), "exp": now() + LIFETIME});
        let grant = provider.keys.sign("oauth-id-jag+jwt", &claims);
        let grant = grant.ok_or("cannot be signed")?;
        provider.granted = Some(grant.clone());
        Ok(
            json!({"access_token": grant, "issued_token_type": ID_JAG, "token_type": "N_A",
            "expires_in": LIFETIME}),
        )
    }

    /// The fault of a token request with a grant of the identity provider.
    pub(super) fn wrong_grant(&self, visit: &Visit) -> Option<&'static str> {
        let granted = self.provider.as_ref()?.granted.as_deref();
        let assertion = visit.parameter("assertion");
        (assertion.is_none() || assertion != granted)
            .then_some("has another `assertion` than the grant of the identity provider")
    }
}
