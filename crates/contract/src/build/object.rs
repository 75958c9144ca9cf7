//! Objects, member by member.

use mcp_assay::Revision;
use mcp_assay::model::Fact;

use crate::protocol::{
    Json, Protocol, ValidationError, with_default, write_object_member, write_string,
};

/// An object for params, results and data. A member that is set again is replaced.
///
/// ```
/// use mcp_assay::Revision;
/// use mcp_assay_contract::build::{Object, notification};
/// use mcp_assay_contract::protocol::Protocol;
///
/// let params = Object::new().text("level", "info").json("data", "[1, 2]");
/// let mut protocol = Protocol::new().revision(Revision::V2025_06_18);
/// assert_eq!(
///     notification("notifications/message", params).build_with(&mut protocol)?,
///     r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":[1, 2]}}"#,
/// );
/// # Ok::<(), mcp_assay_contract::protocol::ValidationError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Object {
    members: Vec<(String, Vec<u8>)>,
    /// The first value that is no JSON.
    fault: Option<ValidationError>,
}

impl Object {
    /// An object without members.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets a string.
    #[must_use]
    pub fn text(self, name: &str, value: &str) -> Self {
        let mut text = Vec::with_capacity(value.len() + 2);
        write_string(&mut text, value);
        self.set(name, text)
    }

    /// Sets an integer.
    #[must_use]
    pub fn integer(self, name: &str, value: i64) -> Self {
        self.set(name, value.to_string().into_bytes())
    }

    /// Sets `true` or `false`.
    #[must_use]
    pub fn boolean(self, name: &str, value: bool) -> Self {
        self.set(name, value.to_string().into_bytes())
    }

    /// Sets any JSON value, for example another object. `None` sets nothing.
    #[must_use]
    pub fn json<'j>(mut self, name: &str, value: impl Into<Json<'j>>) -> Self {
        let value = value.into();
        match with_default(|protocol: &mut Protocol| {
            let part = protocol.part(&value)?;
            Ok(part.map(<[u8]>::to_vec))
        }) {
            Ok(Some(text)) => self.set(name, text),
            Ok(None) => self,
            Err(fault) => {
                self.fault.get_or_insert(fault);
                self
            }
        }
    }

    fn set(mut self, name: &str, text: Vec<u8>) -> Self {
        let known = self.members.iter_mut().find(|(known, _)| known == name);
        match known {
            Some((_, value)) => *value = text,
            None => self.members.push((name.to_owned(), text)),
        }
        self
    }
}

impl From<Object> for Json<'_> {
    fn from(object: Object) -> Self {
        if let Some(fault) = object.fault {
            return Self::faulty(fault);
        }
        let mut text = b"{".to_vec();
        for (name, value) in &object.members {
            write_object_member(&mut text, name);
            text.extend_from_slice(value);
        }
        text.push(b'}');
        Self::from_text(text)
    }
}

/// The `_meta` of each request where there is no handshake: the revision, and the capabilities of
/// the client. Empty for revisions that do not require it.
///
/// ```
/// use mcp_assay::Revision;
/// use mcp_assay_contract::build::{Object, request, request_meta};
/// use mcp_assay_contract::protocol::Protocol;
///
/// for revision in Revision::ALL {
///     let params = Object::new().json("_meta", request_meta(revision, r#"{"sampling":{}}"#));
///     let mut protocol = Protocol::new().revision(revision);
///     assert!(request("list-1", "tools/list", params).build_with(&mut protocol).is_ok());
/// }
/// ```
#[must_use]
pub fn request_meta<'j>(revision: Revision, capabilities: impl Into<Json<'j>>) -> Object {
    if !revision.has(Fact::Stateless) {
        return Object::new();
    }
    Object::new()
        .text("io.modelcontextprotocol/protocolVersion", revision.name())
        .json("io.modelcontextprotocol/clientCapabilities", capabilities)
}
