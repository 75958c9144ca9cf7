//! Proofs of possession (`DPoP`, RFC 9449): the header that comes with a token request and with
//! every use of the token.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

use super::jwt::{Jwt, now, public_key};

/// How far the clock of a client may be off, in seconds.
const WINDOW: u64 = 300;

/// The request that a proof belongs to.
pub(super) struct Proven<'a> {
    pub(super) method: &'a str,
    pub(super) url: &'a str,
    /// The token that is used; none in a token request.
    pub(super) token: Option<&'a str>,
}

/// A proof without a fault.
pub(super) struct Proof {
    /// The thumbprint of its key.
    pub(super) thumbprint: String,
    pub(super) nonce: Option<String>,
}

/// Checks the proof of a request. `seen` has the ids of those before.
pub(super) fn check(
    headers: &[String],
    request: &Proven<'_>,
    seen: &mut BTreeSet<String>,
) -> Result<Proof, &'static str> {
    let [text] = headers else {
        return Err(if headers.is_empty() {
            "has no header `DPoP`"
        } else {
            "has more than one header `DPoP`"
        });
    };
    let jwt = Jwt::read(text).ok_or("has a header `DPoP` that is no JWT")?;
    if jwt.header["typ"] != "dpop+jwt" {
        return Err("has a proof whose `typ` is not `dpop+jwt`");
    }
    if jwt.header["jwk"].get("d").is_some() {
        return Err("has a proof that reveals the private key");
    }
    let (key, thumbprint) =
        public_key(&jwt.header["jwk"]).ok_or("has a proof without a key for ES256 in `jwk`")?;
    if !jwt.is_signed_by(&key) {
        return Err("has a proof whose signature does not fit its key");
    }
    let claims = &jwt.claims;
    if claims["htm"] != request.method {
        return Err("has a proof whose `htm` is another method");
    }
    let url = claims["htu"].as_str().unwrap_or_default();
    if url.trim_end_matches('/') != request.url.trim_end_matches('/') {
        return Err("has a proof whose `htu` is another URL");
    }
    let made = claims["iat"].as_u64().unwrap_or_default();
    if made.abs_diff(now()) > WINDOW {
        return Err("has a proof whose `iat` is missing or more than five minutes off");
    }
    if let Some(token) = request.token
        && claims["ath"] != URL_SAFE_NO_PAD.encode(Sha256::digest(token))
    {
        return Err("has a proof whose `ath` is not the hash of the token");
    }
    let Some(id) = claims["jti"].as_str() else {
        return Err("has a proof without `jti`");
    };
    if !seen.insert(id.to_owned()) {
        return Err("has a proof that was used before");
    }
    Ok(Proof {
        thumbprint,
        nonce: claims["nonce"].as_str().map(str::to_owned),
    })
}
