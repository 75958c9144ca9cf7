//! Remembers session ids, credentials and challenges of HTTP, and which arguments of a tool are mirrored into headers.

use std::collections::{BTreeMap, HashMap};

use crate::frame::{Headers, Part};
use crate::message::{Message, Transfer};
use crate::model::Fact;
use crate::rules::check::{On, OnHttp};
use crate::session::{Hook, HttpHook, Moment, Session};
use crate::syntax::{Kind, Node};

/// What is remembered of the heads of HTTP exchanges.
#[derive(Debug, Default)]
pub(crate) struct HttpHeads {
    /// The session that the server has opened.
    pub(crate) session: Option<HttpSession>,
    /// Whether the server has asked for a bearer token.
    pub(crate) challenged: bool,
    /// Whether a request with a token was let pass.
    pub(crate) authorised: bool,
    exchanges: BTreeMap<i64, Asked>,
    mirrored: HashMap<Box<str>, Vec<Mirrored>>,
}

/// A session of HTTP.
#[derive(Debug)]
pub(crate) struct HttpSession {
    /// Its id.
    pub(crate) id: Box<str>,
    /// When the server gave it out.
    pub(crate) opened: Moment,
    /// Whether the server said that it is over, or the client ended it.
    pub(crate) ended: bool,
    /// Whether the client used it, and whether it tried to end it.
    pub(crate) used: bool,
    pub(crate) deleted: bool,
}

/// A request that is not fully answered.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked {
    /// Whether it carries `initialize`.
    pub(crate) initialize: bool,
    /// Whether it is a `DELETE`.
    pub(crate) delete: bool,
    /// The session id that it names.
    pub(crate) session: Option<Box<str>>,
    /// Whether it has an `Authorization` header.
    pub(crate) authorised: bool,
    /// Whether it says where it comes from, which a server may refuse.
    pub(crate) origin: bool,
    /// Whether it asks for the metadata of authorisation.
    pub(crate) metadata: bool,
}

/// An argument of a tool that is repeated in a header.
#[derive(Clone, Debug)]
pub(crate) struct Mirrored {
    /// The keys that lead to it from the arguments.
    path: Vec<Box<str>>,
    /// The header behind `Mcp-Param-`.
    pub(crate) header: Box<str>,
}

impl Mirrored {
    /// The argument in a call, if it is there and not null.
    pub(crate) fn argument<'a>(&self, arguments: Node<'a>) -> Option<Node<'a>> {
        let mut here = arguments;
        for key in &self.path {
            here = here.get(key)?;
        }
        (here.kind() != Kind::Null).then_some(here)
    }
}

impl HttpHeads {
    /// The request that a part answers.
    pub(crate) fn request(&self, transfer: &Transfer<'_>) -> Option<&Asked> {
        self.exchanges.get(&transfer.http.exchange?)
    }

    /// The arguments of a tool that are mirrored; `None` if the tool was not seen.
    pub(crate) fn mirrored(&self, tool: &str) -> Option<&[Mirrored]> {
        self.mirrored.get(tool).map(Vec::as_slice)
    }
}

pub(super) static HOOKS: &[Hook] = &[Hook(&[On::Result("tools/list")], listed)];

pub(super) static HTTP_HOOKS: &[HttpHook] = &[
    HttpHook(&[OnHttp::Request], sent),
    HttpHook(&[OnHttp::Response], answered),
    HttpHook(&[OnHttp::End], ended),
];

/// Schemas are walked so deep.
const DEEPEST: usize = 16;

fn listed(message: &Message<'_>, session: &mut Session) {
    if !message.has(Fact::HttpMirroredHeaders) {
        return;
    }
    let tools = message.result().and_then(|result| result.get("tools"));
    for tool in tools.into_iter().flat_map(Node::items) {
        let (Some(name), Some(schema)) = (tool.get("name"), tool.get("inputSchema")) else {
            continue;
        };
        let Some(name) = name.text().filter(|name| name.len() <= 4096) else {
            continue;
        };
        let heads = &mut session.topics.http_heads;
        let limit = message.policy.limits.listed;
        if heads.mirrored.len() >= limit && !heads.mirrored.contains_key(&*name) {
            session.is_full_of("tools");
            return;
        }
        let mut found = Vec::new();
        find_mirrored(schema, &mut Vec::new(), &mut found);
        heads.mirrored.insert(name.into(), found);
    }
}

fn find_mirrored(schema: Node<'_>, path: &mut Vec<Box<str>>, found: &mut Vec<Mirrored>) {
    if path.len() >= DEEPEST {
        return;
    }
    let Some(properties) = schema.get("properties") else {
        return;
    };
    for (key, property) in properties.members() {
        path.push(key.text().unwrap_or_default().into());
        if let Some(header) = property.get("x-mcp-header").and_then(Node::text) {
            found.push(Mirrored {
                path: path.clone(),
                header: header.into(),
            });
        }
        find_mirrored(property, path, found);
        path.pop();
    }
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
    let heads = &mut session.topics.http_heads;
    let initialize = transfer
        .message
        .is_some_and(|message| message.method() == Some("initialize"));
    let named = headers.get("mcp-session-id").map(Box::from);
    if initialize && named.is_none() {
        // A new session begins; what was said of the last one no longer holds.
        heads.session = None;
    }
    if let Some(open) = &mut heads.session {
        open.used |= method != "DELETE";
        open.deleted |= method == "DELETE";
    }
    if let Some(exchange) = transfer.http.exchange {
        let asked = Asked {
            initialize,
            delete: method == "DELETE",
            session: named,
            authorised: headers.get("authorization").is_some(),
            origin: headers.get("origin").is_some(),
            metadata: path.starts_with("/.well-known/"),
        };
        heads.exchanges.insert(exchange, asked);
        if heads.exchanges.len() > transfer.policy.limits.streams {
            heads.exchanges.pop_first();
            session.is_full_of("HTTP exchanges");
        }
    }
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
    let heads = &mut session.topics.http_heads;
    let asked = heads.request(transfer).cloned().unwrap_or_default();
    note_session(heads, &asked, status, headers, transfer.now);
    heads.challenged |= status == 401
        && headers.get("www-authenticate").is_some_and(|value| {
            value
                .trim_start()
                .to_ascii_lowercase()
                .starts_with("bearer")
        });
    heads.authorised |= asked.authorised && status < 400;
    if !streamed {
        forget(transfer, session);
    }
}

fn note_session(
    heads: &mut HttpHeads,
    asked: &Asked,
    status: u16,
    headers: Headers<'_>,
    now: Moment,
) {
    if let Some(id) = headers.get("mcp-session-id")
        && asked.initialize
        && status < 400
    {
        heads.session = Some(HttpSession {
            id: id.into(),
            opened: now,
            ended: false,
            used: false,
            deleted: false,
        });
    }
    if let Some(open) = &mut heads.session {
        let named = asked.session.as_deref() == Some(&*open.id);
        open.ended |= named && (status == 404 || (asked.delete && status < 300));
    }
}

fn ended(transfer: &Transfer<'_>, session: &mut Session) {
    forget(transfer, session);
}

fn forget(transfer: &Transfer<'_>, session: &mut Session) {
    if let Some(exchange) = transfer.http.exchange {
        session.topics.http_heads.exchanges.remove(&exchange);
    }
}
