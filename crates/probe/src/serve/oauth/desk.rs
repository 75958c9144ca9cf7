//! Lets requests with a token through, and hands out tokens.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::documents::{self, SCOPE};
use super::form::{encode, parameters};
use super::guard::Guard;
use super::visit::{Errand, Place, Visit};
use crate::record::Pairs;
use crate::serve::http::Request;
use crate::serve::subject::PATH;
use crate::serve::unguessable;

/// The place where the metadata of the resource is, for those who read the challenge.
const TOLD: &str = "/about/resource";

/// The longest registration or form.
const MOST_BODY: usize = 64 << 10;

/// Messages that may pass before another authorisation server takes over.
const OPENING: [&str; 4] = [
    "initialize",
    "notifications/initialized",
    "server/discover",
    "ping",
];

/// The answer to a request.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Pairs,
    pub(crate) body: Option<Vec<u8>>,
}

/// An authorisation code that was handed out.
struct Code {
    door: usize,
    challenge: Option<String>,
    is_hashed: bool,
}

/// Lets requests with a token through, and hands out tokens.
pub(crate) struct Desk {
    guard: Guard,
    /// The origin at each door.
    origins: Vec<String>,
    codes: BTreeMap<String, Code>,
    tokens: BTreeSet<String>,
    /// The ids that were handed out, each with its door.
    clients: Vec<(usize, String)>,
    /// Whether another authorisation server is in charge.
    changed: bool,
    last: u64,
}

impl Desk {
    pub(crate) fn new(guard: Guard, origins: Vec<String>) -> Self {
        Self {
            guard,
            origins,
            codes: BTreeMap::new(),
            tokens: BTreeSet::new(),
            clients: Vec::new(),
            changed: false,
            last: 0,
        }
    }

    /// The reason why a request for the endpoint is not let through.
    pub(crate) fn refuse(&mut self, authorization: Option<&str>, body: &[u8]) -> Option<Answer> {
        let token = authorization
            .and_then(|value| value.split_once(' '))
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
            .map(|(_, token)| token.trim());
        let is_known = token.is_some_and(|token| self.tokens.contains(token));
        if is_known && !self.takes_over(body) {
            return None;
        }
        let mut challenge = format!("Bearer scope=\"{SCOPE}\"");
        if !self.guard.is_old() && self.guard != Guard::Untold {
            let told = format!(", resource_metadata=\"{}{TOLD}\"", self.origin(0));
            challenge.push_str(&told);
        }
        if token.is_some() {
            challenge.push_str(", error=\"invalid_token\"");
        }
        Some(Answer {
            status: 401,
            headers: vec![("www-authenticate".to_owned(), challenge)],
            body: None,
        })
    }

    /// The purpose of a request that is not for the endpoint.
    pub(crate) fn visit(&self, door: usize, request: &Request) -> Visit {
        let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
        let bytes = &request.body[..];
        let bytes = if bytes.len() > MOST_BODY { b"" } else { bytes };
        let body: Value = serde_json::from_slice(bytes).unwrap_or_default();
        let mut all = parameters(query);
        if request.method == "POST" && body.is_null() {
            all.extend(parameters(&String::from_utf8_lossy(bytes)));
        }
        Visit {
            at: 0,
            exchange: 0,
            door,
            errand: self.errand(door, &request.method, path),
            path: path.to_owned(),
            parameters: all,
            body,
            misfit: false,
        }
    }

    /// Answers it.
    pub(crate) fn answer(&mut self, visit: &mut Visit) -> Answer {
        let issuer = self.issuer(visit.door);
        match visit.errand {
            Errand::Resource(place) if self.has_metadata(place) => {
                let endpoint = format!("{}{PATH}", self.origin(0));
                let issuer = self.issuer(if self.changed { 2 } else { 1 });
                said(200, &documents::resource(self.guard, &endpoint, &issuer))
            }
            Errand::Issuer(place) if self.guard.first_served().is_some_and(|at| place >= at) => {
                said(200, &documents::issuer(self.guard, &issuer))
            }
            Errand::Register => self.register(visit),
            Errand::Authorize => self.authorize(visit, &issuer),
            Errand::Token => self.token(visit),
            Errand::Resource(_) | Errand::Issuer(_) | Errand::Elsewhere => Answer {
                status: 404,
                headers: Pairs::new(),
                body: None,
            },
        }
    }

    /// The id that an authorisation server handed out to this door.
    pub(crate) fn clients(&self) -> &[(usize, String)] {
        &self.clients
    }

    /// Whether another authorisation server takes over with this message.
    fn takes_over(&mut self, body: &[u8]) -> bool {
        let is_due = self.guard == Guard::Changed && !self.changed;
        let message: Value = if is_due {
            serde_json::from_slice(body).unwrap_or_default()
        } else {
            return false;
        };
        let method = message["method"].as_str();
        if method.is_none_or(|method| OPENING.contains(&method)) {
            return false;
        }
        self.changed = true;
        self.tokens.clear();
        true
    }

    fn has_metadata(&self, place: Place) -> bool {
        !self.guard.is_old() && (place == Place::Root || self.guard != Guard::Untold)
    }

    fn errand(&self, door: usize, method: &str, path: &str) -> Errand {
        let is_server = door > 0 || self.guard.is_old();
        let below = path
            .strip_prefix(self.guard.issuer_path())
            .and_then(|path| path.strip_prefix(self.guard.endpoints()))
            .unwrap_or_default();
        let mut places = self.guard.metadata_places().iter();
        match (method, below) {
            ("GET", _) if door == 0 && path == TOLD => Errand::Resource(Place::Told),
            ("GET", _)
                if door == 0 && path.starts_with("/.well-known/oauth-protected-resource") =>
            {
                match path.strip_prefix("/.well-known/oauth-protected-resource") {
                    Some("" | "/") => Errand::Resource(Place::Root),
                    Some(PATH) => Errand::Resource(Place::WithPath),
                    _ => Errand::Elsewhere,
                }
            }
            ("GET" | "POST", "/authorize") if is_server => Errand::Authorize,
            ("POST", "/register") if is_server => Errand::Register,
            ("POST", "/token") if is_server => Errand::Token,
            ("GET", _) if is_server => places
                .position(|place| *place == path)
                .map_or(Errand::Elsewhere, Errand::Issuer),
            _ => Errand::Elsewhere,
        }
    }

    fn register(&mut self, visit: &Visit) -> Answer {
        let Value::Object(mut metadata) = visit.body.clone() else {
            return refused("invalid_client_metadata");
        };
        let id = format!("client-{}", self.fresh());
        self.clients.push((visit.door, id.clone()));
        metadata.insert("client_id".to_owned(), json!(id));
        metadata.insert("client_id_issued_at".to_owned(), json!(0));
        // Whoever does not say otherwise has a secret, RFC 7591.
        let method = metadata
            .entry("token_endpoint_auth_method")
            .or_insert_with(|| json!("client_secret_basic"));
        if *method != json!("none") {
            metadata.insert("client_secret".to_owned(), json!(self.fresh()));
            metadata.insert("client_secret_expires_at".to_owned(), json!(0));
        }
        said(201, &Value::Object(metadata))
    }

    fn authorize(&mut self, visit: &Visit, issuer: &str) -> Answer {
        // It goes into a header.
        let is_plain = |uri: &&str| uri.bytes().all(|byte| byte.is_ascii_graphic());
        let Some(target) = visit.parameter("redirect_uri").filter(is_plain) else {
            return refused("invalid_request");
        };
        let code = self.fresh();
        let challenge = visit.parameter("code_challenge");
        self.codes.insert(
            code.clone(),
            Code {
                door: visit.door,
                challenge: challenge.map(str::to_owned),
                is_hashed: visit.parameter("code_challenge_method") == Some("S256"),
            },
        );
        let mark = if target.contains('?') { '&' } else { '?' };
        let mut location = format!("{target}{mark}code={code}");
        if let Some(state) = visit.parameter("state") {
            location.push_str("&state=");
            location.push_str(&encode(state));
        }
        if let Some(iss) = documents::iss(self.guard, issuer) {
            location.push_str("&iss=");
            location.push_str(&encode(&iss));
        }
        Answer {
            status: 302,
            headers: vec![("location".to_owned(), location)],
            body: None,
        }
    }

    fn token(&mut self, visit: &mut Visit) -> Answer {
        if visit.parameter("grant_type") != Some("authorization_code") {
            return refused("unsupported_grant_type");
        }
        let code = visit.parameter("code").unwrap_or_default();
        let Some(code) = self
            .codes
            .remove(code)
            .filter(|code| code.door == visit.door)
        else {
            return refused("invalid_grant");
        };
        if let (Some(challenge), Some(verifier)) =
            (code.challenge, visit.parameter("code_verifier"))
        {
            let made = if code.is_hashed {
                URL_SAFE_NO_PAD.encode(Sha256::digest(verifier))
            } else {
                verifier.to_owned()
            };
            if made != challenge {
                visit.misfit = true;
                return refused("invalid_grant");
            }
        }
        let token = self.fresh();
        self.tokens.insert(token.clone());
        let mut answer = said(
            200,
            &json!({"access_token": token, "token_type": "Bearer", "expires_in": 3600, "scope": SCOPE}),
        );
        let unkept = ("cache-control".to_owned(), "no-store".to_owned());
        answer.headers.push(unkept);
        answer
    }

    fn origin(&self, door: usize) -> &str {
        self.origins.get(door).map_or("", String::as_str)
    }

    fn issuer(&self, door: usize) -> String {
        format!("{}{}", self.origin(door), self.guard.issuer_path())
    }

    fn fresh(&mut self) -> String {
        self.last += 1;
        unguessable(self.last)
    }
}

fn said(status: u16, body: &Value) -> Answer {
    Answer {
        status,
        headers: Pairs::new(),
        body: Some(body.to_string().into_bytes()),
    }
}

fn refused(error: &str) -> Answer {
    said(400, &json!({ "error": error }))
}
