//! Tracks session ids, credentials and challenges of HTTP, and the arguments of tools that are
//! mirrored into headers.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::BuildHasher;

use crate::Revision;
use crate::catalogue::{On, OnHttp};
use crate::envelope::MessageKind;
use crate::frame::is_token;
use crate::frame::{Headers, Http, Part};
use crate::model::Fact;
use crate::session::lazy::{Lazy, unused};
use crate::session::message::{Message, Transfer};
use crate::session::{Few, Hook, HttpHook, Moment, NamedVersion, Seed, Session, hash_of};
use crate::syntax::{Kind, Node};

/// The state of the heads of HTTP exchanges.
#[derive(Clone, Debug, Default)]
pub(crate) struct HttpHeads {
    /// The session that the server opened.
    pub(crate) session: Option<HttpSession>,
    /// The version that the answer to `initialize` names.
    pub(crate) negotiated: Option<NamedVersion>,
    /// Whether a request with a token was accepted since the last challenge.
    pub(crate) authorised: bool,
    /// Whether a request with a key in another header was challenged: the key is no token.
    pub(crate) keyed: bool,
    /// Whether the server issued an id outside the answer to `initialize`.
    pub(crate) strayed: bool,
    /// The places that messages were posted to.
    places: Few<u64>,
    /// The places where the server demanded a bearer token.
    challenged: Lazy<Few<u64>>,
    exchanges: Lazy<BTreeMap<i64, PendingRequest>>,
    mirrored: Lazy<MirroredArguments>,
    seed: Seed,
}

/// The arguments of each tool that are mirrored into headers, by the name of the tool.
type MirroredArguments = HashMap<Box<str>, Vec<Mirrored>>;

unused!(BTreeMap<i64, PendingRequest>, MirroredArguments, Few<u64>);

/// A session of HTTP.
#[derive(Clone, Debug)]
pub(crate) struct HttpSession {
    /// The hash of its id.
    id: u64,
    /// The position in the source at which the server issued it.
    pub(crate) opened: u64,
    /// The revision that it was opened under.
    pub(crate) revision: Revision,
    /// The moment at which the server reported its end.
    pub(crate) gone: Option<Box<Moment>>,
    /// Whether the client used it, and whether the client deleted it or could not.
    pub(crate) used: bool,
    pub(crate) deleted: bool,
}

/// A request that is not answered completely.
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "facts that do not depend on each other"
)]
pub(crate) struct PendingRequest {
    /// Whether it carries `initialize`.
    pub(crate) initialize: bool,
    /// Whether it is a `POST`.
    post: bool,
    /// The session id that it names.
    session: Option<u64>,
    /// Whether it has an `Authorization` header.
    pub(crate) authorised: bool,
    /// Whether it has a key in another header.
    keyed: bool,
    /// Whether it has an `Origin` header, which a server may refuse.
    pub(crate) origin: bool,
    /// Whether it requests the metadata of the protected resource.
    pub(crate) metadata: bool,
    /// Whether it goes to an MCP endpoint.
    pub(crate) at_endpoint: bool,
    /// The revision that it was checked under. Responses without a message are checked under it,
    /// too.
    pub(crate) revision: Revision,
    place: u64,
}

/// An argument of a tool that is mirrored into a header.
#[derive(Clone, Debug)]
pub(crate) struct Mirrored {
    /// The keys that lead to it from the arguments.
    path: Vec<Box<str>>,
    /// The header behind `Mcp-Param-`.
    pub(crate) header: Box<str>,
}

impl Mirrored {
    /// The argument in a call, if it is there and not null.
    pub(crate) fn argument<'a>(&self, arguments: Option<Node<'a>>) -> Option<Node<'a>> {
        let mut here = arguments?;
        for key in &self.path {
            here = here.get(key)?;
        }
        (here.kind() != Kind::Null).then_some(here)
    }
}

impl HttpSession {
    /// Whether this is its id.
    pub(crate) fn has_id(&self, id: &str) -> bool {
        self.id == hash_of_id(id)
    }
}

impl HttpHeads {
    /// Releases memory that is held for reuse.
    pub(super) fn release(&mut self) {
        if self.exchanges.is_empty() {
            self.exchanges = Lazy::default();
        }
        self.places.shrink_to_fit();
        if let Some(challenged) = self.challenged.used_mut() {
            challenged.shrink_to_fit();
        }
    }

    /// The request that a part answers.
    pub(crate) fn request(&self, transfer: &Transfer<'_>) -> Option<&PendingRequest> {
        self.exchanges.get(&transfer.http.exchange?)
    }

    /// The revision of the request that a part of an exchange answers.
    pub(crate) fn revision_of(&self, part: &Http<'_>) -> Option<Revision> {
        let is_answer = !matches!(part.part, Part::Request { .. });
        let pending = self.exchanges.get(&part.exchange.filter(|_| is_answer)?)?;
        Some(pending.revision)
    }

    /// The arguments of a tool that are mirrored; `None` if that is not known.
    pub(crate) fn mirrored(&self, tool: &str) -> Option<&[Mirrored]> {
        self.mirrored.get(tool).map(Vec::as_slice)
    }

    /// Whether a request goes to a place that messages were posted to before, accepted or not.
    pub(crate) fn is_endpoint(&self, headers: Headers<'_>, path: &str) -> bool {
        self.places.contains(&self.place(headers, path))
    }

    /// Whether the server demanded a bearer token at the place that a request goes to.
    pub(crate) fn has_challenged(&self, headers: Headers<'_>, path: &str) -> bool {
        self.challenged.contains(&self.place(headers, path))
    }

    /// Whether the server demanded a bearer token at the place that a request went to.
    pub(crate) fn wants_token(&self, pending: &PendingRequest) -> bool {
        self.challenged.contains(&pending.place)
    }

    /// The hash of host and path, without the query.
    fn place(&self, headers: Headers<'_>, path: &str) -> u64 {
        let path = path.split(['?', '#']).next().unwrap_or_default();
        self.seed
            .hash_one((headers.get("host"), path.trim_end_matches('/')))
    }
}

fn hash_of_id(id: &str) -> u64 {
    hash_of(Seed, id.as_bytes())
}

impl PendingRequest {
    /// Whether it named this session.
    pub(crate) fn names(&self, id: &str) -> bool {
        self.session == Some(hash_of_id(id))
    }
}

/// Headers for keys that are not bearer tokens.
const KEY_HEADERS: [&str; 6] = [
    "x-api-key",
    "api-key",
    "x-auth-token",
    "x-access-token",
    "x-token",
    "x-mcp-token",
];

/// The position of a header with a key, other than `Authorization`.
pub(crate) fn key_header(headers: Headers<'_>) -> Option<u16> {
    headers
        .iter()
        .find(|(_, name, value)| {
            !value.trim().is_empty() && KEY_HEADERS.iter().any(|key| name.eq_ignore_ascii_case(key))
        })
        .map(|(position, ..)| position)
}

/// Whether a request carries `initialize`, alone or in a batch.
pub(crate) fn initializes(transfer: &Transfer<'_>) -> bool {
    match transfer.message {
        Some(message) => message.method() == Some("initialize"),
        None => memchr::memmem::find(transfer.body, b"\"initialize\"").is_some(),
    }
}

/// Whether an unknown method is posted when the session should be opened.
fn may_initialize(transfer: &Transfer<'_>, session: &Session) -> bool {
    session.state.http_heads.session.is_none()
        && transfer.message.is_some_and(|message| {
            message.kind() == MessageKind::Request && message.exchange.method.is_none()
        })
}

pub(super) static HOOKS: &[Hook] = &[
    Hook(&[On::Result("initialize")], negotiated),
    Hook(&[On::Result("tools/list")], listed),
];

pub(super) static HTTP_HOOKS: &[HttpHook] = &[
    HttpHook(&[OnHttp::Request], sent),
    HttpHook(&[OnHttp::Response], answered),
    HttpHook(&[OnHttp::End], ended),
];

fn negotiated(message: &Message<'_>, session: &mut Session) {
    if message.frame.http.is_none() {
        return;
    }
    let version = message.in_result("protocolVersion");
    let limit = message.policy.limits.texts;
    let version = version.and_then(|version| session.named_version(version, limit));
    session.state.http_heads.negotiated = version;
}

fn listed(message: &Message<'_>, session: &mut Session) {
    if !message.has(Fact::HttpMirroredHeaders) {
        return;
    }
    let tools = message.in_result("tools");
    for tool in tools.into_iter().flat_map(Node::items) {
        let (Some(name), Some(schema)) = (tool.get("name"), tool.get("inputSchema")) else {
            continue;
        };
        let name = name.text();
        let limit = message.policy.limits.texts;
        let Some(name) = session.short_text(name.as_deref(), limit) else {
            continue;
        };
        let heads = &mut *session.state.http_heads;
        let limit = message.policy.limits.listed;
        if heads.mirrored.len() >= limit && !heads.mirrored.contains_key(name) {
            session.reached_limit_of("tools");
            return;
        }
        let found = find_mirrored(schema);
        if is_plain(&found) {
            heads.mirrored.insert(name.into(), found);
        } else {
            // A client refuses such a tool; the form of a call is not defined.
            heads.mirrored.remove(name);
        }
    }
}

/// The annotated properties of a schema. Those below anything but `properties` are not mirrored.
fn find_mirrored(schema: Node<'_>) -> Vec<Mirrored> {
    let mut found = Vec::new();
    // Each subschema to visit with the number of keys that lead to it, and its own key.
    let mut open: Vec<(Node<'_>, usize, Option<Node<'_>>)> = vec![(schema, 0, None)];
    let mut path: Vec<Box<str>> = Vec::new();
    while let Some((schema, depth, key)) = open.pop() {
        path.truncate(depth);
        path.extend(key.map(|key| key.text().unwrap_or_default().into()));
        if let Some(header) = schema.get("x-mcp-header").filter(|_| key.is_some()) {
            found.push(Mirrored {
                path: path.clone(),
                header: header.text().unwrap_or_default().into(),
            });
        }
        let properties = schema.get("properties");
        let members = properties.into_iter().flat_map(Node::members);
        let first = open.len();
        open.extend(members.map(|(key, property)| (property, path.len(), Some(key))));
        open[first..].reverse();
    }
    found
}

/// Whether every annotation names a different header.
fn is_plain(found: &[Mirrored]) -> bool {
    let mut seen = HashSet::with_capacity(found.len());
    found
        .iter()
        .all(|one| is_token(&one.header) && seen.insert(one.header.to_ascii_lowercase()))
}

fn sent(transfer: &Transfer<'_>, session: &mut Session) {
    let Part::Request {
        method,
        path,
        headers,
    } = transfer.http.part
    else {
        return;
    };
    let named = headers.get("mcp-session-id");
    let initialize = method == "POST"
        && (initializes(transfer) || named.is_none() && may_initialize(transfer, session));
    let heads = &mut *session.state.http_heads;
    let authorised = headers.get("authorization").is_some();
    if initialize && named.is_none() {
        // A new session begins; the state of the last one no longer holds.
        heads.session = None;
        heads.strayed = false;
        heads.authorised &= authorised;
    }
    if let Some(open) = &mut heads.session
        && named.is_some_and(|named| open.has_id(named))
    {
        open.used |= method != "DELETE";
        open.deleted |= method == "DELETE";
    }
    // A client that does not name the session that it ends was reported.
    if let (Some(open), "DELETE", None) = (&mut heads.session, method, named) {
        open.deleted = true;
    }
    let place = heads.place(headers, path);
    let limit = transfer.policy.limits.streams;
    let posts = method == "POST" && has_message(transfer);
    let is_tracked = !posts || keep(&mut heads.places, place, limit);
    let pending = PendingRequest {
        initialize,
        post: method == "POST",
        session: named.map(hash_of_id),
        authorised,
        keyed: key_header(headers).is_some(),
        origin: headers.get("origin").is_some(),
        metadata: path.starts_with("/.well-known/oauth-protected-resource"),
        at_endpoint: heads.places.contains(&place),
        revision: transfer.revision,
        place,
    };
    if let Some(exchange) = transfer.http.exchange {
        heads.exchanges.insert(exchange, pending);
    }
    let is_full = heads.exchanges.len() > limit;
    if is_full {
        heads.exchanges.pop_first();
    }
    if is_full {
        session.reached_limit_of("HTTP exchanges");
    }
    if !is_tracked {
        session.reached_limit_of("HTTP endpoints");
    }
}

/// Whether a part contains a JSON-RPC message or a batch.
fn has_message(transfer: &Transfer<'_>) -> bool {
    match transfer.message {
        Some(message) => matches!(
            message.kind(),
            MessageKind::Request
                | MessageKind::Notification
                | MessageKind::Response
                | MessageKind::Error
        ),
        None => transfer.body.trim_ascii_start().starts_with(b"["),
    }
}

/// Tracks a place; `false` at the limit.
fn keep(places: &mut Few<u64>, place: u64, limit: usize) -> bool {
    if places.contains(&place) {
        return true;
    }
    let has_room = places.len() < limit.max(1);
    if has_room {
        places.push(place);
    }
    has_room
}

fn answered(transfer: &Transfer<'_>, session: &mut Session) {
    let Part::Response {
        status,
        headers,
        streamed,
    } = transfer.http.part
    else {
        return;
    };
    let given = headers.get("mcp-session-id");
    let heads = &mut *session.state.http_heads;
    if let Some(pending) = heads.request(transfer).cloned() {
        track_session(heads, &pending, given, status, transfer);
        let limit = transfer.policy.limits.streams;
        if pending.at_endpoint && !track_challenge(heads, &pending, status, headers, limit) {
            session.reached_limit_of("HTTP endpoints");
        }
    }
    if !streamed {
        drop_pending(transfer, session);
    }
}

fn track_session(
    heads: &mut HttpHeads,
    pending: &PendingRequest,
    given: Option<&str>,
    status: u16,
    transfer: &Transfer<'_>,
) {
    match given.filter(|id| !id.is_empty() && status < 400) {
        Some(id) if pending.initialize && !pending.revision.has(Fact::Stateless) => {
            heads.session = Some(HttpSession {
                id: hash_of_id(id),
                opened: transfer.now.at,
                revision: transfer.revision,
                gone: None,
                used: false,
                deleted: false,
            });
        }
        Some(id) => {
            let is_open = heads.session.as_ref().is_some_and(|open| open.has_id(id));
            heads.strayed |= !is_open && pending.session != Some(hash_of_id(id));
        }
        None => {}
    }
    let Some(open) = &mut heads.session else {
        return;
    };
    if pending.session != Some(open.id) {
        return;
    }
    if !pending.post {
        // If there is no stream, the session may be gone, too: then there is nothing to delete.
        open.deleted |= status == 404;
        return;
    }
    // Some servers answer an unknown method so.
    let unknown_method = transfer
        .message
        .is_some_and(|message| message.error_code() == Some(-32601));
    if status == 404 && !unknown_method {
        open.gone.get_or_insert_with(|| Box::new(transfer.now));
    } else if status < 400 {
        open.gone = None;
    }
}

/// Tracks whether a place demands a token; `false` at the limit.
fn track_challenge(
    heads: &mut HttpHeads,
    pending: &PendingRequest,
    status: u16,
    headers: Headers<'_>,
    limit: usize,
) -> bool {
    let mut challenges = headers.all("www-authenticate");
    if status == 401 {
        heads.authorised = false;
        if challenges.any(|(_, value)| is_bearer(value)) {
            heads.keyed |= pending.keyed;
            return keep(&mut heads.challenged, pending.place, limit);
        }
    } else if status == 403 && challenges.any(|(_, value)| is_bearer(value)) {
        return keep(&mut heads.challenged, pending.place, limit);
    } else if status < 400 {
        heads.authorised |= pending.authorised;
    }
    true
}

/// Whether a challenge or a credential is of the scheme `Bearer`.
pub(crate) fn is_bearer(value: &str) -> bool {
    let scheme = value.trim_start().split([' ', ',']).next();
    scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("bearer"))
}

fn ended(transfer: &Transfer<'_>, session: &mut Session) {
    drop_pending(transfer, session);
}

fn drop_pending(transfer: &Transfer<'_>, session: &mut Session) {
    if let Some(exchange) = transfer.http.exchange {
        session.state.http_heads.exchanges.remove(&exchange);
    }
}
