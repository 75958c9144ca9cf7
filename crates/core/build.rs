//! Gathers the pages of the rules for the module `rules::pages`. A page is the doc comment of its rule.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

const RULES: &str = "src/rules";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed={RULES}");
    let mut files = Vec::new();
    find(Path::new(RULES), &mut files)?;
    // The order in which a folder is listed differs between machines.
    files.sort();
    let mut pages = String::new();
    for file in files {
        if let Err(reason) = read(&fs::read_to_string(&file)?, &mut pages) {
            println!("cargo::error={}: {reason}", file.display());
        }
    }
    let folder = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    fs::write(PathBuf::from(folder).join("pages"), pages)
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            find(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

/// Appends each rule of a file: its name on a line, its page, and a NUL.
fn read(source: &str, pages: &mut String) -> Result<(), &'static str> {
    let mut page: Option<String> = None;
    for line in source.lines().map(str::trim_start) {
        if line == "rule! {" {
            if page.replace(String::new()).is_some() {
                return Err("a rule has no name");
            }
        } else if let Some(text) = &mut page {
            if let Some(doc) = line.strip_prefix("///") {
                text.push_str(doc);
                text.push('\n');
            } else if let Some(rest) = line.strip_prefix("name: \"") {
                let (name, _) = rest.split_once('"').ok_or("a name has no end")?;
                pages.extend([name, "\n", text, "\0"]);
                page = None;
            }
        }
    }
    page.map_or(Ok(()), |_| Err("a rule has no name"))
}
