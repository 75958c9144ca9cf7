//! Lets requests with a token through, and hands out tokens.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::documents::{self, SCOPE, SCOPE_TO_ADMINISTER, SCOPE_TO_WRITE};
use super::form::{encode, parameters};
use super::grants::Given;
use super::guard::{Guard, JWT_BEARER, TokenAuthentication};
use super::proof::{self, Proven};
use super::visit::{Authentication, Errand, Place, ProofUse, Visit};
use crate::record::Pairs;
use crate::serve::http::Request;
use crate::serve::script::Received;
use crate::serve::subject::PATH;
use crate::serve::unguessable;

/// The place where the metadata of the resource is, for those who read the challenge.
const TOLD: &str = "/about/resource";

/// The longest registration or form.
const MOST_BODY: usize = 64 << 10;

/// How often one operation is refused for want of a scope: clients that go on for ever are let
/// through in the end.
const MAX_REFUSALS: usize = 8;

/// How often a nonce is asked for, at the token endpoint and at the server.
const MAX_NONCES: usize = 3;

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
    scopes: Vec<String>,
}

/// A client that the authorisation server knows.
struct Registered {
    accepted: &'static [TokenAuthentication],
    secret: String,
}

/// The rights that come with a token.
#[derive(Clone)]
struct Granted {
    scopes: Vec<String>,
    /// The thumbprint of the key that it is bound to.
    key: Option<String>,
}

/// Lets requests with a token through, and hands out tokens.
pub(crate) struct Desk {
    guard: Guard,
    /// The origin at each door.
    origins: Vec<String>,
    codes: BTreeMap<String, Code>,
    /// The tokens that were handed out, with their scopes.
    tokens: BTreeMap<String, Granted>,
    /// The ids that were handed out, each with its door.
    clients: Vec<(usize, String)>,
    /// The clients that have to authenticate in one way, by their ids.
    registered: BTreeMap<String, Registered>,
    /// The credentials that the client has before it starts.
    given: Option<Given>,
    /// The ids of the proofs so far, and the uses of tokens that are bound to a key.
    proof_ids: BTreeSet<String>,
    pub(crate) proof_uses: Vec<ProofUse>,
    nonce: String,
    /// The operation that a nonce was asked for last, and how often one was.
    nonce_asked: (String, usize),
    /// The operation that is never allowed, and how often it was refused.
    refused: Option<(String, usize)>,
    /// Whether another authorisation server is in charge.
    changed: bool,
    last: u64,
}

impl Desk {
    pub(crate) fn new(guard: Guard, origins: Vec<String>) -> Self {
        let mut desk = Self {
            guard,
            origins,
            codes: BTreeMap::new(),
            tokens: BTreeMap::new(),
            clients: Vec::new(),
            registered: BTreeMap::new(),
            given: None,
            proof_ids: BTreeSet::new(),
            proof_uses: Vec::new(),
            nonce: unguessable(0),
            nonce_asked: (String::new(), 0),
            refused: None,
            changed: false,
            last: 0,
        };
        if guard.gives_credentials() {
            let (id, secret) = (format!("client-{}", desk.fresh()), desk.fresh());
            let client = Registered {
                accepted: guard.authentications(),
                secret: secret.clone(),
            };
            desk.registered.insert(id.clone(), client);
            let given = Given::new(id, secret);
            desk.given = Some(match guard {
                Guard::KeyGrant => given.with_key(),
                Guard::Enterprise => given.with_provider(desk.issuer(2), desk.token_endpoint(2)),
                _ => given,
            });
        }
        desk
    }

    /// The id that the client has before it starts.
    pub(crate) fn given_client(&self) -> Option<String> {
        self.given.as_ref().map(|given| given.id.clone())
    }

    /// The credentials that the client has before it starts, as variables of its environment.
    pub(crate) fn credentials(&self) -> Vec<(&'static str, String)> {
        self.given.as_ref().map_or_else(Vec::new, Given::variables)
    }

    /// The reason why a request for the endpoint is not let through.
    pub(crate) fn refuse(&mut self, exchange: i64, request: &Received) -> Option<Answer> {
        let body = &request.body[..];
        let authorization = request.authorization.as_deref();
        let (scheme, token) = authorization
            .and_then(|value| value.split_once(' '))
            .map_or(("", None), |(scheme, token)| (scheme, Some(token.trim())));
        let is_bearer = scheme.eq_ignore_ascii_case("bearer");
        let is_proof = scheme.eq_ignore_ascii_case("dpop") && self.guard.takes_proofs();
        let token = token.filter(|_| is_bearer || is_proof);
        let granted = token.and_then(|token| self.tokens.get(token)).cloned();
        let mut parts = Vec::new();
        let status = match granted.filter(|_| !self.takes_over(body)) {
            Some(granted) => {
                if let (Some(key), Some(token)) = (&granted.key, token) {
                    let answer = self.check_use(exchange, request, (token, key), is_bearer);
                    if answer.is_some() {
                        return answer;
                    }
                }
                let lacking = self.lacking(&granted.scopes, body)?;
                parts.push("error=\"insufficient_scope\"".to_owned());
                parts.push(format!("scope=\"{lacking}\""));
                403
            }
            None => {
                if self.guard.names_scope() {
                    parts.push(format!("scope=\"{SCOPE}\""));
                }
                if token.is_some() {
                    parts.push("error=\"invalid_token\"".to_owned());
                }
                401
            }
        };
        if !self.guard.is_old() && self.guard != Guard::Untold {
            parts.push(self.place_of_metadata());
        }
        let challenge = |text: String| ("www-authenticate".to_owned(), text);
        let mut headers = vec![challenge(format!("Bearer {}", parts.join(", ")))];
        if self.guard.takes_proofs() {
            headers.push(challenge("DPoP algs=\"ES256\"".to_owned()));
        }
        Some(Answer {
            status,
            headers,
            body: None,
        })
    }

    /// The parameter of a challenge that says where the metadata of the resource is.
    fn place_of_metadata(&self) -> String {
        format!("resource_metadata=\"{}{TOLD}\"", self.origin(0))
    }

    /// Checks the proof that comes with a token, and asks for a nonce where one is needed. A
    /// faulty proof is noted and let through: the client would only try again.
    fn check_use(
        &mut self,
        exchange: i64,
        request: &Received,
        (token, key): (&str, &str),
        is_bearer: bool,
    ) -> Option<Answer> {
        let url = format!("{}{PATH}", self.origin(0));
        let proven = Proven {
            method: &request.method,
            url: &url,
            token: Some(token),
        };
        let checked = proof::check(&request.proofs, &proven, &mut self.proof_ids);
        let (fault, nonce) = match checked {
            Err(fault) => (Some(fault), None),
            Ok(proof) if proof.thumbprint != key => (Some("has a proof of another key"), None),
            Ok(proof) => (None, Some(proof.nonce)),
        };
        let operation = operation(&request.body).unwrap_or_else(|| "opening".to_owned());
        let asks = nonce
            .as_ref()
            .is_some_and(|nonce| self.wants_nonce(nonce.as_ref()));
        let mut used = ProofUse {
            exchange,
            fault,
            is_bearer,
            ignores_nonce: asks && self.nonce_asked.0 == operation,
            has_nonce: nonce.flatten().as_ref() == Some(&self.nonce),
        };
        let asks = asks && self.nonce_asked.1 < MAX_NONCES;
        used.ignores_nonce &= self.guard == Guard::ProofWithNonce;
        self.proof_uses.push(used);
        asks.then(|| {
            let place = self.place_of_metadata();
            let challenge = format!("DPoP error=\"use_dpop_nonce\", {place}");
            let header = ("www-authenticate".to_owned(), challenge);
            self.with_nonce(
                operation,
                Answer {
                    status: 401,
                    headers: vec![header],
                    body: None,
                },
            )
        })
    }

    /// Whether the nonce of a proof is not the one of the server.
    fn wants_nonce(&self, nonce: Option<&String>) -> bool {
        self.guard == Guard::ProofWithNonce && nonce != Some(&self.nonce)
    }

    /// An answer that asks for the nonce.
    fn with_nonce(&mut self, operation: String, mut answer: Answer) -> Answer {
        self.nonce_asked = (operation, self.nonce_asked.1 + 1);
        let header = ("dpop-nonce".to_owned(), self.nonce.clone());
        answer.headers.push(header);
        answer
    }

    /// The scope that a token lacks for a message.
    fn lacking(&mut self, scopes: &[String], body: &[u8]) -> Option<&'static str> {
        let operation = operation(body)?;
        match self.guard {
            Guard::StepUp => {
                let lacks = !scopes.iter().any(|scope| scope == SCOPE_TO_WRITE);
                (lacks && operation.starts_with("tools/call")).then_some(SCOPE_TO_WRITE)
            }
            Guard::NeverEnough => {
                let (refused, times) = self.refused.get_or_insert_with(|| (operation.clone(), 0));
                if *refused != operation || *times >= MAX_REFUSALS {
                    return None;
                }
                *times += 1;
                Some(SCOPE_TO_ADMINISTER)
            }
            _ => None,
        }
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
            authorization: headers(request, "authorization").into_iter().next(),
            proofs: headers(request, "dpop"),
            misfit: false,
            wrong_authentication: None,
            wrong_grant: None,
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
                let document = if self.guard == Guard::Enterprise && visit.door == 2 {
                    documents::identity_provider(self.guard, &issuer)
                } else {
                    documents::issuer(self.guard, &issuer)
                };
                said(200, &document)
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
        metadata.insert("client_id".to_owned(), json!(id.clone()));
        metadata.insert("client_id_issued_at".to_owned(), json!(0));
        // A client that does not say otherwise has a secret, RFC 7591.
        let method = metadata
            .entry("token_endpoint_auth_method")
            .or_insert_with(|| json!("client_secret_basic"));
        let secret = self.fresh();
        if let Guard::OneAuthentication(authentication) = self.guard {
            *method = json!(authentication.name());
            let secret = secret.clone();
            let client = Registered {
                accepted: self.guard.authentications(),
                secret,
            };
            self.registered.insert(id, client);
        }
        if *method != json!("none") {
            metadata.insert("client_secret".to_owned(), json!(secret));
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
                scopes: visit.scopes().into_iter().map(str::to_owned).collect(),
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
        if self.guard == Guard::Enterprise && visit.door == 2 {
            return self.exchange(visit);
        }
        let grant = visit.parameter("grant_type").unwrap_or_default().to_owned();
        if !self.guard.grants().contains(&grant.as_str()) {
            return refused("unsupported_grant_type");
        }
        visit.wrong_authentication = self.wrong_authentication(visit);
        if visit.wrong_authentication.is_some() {
            return Answer {
                status: 401,
                ..refused("invalid_client")
            };
        }
        if grant == JWT_BEARER {
            visit.wrong_grant = self
                .given
                .as_ref()
                .and_then(|given| given.wrong_grant(visit));
            if visit.wrong_grant.is_some() {
                return refused("invalid_grant");
            }
        }
        if grant != "authorization_code" {
            let scopes = visit.scopes().into_iter().map(str::to_owned).collect();
            return self.issue(Granted { scopes, key: None });
        }
        let key = match self.proven_key(visit) {
            Ok(key) => key,
            Err(answer) => return answer,
        };
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
        let scopes = code.scopes;
        self.issue(Granted { scopes, key })
    }

    /// Hands out a token.
    fn issue(&mut self, mut granted: Granted) -> Answer {
        if granted.scopes.is_empty() {
            granted.scopes.push(SCOPE.to_owned());
        }
        let kind = granted.key.as_ref().map_or("Bearer", |_| "DPoP");
        let scope = granted.scopes.join(" ");
        let token = self.fresh();
        self.tokens.insert(token.clone(), granted);
        let mut answer = said(
            200,
            &json!({"access_token": token, "token_type": kind, "expires_in": 3600, "scope": scope}),
        );
        let unkept = ("cache-control".to_owned(), "no-store".to_owned());
        answer.headers.push(unkept);
        answer
    }

    /// The key that the client wants its token bound to; the answer if its proof is not good.
    fn proven_key(&mut self, visit: &Visit) -> Result<Option<String>, Answer> {
        const OPERATION: &str = "token";
        if !self.guard.takes_proofs() || visit.proofs.is_empty() {
            return Ok(None);
        }
        let url = self.token_endpoint(visit.door);
        let proven = Proven {
            method: "POST",
            url: &url,
            token: None,
        };
        let checked = proof::check(&visit.proofs, &proven, &mut self.proof_ids);
        let mut used = ProofUse {
            exchange: visit.exchange,
            fault: checked.as_ref().err().copied(),
            is_bearer: false,
            ignores_nonce: false,
            has_nonce: false,
        };
        let Ok(proof) = checked else {
            self.proof_uses.push(used);
            return Err(refused("invalid_dpop_proof"));
        };
        let wants = self.wants_nonce(proof.nonce.as_ref());
        used.ignores_nonce = wants && self.nonce_asked.0 == OPERATION;
        used.has_nonce = proof.nonce.as_ref() == Some(&self.nonce);
        self.proof_uses.push(used);
        if wants && self.nonce_asked.1 < MAX_NONCES {
            return Err(self.with_nonce(OPERATION.to_owned(), refused("use_dpop_nonce")));
        }
        Ok(Some(proof.thumbprint))
    }

    /// Answers the token endpoint of the identity provider.
    fn exchange(&mut self, visit: &mut Visit) -> Answer {
        let (audience, resource) = (self.issuer(1), format!("{}{PATH}", self.origin(0)));
        let Some(given) = &mut self.given else {
            return refused("invalid_client");
        };
        match given.exchange(visit, &audience, &resource) {
            Ok(body) => said(200, &body),
            Err(fault) => {
                visit.wrong_grant = Some(fault);
                refused("invalid_request")
            }
        }
    }

    /// The way a client authenticated, if it should have done so in another.
    fn wrong_authentication(&self, visit: &Visit) -> Option<&'static str> {
        use TokenAuthentication::{Basic, Post, Public};
        if self.guard == Guard::KeyGrant {
            let (issuer, endpoint) = (self.issuer(visit.door), self.token_endpoint(visit.door));
            let with_slash = format!("{issuer}/");
            let given = self.given.as_ref()?;
            return given.wrong_assertion(visit, &[&issuer, &with_slash, &endpoint]);
        }
        let found = visit.authentication();
        let id = match &found {
            Authentication::Basic(id, _) => id.as_str(),
            _ => visit.parameter("client_id").unwrap_or_default(),
        };
        let client = match self.registered.get(id) {
            Some(client) => client,
            // The only one that there is, if it does not say who it is.
            None if id.is_empty() => self.registered.values().next()?,
            None => return None,
        };
        let accepts = |way| client.accepted.contains(&way);
        match &found {
            Authentication::Basic(_, secret) if accepts(Basic) => {
                (*secret != client.secret).then_some("with another secret")
            }
            Authentication::Post(_, secret) if accepts(Post) => {
                (*secret != client.secret).then_some("with another secret")
            }
            Authentication::Public if accepts(Public) => None,
            Authentication::Public => Some("without its secret"),
            Authentication::Basic(..) => Some("with `client_secret_basic`"),
            Authentication::UnreadableBasic => Some("with a header that cannot be read"),
            Authentication::Post(..) => Some("with `client_secret_post`"),
            Authentication::Twice => Some("in the header and in the body"),
        }
    }

    fn token_endpoint(&self, door: usize) -> String {
        format!("{}{}/token", self.issuer(door), self.guard.endpoints())
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

/// The operation of a request that is no part of an opening: its method, and its subject.
pub(crate) fn operation(body: &[u8]) -> Option<String> {
    let message: Value = serde_json::from_slice(body).ok()?;
    let method = message["method"].as_str()?;
    if OPENING.contains(&method) || message.get("id").is_none() {
        return None;
    }
    let params = &message["params"];
    let subject = params["name"].as_str().or(params["uri"].as_str());
    Some(format!("{method} {}", subject.unwrap_or_default()))
}

fn headers(request: &Request, wanted: &str) -> Vec<String> {
    let headers = request.headers.iter();
    let found = headers.filter(|(name, _)| name == wanted);
    found.map(|(_, value)| value.clone()).collect()
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
