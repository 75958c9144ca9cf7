//! The challenge of a server that wants authorisation, and the metadata that it leads to. The
//! requirements share the way from the challenge to the endpoints of the authorization servers.
//!
//! No credentials of the user are sent here, and nothing is fetched from a third party except over
//! https.

use std::time::Instant;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use mcp_assay::Revision;
use serde_json::{Value, json};

use super::Probe;
use crate::findings::{Findings, Outcome};
use crate::options::Options;
use crate::raw_client::{client_info, pair};
use crate::record::{Content, Pairs, Record};
use crate::requirement::{ERROR, Requirement, SINCE_2025_03, SINCE_2025_06, SINCE_2025_11, Wanted};
use crate::transport::{HttpClient, Target, url};

static DISCOVERABLE: Requirement = Requirement::of_server(
    "auth/metadata-discoverable",
    ERROR,
    SINCE_2025_11,
    "The resource metadata is found through WWW-Authenticate or at a well-known URI.",
).page(
        "basic/authorization/authorization-server-discovery#protected-resource-metadata-discovery-requirements",
        "A client that gets 401 does not learn where to log in.",
        "name the metadata in `WWW-Authenticate`, or serve it at \
         `/.well-known/oauth-protected-resource`",
    );

static SERVERS: Requirement = Requirement::of_server(
    "auth/metadata-authorization-servers",
    ERROR,
    SINCE_2025_06,
    "The resource metadata lists at least one authorization server.",
)
.page(
    "basic/authorization/authorization-server-discovery#authorization-server-location",
    "A client does not learn who issues tokens.",
    "list at least one URL in `authorization_servers`",
);

static HTTPS: Requirement = Requirement::of_server(
    "auth/https-endpoints",
    ERROR,
    SINCE_2025_03,
    "Authorization server endpoints use https.",
)
.page(
    "basic/authorization/security-considerations#communication-security",
    "Tokens and codes can be read on their way.",
    "serve the endpoints over https",
);

static AUDIENCE: Requirement = Requirement::of_server(
    "auth/audience",
    ERROR,
    SINCE_2025_06,
    "A server accepts only tokens issued for itself.",
)
.page(
    "basic/authorization/index#token-handling",
    "A token that was issued for another service, or stolen there, opens this one.",
    "check that the token was issued for this server, and answer 401 otherwise",
);

static ALL: [&Requirement; 4] = [&DISCOVERABLE, &SERVERS, &HTTPS, &AUDIENCE];

pub(super) static PROBE: Probe = Probe::between(&ALL);

/// Authorization servers whose metadata is read.
const MOST_SERVERS: usize = 3;

/// The members of the metadata of an authorization server that are endpoints.
const ENDPOINTS: [&str; 7] = [
    "authorization_endpoint",
    "token_endpoint",
    "registration_endpoint",
    "introspection_endpoint",
    "revocation_endpoint",
    "pushed_authorization_request_endpoint",
    "device_authorization_endpoint",
];

/// Reads the challenge and follows it. `refused` is the status with which we were turned away, if
/// we were.
pub(super) fn run(wanted: Wanted<'_>, findings: &mut Findings, refused: Option<u16>) {
    let options = wanted.options;
    let Target::Url { url, headers } = &options.target else {
        return;
    };
    if !wanted.any(&ALL) || options.is_over() {
        return;
    }
    let mut look = Look {
        options,
        url,
        findings,
        begun: Instant::now(),
    };
    let bare = refused.is_none() && headers.is_empty();
    let challenge = (!bare).then(|| look.greet(None));
    let why = match challenge {
        Some((Some(401), records)) if is_for_bearers(&records) => return look.all(&records),
        Some((Some(401), _)) => "the server wants something else than bearer tokens",
        _ => "the server wants no authorisation",
    };
    for requirement in ALL {
        let outcome = Outcome::NotApplicable(why.to_owned());
        look.findings.add(requirement.id, None, outcome);
    }
}

/// Whether a challenge asks for a bearer token, as the protocol's authorisation does; a bare one
/// may.
fn is_for_bearers(records: &[Record]) -> bool {
    let challenges: Vec<&str> = records
        .iter()
        .filter_map(|record| match &record.content {
            Content::Response { headers, .. } => Some(headers),
            _ => None,
        })
        .flatten()
        .filter(|(name, _)| name.eq_ignore_ascii_case("www-authenticate"))
        .map(|(_, value)| value.as_str())
        .collect();
    let is_bearer = |value: &&str| value.to_ascii_lowercase().contains("bearer");
    challenges.is_empty() || challenges.iter().any(is_bearer)
}

struct Look<'a> {
    options: &'a Options,
    url: &'a str,
    findings: &'a mut Findings,
    begun: Instant,
}

impl Look<'_> {
    fn all(&mut self, challenge: &[Record]) {
        self.forged();
        let mut seen = challenge.to_vec();
        let Some(metadata) = self.metadata(challenge, &mut seen) else {
            let message = "the resource metadata is neither where `WWW-Authenticate` says nor at a \
                 well-known URI";
            self.fail(&DISCOVERABLE, message.to_owned(), seen);
            return;
        };
        self.pass(&DISCOVERABLE);
        let evidence = seen.split_off(seen.len().saturating_sub(2));
        let servers: Vec<&str> = metadata["authorization_servers"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        if servers.is_empty() {
            let message = "the resource metadata names no authorization server".to_owned();
            self.fail(&SERVERS, message, evidence);
            return;
        }
        self.pass(&SERVERS);
        self.endpoints(&servers, &evidence);
    }

    /// A token that nobody signed, for another server.
    fn forged(&mut self) {
        let part = |value: Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let other = "https://another.example/mcp";
        let token = format!(
            "{}.{}.{}",
            part(json!({"alg": "HS256", "typ": "JWT"})),
            part(
                json!({"iss": "https://another.example", "aud": other, "sub": "mcp-assay", "exp": 4_102_444_800_u64})
            ),
            URL_SAFE_NO_PAD.encode("mcp-assay signed nothing"),
        );
        let (status, records) = self.greet(Some(&token));
        if let Some(200..=299) = status {
            let message = "a token for another server, which nobody signed, was accepted, expected status \
                 401";
            self.fail(&AUDIENCE, message.to_owned(), records);
        } else {
            let why = "a forged token was refused; nobody but an authorization server can make a better \
                 one";
            self.findings
                .add(AUDIENCE.id, None, Outcome::NotObserved(why.to_owned()));
        }
    }

    /// The metadata of the resource, wherever it is.
    fn metadata(&self, challenge: &[Record], seen: &mut Vec<Record>) -> Option<Value> {
        let named = challenge.iter().find_map(|record| match &record.content {
            Content::Response { headers, .. } => resource_metadata(headers),
            _ => None,
        });
        let origin = url::origin(self.url);
        let path = url::path(self.url).split('?').next().unwrap_or_default();
        let well_known = format!("{origin}/.well-known/oauth-protected-resource");
        let places = [
            named,
            Some(format!("{well_known}{}", path.trim_end_matches('/'))),
            Some(well_known),
        ];
        places
            .into_iter()
            .flatten()
            .find_map(|place| self.fetch(&place, seen))
    }

    /// Whether what the authorization servers offer is reached over https.
    fn endpoints(&mut self, servers: &[&str], evidence: &[Record]) {
        let mut read = false;
        for server in servers.iter().take(MOST_SERVERS) {
            if !is_safe(server) {
                let message = format!("authorization server `{server}` is not at an https URL");
                self.fail(&HTTPS, message, evidence.to_vec());
                return;
            }
            let mut seen = Vec::new();
            let Some(metadata) = places_of(server)
                .iter()
                .find_map(|place| self.fetch(place, &mut seen))
            else {
                continue;
            };
            read = true;
            let open = ENDPOINTS.iter().find_map(|name| {
                let endpoint = metadata[name].as_str()?;
                (!is_safe(endpoint)).then_some((name, endpoint))
            });
            if let Some((name, endpoint)) = open {
                let message = format!("`{name}` is `{endpoint}`, expected an https URL");
                let evidence = seen.split_off(seen.len().saturating_sub(2));
                self.fail(&HTTPS, message, evidence);
                return;
            }
        }
        if read {
            self.pass(&HTTPS);
        } else {
            let why = "no authorization server shows its metadata".to_owned();
            self.findings.add(HTTPS.id, None, Outcome::NotObserved(why));
        }
    }

    /// `initialize` without the user's credentials: the status, and what passed.
    fn greet(&self, token: Option<&str>) -> (Option<u16>, Vec<Record>) {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": Revision::V2025_11_25.name(),
            "capabilities": {},
            "clientInfo": client_info(),
        }});
        let mut headers = vec![
            pair("accept", "application/json, text/event-stream"),
            pair("content-type", "application/json"),
        ];
        if let Some(token) = token {
            headers.push(pair("authorization", &format!("Bearer {token}")));
        }
        self.send(self.url, "POST", headers, body.to_string().into_bytes())
    }

    /// A JSON document, unless it is none or at a place that is none of our business.
    fn fetch(&self, place: &str, seen: &mut Vec<Record>) -> Option<Value> {
        let ours = place.starts_with("http://") && url::host(place) == url::host(self.url);
        if self.options.is_over() || !(ours || place.starts_with("https://")) {
            return None;
        }
        let headers = vec![pair("accept", "application/json")];
        let (status, records) = self.send(place, "GET", headers, Vec::new());
        let document = records.last().and_then(Record::message);
        seen.extend(records);
        document.filter(|document| status == Some(200) && document.is_object())
    }

    fn send(
        &self,
        place: &str,
        method: &str,
        headers: Pairs,
        body: Vec<u8>,
    ) -> (Option<u16>, Vec<Record>) {
        let patience = self.options.step_timeout;
        let interrupt = self.options.interrupt.clone();
        let mut client = HttpClient::new(place, Vec::new(), patience, self.begun, interrupt);
        let sent = self.begun.elapsed();
        let exchange = client.send(method, headers, body);
        let mut records = vec![Record {
            time: sent,
            content: exchange.request,
        }];
        let mut status = None;
        if let Ok(content) = exchange.response {
            if let Content::Response { status: found, .. } = content {
                status = Some(found);
            }
            let time = self.begun.elapsed();
            records.push(Record { time, content });
        }
        (status, records)
    }

    fn pass(&mut self, requirement: &'static Requirement) {
        self.findings.add(requirement.id, None, Outcome::Pass);
    }

    fn fail(&mut self, requirement: &'static Requirement, message: String, evidence: Vec<Record>) {
        self.findings
            .add(requirement.id, None, Outcome::Fail { message, evidence });
    }
}

/// The place of the metadata in `WWW-Authenticate`.
fn resource_metadata(headers: &Pairs) -> Option<String> {
    const NAME: &str = "resource_metadata=";
    headers
        .iter()
        .filter(|(name, _)| name.eq_ignore_ascii_case("www-authenticate"))
        .find_map(|(_, value)| {
            let at = value.to_ascii_lowercase().find(NAME)?;
            let rest = &value[at + NAME.len()..];
            let place = match rest.strip_prefix('"') {
                Some(quoted) => quoted.split('"').next(),
                None => rest.split([',', ' ']).next(),
            };
            place.map(str::to_owned)
        })
}

/// The place where the metadata of an authorization server may be, in the order in which clients
/// look.
fn places_of(server: &str) -> Vec<String> {
    let origin = url::origin(server);
    let path = url::path(server).trim_end_matches('/');
    let mut places = vec![
        format!("{origin}/.well-known/oauth-authorization-server{path}"),
        format!("{origin}/.well-known/openid-configuration{path}"),
    ];
    if !path.is_empty() {
        places.push(format!("{origin}{path}/.well-known/openid-configuration"));
    }
    places
}

/// On this machine nobody listens in.
fn is_safe(place: &str) -> bool {
    place.starts_with("https://") || (place.starts_with("http://") && url::is_local(place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_challenge_names_a_place() {
        let named = |value: &str| resource_metadata(&vec![pair("www-authenticate", value)]);
        assert_eq!(
            named(r#"Bearer realm="x", resource_metadata="http://a/b", scope="c""#).as_deref(),
            Some("http://a/b")
        );
        assert_eq!(
            named("Bearer Resource_Metadata=http://a/b, scope=c").as_deref(),
            Some("http://a/b")
        );
        assert_eq!(named("Bearer"), None);
    }

    #[test]
    fn paths_of_issuers_go_to_the_end() {
        assert_eq!(
            places_of("https://a/b"),
            [
                "https://a/.well-known/oauth-authorization-server/b",
                "https://a/.well-known/openid-configuration/b",
                "https://a/b/.well-known/openid-configuration",
            ]
        );
        assert_eq!(places_of("https://a").len(), 2);
    }
}
