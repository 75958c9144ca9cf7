//! `version/negotiated-respected`

use std::sync::LazyLock;

use crate::envelope::MessageKind;
use crate::model::{Field, METHODS, Method, STRUCTS, Shape, ShapeId};
use crate::rules::prelude::*;
use crate::session::Phase;
use crate::syntax::KeyHash;

rule! {
    /// A message makes use of a member that only a later revision than the agreed one has.
    ///
    /// The peer does not know the member and ignores it, so the effect that the sender relies on
    /// does not happen: a warning. Where nothing is lost, as with a title, with the mode `form` of
    /// an elicitation, or with structured content beside a text, it is a note. A member that the
    /// schema of the agreed revision refuses is an error of the family `schema`.
    ///
    /// Methods and values of later revisions are `schema/unknown-method` and the like. Members of
    /// entries in a result, such as the `title` of a tool, are not checked: the peer ignores them
    /// without harm.
    ///
    /// ```mcp,good,2025-06-18,only
    /// === open server:{"completions":{},"prompts":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"to","value":"W"},"context":{"arguments":{"from":"me"}}}}
    /// ```
    /// ```mcp,bad,2025-03-26,only
    /// === open server:{"completions":{},"prompts":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"to","value":"W"},"context":{"arguments":{"from":"me"}}}}
    ///                                                                                                                                                      ^^^^^^^^^ [warning] exists since 2025-06-18
    /// ```
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add"}}
    /// ```
    /// ```mcp,bad,2025-06-18,only
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","task":{"ttl":60000}}}
    ///                                                                          ^^^^^^ [warning] exists in 2025-11-25
    /// ```
    ///
    /// ```mcp,good,2025-06-18,only
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"sum\":3}"}],"structuredContent":{"sum":3}}}
    /// ```
    /// ```mcp,bad,2025-03-26,only
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"sum\":3}"}],"structuredContent":{"sum":3}}}
    ///                                                                                        ^^^^^^^^^^^^^^^^^^^ [note] exists since 2025-06-18
    /// ```
    RULE = {
        name: "version/negotiated-respected",
        layer: Session,
        level: Error,
        recommended: RevisionSet::until(Revision::V2025_03_26),
        revisions: RevisionSet::until(Revision::V2025_11_25),
        spec: "basic/lifecycle#operation",
        code: -32601,
        help: "leave it out, or agree on a revision that has it",
        check: Check::KeyedByMethod(
            keys,
            &[On::AnyRequest, On::AnyNotification, On::AnyResult],
            check,
        ),
    }
}

/// The hashes of the members of later revisions.
fn keys(method: &Method, revision: Revision, kind: MessageKind) -> u64 {
    later(method, revision, kind).map_or(0, |later| {
        let names = later.fields.iter().map(|field| field.name);
        names.fold(0, |hashes, name| hashes | KeyHash::all_of(&[name]))
    })
}

/// The members of later revisions in the params or the result of a method.
fn later(method: &Method, revision: Revision, kind: MessageKind) -> Option<&'static Later> {
    let place = usize::from(method.index) * Revision::COUNT + revision.index();
    let sides = LATER.get(place)?;
    match kind {
        MessageKind::Request | MessageKind::Notification => Some(&sides.params),
        MessageKind::Response => Some(&sides.result),
        _ => None,
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let method = message.exchange.method;
    let later = method.and_then(|method| later(method, message.revision(), message.kind()));
    let Some(later) = later else {
        return;
    };
    // The handshake is sent before anything is agreed on.
    if !message.sound
        || session.handshake.phase < Phase::Answered
        || message.method() == Some("initialize")
    {
        return;
    }
    let data = message.request.and_then(|request| request.data());
    let members = match (message.params(), message.result()) {
        (Some(params), _) => params,
        // The intended revision of a faulty request is not known.
        (None, Some(result)) if !data.is_some_and(|data| data.faulty) => result,
        _ => return,
    };
    for field in &later.fields {
        let found = members.members().find(|(key, _)| key.is_text(field.name));
        if let Some((key, value)) = found {
            let text = "`{}` exists only in a later revision than the one that was agreed on";
            let level = if is_harmless(field.name, value, members) {
                Level::Note
            } else {
                Level::Warning
            };
            findings.at_most(level).named(key, text, field.name);
            // A result of another revision is one fault, however many of its members show it.
            if message.request.is_some() {
                return;
            }
        }
    }
}

/// Whether a receiver that ignores a member does what the sender wants all the same.
fn is_harmless(name: &str, value: Node<'_>, among: Node<'_>) -> bool {
    match name {
        // Names, pictures and hints.
        "title" | "description" | "icons" | "annotations" | "message" | "_meta" | "ttlMs"
        | "cacheScope" => true,
        "mode" => value.is_text("form"),
        "resultType" => value.is_text("complete"),
        // Text says the same to those who do not know structured content.
        "structuredContent" => among
            .get("content")
            .is_some_and(|content| content.items().next().is_some()),
        _ => false,
    }
}

/// The members of later revisions, by method and revision.
static LATER: LazyLock<Vec<Sides>> = LazyLock::new(|| {
    let methods = METHODS.iter();
    methods
        .flat_map(|method| {
            Revision::ALL.map(|revision| {
                let form = method.forms[revision.index()];
                Sides {
                    params: Later::of(form.map(|form| form.params), revision),
                    result: Later::of(form.map(|form| form.result), revision),
                }
            })
        })
        .collect()
});

/// The params and the result of a method.
struct Sides {
    params: Later,
    result: Later,
}

/// The members that only later revisions have.
#[derive(Default)]
struct Later {
    fields: Vec<&'static Field>,
}

impl Later {
    fn of(shape: Option<ShapeId>, revision: Revision) -> Self {
        let known = match shape.and_then(ShapeId::get) {
            Some(Shape::Struct(index)) => STRUCTS.get(usize::from(*index)),
            _ => None,
        };
        let fields = known.into_iter().flat_map(|known| known.fields);
        Self {
            fields: fields
                .filter(|field| is_of_later(field, revision))
                .collect(),
        }
    }
}

/// Whether later revisions have a member, and this one does not.
fn is_of_later(field: &Field, revision: Revision) -> bool {
    let (past, later) = field.shape.split_at(revision.index() + 1);
    past.last() == Some(&ShapeId::ABSENT) && later.iter().any(|shape| *shape != ShapeId::ABSENT)
}
