//! The form of envelopes, and faults of those of other programs.

#[cfg(feature = "json-schema")]
mod agreement;
#[cfg(feature = "json-schema")]
mod schema;

use core::num::NonZeroU32;
use core::time::Duration;

use super::*;
use crate::canonical::CanonicalError;
use crate::tool_io::ToolId;

fn text(text: &str) -> NonEmpty {
    NonEmpty::new(text).unwrap()
}

fn meta() -> Meta {
    Meta::new(text("r1"), Transport::Stdio)
}

#[test]
fn is_written_as_documented() {
    let mut meta = Meta::new(text("r1"), Transport::Http);
    meta.trace_id = TraceId::parse("0af7651916cd43dd8448eb211c80319c");
    meta.span_id = SpanId::parse("b7ad6b7169203331");
    meta.deterministic = true;
    meta.route = NonEmpty::new("/mcp");
    meta.method = NonEmpty::new("tools/call");
    meta.duration = Duration::from_micros(12_345);
    meta.attempt = NonZeroU32::new(2).unwrap();
    meta.input_bytes = 81;
    meta.output_bytes = u64::MAX;
    meta.tool_id = ToolId::new("search");
    let data = JsonText::parse(b"{ \"a\" : [ 1, \"x \\\" y\" ] }").unwrap();
    let envelope = ResultEnvelope::success(data, meta);
    assert_eq!(
        envelope.to_json(),
        concat!(
            r#"{"ok":true,"data":{"a":[1,"x \" y"]},"error":null,"meta":{"requestId":"r1","#,
            r#""traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331","#,
            r#""schemaVersion":"1.0","deterministic":true,"transport":"http","route":"/mcp","#,
            r#""method":"tools/call","durationMs":12.345,"status":200,"attempt":2,"inputBytes":81,"#,
            r#""outputBytes":9007199254740991,"toolId":"mcp.tool:search"}}"#
        )
    );
}

#[test]
fn statuses_go_with_the_outcome() {
    let success = ResultEnvelope::success(JsonText::null(), meta());
    assert_eq!(success.clone().with_status(202).unwrap().status(), 202);
    assert!(success.clone().with_status(400).is_err());
    assert!(success.with_status(199).is_err());
    let failure = ResultEnvelope::failure(CanonicalError::Timeout, meta());
    assert_eq!(failure.status(), 504);
    assert_eq!(failure.clone().with_status(503).unwrap().status(), 503);
    assert!(failure.clone().with_status(200).is_err());
    assert!(failure.with_status(600).is_err());
}

#[test]
fn ids_are_hexadecimal_and_not_zero() {
    assert_eq!(TraceId::parse(&"0".repeat(32)), None);
    assert_eq!(TraceId::parse(&"A".repeat(32)), None);
    assert_eq!(TraceId::parse(&"a".repeat(31)), None);
    assert_eq!(SpanId::parse(&"é".repeat(8)), None);
    assert_eq!(SpanId::from_bytes([0; 8]), None);
    let id = "00000000000000000000000000000001";
    assert_eq!(TraceId::parse(id).unwrap().to_string(), id);
}

#[test]
fn values_are_on_one_line_and_tame() {
    let value = JsonText::parse("{\n\t\"a\\\\\" : \"x\u{7f}\u{9b}y \\n\"\r\n}".as_bytes()).unwrap();
    assert_eq!(value.as_str(), r#"{"a\\":"x\u007f\u009by \n"}"#);
    assert!(JsonText::parse(b"{").is_err());
    assert!(Details::new(JsonText::parse(b"1").unwrap()).is_none());
    let mut meta = meta();
    meta.method = NonEmpty::new("\u{1b}[31m\u{9b}");
    let json = ResultEnvelope::success(value, meta).to_json();
    assert!(!json.chars().any(char::is_control), "{json}");
}
