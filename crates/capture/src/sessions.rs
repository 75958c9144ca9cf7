//! To which session an HTTP exchange belongs.
//!
//! Ids of sessions are secrets, so sessions are numbered.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};

use super::epochs::Epochs;
use super::exchange::Exchange;
use super::record::Event;

/// The name of each exchange's session. The exchanges are in order.
pub(super) fn assign(exchanges: &[Exchange<'_>]) -> Vec<Option<String>> {
    let mut numbers = Numbers::default();
    let mut announced = HashMap::new();
    let mut streams = HashMap::new();
    // The first HTTP transport: the stream of a session says where its messages go.
    for (index, exchange) in exchanges.iter().enumerate() {
        let address = exchange
            .events
            .iter()
            .find_map(|event| self::announced(event, &exchange.url));
        if let Some(address) = address {
            let name = numbers.name(&exchange.url, &address);
            announced.insert(address, name.clone());
            streams.insert(index, name);
        }
    }
    let mut epochs = Epochs::default();
    let session = |(index, exchange): (usize, &Exchange<'_>)| {
        let named = streams
            .get(&index)
            .or_else(|| announced.get(&*exchange.url));
        if let Some(name) = named {
            return Some(name.clone());
        }
        let answer = exchange.response.as_ref();
        let id = exchange
            .request
            .headers
            .get("mcp-session-id")
            .or_else(|| answer.and_then(|head| head.headers.get("mcp-session-id")));
        if let Some(id) = id {
            return Some(numbers.name(&exchange.url, id));
        }
        let handshake = exchange
            .sent
            .iter()
            .any(|message| message.method.as_deref() == Some("initialize"));
        epochs
            .message(endpoint(&exchange.url), handshake)
            .map(str::to_owned)
    };
    exchanges.iter().enumerate().map(session).collect()
}

/// Numbers for what tells sessions apart.
#[derive(Default)]
struct Numbers(HashMap<(String, String), usize>);

impl Numbers {
    fn name(&mut self, url: &str, id: &str) -> String {
        let endpoint = endpoint(url);
        let next = self.0.len() + 1;
        let key = (endpoint.to_owned(), id.to_owned());
        let number = *self.0.entry(key).or_insert(next);
        format!("{endpoint} session {number}")
    }
}

/// The name of a session whose id is a secret: the same for the same id.
pub(super) fn label(id: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    hasher.write(id);
    format!("session {:016x}", hasher.finish())
}

/// The address that an event announces for messages.
pub(super) fn announced(event: &Event<'_>, base: &str) -> Option<String> {
    if event.name.as_deref() != Some("endpoint") {
        return None;
    }
    let mut buffer = Vec::new();
    let data = event.data.as_ref()?.bytes(&mut buffer).ok()?;
    let address = std::str::from_utf8(data).ok()?.trim();
    if address.contains("://") {
        return Some(address.to_owned());
    }
    let (scheme, rest) = base.split_once("://")?;
    let host = rest.split(['/', '?', '#']).next()?;
    let slash = if address.starts_with('/') { "" } else { "/" };
    Some(format!("{scheme}://{host}{slash}{address}"))
}

/// Host and path of an address.
pub(super) fn endpoint(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['?', '#']).next().unwrap_or_default()
}
