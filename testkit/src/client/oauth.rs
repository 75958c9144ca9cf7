//! How the client gets a token, as all revisions say together: from what the server says about
//! itself, or from the server.

use std::collections::BTreeMap;
use std::env;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::client::grants;
use crate::client::http::request;
use crate::client::proof::Prover;
use crate::client::talk::{Client, Wire};

const PATIENCE: Duration = Duration::from_secs(2);
const VERIFIER: &str = "not-at-all-random-but-as-long-as-verifiers-have-to-be";
const OFFLINE: &str = "offline_access";
const STATE: &str = "a state, with & and =";
const AS_METADATA: &str = "/.well-known/oauth-authorization-server";
const OPENID: &str = "/.well-known/openid-configuration";
const RESOURCE: &str = "/.well-known/oauth-protected-resource";

/// The requests that a client has to show.
#[derive(Default)]
pub(crate) struct Wallet {
    pub(crate) token: Option<String>,
    /// Its identity at each issuer.
    clients: BTreeMap<String, Identity>,
    /// The scopes that it asked for so far.
    scopes: Vec<String>,
    attempts: usize,
    /// Its key, where tokens are bound to one.
    pub(crate) prover: Option<Prover>,
    /// Attempts to get a further scope, for each method.
    step_ups: BTreeMap<String, usize>,
}

/// A client as an issuer knows it.
#[derive(Clone)]
struct Identity {
    id: String,
    secret: Option<String>,
    authentication: String,
}

impl Identity {
    fn public(id: &str) -> Self {
        Self {
            id: id.to_owned(),
            secret: None,
            authentication: "none".to_owned(),
        }
    }
}

/// Gets a token after a refusal; whether there is one now.
pub(crate) fn authorise(client: &mut Client, challenge: &str) -> bool {
    client.wallet.attempts += 1;
    if client.wallet.attempts > 3 || client.is("no-authorisation") {
        client.wallet.token = None;
        return false;
    }
    get_token(client, challenge)
}

/// Gets a token with a further scope after a refusal; whether there is one now.
pub(crate) fn step_up(client: &mut Client, challenge: &str, method: &str) -> bool {
    let attempts = client.wallet.step_ups.entry(method.to_owned()).or_default();
    *attempts += 1;
    let is_over = *attempts > 3 && !client.is("steps-up-forever");
    let is_meant = challenge.contains("error=\"insufficient_scope\"");
    if is_over || !is_meant || client.is("never-steps-up") {
        return false;
    }
    get_token(client, challenge)
}

fn get_token(client: &mut Client, challenge: &str) -> bool {
    let Wire::Http(http) = &client.wire else {
        return false;
    };
    let flow = Flow {
        origin: format!("http://{}", http.address),
        path: http.path.clone(),
        fault: client.fault.clone(),
    };
    client.wallet.token = None;
    client.wallet.token = flow.run(challenge, &mut client.wallet);
    client.wallet.token.is_some()
}

/// A parameter of a challenge.
fn parameter_of(challenge: &str, name: &str) -> Option<String> {
    let rest = challenge.split_once(&format!("{name}=\""))?.1;
    rest.split('"').next().map(str::to_owned)
}

struct Flow {
    origin: String,
    path: String,
    fault: String,
}

impl Flow {
    fn is(&self, fault: &str) -> bool {
        self.fault == fault
    }

    fn run(&self, challenge: &str, wallet: &mut Wallet) -> Option<String> {
        let mut listed = Value::Null;
        let endpoint = format!("{}{}", self.origin, self.path);
        let (issuer, server) = match self.resource(challenge) {
            Some(resource) => {
                if resource["resource"] != *endpoint && !self.is("any-resource") {
                    return None;
                }
                listed = resource["scopes_supported"].clone();
                let issuer = resource["authorization_servers"][0].as_str()?.to_owned();
                let server = self.issuer(&issuer)?;
                let hashes = server["code_challenge_methods_supported"].as_array();
                let hashes = hashes.is_some_and(|methods| methods.contains(&json!("S256")));
                if !hashes && !self.is("pkce-unchecked") {
                    return None;
                }
                (issuer, server)
            }
            None => self.old()?,
        };
        if grants::needs_no_user(&server) {
            return grants::token(&self.fault, &issuer, &server, &endpoint);
        }
        let identity = self.identity(&issuer, &server, &mut wallet.clients)?;
        let scopes = self.scopes(challenge, &listed, &server, &wallet.scopes);
        wallet.scopes.clone_from(&scopes);
        let code = self.code(&issuer, &server, &identity.id, &endpoint, &scopes)?;
        self.token(&server, &identity, &code, &endpoint, wallet)
    }

    /// The scopes to ask for.
    fn scopes(
        &self,
        challenge: &str,
        listed: &Value,
        server: &Value,
        earlier: &[String],
    ) -> Vec<String> {
        let texts = |list: &Value| -> Vec<String> {
            let list = list.as_array().into_iter().flatten();
            let texts = list.filter_map(Value::as_str);
            texts.map(str::to_owned).collect()
        };
        let challenged = parameter_of(challenge, "scope");
        let steps_up = challenge.contains("insufficient_scope");
        let mut scopes: Vec<String> = match challenged {
            Some(_) if steps_up && self.is("steps-up-in-vain") => Vec::new(),
            Some(_) if !steps_up && self.is("scopes-of-the-metadata") => texts(listed),
            Some(scopes) => scopes.split(' ').map(str::to_owned).collect(),
            None if self.is("scopes-of-the-issuer") => texts(&server["scopes_supported"]),
            None if self.is("first-scope-only") => texts(listed).into_iter().take(1).collect(),
            None => texts(listed),
        };
        if !self.is("forgets-scopes") && steps_up {
            scopes.extend(earlier.iter().cloned());
        }
        let offered = texts(&server["scopes_supported"]).contains(&OFFLINE.to_owned());
        if offered || self.is("offline-everywhere") {
            scopes.push(OFFLINE.to_owned());
        }
        scopes.sort();
        scopes.dedup();
        scopes
    }

    /// Name and version of the server.
    fn resource(&self, challenge: &str) -> Option<Value> {
        let told = parameter_of(challenge, "resource_metadata");
        if let Some(told) = told.filter(|_| !self.is("ignores-challenges")) {
            return get(&told);
        }
        let mut places = vec![
            format!("{}{RESOURCE}{}", self.origin, self.path),
            format!("{}{RESOURCE}", self.origin),
        ];
        match self.fault.as_str() {
            "root-first" => places.reverse(),
            "never-at-the-root" => places.truncate(1),
            "needs-to-be-told" | "needs-old-metadata" => places.clear(),
            _ => {}
        }
        places.iter().find_map(|place| get(place))
    }

    /// The metadata of an authorisation server.
    fn issuer(&self, issuer: &str) -> Option<Value> {
        let start = issuer.find("://")? + 3;
        let split = issuer[start..].find('/').map(|at| start + at);
        let (host, path) = issuer.split_at(split.unwrap_or(issuer.len()));
        let mut places = vec![
            format!("{host}{AS_METADATA}{path}"),
            format!("{host}{OPENID}{path}"),
        ];
        if !path.is_empty() {
            places.push(format!("{host}{path}{OPENID}"));
        }
        match self.fault.as_str() {
            "openid-first" => places.reverse(),
            "openid-never" => places.truncate(1),
            "openid-never-appended" => places.truncate(2),
            _ => {}
        }
        let document = places.iter().find_map(|place| get(place))?;
        (document["issuer"] == *issuer || self.is("any-issuer")).then_some(document)
    }

    /// A server of 2025-03-26 is its own authorisation server.
    fn old(&self) -> Option<(String, Value)> {
        let below = self.is("base-with-path");
        let base = if below {
            format!("{}{}", self.origin, self.path)
        } else {
            self.origin.clone()
        };
        let metadata = if below {
            get(&format!("{}{AS_METADATA}{}", self.origin, self.path))
        } else if self.is("no-old-metadata") {
            None
        } else {
            get(&format!("{base}{AS_METADATA}"))
        };
        if metadata.is_none() && self.is("needs-old-metadata") {
            return None;
        }
        let metadata = metadata.unwrap_or_else(|| {
            json!({
                "issuer": base,
                "authorization_endpoint": format!("{base}/authorize"),
                "token_endpoint": format!("{base}/token"),
                "registration_endpoint": format!("{base}/register"),
            })
        });
        Some((base, metadata))
    }

    fn identity(
        &self,
        issuer: &str,
        server: &Value,
        clients: &mut BTreeMap<String, Identity>,
    ) -> Option<Identity> {
        if self.is("registered-by-hand") {
            return Some(Identity::public("an-id-of-its-own"));
        }
        if let (Ok(id), Ok(secret)) = (
            env::var("MCP_ASSAY_CLIENT_ID"),
            env::var("MCP_ASSAY_CLIENT_SECRET"),
        ) {
            if self.is("registers-unasked") {
                let place = format!("{issuer}/register");
                send("POST", &place, Some("application/json"), "{}")?;
            }
            if self.is("ignores-the-given-secret") {
                return Some(Identity::public(&id));
            }
            return Some(Identity {
                id,
                secret: Some(secret),
                authentication: "client_secret_basic".to_owned(),
            });
        }
        if server["client_id_metadata_document_supported"] == true {
            let document = match self.fault.as_str() {
                "document-without-tls" => "http://127.0.0.1:9/client.json",
                "document-without-path" => "https://127.0.0.1:9",
                _ => "https://127.0.0.1:9/client.json",
            };
            return Some(Identity::public(document));
        }
        let key = if self.is("one-client-for-all") {
            ""
        } else {
            issuer
        };
        if let Some(identity) = clients.get(key) {
            return Some(identity.clone());
        }
        let mut grants = vec!["authorization_code", "refresh_token"];
        if self.is("no-refresh-grant") {
            grants.pop();
        }
        let mut metadata = json!({
            "client_name": "probe-client",
            "redirect_uris": [self.redirect()],
            "grant_types": grants,
            "response_types": ["code"],
            "token_endpoint_auth_method": "none",
        });
        if !self.is("no-application-type") {
            metadata["application_type"] = json!("native");
        }
        let place = server["registration_endpoint"].as_str()?;
        let body = metadata.to_string();
        let (status, _, answer) = send("POST", place, Some("application/json"), &body)?;
        let answer: Value = serde_json::from_slice(&answer).ok()?;
        let id = answer["client_id"].as_str().filter(|_| status == 201)?;
        let authentication = answer["token_endpoint_auth_method"].as_str();
        let authentication = match self.fault.as_str() {
            "secret-in-the-body" => "client_secret_post",
            "secret-in-the-header" => "client_secret_basic",
            "secret-unsent" => "none",
            _ => authentication.unwrap_or("client_secret_basic"),
        };
        let identity = Identity {
            id: id.to_owned(),
            secret: answer["client_secret"].as_str().map(str::to_owned),
            authentication: authentication.to_owned(),
        };
        clients.insert(key.to_owned(), identity.clone());
        Some(identity)
    }

    fn redirect(&self) -> &'static str {
        if self.is("redirects-anywhere") {
            "http://client.example.com/callback"
        } else {
            "http://127.0.0.1:9/callback"
        }
    }

    fn target(&self, endpoint: &str) -> String {
        match self.fault.as_str() {
            "resource-with-fragment" => format!("{endpoint}#all"),
            "resource-without-scheme" => endpoint.trim_start_matches("http://").to_owned(),
            "resource-elsewhere" => "https://other.example.com/mcp".to_owned(),
            _ => endpoint.to_owned(),
        }
    }

    fn code(
        &self,
        issuer: &str,
        server: &Value,
        id: &str,
        endpoint: &str,
        scopes: &[String],
    ) -> Option<String> {
        if self.is("opens-a-browser") {
            return None;
        }
        let mut query = vec![
            ("response_type", "code".to_owned()),
            ("client_id", id.to_owned()),
            ("redirect_uri", self.redirect().to_owned()),
            ("state", STATE.to_owned()),
            ("resource", self.target(endpoint)),
        ];
        if !scopes.is_empty() {
            query.push(("scope", scopes.join(" ")));
        }
        match self.fault.as_str() {
            "no-pkce" => {}
            "plain-pkce" => {
                query.push(("code_challenge", VERIFIER.to_owned()));
                query.push(("code_challenge_method", "plain".to_owned()));
            }
            _ => {
                let hash = URL_SAFE_NO_PAD.encode(Sha256::digest(VERIFIER));
                query.push(("code_challenge", hash));
                query.push(("code_challenge_method", "S256".to_owned()));
            }
        }
        if self.is("authorisation-without-resource") {
            query.retain(|(name, _)| *name != "resource");
        }
        let place = server["authorization_endpoint"].as_str()?;
        let (_, headers, _) = send("GET", &format!("{place}?{}", form(&query)), None, "")?;
        let (_, location) = headers.into_iter().find(|(name, _)| name == "location")?;
        let answer = location.split_once('?')?.1.to_owned();
        let parameter = |name: &str| {
            let mut pairs = answer.split('&').filter_map(|pair| pair.split_once('='));
            pairs
                .find(|(known, _)| *known == name)
                .map(|(_, value)| decode(value))
        };
        if parameter("state").as_deref() != Some(STATE) {
            return None;
        }
        let promised = server["authorization_response_iss_parameter_supported"] == true;
        let right = match (parameter("iss"), self.fault.as_str()) {
            (_, "iss-unchecked") | (None, "iss-may-be-missing") => true,
            (Some(_), "iss-checked-if-promised") if !promised => true,
            (Some(iss), "iss-normalised") => iss.trim_end_matches('/') == issuer,
            (Some(iss), _) => iss == issuer,
            (None, "iss-demanded") => false,
            (None, _) => !promised,
        };
        right.then(|| parameter("code")).flatten()
    }

    fn token(
        &self,
        server: &Value,
        identity: &Identity,
        code: &str,
        endpoint: &str,
        wallet: &mut Wallet,
    ) -> Option<String> {
        let mut body = vec![
            ("grant_type", "authorization_code".to_owned()),
            ("code", code.to_owned()),
            ("client_id", identity.id.clone()),
            ("redirect_uri", self.redirect().to_owned()),
        ];
        let mut headers = vec![(
            "content-type".to_owned(),
            "application/x-www-form-urlencoded".to_owned(),
        )];
        let secret = identity.secret.clone().unwrap_or_default();
        match identity.authentication.as_str() {
            "client_secret_post" => body.push(("client_secret", secret)),
            "client_secret_basic" => {
                let pair = STANDARD.encode(format!("{}:{secret}", identity.id));
                headers.push(("authorization".to_owned(), format!("Basic {pair}")));
            }
            _ => {}
        }
        if !self.is("token-without-resource") {
            body.push(("resource", self.target(endpoint)));
        }
        match self.fault.as_str() {
            "no-pkce" | "no-verifier" => {}
            "wrong-verifier" => body.push(("code_verifier", VERIFIER.to_uppercase())),
            _ => body.push(("code_verifier", VERIFIER.to_owned())),
        }
        let place = server["token_endpoint"].as_str()?;
        if server.get("dpop_signing_alg_values_supported").is_some() {
            wallet
                .prover
                .get_or_insert_with(|| Prover::new(&self.fault));
        }
        let (_, _, answer) = match &mut wallet.prover {
            None => send_with("POST", place, &headers, &form(&body))?,
            Some(prover) => {
                let mut answered = None;
                // A nonce may be asked for.
                for _ in 0..2 {
                    let mut headers = headers.clone();
                    headers.push(("dpop".to_owned(), prover.prove("POST", place, None)));
                    let (status, head, body) = send_with("POST", place, &headers, &form(&body))?;
                    let is_asked = prover.is_asked_for_nonce(&head) && status != 200;
                    answered = Some((status, head, body));
                    if !is_asked {
                        break;
                    }
                }
                answered?
            }
        };
        let answer: Value = serde_json::from_slice(&answer).ok()?;
        answer["access_token"].as_str().map(str::to_owned)
    }
}

fn get(url: &str) -> Option<Value> {
    let (status, _, body) = send("GET", url, None, "")?;
    (status == 200)
        .then(|| serde_json::from_slice(&body).ok())
        .flatten()
}

pub(crate) type Answered = (u16, Vec<(String, String)>, Vec<u8>);

fn send(method: &str, url: &str, kind: Option<&str>, body: &str) -> Option<Answered> {
    let headers: Vec<_> = kind
        .map(|kind| ("content-type".to_owned(), kind.to_owned()))
        .into_iter()
        .collect();
    send_with(method, url, &headers, body)
}

pub(crate) fn send_with(
    method: &str,
    url: &str,
    headers: &[(String, String)],
    body: &str,
) -> Option<Answered> {
    let (address, path) = url.strip_prefix("http://")?.split_once('/')?;
    let path = format!("/{path}");
    let answer = request(address, method, &path, headers, body.as_bytes(), PATIENCE)?;
    let (status, headers) = (answer.status, answer.headers.clone());
    Some((status, headers, answer.body()))
}

pub(crate) fn form(pairs: &[(&str, String)]) -> String {
    let encode = |value: &str| {
        value.bytes().fold(String::new(), |text, byte| {
            if byte.is_ascii_alphanumeric() {
                text + &char::from(byte).to_string()
            } else {
                text + &format!("%{byte:02X}")
            }
        })
    };
    let pairs: Vec<_> = pairs
        .iter()
        .map(|(name, value)| format!("{name}={}", encode(value)))
        .collect();
    pairs.join("&")
}

fn decode(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits: String = rest.by_ref().take(2).map(char::from).collect();
            bytes.push(u8::from_str_radix(&digits, 16).unwrap_or(b'?'));
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
