//! The version stands in several files, because cargo, maturin, npm and pre-commit each read their
//! own. `cargo xtask version` writes it everywhere, and `tidy` compares.

use std::fs;

use anyhow::{Context, Result, bail};

use crate::files;

/// A version in a file: between these two texts, on every line that has them.
struct Place {
    path: &'static str,
    before: &'static str,
    after: &'static str,
}

const PLACES: &[Place] = &[
    place("Cargo.toml", "\nversion = \"", "\""),
    place("Cargo.toml", "\", version = \"", "\" }"),
    place("crates/contract/Cargo.toml", "\", version = \"", "\""),
    place("packages/python/Cargo.toml", "\nversion = \"", "\""),
    place("packages/wasm/Cargo.toml", "\nversion = \"", "\""),
    place("packages/npm/package.json", "\n  \"version\": \"", "\""),
    place(
        "packages/npm/package-lock.json",
        "\n  \"version\": \"",
        "\"",
    ),
    place(
        "packages/npm/package-lock.json",
        "\"mcp-assay\",\n      \"version\": \"",
        "\"",
    ),
    place("pyproject.toml", "\nversion = \"", "\""),
    place("pyproject.toml", "\"mcp-assay==", "\""),
    place("docs/probe.md", "rev: v", "\n"),
    place("docs/probe.md", "mcp-assay/mcp-assay@v", "\n"),
];

const fn place(path: &'static str, before: &'static str, after: &'static str) -> Place {
    Place {
        path,
        before,
        after,
    }
}

/// Writes a version everywhere.
pub(crate) fn write(version: &str) -> Result<()> {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let (numbers, _) = version.split_once('-').unwrap_or((version, ""));
    if numbers.split('.').count() != 3 || !numbers.split('.').all(digits) {
        bail!("`{version}` is no version: three numbers are expected, as in `0.2.0`");
    }
    for place in PLACES {
        let path = files::root().join(place.path);
        let text =
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", place.path))?;
        let (text, _) = place.replaced(&text, version)?;
        fs::write(&path, text).with_context(|| format!("cannot write {}", place.path))?;
    }
    println!(
        "version {version}; `cargo xtask codegen` and a build bring the lock files up to date"
    );
    Ok(())
}

/// Adds a fault for each place with another version than that of the workspace.
pub(crate) fn check(faults: &mut Vec<String>) -> Result<()> {
    let version = env!("CARGO_PKG_VERSION");
    for place in PLACES {
        let path = files::root().join(place.path);
        let text =
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", place.path))?;
        let (_, others) = place.replaced(&text, version)?;
        faults.extend(others.iter().map(|other| {
            let path = place.path;
            format!("{path}: version `{other}`, that of the workspace is `{version}`")
        }));
    }
    Ok(())
}

impl Place {
    /// The text with this version in every such place, and the other versions that were there.
    fn replaced<'t>(&self, text: &'t str, version: &str) -> Result<(String, Vec<&'t str>)> {
        let mut parts = text.split(self.before);
        let mut replaced = parts.next().unwrap_or_default().to_owned();
        let mut others = Vec::new();
        let mut count = 0;
        for part in parts {
            replaced += self.before;
            match part.find(self.after) {
                Some(end) if !part[..end].contains('\n') => {
                    count += 1;
                    if part[..end] != *version {
                        others.push(&part[..end]);
                    }
                    replaced += version;
                    replaced += &part[end..];
                }
                _ => replaced += part,
            }
        }
        if count == 0 {
            bail!("{}: no version after `{}`", self.path, self.before.trim());
        }
        Ok((replaced, others))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_such_version_is_replaced_and_no_other() {
        let place = place("x", "name = \"", "\"");
        let text = "name = \"1.0.0\"\nother = \"1.0.0\"\nname = \"2.0.0\"\n";
        let (replaced, others) = place.replaced(text, "2.0.0").unwrap();
        assert_eq!(
            replaced,
            "name = \"2.0.0\"\nother = \"1.0.0\"\nname = \"2.0.0\"\n"
        );
        assert_eq!(others, ["1.0.0"]);
    }

    #[test]
    fn a_place_without_a_version_is_a_fault() {
        let place = place("x", "name = \"", "\"");
        assert!(place.replaced("nothing", "1.0.0").is_err());
        assert!(place.replaced("name = \"\nversion\"", "1.0.0").is_err());
    }
}
