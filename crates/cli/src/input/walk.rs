//! The files that a path on the command line means.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::source::{Source, packing};

/// The endings of files that are read from a folder.
const ENDINGS: [&str; 5] = ["ndjson", "jsonl", "json", "log", "har"];

/// The sources that arguments name, in their order; a missing one is an error in its place.
pub(crate) fn find(inputs: &[PathBuf]) -> Vec<anyhow::Result<Source>> {
    if inputs.is_empty() {
        return vec![Ok(Source::Stdin)];
    }
    let mut found = Vec::new();
    for input in inputs {
        if input.as_os_str() == "-" {
            found.push(Ok(Source::Stdin));
        } else if input.is_dir() {
            let before = found.len();
            walk(input, &mut found);
            if found.len() == before {
                // A folder without traffic is not clean traffic.
                let endings = ENDINGS.join(", .");
                found.push(Err(anyhow::anyhow!(
                    "failed to find traffic in {}: no file ends in .{endings}",
                    input.display()
                )));
            }
        } else {
            found.push(Ok(Source::File(input.clone())));
        }
    }
    found
}

/// Adds the files of a folder and of those in it, by name. Hidden ones and linked folders are left
/// out.
fn walk(folder: &Path, found: &mut Vec<anyhow::Result<Source>>) {
    let context = || format!("failed to read {}", folder.display());
    let entries = fs::read_dir(folder)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .with_context(context);
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(error) => return found.push(Err(error)),
    };
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        let path = entry.path();
        // Of the entry itself, not of the target of a link: a linked folder may lead back here.
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder {
            walk(&path, found);
        } else if is_traffic(&path) && !path.is_dir() {
            found.push(Ok(Source::File(path)));
        }
    }
}

fn is_traffic(path: &Path) -> bool {
    let unpacked = if packing(path).is_some() {
        path.file_stem()
    } else {
        path.file_name()
    };
    let extension = unpacked
        .map(Path::new)
        .and_then(Path::extension)
        .and_then(OsStr::to_str);
    extension.is_some_and(|extension| {
        ENDINGS
            .iter()
            .any(|ending| extension.eq_ignore_ascii_case(ending))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_decide() {
        for name in [
            "a.ndjson",
            "a.jsonl",
            "a.JSON",
            "a.log",
            "a.har",
            "a.ndjson.gz",
            "a.log.zst",
        ] {
            assert!(is_traffic(Path::new(name)), "{name}");
        }
        for name in ["a", "a.txt", "a.gz", "json", "a.json.bak", "a.txt.zst"] {
            assert!(!is_traffic(Path::new(name)), "{name}");
        }
    }
}
