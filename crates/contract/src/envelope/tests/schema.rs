//! The schema, and its verdicts on envelopes.

use mcp_assay::registry::{Dialect, SchemaRegistry};
use serde_json::{Value, json};

use super::*;

/// The deepest value that a message may have still fits.
#[test]
fn deep_values_fit() {
    let registry = SchemaRegistry::default();
    let deep = format!("{}{}", "[".repeat(128), "]".repeat(128));
    let value = JsonText::parse(deep.as_bytes()).unwrap();
    let success = ResultEnvelope::success(value.clone(), meta());
    let error = ErrorObject::new(CanonicalError::InvalidInput, text("x"))
        .with_details(Details::new(value).unwrap());
    let failure = ResultEnvelope::failure(error, meta());
    for envelope in [success, failure] {
        let json = envelope.to_json();
        assert_eq!(check(json.as_bytes(), &registry), []);
        assert_eq!(ResultEnvelope::read(json.as_bytes()), Ok(envelope));
    }
}

#[test]
fn derived_ids_are_the_same_in_every_run() {
    // printf 'trace\0\0\0\0\0\0\0\0\0s' | sha256sum
    assert_eq!(
        trace_id("s").to_string(),
        "9ae27a24074c08505583bcc8409d3562"
    );
    let ids: std::collections::HashSet<_> = (0..100)
        .flat_map(|sequence| {
            let (request, span) = (request_id("s", sequence), span_id("s", sequence));
            [request.to_string(), span.to_string()]
        })
        .collect();
    assert_eq!(ids.len(), 200);
    assert_eq!(request_id("s", 7), request_id("s", 7));
    assert_ne!(request_id("s", 7), request_id("t", 7));
}

#[test]
fn the_schema_allows_no_other_member_and_knows_every_error() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let mut objects = 0;
    let mut left = vec![&schema];
    while let Some(value) = left.pop() {
        let is_object = value["type"] == "object" && value["properties"].is_object();
        if is_object {
            assert_eq!(value["additionalProperties"], false, "{value}");
            objects += 1;
        }
        match value {
            Value::Array(items) => left.extend(items),
            Value::Object(members) => left.extend(members.values()),
            _ => {}
        }
    }
    assert_eq!(objects, 3);
    let names = CanonicalError::ALL.map(CanonicalError::name);
    assert_eq!(
        schema["$defs"]["Error"]["properties"]["code"]["enum"],
        json!(names)
    );
}

#[test]
fn faults_have_a_place_and_a_reason() {
    let registry = SchemaRegistry::default();
    let sound = ResultEnvelope::success(JsonText::null(), meta()).to_json();
    for (from, to, pointer, reason) in [
        ("\"ok\":true,", "", "", "the member `ok` is missing"),
        (
            "\"ok\":true",
            "\"ok\":1",
            "/ok",
            "is of a type that is not allowed",
        ),
        (
            "{\"ok\"",
            "{\"okay\":1,\"ok\"",
            "/okay",
            "no such member is allowed here",
        ),
        (
            "\"status\":200",
            "\"status\":404",
            "/meta/status",
            "is too large",
        ),
        (
            "\"stdio\"",
            "\"pipe\"",
            "/meta/transport",
            "is none of the values that are allowed",
        ),
        (
            "\"error\":null",
            "\"error\":{}",
            "/error",
            "is of a type that is not allowed",
        ),
        (
            "\"attempt\":1",
            "\"attempt\":0",
            "/meta/attempt",
            "is too small",
        ),
        (
            "\"meta\":",
            "\"meta\":{},\"meta\":",
            "/meta",
            "the member is there twice",
        ),
        (
            "\"ok\":true",
            "\"ok\":tru",
            "",
            "not JSON at byte 6: `tru` is not JSON",
        ),
    ] {
        let broken = sound.replacen(from, to, 1);
        assert_ne!(broken, sound);
        let misfits = check(broken.as_bytes(), &registry);
        assert!(
            misfits
                .iter()
                .any(|misfit| misfit.pointer == pointer && misfit.reason == reason),
            "{broken}: {misfits:?}"
        );
        assert!(ResultEnvelope::read(broken.as_bytes()).is_err(), "{broken}");
    }
}

#[test]
fn the_schema_is_one_of_its_dialect() {
    let schema = load_schema(&SchemaRegistry::default()).unwrap();
    assert_eq!(schema.dialect(), Dialect::Draft202012);
    assert!(schema.unchecked().is_empty());
}

/// An envelope that is cut short or has any byte replaced still gets a verdict, and the same from
/// both.
#[test]
fn damaged_bytes_are_judged_alike() {
    let registry = SchemaRegistry::default();
    let sound = ResultEnvelope::failure(CanonicalError::NotFound, meta()).to_json();
    let mut accepted = 0;
    for at in 0..sound.len() {
        let mut damaged = vec![sound.as_bytes()[..at].to_vec()];
        for byte in [b'"', b'{', b'0', b'a', b',', 0, 0xff] {
            let mut bytes = sound.clone().into_bytes();
            bytes[at] = byte;
            damaged.push(bytes);
        }
        for bytes in damaged {
            let misfits = check(&bytes, &registry);
            let read = ResultEnvelope::read(&bytes);
            let text = String::from_utf8_lossy(&bytes);
            assert_eq!(misfits.is_empty(), read.is_ok(), "{text} {misfits:?}");
            accepted += usize::from(read.is_ok());
        }
    }
    assert!((50..1000).contains(&accepted), "{accepted}");
}
