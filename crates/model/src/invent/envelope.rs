//! Changes of the members around params, result and error data, one at a time.

use mcp_assay_json::Kind;

use super::build::UNKNOWN;
use super::message::{Change, Invented, Outcome};
use super::tables::Tables;
use super::value::{Step, Value};
use super::walk::{Place, Walk, samples};
use crate::party::MessageKind;
use crate::tables::{ERRORS, Fact, MethodForm, Revision, ShapeId};

const MESSAGE: &str = "message";

/// Emits every change of a message.
pub(super) fn changes(message: &Invented, tables: Tables, emit: &mut dyn FnMut(Change<'_>)) {
    let Some(form) = message.method.forms[tables.revision.index()] else {
        return;
    };
    let mut walk = Walk {
        tables,
        path: vec![],
        emit,
    };
    if let Value::Array(items) = &message.root {
        batch(&mut walk, items);
        return;
    }
    whole(&mut walk, message);
    version(&mut walk);
    match message.kind {
        MessageKind::Response => result(&mut walk, &message.root, form),
        MessageKind::Error => error(&mut walk, &message.root),
        _ => call(&mut walk, message, form),
    }
    member(&mut walk, UNKNOWN, |walk| {
        walk.change(
            Some(Value::Null),
            "add null".into(),
            MESSAGE,
            Outcome::Valid,
        );
    });
}

fn batch(walk: &mut Walk<'_>, items: &[Value]) {
    walk.change(
        Some(Value::Array(vec![])),
        "to empty batch".into(),
        "batch",
        Outcome::Whole(&["jsonrpc/batch-not-empty"]),
    );
    for (sample, name) in samples() {
        if sample.kind() != Kind::Object {
            walk.down(Step::Item(0), |walk| {
                walk.change(
                    Some(sample),
                    name.into(),
                    "batch",
                    Outcome::Here(&["json/top-level-object"]),
                );
            });
        }
    }
    walk.down(Step::Item(items.len()), |walk| {
        let answer = Value::object([
            ("jsonrpc", Value::text("2.0")),
            ("id", Value::number("1")),
            ("result", Value::object([])),
        ]);
        walk.change(
            Some(answer),
            "add an answer".into(),
            "batch",
            Outcome::Here(&["jsonrpc/batch-one-kind"]),
        );
    });
    for index in 0..items.len() {
        walk.down(Step::Item(index), version);
    }
}

/// Whether the revision is later than the last one that has batches.
fn has_removed_batches(revision: Revision) -> bool {
    Revision::latest_with(Fact::Batches).is_some_and(|last| revision > last)
}

fn whole(walk: &mut Walk<'_>, message: &Invented) {
    let revision = message.revision;
    for (sample, name) in samples() {
        let outcome = match sample.kind() {
            Kind::Array if has_removed_batches(revision) => Outcome::Whole(&["jsonrpc/no-batch"]),
            Kind::Array if revision.has(Fact::Batches) => {
                Outcome::Whole(&["jsonrpc/batch-not-empty"])
            }
            // An empty object lacks more than one member, and an early revision leaves batches
            // undefined.
            Kind::Object | Kind::Array => Outcome::Open,
            _ => Outcome::Whole(&["json/top-level-object"]),
        };
        walk.change(Some(sample), name.into(), MESSAGE, outcome);
    }
    let batch = Value::Array(vec![message.root.clone()]);
    walk.change(
        Some(batch),
        "to batch of one".into(),
        MESSAGE,
        Outcome::Open,
    );
}

fn version(walk: &mut Walk<'_>) {
    const RULES: &[&str] = &["jsonrpc/version-member"];
    member(walk, "jsonrpc", |walk| {
        walk.change(None, "remove".into(), MESSAGE, Outcome::Around(RULES));
        for (sample, name) in samples() {
            walk.change(Some(sample), name.into(), MESSAGE, Outcome::Here(RULES));
        }
        for other in [
            Value::text("1.0"),
            Value::text("2"),
            Value::number("2.0"),
            Value::text("2.0 "),
        ] {
            let name = format!("to {other:?}").into();
            walk.change(Some(other), name, MESSAGE, Outcome::Here(RULES));
        }
    });
}

fn call(walk: &mut Walk<'_>, message: &Invented, form: &MethodForm) {
    if message.kind == MessageKind::Request {
        id(
            walk,
            &["jsonrpc/request-id-not-null"],
            Outcome::Around(&["jsonrpc/request-has-id"]),
        );
    } else {
        member(walk, "id", |walk| {
            for id in [Value::number("1"), Value::text("a")] {
                let name = format!("add {id:?}").into();
                walk.change(
                    Some(id),
                    name,
                    MESSAGE,
                    Outcome::Here(&["jsonrpc/notification-no-id"]),
                );
            }
        });
    }
    member(walk, "method", |walk| {
        walk.change(
            None,
            "remove".into(),
            MESSAGE,
            Outcome::Around(&["jsonrpc/known-kind"]),
        );
        for (sample, name) in samples() {
            let rules: &[_] = match sample.kind() {
                Kind::String => &["schema/unknown-method"],
                _ => &["jsonrpc/method-string"],
            };
            walk.change(Some(sample), name.into(), MESSAGE, Outcome::Here(rules));
        }
        for name in [
            format!("{} ", message.method.name),
            message.method.name.to_uppercase(),
            String::new(),
        ] {
            let change = format!("to `{name}`").into();
            walk.change(
                Some(Value::Text(name)),
                change,
                MESSAGE,
                Outcome::Here(&["schema/unknown-method"]),
            );
        }
    });
    for (name, value) in [
        ("result", Value::object([])),
        (
            "error",
            Value::object([
                ("code", Value::number("-1")),
                ("message", Value::text("no")),
            ]),
        ),
    ] {
        member(walk, name, |walk| {
            walk.change(
                Some(value),
                "add".into(),
                MESSAGE,
                Outcome::Here(&["jsonrpc/not-two-kinds"]),
            );
        });
    }
    let params = message.root.get("params");
    member(walk, "params", |walk| {
        if params.is_some() {
            let removed = if form.params_required {
                Outcome::Around(&["schema/missing-member"])
            } else {
                Outcome::Valid
            };
            walk.change(None, "remove".into(), MESSAGE, removed);
        }
        not_objects(walk, &["jsonrpc/params-object"]);
        if let Some(params) = params {
            walk.inside(params, Some(form.params));
        }
    });
}

fn result(walk: &mut Walk<'_>, root: &Value, form: &MethodForm) {
    id(
        walk,
        &["jsonrpc/id-type"],
        Outcome::Around(&["jsonrpc/result-has-id"]),
    );
    member(walk, "error", |walk| {
        let error = Value::object([
            ("code", Value::number("-1")),
            ("message", Value::text("no")),
        ]);
        walk.change(
            Some(error),
            "add".into(),
            MESSAGE,
            Outcome::Here(&["jsonrpc/result-xor-error"]),
        );
    });
    member(walk, "result", |walk| {
        walk.change(
            None,
            "remove".into(),
            MESSAGE,
            Outcome::Around(&["jsonrpc/known-kind"]),
        );
        not_objects(walk, &["jsonrpc/result-object"]);
        if let Some(result) = root.get("result") {
            walk.inside(result, Some(form.result));
        }
    });
}

fn error(walk: &mut Walk<'_>, root: &Value) {
    let without_id = if walk.tables.revision.has(Fact::ErrorWithoutId) {
        Outcome::Valid
    } else {
        Outcome::Around(&["jsonrpc/error-id-required"])
    };
    id(walk, &["jsonrpc/error-id-not-null"], without_id);
    member(walk, "error", |walk| {
        walk.change(
            None,
            "remove".into(),
            MESSAGE,
            Outcome::Around(&["jsonrpc/known-kind"]),
        );
        not_objects(walk, &["jsonrpc/error-object"]);
        for (name, kind, rules) in [
            ("code", Kind::Number, &["jsonrpc/error-code-integer"]),
            ("message", Kind::String, &["jsonrpc/error-message-string"]),
        ] {
            member(walk, name, |walk| {
                walk.change(None, "remove".into(), "error", Outcome::Around(rules));
                for (sample, name) in samples() {
                    if sample.kind() != kind || sample == Value::number("1.5") {
                        walk.change(Some(sample), name.into(), "error", Outcome::Here(rules));
                    }
                }
            });
        }
        let Some(error) = root.get("error") else {
            return;
        };
        let revision = walk.tables.revision;
        let code = error.get("code");
        let known = ERRORS.iter().find(|known| {
            code == Some(&Value::Number(known.code.to_string()))
                && known.revisions.contains(revision)
        });
        match (
            known.filter(|known| known.data != ShapeId::ABSENT),
            error.get("data"),
        ) {
            (Some(known), Some(data)) => {
                member(walk, "data", |walk| {
                    walk.value(data, Some(known.data), Place::Required, known.name);
                });
            }
            (None, Some(_)) => member(walk, "data", |walk| {
                walk.change(None, "remove".into(), "error", Outcome::Valid);
            }),
            _ => {}
        }
    });
}

/// Changes of an id; the rules are those for null, the outcome that of removing it.
fn id(walk: &mut Walk<'_>, null: &'static [&'static str], removed: Outcome) {
    member(walk, "id", |walk| {
        walk.change(None, "remove".into(), MESSAGE, removed);
        for (sample, name) in samples() {
            let outcome = match sample.kind() {
                Kind::Null => Outcome::Here(null),
                Kind::Number if sample == Value::number("1.5") => {
                    Outcome::Here(&["jsonrpc/id-not-fractional"])
                }
                Kind::Number | Kind::String => Outcome::Valid,
                _ => Outcome::Here(&["jsonrpc/id-type"]),
            };
            walk.change(Some(sample), name.into(), MESSAGE, outcome);
        }
    });
}

fn not_objects(walk: &mut Walk<'_>, rules: &'static [&'static str]) {
    for (sample, name) in samples() {
        if sample.kind() != Kind::Object {
            walk.change(Some(sample), name.into(), MESSAGE, Outcome::Here(rules));
        }
    }
}

fn member(walk: &mut Walk<'_>, name: &str, visit: impl FnOnce(&mut Walk<'_>)) {
    walk.down(Step::Member(name.to_owned()), visit);
}
