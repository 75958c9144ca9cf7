//! Sharing of compiled schemas, and how long they are kept.

use std::sync::Arc;
use std::thread;

use super::Scanned;
use crate::registry::{Dialect, Fingerprint, SchemaLimits, SchemaRegistry};

const DIALECT: Dialect = Dialect::Draft202012;

fn print(text: &str) -> String {
    Fingerprint::of(Scanned::new(text).root()).to_string()
}

#[test]
fn the_fingerprint_is_of_canonical_json() {
    // echo -n '{"a":[1,"x",{"b":null}],"c":true}' | sha256sum
    let canonical = print(r#"{"a":[1,"x",{"b":null}],"c":true}"#);
    assert_eq!(
        canonical,
        "c816c549cc4c3c9c956576a40a1bf848bab86e7b0ee7ade0a3910839fe6beee0"
    );
    let same = [
        "{ \"c\" : true,\n\"a\": [1, \"x\", {\"b\": null}] }",
        r#"{"c":false,"a":[1.0,"\u0078",{"b":null}],"c":true}"#,
        r#"{"a":[10e-1,"x",{"b":null}],"\u0063":true}"#,
    ];
    for text in same {
        assert_eq!(print(text), canonical, "{text}");
    }
    let other = [
        r#"{"a":[1,"x",{"b":null}],"c":false}"#,
        r#"{"a":["x",1,{"b":null}],"c":true}"#,
        r#"{"a":["1","x",{"b":null}],"c":true}"#,
        r#"{"a":[1,"x",{"b":null}]}"#,
    ];
    for text in other {
        assert_ne!(print(text), canonical, "{text}");
    }
    assert_ne!(print(r#"[["a"],"b"]"#), print(r#"["a",["b"]]"#));
    assert_ne!(print(r#"["a,b"]"#), print(r#"["a","b"]"#));
    assert_eq!(print("[-0.0,-0,0]"), print("[0,0,0]"));
    assert_ne!(print("[0.1]"), print("[0.2]"));
    let deep = format!("{}{}", "[".repeat(50_000), "]".repeat(50_000));
    assert_ne!(print(&deep), canonical);
}

#[test]
fn equal_schemas_are_one() {
    let registry = SchemaRegistry::default();
    let texts = [
        r#"{"type":"object","properties":{"a":{"type":"string"},"b":{}}}"#,
        r#"{ "properties": {"b": {}, "a": {"type": "string"}}, "type": "object" }"#,
    ];
    let [one, other] = texts.map(|text| registry.load(Scanned::new(text).root(), DIALECT).unwrap());
    assert!(Arc::ptr_eq(&one, &other));
    assert_eq!(one.fingerprint().to_string(), print(texts[0]));
    assert_eq!(
        (registry.counters().compiled, registry.counters().hits),
        (1, 1)
    );
}

#[test]
fn faults_are_kept_too() {
    let registry = SchemaRegistry::default();
    let [one, other] = [r#"{"type":"x","title":"t"}"#, r#"{"title":"t","type":"x"}"#].map(|text| {
        registry
            .load(Scanned::new(text).root(), DIALECT)
            .unwrap_err()
    });
    assert!(Arc::ptr_eq(&one, &other));
    assert_eq!(
        (registry.counters().compiled, registry.counters().hits),
        (1, 1)
    );
}

#[test]
fn threads_compile_each_schema_once() {
    const THREADS: usize = 8;
    const SCHEMAS: usize = 500;
    let registry = Arc::new(SchemaRegistry::default());
    let workers: Vec<_> = (0..THREADS)
        .map(|worker| {
            let registry = Arc::clone(&registry);
            thread::spawn(move || {
                let load = |number: usize| {
                    // Each thread writes them in its own way and order.
                    let text = if worker % 2 == 0 {
                        format!(r#"{{"minimum":{number},"type":"integer"}}"#)
                    } else {
                        format!(r#"{{ "type": "integer", "minimum": {number}.0 }}"#)
                    };
                    registry.load(Scanned::new(text).root(), DIALECT).unwrap()
                };
                let mut loaded: Vec<_> = (0..SCHEMAS)
                    .map(|step| (step * 7 + worker * 61) % SCHEMAS)
                    .map(|number| (number, load(number)))
                    .collect();
                loaded.sort_by_key(|(number, _)| *number);
                loaded
            })
        })
        .collect();
    let loaded: Vec<_> = workers
        .into_iter()
        .map(|worker| worker.join().unwrap())
        .collect();
    assert_eq!(registry.counters().compiled, SCHEMAS as u64);
    assert_eq!(registry.counters().hits, ((THREADS - 1) * SCHEMAS) as u64);
    for number in 0..SCHEMAS {
        let (first, others) = loaded.split_first().unwrap();
        assert!(
            others
                .iter()
                .all(|other| Arc::ptr_eq(&first[number].1, &other[number].1))
        );
    }
}

#[test]
fn what_was_not_used_longest_goes_first() {
    let limits = SchemaLimits {
        kept: 3,
        ..SchemaLimits::DEFAULT
    };
    let registry = SchemaRegistry::new(limits);
    let load = |number: u32| {
        let text = format!(r#"{{"minimum":{number}}}"#);
        registry.load(Scanned::new(text).root(), DIALECT).unwrap()
    };
    let held = load(2);
    for number in [1, 3, 1] {
        load(number);
    }
    load(4);
    assert_eq!((registry.len(), registry.counters().evicted), (3, 1));
    let before = registry.counters().compiled;
    for number in [1, 3, 4] {
        load(number);
    }
    assert_eq!(registry.counters().compiled, before);
    // Holders of a schema keep it.
    assert!(!held.accepts(Scanned::new("1").root()));
    assert!(!Arc::ptr_eq(&held, &load(2)));
}

#[test]
fn bytes_are_bounded_too() {
    let limits = SchemaLimits {
        kept_bytes: 100_000,
        ..SchemaLimits::DEFAULT
    };
    let registry = SchemaRegistry::new(limits);
    for number in 0..100 {
        let text = format!(r#"{{"minimum":{number},"title":"{}"}}"#, "x".repeat(500));
        registry.load(Scanned::new(text).root(), DIALECT).unwrap();
    }
    assert!((1..10).contains(&registry.len()), "{}", registry.len());
    // One that is larger than all is still compiled.
    let text = format!(r#"{{"title":"{}"}}"#, "x".repeat(50_000));
    registry.load(Scanned::new(text).root(), DIALECT).unwrap();
    assert_eq!(registry.len(), 1);
}
