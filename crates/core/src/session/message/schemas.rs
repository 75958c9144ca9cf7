//! The JSON Schemas in a message.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::Message;
use crate::compiled_schema::{self, DeferredSchema, Fault, Schema};
use crate::syntax::{Kind, Node};

/// Compiles a schema in a message, unless an equal one is in the registry.
pub(crate) fn load<'a>(message: &Message<'_>, schema: Node<'a>) -> Result<Schema, Fault<'a>> {
    compiled_schema::load(message.registry, message.revision(), schema)
}

/// A schema in a message that surely has no fault: much cheaper than [`load`].
pub(crate) fn defer(message: &Message<'_>, schema: Node<'_>) -> Option<DeferredSchema> {
    compiled_schema::defer(message.registry, schema)
}

/// Whether a schema may contain patterns.
pub(crate) fn mentions_patterns(schema: Node<'_>) -> bool {
    static PATTERN: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"\"pattern"));
    PATTERN.find(schema.raw()).is_some()
}

/// Whether a schema may have annotations that mirror arguments into headers.
pub(crate) fn mentions_headers(schema: Node<'_>) -> bool {
    static HEADER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"\"x-mcp-header\""));
    HEADER.find(schema.raw()).is_some()
}

/// The schemas of the tools in a message: of a list, or offered for sampling.
pub(crate) fn published<'a>(
    message: &Message<'a>,
) -> impl Iterator<Item = (Node<'a>, Node<'a>)> + use<'a> {
    let holder = message.result().or_else(|| message.params());
    let tools = holder
        .and_then(|holder| holder.get("tools"))
        .filter(|tools| tools.kind() == Kind::Array);
    tools
        .into_iter()
        .flat_map(Node::items)
        .flat_map(|tool| {
            let input = tool.get("inputSchema");
            let output = tool.get("outputSchema");
            input
                .into_iter()
                .chain(output)
                .map(move |schema| (tool, schema))
        })
        .filter(|(_, schema)| schema.kind() == Kind::Object)
}
