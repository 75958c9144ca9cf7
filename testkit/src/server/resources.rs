//! One resource.

use serde_json::{Value, json};

use crate::server::answers::{error, result};
use crate::server::faults::Fault;

pub(crate) fn list(fault: Fault) -> Value {
    let mut uri = "test://one".to_owned();
    if fault.is("climbs-out") {
        "file:///srv/data/one.txt".clone_into(&mut uri);
    }
    if fault.is("resources-differ") {
        uri = format!("test://{}", std::process::id());
    }
    result(json!({"resources": [{"uri": uri, "name": "one"}]}))
}

pub(crate) fn read(fault: Fault, params: &Value, version: &str) -> Value {
    let Some(uri) = params["uri"].as_str() else {
        return error(-32602, "which resource?");
    };
    let text = |text: &str| {
        result(json!({"contents": [{"uri": uri, "mimeType": "text/plain", "text": text}]}))
    };
    if fault.is("climbs-out") && uri.contains("/../") {
        return text("root:x:0:0");
    }
    if uri.starts_with("test://") || uri == "file:///srv/data/one.txt" {
        return text("one");
    }
    if fault.is("unknown-resource-is-empty") {
        return result(json!({"contents": []}));
    }
    if fault.is("unknown-resource-is-internal") {
        return error(-32603, "no such resource");
    }
    let code = if version < "2026-07-28" {
        -32002
    } else {
        -32602
    };
    let mut error = error(code, "no such resource");
    error["error"]["data"] = json!({"uri": uri});
    error
}
