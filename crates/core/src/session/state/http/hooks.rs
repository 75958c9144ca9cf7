//! Hooks that update the state of HTTP.

use super::{Exchange, Posted, Recent, Verb, spoken_by_client, waiting_in};
use crate::catalogue::{On, OnHttp};
use crate::envelope::MessageKind;
use crate::frame::{Headers, Part};
use crate::model::{Fact, MethodKind};
use crate::session::message::{Message, Transfer};
use crate::session::{Hook, HttpHook, Session};
use crate::syntax::{Kind, Node};

pub(in crate::session) static HOOKS: &[Hook] = &[
    Hook(&[On::Call("initialize")], opened),
    Hook(&[On::AnyResult, On::AnyError], answered),
];

pub(in crate::session) static HTTP_HOOKS: &[HttpHook] = &[
    HttpHook(&[OnHttp::Request], requested),
    HttpHook(&[OnHttp::Response], responded),
    HttpHook(&[OnHttp::Event], received),
    HttpHook(&[OnHttp::End], ended),
];

/// The number of recent notifications that are compared. It is no limit of memory: a server that
/// sends a notification on two streams does so at once, and in recordings without a clock that
/// means among so many.
const MAX_RECENT: usize = 16;

fn opened(message: &Message<'_>, session: &mut Session) {
    if message.frame.http.is_none() {
        return;
    }
    let http = &mut *session.state.http;
    http.opened += 1;
    http.closing = false;
}

fn answered(message: &Message<'_>, session: &mut Session) {
    let Some(number) = message.request.and_then(|request| request.sent.exchange) else {
        return;
    };
    let exchanges = &mut session.state.http.exchanges;
    if let Some(exchange) = exchanges.get_mut(&number) {
        exchange.answers += 1;
        let carrier = message.frame.http.and_then(|http| http.exchange);
        exchange.answered_on = carrier.filter(|carrier| *carrier != number);
        if exchange.ended.is_some() {
            exchanges.remove(&number);
        }
    }
}

fn requested(transfer: &Transfer<'_>, session: &mut Session) {
    let Part::Request {
        method,
        path,
        headers,
    } = transfer.http.part
    else {
        return;
    };
    let posted = posted(transfer, session);
    let limit = transfer.policy.limits.streams.max(1);
    let http = &mut *session.state.http;
    if http.goes_to_second_endpoint(transfer) {
        http.endpoints.are_two();
    }
    http.posted |= method == "POST";
    http.closing |= method == "DELETE";
    let place = http.endpoints.place(headers, path);
    let mut tracked = http.endpoints.try_out(place, limit);
    if posted != Posted::Nothing {
        tracked &= http.endpoints.track_other(place, limit);
    }
    if !tracked {
        session.reached_limit_of("HTTP endpoints");
    }
    let gets = Some(path).filter(|_| method == "GET");
    let stored = session.short_text(gets, transfer.policy.limits.texts);
    let http = &mut *session.state.http;
    let Some(number) = transfer.http.exchange else {
        return;
    };
    let request = transfer
        .message
        .filter(|message| message.kind() == MessageKind::Request);
    let token = request.and_then(|message| message.meta()?.get("progressToken"));
    let in_session = headers.get("mcp-session-id").is_some();
    let last_id = headers.get("last-event-id");
    let exchange = Exchange {
        verb: Verb::of(method),
        stateless: transfer.revision.has(Fact::Stateless),
        posted,
        path: stored.map(Into::into),
        place,
        realm: http.realm(headers),
        in_session,
        at_endpoint: in_session || http.endpoints.knows(place),
        call: request.and_then(|message| http.call(message)),
        token: token.map(|token| http.hash(token.raw())),
        lacks_meta: request.is_some_and(lacks_meta),
        is_mismatched: request.is_some_and(|request| is_mismatched(request, headers)),
        resumes: last_id.is_some(),
        ..Exchange::default()
    };
    let resumed = last_id.and_then(|id| http.stream_with(exchange.realm, id));
    if let Some(resumed) = resumed.and_then(|stream| http.exchanges.get_mut(&stream)) {
        resumed.resumed = true;
    }
    http.exchanges.insert(number, exchange);
    if http.exchanges.len() > limit {
        http.exchanges.pop_first();
        session.reached_limit_of("HTTP exchanges");
    }
}

/// The kind of the body of a request.
fn posted(transfer: &Transfer<'_>, session: &Session) -> Posted {
    let Some(message) = transfer.message else {
        let asks = || waiting_in(session, transfer.http.exchange).next().is_some();
        return match transfer.body.trim_ascii_start().first() {
            Some(b'[') if asks() => Posted::Request,
            // The items of a batch are not available here.
            Some(b'[') | None => Posted::Nothing,
            Some(_) => Posted::Unreadable,
        };
    };
    match message.kind() {
        MessageKind::Response | MessageKind::Error => Posted::NoRequest,
        // A request without an id is neither, and so is a notification with one.
        MessageKind::Request if is_of(message, MethodKind::Notification) => Posted::Nothing,
        MessageKind::Notification if is_of(message, MethodKind::Request) => Posted::Nothing,
        MessageKind::Request => Posted::Request,
        MessageKind::Notification if message.exchange.envelope.is_sound() => Posted::NoRequest,
        // A server may treat it as the message that was intended.
        _ => Posted::Nothing,
    }
}

/// Whether the method of a message is one of this kind.
fn is_of(message: &Message<'_>, kind: MethodKind) -> bool {
    let form = message.exchange.form();
    form.is_some_and(|form| form.kind == kind)
}

/// Whether a request lacks the members of `_meta` that are required in revisions without a
/// handshake.
fn lacks_meta(request: &Message<'_>) -> bool {
    let has = |key| request.meta().is_some_and(|meta| meta.get(key).is_some());
    request.has(Fact::Stateless)
        && !(has("io.modelcontextprotocol/protocolVersion")
            && has("io.modelcontextprotocol/clientCapabilities"))
}

/// Whether the headers that mirror the method and the revision of a request are missing or say
/// something else. A source without headers shows nothing.
fn is_mismatched(request: &Message<'_>, headers: Headers<'_>) -> bool {
    if !request.has(Fact::Stateless) || headers.0.is_empty() {
        return false;
    }
    let differs = |name: &str, body: Option<Node<'_>>| {
        body.is_some_and(|body| {
            let header = headers.get(name).map(str::trim);
            body.kind() == Kind::String && !header.is_some_and(|header| body.is_text(header))
        })
    };
    let version = request
        .meta()
        .and_then(|meta| meta.get("io.modelcontextprotocol/protocolVersion"));
    // The method of a request that is no method of the model may be anything.
    let method = request.exchange.method.and(request.exchange.method_node());
    differs("mcp-method", method) || differs("mcp-protocol-version", version)
}

fn responded(transfer: &Transfer<'_>, session: &mut Session) {
    let (
        Part::Response {
            status,
            streamed,
            headers,
        },
        Some(number),
    ) = (transfer.http.part, transfer.http.exchange)
    else {
        return;
    };
    let limit = transfer.policy.limits.streams;
    let http = &mut *session.state.http;
    let Some(exchange) = http.exchanges.get(&number) else {
        return;
    };
    let is_message = matches!(exchange.posted, Posted::Request | Posted::NoRequest);
    let mut tracked = true;
    // A redirect does not refuse the message.
    if exchange.verb == Verb::Post && is_message && (200..400).contains(&status) {
        tracked = http.endpoints.accept(exchange.place, limit);
        http.seeks = false;
    }
    http.seeks |= exchange.verb == Verb::Get
        && streamed
        && status == 200
        && http.posted
        && http.endpoints.is_empty();
    if !streamed {
        http.exchanges.remove(&number);
        return;
    }
    // The answer to `initialize` names the session that its own stream belongs to, too.
    let named = headers.get("mcp-session-id").map(|id| http.hash(id));
    if let Some(exchange) = http.exchanges.get_mut(&number) {
        exchange.streamed = true;
        exchange.realm = named.unwrap_or(exchange.realm);
    }
    if !tracked {
        session.reached_limit_of("HTTP endpoints");
    }
}

fn received(transfer: &Transfer<'_>, session: &mut Session) {
    let Part::Event { name, id, retry } = transfer.http.part else {
        return;
    };
    let limit = transfer.policy.limits.streams;
    let spoken = spoken_by_client(session);
    let http = &mut *session.state.http;
    let number = transfer.http.exchange;
    if http.names_endpoint(transfer.http) {
        let path = number.and_then(|number| http.exchanges.get(&number));
        let path = path.and_then(|exchange| exchange.path.as_deref());
        if !http
            .endpoints
            .name(path.unwrap_or_default(), transfer.body, limit)
        {
            session.reached_limit_of("HTTP endpoints");
        }
    }
    let http = &mut *session.state.http;
    let Some(number) = number else {
        return;
    };
    let text = http.hash(transfer.body);
    let event = http.event(transfer.http, transfer.body);
    let Some(exchange) = http.exchanges.get_mut(&number) else {
        // The request was not seen, but its events may come again on another stream.
        if let (Some(id), Some(event)) = (id, event) {
            let key = http.hash((http.opened, id));
            http.events.insert(key, event, number, limit);
        }
        return;
    };
    let opens = exchange.listens() && exchange.events == 0 && !exchange.resumes;
    http.unreachable |= opens
        && !http.posted
        && name != Some("endpoint")
        && transfer.revision.has(Fact::HttpTwoEndpoints);
    exchange.events += 1;
    exchange.last_event = event;
    exchange.retry = retry.or(exchange.retry);
    exchange.unclear |= match transfer.message {
        Some(message) => is_stray(message),
        None => !transfer.body.is_empty() && !transfer.body.trim_ascii_start().starts_with(b"["),
    };
    let primed = id.is_some() && transfer.body.is_empty();
    if exchange.events == 1 && exchange.posted == Posted::Request && !primed {
        http.reported_unprimed |= transfer.revision.has(Fact::HttpPrimingEvent);
    }
    let is_notification = transfer
        .message
        .is_some_and(|message| message.kind() == MessageKind::Notification);
    if is_notification {
        http.recent.truncate(MAX_RECENT - 1);
        http.recent.push_front(Recent {
            text,
            exchange: number,
            sent: transfer.now,
            spoken,
        });
    }
    let Some(id) = id.filter(|id| !id.is_empty()) else {
        return;
    };
    exchange.has_id = true;
    let key = (exchange.realm, id);
    let key = http.hash(key);
    let event = event.unwrap_or_default();
    if !http.events.insert(key, event, number, limit) {
        session.reached_limit_of("event ids");
    }
}

/// Whether a message is an answer that matches no open request.
fn is_stray(message: &Message<'_>) -> bool {
    !message.exchange.envelope.is_call() && message.exchange.answered.is_none()
}

fn ended(transfer: &Transfer<'_>, session: &mut Session) {
    let Some(number) = transfer.http.exchange else {
        return;
    };
    let open = waiting_in(session, Some(number)).next();
    let asks = open.is_some();
    let opens = open.is_some_and(|request| request.method_name() == Some("initialize"));
    let exchanges = &mut session.state.http.exchanges;
    let Some(exchange) = exchanges.get_mut(&number) else {
        return;
    };
    // The missing answer is reported for the stream.
    session.handshake.disordered |= opens && !(exchange.has_id && exchange.retry.is_some());
    exchange.ended = Some(transfer.now);
    let goes_on = exchange.has_id && (asks || exchange.verb == Verb::Get);
    if !goes_on || !transfer.revision.has(Fact::HttpResumption) {
        exchanges.remove(&number);
    }
}
