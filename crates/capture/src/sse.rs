//! The events of a streamed response that was recorded as a whole.

use std::borrow::Cow;

use super::record::{Event, Payload};

/// The events of a body, and whether it ends within one.
pub(crate) struct Events {
    pub(crate) whole: Vec<Event<'static>>,
    /// Fields were left without the blank line that ends an event.
    pub(crate) cut: bool,
}

/// Cuts a body into events. Those without any field that counts are left out.
pub(crate) fn events(body: &[u8]) -> Events {
    let (mut whole, mut cut) = (Vec::new(), false);
    // The body is in memory already: there is nothing to bound.
    let mut events = mcp_assay::Events::new(usize::MAX);
    events.feed(body, |event| {
        if !event.is_empty() {
            whole.push(owned(event));
        }
    });
    events.end(|event| cut = event.data.is_some());
    Events { whole, cut }
}

fn owned(event: mcp_assay::Event<'_>) -> Event<'static> {
    let text = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
    Event {
        name: event.name.map(text),
        id: event.id.map(text),
        retry: event.retry,
        data: event
            .data
            .map(|data| Payload::Bytes(Cow::Owned(data.into_owned()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_without_fields_are_left_out_and_a_cut_is_told() {
        for (body, whole, cut) in [
            ("data: 1\n\ndata: 2", 1, true),
            (": x\n\ndata: 1\n\ndata: 2\n", 1, true),
            ("data: 1\n\nid: 3\n\n: bye", 2, false),
            ("", 0, false),
        ] {
            let found = events(body.as_bytes());
            assert_eq!((found.whole.len(), found.cut), (whole, cut), "{body:?}");
        }
    }
}
