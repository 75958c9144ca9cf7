//! The imports of a crate, read from its text. Enough of Rust is understood for code that
//! `cargo fmt` has formatted: comments end a line, and inline tests are the last part of a file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::graph::Edge;

/// The imports between top-level modules.
pub(super) fn edges(folder: &Path) -> Result<Vec<Edge>> {
    let mut files = Vec::new();
    find(folder, &[], &mut files)?;
    let modules: BTreeSet<&str> = files
        .iter()
        .filter_map(|(path, _)| path.first().map(String::as_str))
        .collect();
    let root = files.iter().find(|(path, _)| path.is_empty());
    let exported = exports(root.map_or("", |(_, text)| text));
    let mut edges = BTreeMap::new();
    for (path, text) in &files {
        let Some(own) = path.first() else { continue };
        for name in imports(text, path.len()) {
            let module = match modules.get(name.as_str()) {
                Some(module) => module,
                None => match exported.get(&name) {
                    Some(module) => module.as_str(),
                    None => continue,
                },
            };
            if module != own {
                edges
                    .entry((own.clone(), module.to_owned()))
                    .or_insert_with(|| path.join("/"));
            }
        }
    }
    let edges = edges.into_iter();
    Ok(edges
        .map(|((from, to), file)| Edge { from, to, file })
        .collect())
}

/// The path of each module, and its text without comments and tests.
fn find(folder: &Path, path: &[String], files: &mut Vec<(Vec<String>, String)>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let file = entry?.path();
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        if name == "tests" {
            continue;
        }
        let mut module = path.to_vec();
        if file.is_dir() {
            module.push(name.into_owned());
            find(&file, &module, files)?;
        } else if file.extension().is_some_and(|extension| extension == "rs") {
            if !matches!(&*name, "mod" | "lib") {
                module.push(name.into_owned());
            }
            let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
            files.push((module, code(&text)));
        }
    }
    Ok(())
}

/// A text without comments, and without the tests at its end.
fn code(text: &str) -> String {
    let text = text.split("\nmod tests {").next().unwrap_or_default();
    let lines = text.lines().map(|line| {
        let end = line.find("//").unwrap_or(line.len());
        &line[..end]
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The names that a crate's root re-exports from its modules, with the module of each.
fn exports(root: &str) -> BTreeMap<String, String> {
    let mut exports = BTreeMap::new();
    for after in root.split("use self::").skip(1) {
        let item = after.split(';').next().unwrap_or_default();
        if let Some((module, names)) = item.split_once("::") {
            let names = words(names).map(|name| (name.to_owned(), module.to_owned()));
            exports.extend(names);
        }
    }
    exports
}

/// The names at the crate's root that a module of this depth refers to.
fn imports(text: &str, depth: usize) -> Vec<String> {
    let mut found = Vec::new();
    for after in text.split("crate::").skip(1) {
        leading(after, &mut found);
    }
    let root = "super::".repeat(depth);
    for (position, _) in text.match_indices(&root) {
        let (before, after) = (&text[..position], &text[position + root.len()..]);
        if !before.ends_with("super::") && !after.starts_with("super::") {
            leading(after, &mut found);
        }
    }
    found
}

/// The first name of a path, or the first one of each path in braces.
fn leading(path: &str, found: &mut Vec<String>) {
    let Some(group) = path.strip_prefix('{') else {
        found.extend(words(path).next().map(str::to_owned));
        return;
    };
    let (mut depth, mut at_start) = (0, true);
    for (position, byte) in group.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 0 => return,
            b'}' => depth -= 1,
            b',' if depth == 0 => at_start = true,
            b' ' | b'\n' => {}
            _ if at_start => {
                found.extend(words(&group[position..]).next().map(str::to_owned));
                at_start = false;
            }
            _ => {}
        }
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_read_in_every_form() {
        let text = code(
            "use crate::a::B;\nuse crate::{c::{D, E}, F};\n// crate::comment\nfn f() { crate::g::h(); }\n\
             use super::i;\nuse super::super::j;\n#[cfg(test)]\nmod tests {\n    use crate::t;\n}",
        );
        assert_eq!(imports(&text, 1), ["a", "c", "F", "g", "i"]);
        assert_eq!(imports(&text, 2), ["a", "c", "F", "g", "j"]);
    }

    #[test]
    fn names_of_the_root_belong_to_their_modules() {
        let exports = exports("mod a;\npub use self::a::{B, c};\nuse self::d::E;\n");
        let pairs: Vec<_> = exports
            .iter()
            .map(|(name, module)| (name.as_str(), module.as_str()))
            .collect();
        assert_eq!(pairs, [("B", "a"), ("E", "d"), ("c", "a")]);
    }
}
