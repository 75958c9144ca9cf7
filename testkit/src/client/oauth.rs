//! How the client gets a token, as all revisions say together: from what the server says about
//! itself, or from the server.

use std::collections::BTreeMap;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::client::http::request;
use crate::client::talk::{Client, Wire};

const PATIENCE: Duration = Duration::from_secs(2);
const VERIFIER: &str = "not-at-all-random-but-as-long-as-verifiers-have-to-be";
const STATE: &str = "a state, with & and =";
const AS_METADATA: &str = "/.well-known/oauth-authorization-server";
const OPENID: &str = "/.well-known/openid-configuration";
const RESOURCE: &str = "/.well-known/oauth-protected-resource";

/// The requests that a client has to show.
#[derive(Default)]
pub(crate) struct Wallet {
    pub(crate) token: Option<String>,
    /// Its id at each issuer.
    clients: BTreeMap<String, String>,
    attempts: usize,
}

/// Gets a token after a refusal; whether there is one now.
pub(crate) fn authorise(client: &mut Client, challenge: &str) -> bool {
    let Wire::Http(http) = &client.wire else {
        return false;
    };
    let flow = Flow {
        origin: format!("http://{}", http.address),
        path: http.path.clone(),
        fault: client.fault.clone(),
    };
    client.wallet.token = None;
    client.wallet.attempts += 1;
    if client.wallet.attempts > 3 || client.is("no-authorisation") {
        return false;
    }
    client.wallet.token = flow.run(challenge, &mut client.wallet.clients);
    client.wallet.token.is_some()
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

    fn run(&self, challenge: &str, clients: &mut BTreeMap<String, String>) -> Option<String> {
        let endpoint = format!("{}{}", self.origin, self.path);
        let (issuer, server) = match self.resource(challenge) {
            Some(resource) => {
                if resource["resource"] != *endpoint && !self.is("any-resource") {
                    return None;
                }
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
        let id = self.client_id(&issuer, &server, clients)?;
        let code = self.code(&issuer, &server, &id, &endpoint)?;
        self.token(&server, &id, &code, &endpoint)
    }

    /// Name and version of the server.
    fn resource(&self, challenge: &str) -> Option<Value> {
        let told = challenge.split("resource_metadata=\"").nth(1);
        let told = told.and_then(|rest| rest.split('"').next());
        if let Some(told) = told.filter(|_| !self.is("ignores-challenges")) {
            return get(told);
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

    fn client_id(
        &self,
        issuer: &str,
        server: &Value,
        clients: &mut BTreeMap<String, String>,
    ) -> Option<String> {
        if self.is("registered-by-hand") {
            return Some("an-id-of-its-own".to_owned());
        }
        if server["client_id_metadata_document_supported"] == true {
            let document = match self.fault.as_str() {
                "document-without-tls" => "http://127.0.0.1:9/client.json",
                "document-without-path" => "https://127.0.0.1:9",
                _ => "https://127.0.0.1:9/client.json",
            };
            return Some(document.to_owned());
        }
        let key = if self.is("one-client-for-all") {
            ""
        } else {
            issuer
        };
        if let Some(id) = clients.get(key) {
            return Some(id.clone());
        }
        let mut metadata = json!({
            "client_name": "probe-client",
            "redirect_uris": [self.redirect()],
            "grant_types": ["authorization_code"],
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
        clients.insert(key.to_owned(), id.to_owned());
        Some(id.to_owned())
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

    fn code(&self, issuer: &str, server: &Value, id: &str, endpoint: &str) -> Option<String> {
        if self.is("opens-a-browser") {
            return None;
        }
        let mut query = vec![
            ("response_type", "code".to_owned()),
            ("client_id", id.to_owned()),
            ("redirect_uri", self.redirect().to_owned()),
            ("state", STATE.to_owned()),
            ("scope", "mcp".to_owned()),
            ("resource", self.target(endpoint)),
        ];
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
            (None, _) => !promised,
        };
        right.then(|| parameter("code")).flatten()
    }

    fn token(&self, server: &Value, id: &str, code: &str, endpoint: &str) -> Option<String> {
        let mut body = vec![
            ("grant_type", "authorization_code".to_owned()),
            ("code", code.to_owned()),
            ("client_id", id.to_owned()),
            ("redirect_uri", self.redirect().to_owned()),
        ];
        if !self.is("token-without-resource") {
            body.push(("resource", self.target(endpoint)));
        }
        match self.fault.as_str() {
            "no-pkce" | "no-verifier" => {}
            "wrong-verifier" => body.push(("code_verifier", VERIFIER.to_uppercase())),
            _ => body.push(("code_verifier", VERIFIER.to_owned())),
        }
        let place = server["token_endpoint"].as_str()?;
        let kind = "application/x-www-form-urlencoded";
        let (_, _, answer) = send("POST", place, Some(kind), &form(&body))?;
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

type Answered = (u16, Vec<(String, String)>, Vec<u8>);

fn send(method: &str, url: &str, kind: Option<&str>, body: &str) -> Option<Answered> {
    let (address, path) = url.strip_prefix("http://")?.split_once('/')?;
    let headers: Vec<_> = kind
        .map(|kind| ("content-type".to_owned(), kind.to_owned()))
        .into_iter()
        .collect();
    let path = format!("/{path}");
    let answer = request(address, method, &path, &headers, body.as_bytes(), PATIENCE)?;
    let (status, headers) = (answer.status, answer.headers.clone());
    Some((status, headers, answer.body()))
}

fn form(pairs: &[(&str, String)]) -> String {
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
