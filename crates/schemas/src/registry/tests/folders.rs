//! Schemas in folders: the file that is used, and the effect of a broken one.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use tempfile::TempDir;

use super::Scanned;
use crate::registry::{Folders, LoadErrorKind, SchemaLimits, SchemaRegistry};

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn registry(roots: &[&Path]) -> SchemaRegistry {
    let folders = Folders::new(roots.iter().map(|root| root.to_path_buf()));
    SchemaRegistry::with_source(SchemaLimits::DEFAULT, Arc::new(folders))
}

#[test]
fn the_first_folder_that_has_a_schema_wins() {
    let first = folder(&[("a.json", r#"{"type":"string"}"#)]);
    let second = folder(&[
        ("a.json", r#"{"type":"number"}"#),
        ("sub/b.json", "{}"),
        ("tools/t.input.json", "{}"),
        ("notes.txt", "no schema"),
    ]);
    let nowhere = first.path().join("nowhere");
    let registry = registry(&[&nowhere, first.path(), second.path()]);
    let text = Scanned::new(r#""x""#);
    assert!(registry.load_named("a").unwrap().accepts(text.root()));
    assert!(registry.load_named("sub/b").is_ok());
    assert!(registry.load_named("tools/t.input").is_ok());
    let error = registry.load_named("c").unwrap_err();
    assert_eq!(error.kind, LoadErrorKind::NotFound);
    assert!(error.message.contains("c.json in "), "{error}");
    assert!(error.message.contains(second.path().to_str().unwrap()));
    let folders = Folders::new([first.path().to_path_buf(), second.path().to_path_buf()]);
    let listed: Vec<_> = folders
        .list()
        .unwrap()
        .into_iter()
        .map(|listed| {
            (
                listed.name,
                listed.path.starts_with(&first),
                listed.shadowed,
            )
        })
        .collect();
    let expected = [
        ("a", true, false),
        ("a", false, true),
        ("sub/b", false, false),
        ("tools/t.input", false, false),
    ];
    assert_eq!(
        listed,
        expected.map(|(name, in_first, shadowed)| (name.to_owned(), in_first, shadowed))
    );
}

#[test]
fn no_name_leads_out_of_the_folder() {
    let around = folder(&[("secret.json", "{}"), ("schemas/in.json", "{}")]);
    let registry = registry(&[&around.path().join("schemas")]);
    assert!(registry.load_named("in").is_ok());
    let absolute = around.path().join("secret");
    for name in [
        "../secret",
        "./in",
        "x/../in",
        "",
        "/in",
        "in/",
        "..\\secret",
        "c:in",
        "in\0",
        absolute.to_str().unwrap(),
    ] {
        let error = registry.load_named(name).unwrap_err();
        assert_eq!(error.kind, LoadErrorKind::NotFound, "{name:?}");
        assert!(!error.message.contains('\0'));
    }
}

#[test]
fn a_spoilt_file_takes_nobody_down() {
    let root = folder(&[
        ("good.json", r#"{"type":"object"}"#),
        ("cut.json", r#"{"type":"obj"#),
        ("bytes.json", "\u{0}\u{1}\u{2}"),
        ("empty.json", ""),
        ("number.json", "7"),
        ("folder.json/x.json", "{}"),
    ]);
    fs::write(root.path().join("latin.json"), [b'"', 0xff, b'"']).unwrap();
    fs::write(root.path().join("huge.json"), vec![b' '; 2 << 20]).unwrap();
    let registry = registry(&[root.path()]);
    for name in ["cut", "bytes", "empty", "number", "folder", "latin", "huge"] {
        let error = registry.load_named(name).unwrap_err();
        assert_eq!(error.kind, LoadErrorKind::Unusable, "{error}");
        assert!(error.message.contains(&format!("{name}.json")), "{error}");
        assert!(registry.load_named("good").is_ok());
    }
    assert!(registry.load_named("folder.json/x").is_ok());
    // Once repaired, it is used at the next refresh.
    fs::write(root.path().join("cut.json"), r#"{"type":"object"}"#).unwrap();
    let refreshed = registry.refresh();
    assert_eq!(refreshed.changed, ["cut"]);
    assert_eq!(refreshed.broken.len(), 6);
    assert!(registry.load_named("cut").is_ok());
}

#[test]
fn files_are_read_again_when_they_changed() {
    let root = folder(&[("a.json", r#"{"const":1}"#)]);
    let registry = registry(&[root.path()]);
    let in_flight = registry.load_named("a").unwrap();
    // As long as before, and possibly within one tick of the clock of the file system.
    fs::write(root.path().join("a.json"), r#"{"const":2}"#).unwrap();
    let refreshed = registry.refresh();
    assert_eq!(refreshed.changed, ["a"]);
    let (one, two) = (Scanned::new("1"), Scanned::new("2"));
    let now = registry.load_named("a").unwrap();
    assert!(in_flight.accepts(one.root()) && !in_flight.accepts(two.root()));
    assert!(!now.accepts(one.root()) && now.accepts(two.root()));
    fs::remove_file(root.path().join("a.json")).unwrap();
    assert_eq!(registry.refresh().removed, ["a"]);
}

#[test]
fn default_folders_are_as_documented() {
    let roots = Folders::default_roots();
    assert_eq!(roots[0], Path::new("schemas"));
    assert!(
        roots
            .iter()
            .skip(1)
            .all(|root| root.ends_with("mcp-assay/schemas"))
    );
}
