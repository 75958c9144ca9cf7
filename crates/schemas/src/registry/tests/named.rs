//! Schemas by name: the times of reading, and changes of the source.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::thread;

use super::Scanned;
use crate::registry::{
    LoadErrorKind, SchemaLimits, SchemaRegistry, SchemaSource, SchemaText, SourceFault,
};

/// A source that can be changed, and counts its reads.
#[derive(Debug, Default)]
struct Shelf {
    texts: Mutex<HashMap<String, String>>,
    reads: Mutex<usize>,
}

impl Shelf {
    fn of(texts: &[(&str, &str)]) -> Arc<Self> {
        let shelf = Self::default();
        for (name, text) in texts {
            shelf.put(name, text);
        }
        Arc::new(shelf)
    }

    fn put(&self, name: &str, text: &str) {
        let mut texts = self.texts.lock().unwrap();
        texts.insert(name.to_owned(), text.to_owned());
    }

    fn reads(&self) -> usize {
        *self.reads.lock().unwrap()
    }
}

impl SchemaSource for Shelf {
    fn read(&self, name: &str) -> Result<SchemaText, SourceFault> {
        *self.reads.lock().unwrap() += 1;
        let texts = self.texts.lock().unwrap();
        match texts.get(name) {
            Some(text) if text == "locked" => Err(SourceFault::Unreadable {
                location: format!("shelf/{name}"),
                reason: "locked".to_owned(),
            }),
            Some(text) => Ok(SchemaText {
                bytes: text.clone().into_bytes(),
                stamp: text.clone(),
                location: format!("shelf/{name}"),
            }),
            None => Err(SourceFault::Missing {
                looked_for: format!("shelf/{name}"),
            }),
        }
    }
}

fn registry(shelf: &Arc<Shelf>) -> SchemaRegistry {
    let source: Arc<dyn SchemaSource> = Arc::<Shelf>::clone(shelf);
    SchemaRegistry::with_source(SchemaLimits::DEFAULT, source)
}

#[test]
fn equal_schemas_of_other_names_are_one() {
    let shelf = Shelf::of(&[
        ("a", r#"{"type":"object","minProperties":1}"#),
        ("b", r#"{ "minProperties": 1, "type": "object" }"#),
    ]);
    let registry = registry(&shelf);
    let [a, b] = ["a", "b"].map(|name| registry.load_named(name).unwrap());
    assert!(Arc::ptr_eq(&a, &b));
    assert!(Arc::ptr_eq(&a, &registry.load_named("a").unwrap()));
    assert_eq!((registry.counters().compiled, shelf.reads()), (1, 2));
}

#[test]
fn errors_name_the_file_and_harm_nobody_else() {
    let shelf = Shelf::of(&[
        ("good", r#"{"type":"object"}"#),
        ("cut", r#"{"type":"#),
        ("wrong", r#"{"properties":{"a":{"type":"x"}}}"#),
        ("locked", "locked"),
    ]);
    let registry = registry(&shelf);
    for (name, kind, message) in [
        (
            "cut",
            LoadErrorKind::Unusable,
            "failed to use the schema shelf/cut: not JSON at byte 8: the text ends in the middle of the message",
        ),
        (
            "wrong",
            LoadErrorKind::Unusable,
            "failed to use the schema shelf/wrong: /properties/a/type: ",
        ),
        (
            "locked",
            LoadErrorKind::Unusable,
            "failed to read the schema shelf/locked: locked",
        ),
        (
            "none",
            LoadErrorKind::NotFound,
            "there is no schema shelf/none",
        ),
    ] {
        // The second time it is cached.
        for _ in 0..2 {
            let error = registry.load_named(name).unwrap_err();
            assert_eq!(error.kind, kind);
            assert!(error.message.starts_with(message), "{error}");
        }
        assert!(registry.load_named("good").is_ok());
    }
    assert_eq!(shelf.reads(), 5);
    let error = SchemaRegistry::default().load_named("x").unwrap_err();
    assert_eq!(error.kind, LoadErrorKind::NotFound);
}

#[test]
fn refreshing_takes_over_what_has_changed() {
    let shelf = Shelf::of(&[
        ("same", r#"{"type":"object"}"#),
        ("changed", r#"{"type":"string"}"#),
        ("removed", r#"{"type":"number"}"#),
        ("spoilt", r#"{"type":"null"}"#),
        ("mended", "{"),
    ]);
    let registry = registry(&shelf);
    let load = |name: &str| registry.load_named(name);
    let in_flight = load("changed").unwrap();
    for name in ["same", "removed", "spoilt"] {
        load(name).unwrap();
    }
    load("mended").unwrap_err();
    load("added").unwrap_err();
    shelf.put("changed", r#"{"type":"boolean"}"#);
    shelf.put("spoilt", "{");
    shelf.put("mended", "{}");
    shelf.put("added", "true");
    shelf.texts.lock().unwrap().remove("removed");
    // Until then everything is as it was.
    assert!(Arc::ptr_eq(&in_flight, &load("changed").unwrap()));
    let refreshed = registry.refresh();
    assert_eq!(refreshed.unchanged, 1);
    assert_eq!(refreshed.changed, ["added", "changed", "mended"]);
    assert_eq!(refreshed.removed, ["removed"]);
    assert_eq!(refreshed.broken.len(), 1);
    assert!(refreshed.broken[0].message.contains("shelf/spoilt"));
    let text = Scanned::new(r#""x""#);
    assert!(in_flight.accepts(text.root()));
    assert!(!load("changed").unwrap().accepts(text.root()));
    assert!(load("added").is_ok() && load("mended").is_ok());
    // A sound schema outlives a broken file.
    assert!(load("spoilt").is_ok());
    assert_eq!(load("removed").unwrap_err().kind, LoadErrorKind::NotFound);
    let again = registry.refresh();
    assert_eq!((again.unchanged, again.broken.len()), (4, 1));
    assert!(again.changed.is_empty() && again.removed.is_empty());
}

#[test]
fn what_had_to_make_room_is_read_again() {
    let texts: Vec<_> = (0..10)
        .map(|number| (number.to_string(), format!(r#"{{"minimum":{number}}}"#)))
        .collect();
    let texts: Vec<_> = texts
        .iter()
        .map(|(a, b)| (a.as_str(), b.as_str()))
        .collect();
    let shelf = Shelf::of(&texts);
    let limits = SchemaLimits {
        kept: 3,
        ..SchemaLimits::DEFAULT
    };
    let source: Arc<dyn SchemaSource> = Arc::<Shelf>::clone(&shelf);
    let registry = SchemaRegistry::with_source(limits, source);
    for round in 1..=2 {
        for (name, _) in &texts {
            registry.load_named(name).unwrap();
        }
        assert_eq!(registry.len(), 3);
        assert_eq!(shelf.reads(), 10 * round);
    }
}

#[test]
fn eight_threads_refresh_and_load_without_harm() {
    let texts: Vec<_> = (0..50)
        .map(|number| (number.to_string(), format!(r#"{{"minimum":{number}}}"#)))
        .collect();
    let texts: Vec<_> = texts
        .iter()
        .map(|(a, b)| (a.as_str(), b.as_str()))
        .collect();
    let shelf = Shelf::of(&texts);
    let registry = registry(&shelf);
    let value = Scanned::new("100");
    thread::scope(|scope| {
        for worker in 0..8 {
            let (registry, shelf, texts, value) = (&registry, &shelf, &texts, &value);
            scope.spawn(move || {
                for step in 0..200 {
                    let (name, _) = texts[(step * 7 + worker) % texts.len()];
                    assert!(registry.load_named(name).unwrap().accepts(value.root()));
                    if worker == 0 && step % 20 == 0 {
                        shelf.put(name, &format!(r#"{{"maximum":{}}}"#, 200 + step));
                        assert!(registry.refresh().broken.is_empty());
                    }
                }
            });
        }
    });
    assert_eq!(registry.counters().compiled, 50 + 10);
}
