//! One walk over the content of a message, for all rules about it.

use crate::frame::is_media_type;
use crate::rules::content::{
    annotation_last_modified, base64, icon_scheme, mime_type_valid, resource_text_xor_blob,
};
use crate::rules::prelude::*;
use crate::rules::support::{base64_fault, each_object, is_timestamp};
use crate::syntax::KeyHash;

/// Checks every message that can have content, annotations or icons.
pub(super) static GROUP: Group = Group {
    keys: CHECKED_KEYS,
    on: &[
        On::Result("tools/call"),
        On::Result("prompts/get"),
        On::Result("resources/read"),
        On::Result("tasks/result"),
        On::Result("tasks/get"),
        On::Result("tools/list"),
        On::Result("resources/list"),
        On::Result("resources/templates/list"),
        On::Result("prompts/list"),
        On::Result("sampling/createMessage"),
        On::Result("initialize"),
        On::Result("server/discover"),
        On::Call("initialize"),
        On::Call("sampling/createMessage"),
        On::Call("tools/call"),
        On::Call("prompts/get"),
        On::Call("resources/read"),
        On::Call("tasks/update"),
    ],
    check,
};

fn check(message: &Message<'_>, _: &Session, findings: &mut Findings<'_>) {
    let Some(value) = message.params().or_else(|| message.result()) else {
        return;
    };
    each_object(value, |object| check_object(object, findings));
}

/// The members of an object that describe content.
#[derive(Default)]
struct Seen<'a> {
    kind: Option<Node<'a>>,
    data: Option<Node<'a>>,
    mime_type: Option<Node<'a>>,
    text: Option<Node<'a>>,
    blob: Option<Node<'a>>,
    uri: Option<Node<'a>>,
}

/// The hashes of the keys that need a check; an object without them is skipped.
const CHECKED_KEYS: &[&str] = &["data", "blob", "icons", "mimeType", "lastModified"];

const URI: KeyHash = KeyHash::of(b"uri");
const TYPE: KeyHash = KeyHash::of(b"type");
const DATA: KeyHash = KeyHash::of(b"data");
const TEXT: KeyHash = KeyHash::of(b"text");
const BLOB: KeyHash = KeyHash::of(b"blob");
const ICONS: KeyHash = KeyHash::of(b"icons");
const MIME_TYPE: KeyHash = KeyHash::of(b"mimeType");
const LAST_MODIFIED: KeyHash = KeyHash::of(b"lastModified");

fn check_object(object: Node<'_>, findings: &mut Findings<'_>) {
    let mut key_hashes = 0u64;
    for (key, _) in object.members() {
        key_hashes |= 1 << key.token().key_hash().index();
    }
    if key_hashes & const { KeyHash::all_of(CHECKED_KEYS) } != 0 {
        check_members(object, findings);
    }
}

#[inline(never)]
fn check_members(object: Node<'_>, findings: &mut Findings<'_>) {
    let mut seen = Seen::default();
    for (key, value) in object.members() {
        match key.token().key_hash() {
            URI if key.is_text("uri") => seen.uri = Some(value),
            TYPE if key.is_text("type") => seen.kind = Some(value),
            DATA if key.is_text("data") => seen.data = Some(value),
            TEXT if key.is_text("text") => seen.text = Some(value),
            BLOB if key.is_text("blob") => seen.blob = Some(value),
            ICONS if key.is_text("icons") => icons(value, findings),
            MIME_TYPE if key.is_text("mimeType") => seen.mime_type = Some(value),
            LAST_MODIFIED if key.is_text("lastModified") => last_modified(value, findings),
            _ => {}
        }
    }
    let is_media = seen
        .kind
        .is_some_and(|kind| kind.is_text("image") || kind.is_text("audio"));
    if is_media {
        encoded(seen.data, findings);
        if let Some(mime_type) = seen.mime_type
            && mime_type.text().is_some_and(|text| !is_media_type(&text))
        {
            let text = "this is no media type, expected one such as `image/png`";
            findings.raise(&mime_type_valid::RULE, mime_type, text);
        }
    }
    // Only the contents of a resource have both a URI and a blob.
    if let (Some(_), Some(blob)) = (seen.uri, seen.blob) {
        encoded(Some(blob), findings);
        if seen.text.is_some() {
            let text = "the content has both `text` and `blob`, expected one of them";
            findings.raise(&resource_text_xor_blob::RULE, blob, text);
        }
    }
}

fn encoded(string: Option<Node<'_>>, findings: &mut Findings<'_>) {
    if let Some(string) = string
        && string.kind() == Kind::String
        && let Some(fault) = base64_fault(string)
    {
        findings.raise(&base64::RULE, string, fault.text());
    }
}

fn last_modified(value: Node<'_>, findings: &mut Findings<'_>) {
    if value.text().is_some_and(|text| !is_timestamp(&text)) {
        let text = "this is not an ISO 8601 timestamp";
        findings.raise(&annotation_last_modified::RULE, value, text);
    }
}

fn icons(value: Node<'_>, findings: &mut Findings<'_>) {
    for icon in value.items() {
        let Some(source) = icon.get("src") else {
            continue;
        };
        let text = source.text().unwrap_or_default();
        let scheme = text.split_once(':').map(|(scheme, _)| scheme);
        let allowed = scheme.is_some_and(|scheme| {
            ["https", "http", "data"]
                .iter()
                .any(|allowed| scheme.eq_ignore_ascii_case(allowed))
        });
        if source.kind() == Kind::String && !allowed {
            let text = "the source of an icon is an `https`, `http` or `data` URI";
            findings.raise(&icon_scheme::RULE, source, text);
        }
    }
}
