//! The builder, the reader and the schema agree.

use std::cell::Cell;

use mcp_assay::registry::SchemaRegistry;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Value, json};

use super::*;

/// A few characters of any kind.
fn word() -> impl Strategy<Value = String> {
    "(?s).{0,12}"
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map(word(), inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn json_text(value: &Value) -> JsonText {
    JsonText::parse(value.to_string().as_bytes()).unwrap()
}

fn non_empty() -> impl Strategy<Value = NonEmpty> {
    word().prop_map(|text| NonEmpty::new(text).unwrap_or_else(|| NonEmpty::known("x")))
}

prop_compose! {
    fn any_meta()(
        request_id in non_empty(),
        transport in select(&Transport::ALL[..]),
        trace_id in any::<[u8; 16]>(),
        span_id in any::<[u8; 8]>(),
        traced in any::<bool>(),
        deterministic in any::<bool>(),
        route in word(),
        method in word(),
        nanoseconds in 0..86_400_000_000_000_u64,
        attempt in any::<NonZeroU32>(),
        bytes in any::<(u64, u64)>(),
    )(
        tool in proptest::option::of(word()),
        prompt in proptest::option::of(word()),
        meta in Just({
            let mut meta = Meta::new(request_id, transport);
            if traced {
                meta.trace_id = TraceId::from_bytes(trace_id);
                meta.span_id = SpanId::from_bytes(span_id);
            }
            meta.deterministic = deterministic;
            meta.route = NonEmpty::new(route);
            meta.method = NonEmpty::new(method);
            meta.duration = Duration::from_nanos(nanoseconds);
            meta.attempt = attempt;
            meta.input_bytes = bytes.0 >> 11;
            meta.output_bytes = bytes.1 >> 11;
            meta
        }),
    ) -> Meta {
        let mut meta = meta;
        meta.tool_id = tool.and_then(ToolId::new);
        meta.prompt_id = prompt.and_then(NonEmpty::new);
        meta
    }
}

fn any_envelope() -> impl Strategy<Value = ResultEnvelope> {
    let success = (any_json(), any_meta(), 200_u16..300).prop_map(|(data, meta, status)| {
        ResultEnvelope::success(json_text(&data), meta).with_status(status)
    });
    let failure = (
        select(&CanonicalError::ALL[..]),
        non_empty(),
        any_json(),
        any_meta(),
        400_u16..600,
    )
        .prop_map(|(code, message, details, meta, status)| {
            let error = ErrorObject::new(code, message);
            let error = match Details::new(json_text(&details)) {
                Some(details) => error.with_details(details),
                None => error,
            };
            ResultEnvelope::failure(error, meta).with_status(status)
        });
    prop_oneof![success, failure].prop_map(|built| built.expect("the status goes with it"))
}

/// Breaks an envelope, most of the time: one of its own members is removed, replaced, renamed or
/// added.
fn mutate(envelope: &mut Value, at: usize, how: usize, value: &Value, borrowed: &Value) {
    let owner = match at % 4 {
        0 => envelope,
        1 if envelope["error"].is_object() => &mut envelope["error"],
        _ => &mut envelope["meta"],
    };
    let members = owner.as_object_mut().unwrap();
    let keys: Vec<String> = members.keys().cloned().collect();
    let Some(key) = keys.get(at / 4 % keys.len().max(1)) else {
        return;
    };
    match how {
        0 => drop(members.remove(key)),
        1 => drop(members.insert(key.clone(), value.clone())),
        2 => drop(members.insert(key.clone(), borrowed.clone())),
        3 => drop(members.insert(format!("{key}x"), value.clone())),
        _ => {}
    }
}

/// Values that are nearly right somewhere.
fn likely() -> impl Strategy<Value = Value> {
    let values = vec![
        json!(null),
        json!(true),
        json!(false),
        json!(0),
        json!(1),
        json!(-1),
        json!(0.5),
        json!(1.0),
        json!(200),
        json!(299),
        json!(300),
        json!(400),
        json!(599),
        json!(600),
        json!(4_294_967_295_u64),
        json!(4_294_967_296_u64),
        json!(9_007_199_254_740_991_u64),
        json!(9_007_199_254_740_992_u64),
        json!(u64::MAX),
        json!(""),
        json!("x"),
        json!("stdio"),
        json!("http"),
        json!("NOT_FOUND"),
        json!("mcp.tool:"),
        json!("mcp.tool:x"),
        json!("mcp.tool:\n"),
        json!("xmcp.tool:y"),
        json!("0".repeat(32)),
        json!("a".repeat(32)),
        json!("A".repeat(32)),
        json!("0123456789abcdef"),
        json!("0000000000000000"),
        json!("a".repeat(32) + "\n"),
        json!([]),
        json!({}),
        json!({"code": "TIMEOUT", "message": "m", "details": null}),
    ];
    select(values)
}

/// 10,000 envelopes of the builder, and one that was tampered with for each.
#[test]
fn builder_reader_and_schema_agree() {
    let registry = SchemaRegistry::default();
    let (sound, broken) = (Cell::new(0), Cell::new(0));
    let config = Config {
        cases: 10_000,
        failure_persistence: None,
        ..Config::default()
    };
    let mut runner =
        TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let cases = (
        any_envelope(),
        any::<usize>(),
        0..4_usize,
        any_json(),
        likely(),
    );
    let result = runner.run(&cases, |(envelope, at, how, value, borrowed)| {
        let json = envelope.to_json();
        prop_assert_eq!(check(json.as_bytes(), &registry), vec![], "{}", json);
        let read = ResultEnvelope::read(json.as_bytes());
        prop_assert_eq!(read, Ok(envelope), "{}", json);
        let mut tampered: Value = serde_json::from_str(&json).unwrap();
        mutate(&mut tampered, at, how, &value, &borrowed);
        let tampered = tampered.to_string();
        let misfits = check(tampered.as_bytes(), &registry);
        let read = ResultEnvelope::read(tampered.as_bytes());
        prop_assert_eq!(
            misfits.is_empty(),
            read.is_ok(),
            "{} {:?} {:?}",
            tampered,
            misfits,
            read
        );
        match read {
            Ok(_) => sound.set(sound.get() + 1),
            Err(misfit) => {
                broken.set(broken.get() + 1);
                // The place where the reader stops is one of the places that the schema names.
                let named = misfits.iter().any(|other| other.pointer == misfit.pointer);
                prop_assert!(named, "{} {:?} {:?}", tampered, misfits, misfit);
            }
        }
        Ok(())
    });
    result.unwrap();
    let (sound, broken) = (sound.get(), broken.get());
    assert!(sound > 500 && broken > 5_000, "{sound} {broken}");
    assert_eq!(registry.counters().compiled, 1);
}
