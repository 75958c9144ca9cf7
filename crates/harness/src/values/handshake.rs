//! The words of a server about itself.

use mcp_assay::Revision;
use serde_json::Value;

use super::text;

/// The words of a server about itself when a session is opened, or when it is discovered.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Handshake {
    /// The version that is spoken.
    pub protocol_version: String,
    /// The capabilities of the server.
    pub capabilities: Value,
    /// Its name and version.
    pub server_info: ServerInfo,
    /// Advice on using it, meant for the model.
    pub instructions: Option<String>,
    /// The whole result.
    pub raw: Value,
}

/// Name and version of a server.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct ServerInfo {
    /// Its name, for programs.
    pub name: String,
    /// Its name, for people.
    pub title: Option<String>,
    /// Its version.
    pub version: String,
}

impl Handshake {
    pub(crate) fn of_initialize(result: &Value) -> Self {
        Self {
            protocol_version: text(result, "protocolVersion").unwrap_or_default(),
            capabilities: result["capabilities"].clone(),
            server_info: ServerInfo::read(&result["serverInfo"]),
            instructions: text(result, "instructions"),
            raw: result.clone(),
        }
    }

    pub(crate) fn of_discovery(result: &Value, revision: Revision) -> Self {
        Self {
            protocol_version: revision.name().to_owned(),
            capabilities: result["capabilities"].clone(),
            server_info: ServerInfo::read(&result["_meta"]["io.modelcontextprotocol/serverInfo"]),
            instructions: text(result, "instructions"),
            raw: result.clone(),
        }
    }

    /// Whether the server declares a capability, by its JSON Pointer, such as
    /// `/resources/subscribe`.
    #[must_use]
    pub fn declares(&self, pointer: &str) -> bool {
        self.capabilities
            .pointer(pointer)
            .is_some_and(|value| *value != Value::Bool(false) && !value.is_null())
    }
}

impl ServerInfo {
    fn read(info: &Value) -> Self {
        Self {
            name: text(info, "name").unwrap_or_default(),
            title: text(info, "title"),
            version: text(info, "version").unwrap_or_default(),
        }
    }
}
