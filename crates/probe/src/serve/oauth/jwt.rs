//! JSON Web Tokens signed with ES256: assertions of clients, proofs of possession, grants.

use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _,
    UnparsedPublicKey,
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// Bytes of a line of PEM.
const PEM_LINE: usize = 64;

/// A token whose signature was not checked.
pub(super) struct Jwt<'t> {
    pub(super) header: Value,
    pub(super) claims: Value,
    signed: &'t str,
    signature: Vec<u8>,
}

impl<'t> Jwt<'t> {
    /// Reads a token; nothing if it is none.
    pub(super) fn read(text: &'t str) -> Option<Self> {
        let (signed, signature) = text.rsplit_once('.')?;
        let (header, claims) = signed.split_once('.')?;
        let part = |text: &str| -> Option<Value> {
            let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
            serde_json::from_slice(&bytes).ok()
        };
        Some(Self {
            header: part(header)?,
            claims: part(claims)?,
            signed,
            signature: URL_SAFE_NO_PAD.decode(signature).ok()?,
        })
    }

    /// Whether a public key, as an uncompressed point, made the signature.
    pub(super) fn is_signed_by(&self, key: &[u8]) -> bool {
        let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, key);
        self.header["alg"] == "ES256" && key.verify(self.signed.as_bytes(), &self.signature).is_ok()
    }

    /// Whether the claim `aud` is one of these, or has one of these.
    pub(super) fn is_for(&self, audiences: &[&str]) -> bool {
        let fits = |value: &Value| value.as_str().is_some_and(|text| audiences.contains(&text));
        match &self.claims["aud"] {
            Value::Array(all) => all.iter().any(fits),
            one => fits(one),
        }
    }

    /// Whether it has not expired.
    pub(super) fn is_alive(&self) -> bool {
        let end = self.claims["exp"].as_u64();
        end.is_some_and(|end| end > now())
    }
}

/// The seconds since 1970.
pub(super) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

/// The public key in a JSON Web Key of the curve P-256, as an uncompressed point, and its
/// thumbprint.
pub(super) fn public_key(jwk: &Value) -> Option<(Vec<u8>, String)> {
    if jwk["kty"] != "EC" || jwk["crv"] != "P-256" {
        return None;
    }
    let (x, y) = (jwk["x"].as_str()?, jwk["y"].as_str()?);
    let mut point = vec![4];
    for coordinate in [x, y] {
        point.extend(URL_SAFE_NO_PAD.decode(coordinate).ok()?);
    }
    // RFC 7638: the members in this order.
    let members = format!(r#"{{"crv":"P-256","kty":"EC","x":"{x}","y":"{y}"}}"#);
    let thumbprint = URL_SAFE_NO_PAD.encode(Sha256::digest(members));
    Some((point, thumbprint))
}

/// A pair of keys.
pub(super) struct KeyPair {
    pair: EcdsaKeyPair,
    document: Vec<u8>,
}

impl KeyPair {
    /// A new one; nothing if there is no randomness.
    pub(super) fn generate() -> Option<Self> {
        let random = SystemRandom::new();
        let algorithm = &ECDSA_P256_SHA256_FIXED_SIGNING;
        let document = EcdsaKeyPair::generate_pkcs8(algorithm, &random).ok()?;
        let document = document.as_ref().to_vec();
        let pair = EcdsaKeyPair::from_pkcs8(algorithm, &document, &random).ok()?;
        Some(Self { pair, document })
    }

    /// The private key as PEM.
    pub(super) fn to_pem(&self) -> String {
        let text = STANDARD.encode(&self.document);
        let mut pem = "-----BEGIN PRIVATE KEY-----\n".to_owned();
        let mut rest = &text[..];
        while !rest.is_empty() {
            let (line, more) = rest.split_at(rest.len().min(PEM_LINE));
            pem.push_str(line);
            pem.push('\n');
            rest = more;
        }
        pem + "-----END PRIVATE KEY-----\n"
    }

    /// The public key as an uncompressed point.
    pub(super) fn public(&self) -> &[u8] {
        self.pair.public_key().as_ref()
    }

    /// A signed token of this type.
    pub(super) fn sign(&self, kind: &str, claims: &Value) -> Option<String> {
        let header = json!({"alg": "ES256", "typ": kind});
        let parts = [&header, claims].map(|part| URL_SAFE_NO_PAD.encode(part.to_string()));
        let signed = parts.join(".");
        let signature = self
            .pair
            .sign(&SystemRandom::new(), signed.as_bytes())
            .ok()?;
        let signature = URL_SAFE_NO_PAD.encode(signature);
        Some(format!("{signed}.{signature}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_fits_its_key_and_its_text_only() {
        let (pair, other) = (KeyPair::generate().unwrap(), KeyPair::generate().unwrap());
        let claims = json!({"aud": ["a", "b"], "exp": now() + 60});
        let token = pair.sign("JWT", &claims).unwrap();
        let read = Jwt::read(&token).unwrap();
        assert!(read.is_signed_by(pair.public()) && !read.is_signed_by(other.public()));
        assert!(read.is_for(&["b"]) && !read.is_for(&["c"]) && read.is_alive());
        let forged = token.replacen('.', ".e", 1);
        assert!(Jwt::read(&forged).is_none_or(|read| !read.is_signed_by(pair.public())));
        assert!(Jwt::read("a.b").is_none());
    }

    #[test]
    fn the_public_key_of_a_jwk_is_a_point() {
        let pair = KeyPair::generate().unwrap();
        let encode = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
        let (x, y) = pair.public()[1..].split_at(32);
        let jwk = json!({"kty": "EC", "crv": "P-256", "x": encode(x), "y": encode(y)});
        let (point, thumbprint) = public_key(&jwk).unwrap();
        assert_eq!(point, pair.public());
        assert_eq!(thumbprint.len(), 43);
        assert!(public_key(&json!({"kty": "RSA"})).is_none());
    }
}
