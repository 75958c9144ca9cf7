//! Requests of a client where tokens are handed out.

use serde_json::Value;

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
    /// Whether a verifier came that does not fit its challenge.
    pub(crate) misfit: bool,
}

impl Visit {
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
