//! The URIs of resources in a message.

use crate::session::message::Message;
use crate::syntax::Node;

/// Visits each URI of a resource in a message of the methods about resources, tools and prompts.
/// Templates are skipped.
pub(crate) fn each_resource_uri<'a>(message: &Message<'a>, mut each: impl FnMut(Node<'a>)) {
    let Some(result) = message.result() else {
        if let Some(params) = message.params() {
            match message.method() {
                Some(
                    "resources/read"
                    | "resources/subscribe"
                    | "resources/unsubscribe"
                    | "notifications/resources/updated",
                ) => params.get("uri").into_iter().for_each(each),
                Some("subscriptions/listen") => {
                    let filter = params.get("notifications");
                    items(filter.and_then(|filter| filter.get("resourceSubscriptions")))
                        .for_each(each);
                }
                _ => {}
            }
        }
        return;
    };
    match message.method() {
        Some("resources/list") => of_members(result.get("resources")).for_each(each),
        Some("resources/read") => of_members(result.get("contents")).for_each(each),
        Some("tools/call") => {
            items(result.get("content")).for_each(|block| of_block(block, &mut each));
        }
        Some("prompts/get") => items(result.get("messages"))
            .filter_map(|message| message.get("content"))
            .for_each(|block| of_block(block, &mut each)),
        _ => {}
    }
}

fn of_block<'a>(block: Node<'a>, each: &mut impl FnMut(Node<'a>)) {
    let Some(kind) = block.get("type") else {
        return;
    };
    let uri = if kind.is_text("resource") {
        let resource = block.get("resource");
        resource.and_then(|resource| resource.get("uri"))
    } else if kind.is_text("resource_link") {
        block.get("uri")
    } else {
        None
    };
    uri.into_iter().for_each(each);
}

fn of_members(list: Option<Node<'_>>) -> impl Iterator<Item = Node<'_>> {
    items(list).filter_map(|item| item.get("uri"))
}

fn items(list: Option<Node<'_>>) -> impl Iterator<Item = Node<'_>> {
    list.into_iter().flat_map(Node::items)
}
