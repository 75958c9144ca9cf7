//! The key of the client: signatures, and proofs of possession (`DPoP`).

use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// The seconds since 1970.
pub(crate) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

pub(crate) struct KeyPair(EcdsaKeyPair);

impl KeyPair {
    fn generate() -> Self {
        let random = SystemRandom::new();
        let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random);
        Self::from_document(document.expect("there is randomness").as_ref())
    }

    pub(crate) fn from_pem(pem: &str) -> Self {
        let lines = pem.lines().filter(|line| !line.starts_with('-'));
        let text: String = lines.collect();
        Self::from_document(&STANDARD.decode(text).expect("it is PEM"))
    }

    fn from_document(document: &[u8]) -> Self {
        let algorithm = &ECDSA_P256_SHA256_FIXED_SIGNING;
        let pair = EcdsaKeyPair::from_pkcs8(algorithm, document, &SystemRandom::new());
        Self(pair.expect("it is a key"))
    }

    fn jwk(&self) -> Value {
        let (x, y) = self.0.public_key().as_ref()[1..].split_at(32);
        let [x, y] = [x, y].map(|bytes| URL_SAFE_NO_PAD.encode(bytes));
        json!({"kty": "EC", "crv": "P-256", "x": x, "y": y})
    }

    /// A signed token of a type, with the public key in its header if there is one to show.
    pub(crate) fn sign(&self, kind: &str, jwk: &Value, claims: &Value) -> String {
        let mut header = json!({"alg": "ES256", "typ": kind});
        if !jwk.is_null() {
            header["jwk"] = jwk.clone();
        }
        let parts = [&header, claims].map(|part| URL_SAFE_NO_PAD.encode(part.to_string()));
        let signed = parts.join(".");
        let signature = self.0.sign(&SystemRandom::new(), signed.as_bytes());
        let signature = URL_SAFE_NO_PAD.encode(signature.expect("there is randomness"));
        format!("{signed}.{signature}")
    }
}

/// Proves the possession of a key.
pub(crate) struct Prover {
    keys: KeyPair,
    fault: String,
    nonce: Option<String>,
    made: u64,
    last: Option<String>,
}

impl Prover {
    pub(crate) fn new(fault: &str) -> Self {
        Self {
            keys: KeyPair::generate(),
            fault: fault.to_owned(),
            nonce: None,
            made: 0,
            last: None,
        }
    }

    /// A proof for a request.
    pub(crate) fn prove(&mut self, method: &str, url: &str, token: Option<&str>) -> String {
        if let Some(last) = &self.last
            && token.is_some()
            && self.fault == "proves-once"
        {
            return last.clone();
        }
        self.made += 1;
        let mut claims = json!({"jti": format!("{}-{}", now(), self.made), "htm": method,
            "htu": url, "iat": now()});
        if let Some(token) = token.filter(|_| self.fault != "proves-no-token") {
            claims["ath"] = json!(URL_SAFE_NO_PAD.encode(Sha256::digest(token)));
        }
        if let Some(nonce) = &self.nonce {
            claims["nonce"] = json!(nonce);
        }
        let proof = self.keys.sign("dpop+jwt", &self.keys.jwk(), &claims);
        if token.is_some() {
            self.last = Some(proof.clone());
        }
        proof
    }

    /// Whether an answer asks for a nonce, which later proofs have.
    pub(crate) fn is_asked_for_nonce(&mut self, headers: &[(String, String)]) -> bool {
        let nonce = headers.iter().find(|(name, _)| name == "dpop-nonce");
        if let Some((_, nonce)) = nonce.filter(|_| self.fault != "ignores-nonces") {
            self.nonce = Some(nonce.clone());
        }
        nonce.is_some()
    }

    /// The scheme with which a token is sent.
    pub(crate) fn scheme(&self) -> &'static str {
        match self.fault.as_str() {
            "bound-token-as-bearer" => "Bearer",
            _ => "DPoP",
        }
    }
}
