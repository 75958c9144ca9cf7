//! Lets requests with a token through, and hands out tokens.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::documents::{self, SCOPE, SCOPE_TO_ADMINISTER, SCOPE_TO_WRITE};
use super::form::{encode, parameters};
use super::guard::{Guard, TokenAuthentication};
use super::visit::{Authentication, Errand, Place, Visit};
use crate::record::Pairs;
use crate::serve::http::Request;
use crate::serve::subject::PATH;
use crate::serve::unguessable;

/// The place where the metadata of the resource is, for those who read the challenge.
const TOLD: &str = "/about/resource";

/// The longest registration or form.
const MOST_BODY: usize = 64 << 10;

/// How often one operation is refused for want of a scope: clients that go on for ever are let
/// through in the end.
const MAX_REFUSALS: usize = 8;

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
    authentication: TokenAuthentication,
    secret: String,
}

/// Lets requests with a token through, and hands out tokens.
pub(crate) struct Desk {
    guard: Guard,
    /// The origin at each door.
    origins: Vec<String>,
    codes: BTreeMap<String, Code>,
    /// The tokens that were handed out, with their scopes.
    tokens: BTreeMap<String, Vec<String>>,
    /// The ids that were handed out, each with its door.
    clients: Vec<(usize, String)>,
    /// The clients that have to authenticate in one way, by their ids.
    registered: BTreeMap<String, Registered>,
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
            refused: None,
            changed: false,
            last: 0,
        };
        if guard == Guard::PreRegistered {
            let (id, secret) = (format!("client-{}", desk.fresh()), desk.fresh());
            let authentication = TokenAuthentication::Basic;
            let client = Registered {
                authentication,
                secret,
            };
            desk.registered.insert(id, client);
        }
        desk
    }

    /// The id that the client has before it starts.
    pub(crate) fn given_client(&self) -> Option<String> {
        self.registered.keys().next().cloned()
    }

    /// The credentials that the client has before it starts, as variables of its environment.
    pub(crate) fn credentials(&self) -> Vec<(&'static str, String)> {
        let clients = self.registered.iter();
        let pairs = clients.flat_map(|(id, client)| {
            [
                ("MCP_ASSAY_CLIENT_ID", id.clone()),
                ("MCP_ASSAY_CLIENT_SECRET", client.secret.clone()),
            ]
        });
        pairs.collect()
    }

    /// The reason why a request for the endpoint is not let through.
    pub(crate) fn refuse(&mut self, authorization: Option<&str>, body: &[u8]) -> Option<Answer> {
        let token = authorization
            .and_then(|value| value.split_once(' '))
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
            .map(|(_, token)| token.trim());
        let scopes = token.and_then(|token| self.tokens.get(token)).cloned();
        let mut parts = Vec::new();
        let status = match scopes.filter(|_| !self.takes_over(body)) {
            Some(scopes) => {
                let lacking = self.lacking(&scopes, body)?;
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
            let place = format!("resource_metadata=\"{}{TOLD}\"", self.origin(0));
            parts.push(place);
        }
        let challenge = format!("Bearer {}", parts.join(", "));
        Some(Answer {
            status,
            headers: vec![("www-authenticate".to_owned(), challenge)],
            body: None,
        })
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
            authorization: header(request, "authorization"),
            misfit: false,
            wrong_authentication: None,
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
                authentication,
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
        if visit.parameter("grant_type") != Some("authorization_code") {
            return refused("unsupported_grant_type");
        }
        visit.wrong_authentication = self.wrong_authentication(visit);
        if visit.wrong_authentication.is_some() {
            return Answer {
                status: 401,
                ..refused("invalid_client")
            };
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
        let scopes = if code.scopes.is_empty() {
            vec![SCOPE.to_owned()]
        } else {
            code.scopes
        };
        let scope = scopes.join(" ");
        self.tokens.insert(token.clone(), scopes);
        let mut answer = said(
            200,
            &json!({"access_token": token, "token_type": "Bearer", "expires_in": 3600, "scope": scope}),
        );
        let unkept = ("cache-control".to_owned(), "no-store".to_owned());
        answer.headers.push(unkept);
        answer
    }

    /// The way a client authenticated, if it should have done so in another.
    fn wrong_authentication(&self, visit: &Visit) -> Option<&'static str> {
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
        let has = |secret: &str| secret == client.secret;
        match (client.authentication, &found) {
            (TokenAuthentication::Basic, Authentication::Basic(_, secret))
            | (TokenAuthentication::Post, Authentication::Post(_, secret)) => {
                (!has(secret)).then_some("with another secret")
            }
            (TokenAuthentication::Public, Authentication::Public) => None,
            (_, Authentication::Public) => Some("without its secret"),
            (_, Authentication::Basic(..)) => Some("with `client_secret_basic`"),
            (_, Authentication::UnreadableBasic) => Some("with a header that cannot be read"),
            (_, Authentication::Post(..)) => Some("with `client_secret_post`"),
            (_, Authentication::Twice) => Some("in the header and in the body"),
        }
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

fn header(request: &Request, wanted: &str) -> Option<String> {
    let mut headers = request.headers.iter();
    let found = headers.find(|(name, _)| name == wanted);
    found.map(|(_, value)| value.clone())
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
