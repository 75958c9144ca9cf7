//! Requests of a client where tokens are handed out.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::form::decode;
use crate::record::Pairs;

/// The place where the metadata of the resource was looked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Place {
    /// The place where the challenge says.
    Told,
    /// At the well-known URI with the path of the endpoint.
    WithPath,
    /// At the well-known URI of the root.
    Root,
}

/// The purpose of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Errand {
    /// The metadata of the resource.
    Resource(Place),
    /// The metadata of an authorisation server, at one of the places.
    Issuer(usize),
    Register,
    Authorize,
    Token,
    /// Something that is not there.
    Elsewhere,
}

/// A request that was not for the endpoint.
#[derive(Clone, Debug)]
pub(crate) struct Visit {
    /// Its place among the records.
    pub(crate) at: usize,
    pub(crate) exchange: i64,
    /// The port: 0 is that of the server.
    pub(crate) door: usize,
    pub(crate) errand: Errand,
    /// The path without its query.
    pub(crate) path: String,
    /// The parameters of its query or its form.
    pub(crate) parameters: Pairs,
    /// Its body, if that is JSON.
    pub(crate) body: Value,
    /// Its header `Authorization`.
    pub(crate) authorization: Option<String>,
    /// Its headers `DPoP`.
    pub(crate) proofs: Vec<String>,
    /// Whether a verifier came that does not fit its challenge.
    pub(crate) misfit: bool,
    /// The way the client authenticated, if it should have done so in another.
    pub(crate) wrong_authentication: Option<&'static str>,
    /// The fault of the grant in a token request.
    pub(crate) wrong_grant: Option<&'static str>,
}

/// A request with a token that is bound to a key, or a request for one.
#[derive(Clone, Debug)]
pub(crate) struct ProofUse {
    pub(crate) exchange: i64,
    /// The fault of its proof.
    pub(crate) fault: Option<&'static str>,
    /// Whether the token came with another scheme than `DPoP`.
    pub(crate) is_bearer: bool,
    /// Whether the request came again without the nonce that was asked for.
    pub(crate) ignores_nonce: bool,
    /// Whether the request had the nonce that was asked for.
    pub(crate) has_nonce: bool,
}

/// The way a client authenticates at a token endpoint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Authentication {
    /// It names itself at most.
    Public,
    /// In the header `Authorization`: id and secret.
    Basic(String, String),
    /// The header `Authorization` is not what the scheme wants.
    UnreadableBasic,
    /// With a secret in the body.
    Post(String, String),
    /// In the header and in the body.
    Twice,
}

/// A request for the endpoint that was refused for want of a scope.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub(crate) exchange: i64,
    /// The method and the name of its subject.
    pub(crate) operation: String,
}

impl Visit {
    /// The way in which the client authenticates.
    pub(crate) fn authentication(&self) -> Authentication {
        let secret = self.parameter("client_secret");
        let Some(header) = &self.authorization else {
            return secret.map_or(Authentication::Public, |secret| {
                let id = self.parameter("client_id").unwrap_or_default();
                Authentication::Post(id.to_owned(), secret.to_owned())
            });
        };
        if secret.is_some() {
            return Authentication::Twice;
        }
        let pair = header
            .split_once(' ')
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("basic"))
            .and_then(|(_, pair)| STANDARD.decode(pair.trim()).ok())
            .and_then(|pair| String::from_utf8(pair).ok());
        match pair.as_deref().and_then(|pair| pair.split_once(':')) {
            // RFC 6749 encodes both as in a form.
            Some((id, secret)) => Authentication::Basic(decode(id), decode(secret)),
            None => Authentication::UnreadableBasic,
        }
    }

    /// The scopes that it asks for.
    pub(crate) fn scopes(&self) -> Vec<&str> {
        let scopes = self.parameter("scope").unwrap_or_default();
        scopes.split_ascii_whitespace().collect()
    }

    pub(crate) fn parameter(&self, name: &str) -> Option<&str> {
        let found = self.parameters.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// Whether it has to do with tokens at all: a client may look for other things, too.
    pub(crate) fn is_about_tokens(&self) -> bool {
        self.errand != Errand::Elsewhere || self.is_search() || self.is_guess()
    }

    /// Whether it looks for metadata, wherever.
    pub(crate) fn is_search(&self) -> bool {
        let names = ["/.well-known/oauth-", "/.well-known/openid-configuration"];
        names.iter().any(|name| self.path.contains(name))
    }

    /// Whether it is an attempt to register or to authorise where nobody is.
    pub(crate) fn is_guess(&self) -> bool {
        let ends = ["/authorize", "/register", "/token"];
        self.errand == Errand::Elsewhere && ends.iter().any(|end| self.path.ends_with(end))
    }
}
