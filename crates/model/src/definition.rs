//! The names of a revision's definitions: the one table that `schema list`, `schema export` and the
//! check of a single value share.
//!
//! A name is that of the official schema where that has one (`CallToolRequest`, `JSONRPCMessage`),
//! or one of ours (`Call`, `CallToolResponse`). A method may also be written as on the wire
//! (`tools/call`). Nothing is checked here.

use std::collections::BTreeMap;

use crate::party::Party;
use crate::tables::{
    ALIASES, ENUMS, ERRORS, ErrorCode, METHODS, Method, MethodForm, MethodKind, Revision, SHAPES,
    STRUCTS, Shape, ShapeId, UNIONS, method_named,
};

/// The meaning of a name in one revision.
#[derive(Clone, Copy, Debug)]
pub enum Definition {
    /// A struct, union, enum or alias: a value that is no message, or an envelope.
    Shape(ShapeId),
    /// Any JSON-RPC message; where the revision has batches, also an array of messages.
    Message,
    /// The request or notification of a method.
    Call(&'static Method),
    /// Any request or notification of a set.
    Calls(Calls),
    /// Method and params of a request that is embedded in a result.
    Input(&'static Method),
    /// The response with the result of a method.
    Response(&'static Method),
    /// Any response, with a result or an error.
    Answer,
    /// A response with an error.
    ErrorResponse(Codes),
    /// An error object of this code, without the response around it.
    Error(&'static ErrorCode),
}

/// A set of requests and notifications.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Calls {
    /// The sender, if only one party's messages are meant.
    pub sender: Option<Party>,
    /// The kind, if only one is meant.
    pub kind: Option<MethodKind>,
}

/// A set of error codes.
#[derive(Clone, Copy, Debug)]
pub enum Codes {
    /// Every code.
    Any,
    /// This code.
    Only(&'static ErrorCode),
    /// The codes that the revision does not name.
    Unnamed,
}

impl Definition {
    /// The definition of this name: `CallToolRequest`, `Tool`, `JSONRPCMessage`; or of this method:
    /// `tools/call`.
    ///
    /// ```
    /// use mcp_assay_model::{Definition, Revision};
    ///
    /// let named = |name| Definition::named(name, Revision::V2025_11_25);
    /// assert!(matches!(named("tools/call"), Some(Definition::Call(method)) if method.name == "tools/call"));
    /// assert!(matches!(named("CallToolRequest"), Some(Definition::Call(_))));
    /// assert!(matches!(named("Tool"), Some(Definition::Shape(_))));
    /// assert!(named("Tol").is_none());
    /// ```
    #[must_use]
    pub fn named(name: &str, revision: Revision) -> Option<Self> {
        let method = method_named(name.as_bytes());
        let form = method.and_then(|method| method.forms[revision.index()]);
        let name = form.map_or(name, |form| form.definition);
        Self::all(revision).get(name).copied()
    }

    /// Every definition of a revision by its name.
    #[must_use]
    pub fn all(revision: Revision) -> BTreeMap<String, Self> {
        let mut all = BTreeMap::new();
        for method in METHODS {
            if let Some(form) = method.forms[revision.index()] {
                add_method(method, form, &mut all);
            }
        }
        for error in ERRORS {
            if error.revisions.contains(revision) {
                add_error(error, &mut all);
            }
        }
        all.extend(gathered(revision).map(|(name, definition)| (name.to_owned(), definition)));
        // A struct has all that a message of its name has, and its own documentation.
        for (index, shape) in SHAPES.iter().enumerate() {
            if let Some(name) = name_of(shape, revision) {
                let id = ShapeId(u16::try_from(index).unwrap_or(ShapeId::ABSENT.0));
                all.insert(name.to_owned(), Self::Shape(id));
            }
        }
        for alias in ALIASES {
            let id = alias.shape[revision.index()];
            if id != ShapeId::ABSENT {
                all.insert(alias.name.to_owned(), Self::Shape(id));
            }
        }
        all
    }
}

impl Calls {
    /// Whether a method is one of them.
    #[must_use]
    pub fn contains(self, form: &MethodForm) -> bool {
        let is_sent = match self.sender {
            None => true,
            Some(Party::Client) => form.from_client,
            Some(Party::Server) => form.from_server,
        };
        let is_call = form.kind != MethodKind::Input;
        is_call && is_sent && self.kind.is_none_or(|kind| kind == form.kind)
    }
}

impl Codes {
    /// Whether a code is one of them in a revision.
    #[must_use]
    pub fn contains(self, code: i64, revision: Revision) -> bool {
        match self {
            Self::Any => true,
            Self::Only(error) => i64::from(error.code) == code,
            Self::Unnamed => !ERRORS
                .iter()
                .any(|error| i64::from(error.code) == code && error.revisions.contains(revision)),
        }
    }
}

/// The message of a method, and its answer: `CallToolResponse` here, `CallToolResultResponse` in
/// the official schema.
fn add_method(
    method: &'static Method,
    form: &'static MethodForm,
    all: &mut BTreeMap<String, Definition>,
) {
    let name = form.definition;
    match form.kind {
        MethodKind::Request => {
            let stem = name.strip_suffix("Request").unwrap_or(name);
            for end in ["Response", "ResultResponse"] {
                all.insert(format!("{stem}{end}"), Definition::Response(method));
            }
            all.insert(name.to_owned(), Definition::Call(method));
        }
        MethodKind::Notification => {
            all.insert(name.to_owned(), Definition::Call(method));
        }
        MethodKind::Input => {
            all.insert(name.to_owned(), Definition::Input(method));
        }
    }
}

/// An error. The official schema names the whole response of a code that MCP defines, and the error
/// object of a code that JSON-RPC defines.
fn add_error(error: &'static ErrorCode, all: &mut BTreeMap<String, Definition>) {
    let stem = error.name.strip_suffix("Error").unwrap_or(error.name);
    let response = Definition::ErrorResponse(Codes::Only(error));
    let named = if is_of_json_rpc(error) {
        Definition::Error(error)
    } else {
        response
    };
    all.insert(format!("{stem}ErrorResponse"), response);
    all.insert(format!("{stem}Error"), named);
}

/// Whether JSON-RPC 2.0 itself defines the code.
fn is_of_json_rpc(error: &ErrorCode) -> bool {
    matches!(error.code, -32_700 | -32_603..=-32_600)
}

/// The definitions that gather messages.
fn gathered(revision: Revision) -> impl Iterator<Item = (&'static str, Definition)> {
    let calls = |sender, kind| Definition::Calls(Calls { sender, kind });
    let (request, notification) = (MethodKind::Request, MethodKind::Notification);
    [
        ("Answer", Definition::Answer),
        ("Call", calls(None, None)),
        (
            "ClientNotification",
            calls(Some(Party::Client), Some(notification)),
        ),
        ("ClientRequest", calls(Some(Party::Client), Some(request))),
        ("ErrorResponse", Definition::ErrorResponse(Codes::Any)),
        ("JSONRPCMessage", Definition::Message),
        (
            "OtherErrorResponse",
            Definition::ErrorResponse(Codes::Unnamed),
        ),
        (
            "ServerNotification",
            calls(Some(Party::Server), Some(notification)),
        ),
        ("ServerRequest", calls(Some(Party::Server), Some(request))),
    ]
    .into_iter()
    // Since 2026-07-28 servers send no requests, and there is no such union.
    .filter(move |(_, definition)| match definition {
        Definition::Calls(calls) => METHODS
            .iter()
            .filter_map(|method| method.forms[revision.index()])
            .any(|form| calls.contains(form)),
        _ => true,
    })
}

/// The name of a struct, enum or union that the revision has. A union that is written in place has
/// none.
fn name_of(shape: &Shape, revision: Revision) -> Option<&'static str> {
    let (name, revisions) = match *shape {
        Shape::Struct(id) => {
            let row = &STRUCTS[usize::from(id)];
            (row.name, row.revisions)
        }
        Shape::Enum(id) => {
            let row = &ENUMS[usize::from(id)];
            (row.name, row.revisions)
        }
        Shape::Union(id) => {
            let row = &UNIONS[usize::from(id)];
            (row.name, row.revisions)
        }
        _ => return None,
    };
    let has_name = revisions.contains(revision) && name.bytes().all(|b| b.is_ascii_alphanumeric());
    has_name.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema;

    #[test]
    fn every_exported_name_is_known() {
        for revision in Revision::ALL {
            for name in schema::definition_names(revision) {
                let found = Definition::named(&name, revision);
                assert!(found.is_some(), "{revision}: {name}");
            }
        }
    }

    #[test]
    fn every_method_is_known_in_both_spellings() {
        for revision in Revision::ALL {
            for method in METHODS {
                let Some(form) = method.forms[revision.index()] else {
                    assert!(Definition::named(method.name, revision).is_none());
                    continue;
                };
                for name in [method.name, form.definition] {
                    let found = Definition::named(name, revision);
                    let is_same = match (found, form.kind) {
                        // A struct of the same name describes it.
                        (Some(Definition::Shape(_)), MethodKind::Input) => true,
                        (Some(Definition::Input(found)), MethodKind::Input)
                        | (Some(Definition::Call(found)), _) => found.name == method.name,
                        _ => false,
                    };
                    assert!(is_same, "{revision}: {name}: {found:?}");
                }
            }
        }
    }

    #[test]
    fn official_names_are_known_where_they_exist() {
        let everywhere = "ClientNotification ClientRequest ClientResult Cursor EmptyResult JSONRPCMessage \
                          JSONRPCNotification JSONRPCRequest JSONRPCResponse Notification PaginatedRequest \
                          ProgressToken Request RequestId Result ServerNotification ServerResult";
        for revision in Revision::ALL {
            for name in everywhere.split_whitespace() {
                let found = Definition::named(name, revision);
                assert!(found.is_some(), "{revision}: {name}");
            }
        }
        let has = |name, revision| Definition::named(name, revision).is_some();
        assert!(has("JSONRPCBatchRequest", Revision::V2025_03_26));
        assert!(!has("JSONRPCBatchRequest", Revision::V2025_06_18));
        assert!(has("JSONRPCError", Revision::V2025_06_18));
        assert!(has("ServerRequest", Revision::V2025_11_25));
        assert!(!has("ServerRequest", Revision::V2026_07_28));
        assert!(has("URLElicitationRequiredError", Revision::V2025_11_25));
        assert!(has("CallToolResultResponse", Revision::V2026_07_28));
        assert!(has("ParseError", Revision::V2026_07_28));
        assert!(!has("string | int", Revision::V2026_07_28));
    }
}
