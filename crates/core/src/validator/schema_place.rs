//! The place in a schema that a violation refers to. It is found when a report asks for it; a valid
//! message costs nothing.

use core::fmt;
use std::borrow::Cow;

use super::Validator;
use crate::Revision;
use crate::catalogue::{Detail, Layer, Owner, SchemaRef, Violation, inline};
use crate::envelope::{Envelope, MessageKind};
use crate::model::schema::{Demand, KeywordPlace, keyword_place};
use crate::model::{ERRORS, Method, SHAPES, STRUCTS, Shape, ShapeId, method_named};
use crate::syntax::{Kind, Node};

/// A keyword of a schema that a value does not meet.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SchemaPlace {
    /// The schema: the `$id` of the exported revision (`urn:mcp-assay:2025-11-25`), `override`,
    /// `inputSchema` or `outputSchema` of the tool, `requestedSchema` of an elicitation, `profile`.
    pub document: Cow<'static, str>,
    /// The JSON Pointer of the keyword in it.
    pub pointer: String,
    /// The keyword.
    pub keyword: &'static str,
}

/// The document and the place in it, as a URI reference.
impl fmt::Display for SchemaPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.document, self.pointer)
    }
}

/// The keyword behind a violation of the last message; `None` if no schema states its rule.
pub(super) fn of(
    validator: &Validator,
    bytes: &[u8],
    violation: &Violation,
) -> Option<SchemaPlace> {
    if let Some(SchemaRef::Noted(position)) = violation.schema {
        let note = validator.last.notes.get(position as usize)?;
        return Some(SchemaPlace {
            document: Cow::Borrowed(note.document),
            pointer: note.pointer.clone(),
            keyword: note.keyword,
        });
    }
    let summary = &validator.last.summary;
    let tape = &validator.kit.tape;
    let fault = Fault {
        root: tape.root(bytes)?,
        at: tape.node(bytes, violation.token?),
        method: summary.method,
        revision: summary.revision?,
    };
    let place = match violation.schema {
        Some(SchemaRef::Model { root, shape }) => fault.in_model(root, shape, violation.detail),
        _ => fault.in_envelope(violation),
    }?;
    Some(SchemaPlace {
        document: Cow::Owned(format!("urn:mcp-assay:{}", fault.revision)),
        pointer: place.pointer,
        keyword: place.keyword,
    })
}

/// A value at fault in its message.
struct Fault<'a> {
    root: Node<'a>,
    at: Node<'a>,
    /// The method that the message calls or answers, if it is no batch.
    method: Option<&'static Method>,
    revision: Revision,
}

impl<'a> Fault<'a> {
    /// The keyword of a shape that a value was checked against.
    fn in_model(&self, root: u32, shape: ShapeId, detail: Detail) -> Option<KeywordPlace> {
        let demand = match detail {
            Detail::Missing {
                owner: Owner::Struct(item),
                ..
            } => Demand::Member(item),
            Detail::Missing {
                owner: Owner::Union(union),
                ..
            }
            | Detail::Tag { union } => Demand::Branch(union),
            Detail::Type { expected, .. } => Demand::Type(expected),
            Detail::Value { expected } => Demand::Value(expected),
            Detail::Range { expected } => Demand::Range(expected),
            Detail::Items { .. } => Demand::Items,
            Detail::Null | Detail::EnvelopeType { .. } => Demand::Any,
            _ => return None,
        };
        let base = self.base(shape).unwrap_or_default();
        let (value, at) = (self.root.at(root), self.at.index());
        let place = keyword_place(value, (shape, &base), at, demand, self.revision)?;
        // A shape without a name of its own may be that of a value which is no part of a message.
        place.pointer.starts_with("/$defs/").then_some(place)
    }

    /// The schema of params or of a result, in the definition of the whole message.
    fn base(&self, shape: ShapeId) -> Option<String> {
        let form = self.called().or(self.method)?.forms[self.revision.index()]?;
        let name = form.definition;
        if form.params == shape {
            return Some(format!("/$defs/{name}/properties/params"));
        }
        let stem = name.strip_suffix("Request").unwrap_or(name);
        (form.result == shape).then(|| format!("/$defs/{stem}Response/properties/result"))
    }

    /// The keyword of an envelope, or of the definition of a whole message.
    fn in_envelope(&self, violation: &Violation) -> Option<KeywordPlace> {
        let message = self.message();
        if *violation.rule == inline::UNKNOWN_METHOD {
            return Some(KeywordPlace::new("/$defs/Call", "anyOf"));
        }
        let name = envelope_name(Envelope::read(message).kind)?;
        match violation.detail {
            Detail::Missing {
                member,
                owner: Owner::Error,
            } => {
                let code = (member == "data").then(|| self.error_code(message));
                let schema = code
                    .flatten()
                    .map_or(Cow::Borrowed("/$defs/Error"), |name| {
                        format!("/$defs/{name}ErrorResponse/properties/error").into()
                    });
                Some(KeywordPlace::new(&schema, "required"))
            }
            Detail::Missing {
                member: "params",
                owner: Owner::Message,
            } => {
                let form = self.called()?.forms[self.revision.index()]?;
                let schema = format!("/$defs/{}", form.definition);
                Some(KeywordPlace::new(&schema, "required"))
            }
            Detail::Missing {
                owner: Owner::Message,
                ..
            } => Some(KeywordPlace::new(&format!("/$defs/{name}"), "required")),
            Detail::EnvelopeType { .. } | Detail::Null | Detail::Plain
                if violation.rule.layer == Layer::Jsonrpc && self.at.index() != message.index() =>
            {
                let shape = (struct_named(name)?, "");
                keyword_place(message, shape, self.at.index(), Demand::Any, self.revision)
            }
            _ => None,
        }
    }

    /// The message of a batch that has the value, or the whole.
    fn message(&self) -> Node<'a> {
        let at = self.at.index();
        if self.root.kind() != Kind::Array {
            return self.root;
        }
        let mut items = self.root.items();
        items
            .find(|item| (item.index()..item.end()).contains(&at))
            .unwrap_or(self.root)
    }

    /// The name of the error code that demands `data`.
    fn error_code(&self, message: Node<'a>) -> Option<&'static str> {
        let code = message.get("error")?.get("code")?.as_i64()?;
        let mut known = ERRORS.iter();
        let known = known.find(|known| {
            i64::from(known.code) == code && known.revisions.contains(self.revision)
        })?;
        Some(known.name.strip_suffix("Error").unwrap_or(known.name))
    }

    /// The method that the message names.
    fn called(&self) -> Option<&'static Method> {
        let message = self.message();
        let name = (message.kind() == Kind::Object).then(|| message.get("method"))??;
        method_named(name.text()?.as_bytes())
    }
}

/// The struct of an envelope.
fn envelope_name(kind: MessageKind) -> Option<&'static str> {
    match kind {
        MessageKind::Request => Some("JSONRPCRequest"),
        MessageKind::Notification => Some("JSONRPCNotification"),
        MessageKind::Response => Some("JSONRPCResultResponse"),
        MessageKind::Error => Some("JSONRPCErrorResponse"),
        MessageKind::Batch | MessageKind::Unreadable | MessageKind::Empty => None,
    }
}

/// The shape of a struct of the envelope, which every revision has.
pub(super) fn struct_named(name: &str) -> Option<ShapeId> {
    let is_it = |shape: &Shape| match *shape {
        Shape::Struct(id) => STRUCTS[usize::from(id)].name == name,
        _ => false,
    };
    let index = SHAPES.iter().position(is_it)?;
    Some(ShapeId(u16::try_from(index).ok()?))
}
