//! The files of the site.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use mcp_assay_report::SITE;

use crate::html::{Frame, Scripts};
use crate::links::has_ending;
use crate::markdown::Document;
use crate::rules;

/// The repository, for files that are no part of the site.
const REPOSITORY: &str = "https://github.com/mcp-assay/mcp-assay/blob/main/";
/// The page with the list of all others.
const SUMMARY: &str = "SUMMARY.md";

/// The files by their paths, with slashes.
pub(crate) struct Site {
    files: BTreeMap<String, Vec<u8>>,
}

impl Site {
    /// Makes all files from the repository in a folder.
    pub(crate) fn make(root: &Path) -> Result<Self> {
        let docs = root.join("docs");
        let summary = read(&docs.join(SUMMARY))?;
        let mut site = Self {
            files: BTreeMap::new(),
        };
        site.add("site.css", include_bytes!("../assets/site.css"));
        site.add("icon.svg", include_bytes!("../assets/icon.svg"));
        site.add_docs(&docs, "", &summary)?;
        site.add(
            "playground/playground.js",
            include_bytes!("../assets/playground.js"),
        );
        for rule in rules::pages()? {
            let page = rule.page(&navigation(&summary, "../../"));
            site.add(&rule.path(), page.as_bytes());
        }
        let index = rules::index(&navigation(&summary, "../"))?;
        site.add("rules/index.html", index.as_bytes());
        Ok(site)
    }

    /// Adds the parts of a built npm package that the playground loads.
    pub(crate) fn add_package(&mut self, package: &Path) -> Result<()> {
        let engine = package.join("engine.wasm");
        let content = fs::read(&engine).with_context(|| engine.display().to_string())?;
        self.add("playground/package/engine.wasm", &content);
        self.add_folder(&package.join("esm"), "playground/package/esm")
    }

    /// Adds the scripts of a folder and those below.
    fn add_folder(&mut self, folder: &Path, below: &str) -> Result<()> {
        for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
            let path = entry?.path();
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            if path.is_dir() {
                self.add_folder(&path, &format!("{below}/{name}"))?;
            } else if has_ending(&name, "js") {
                let content = fs::read(&path).with_context(|| path.display().to_string())?;
                self.add(&format!("{below}/{name}"), &content);
            }
        }
        Ok(())
    }

    /// The files by their paths.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.files
            .iter()
            .map(|(name, content)| (name.as_str(), content.as_slice()))
    }

    /// The content of a file.
    pub(crate) fn file(&self, name: &str) -> Option<&[u8]> {
        self.files.get(name).map(Vec::as_slice)
    }

    fn add(&mut self, name: &str, content: &[u8]) {
        self.files.insert(name.to_owned(), content.to_owned());
    }

    /// Adds the pages of a folder and those below, and the files that they show.
    fn add_docs(&mut self, folder: &Path, below: &str, summary: &str) -> Result<()> {
        for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
            let path = entry?.path();
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            if path.is_dir() {
                self.add_docs(&path, &format!("{below}{name}/"), summary)?;
            } else if let Some(stem) = name.strip_suffix(".md") {
                if name != SUMMARY {
                    let text = read(&path)?;
                    let page = page(&text, below, summary);
                    self.add(&format!("{below}{stem}.html"), page.as_bytes());
                }
            } else {
                let content = fs::read(&path).with_context(|| path.display().to_string())?;
                self.add(&format!("{below}{name}"), &content);
            }
        }
        Ok(())
    }
}

/// A page of `docs/` in the folder `below`.
fn page(text: &str, below: &str, summary: &str) -> String {
    let document = Document::parse(text);
    let root = "../".repeat(below.matches('/').count());
    Frame {
        title: &document.title(),
        root: &root,
        navigation: &navigation(summary, &root),
        main: &document.html(|link| target(link, below)),
        scripts: match below {
            "playground/" => Scripts::Module("playground/playground.js"),
            _ => Scripts::None,
        },
    }
    .page()
}

/// The list of all pages, as it is seen from a page.
fn navigation(summary: &str, root: &str) -> String {
    Document::parse(summary).html(|link| format!("{root}{}", target(link, "")))
}

/// The place of a linked file on the site; a file outside `docs/` is in the repository.
fn target(link: &str, below: &str) -> String {
    if let Some(place) = link.strip_prefix(SITE) {
        let index = if place.is_empty() || place.ends_with('/') {
            "index.html"
        } else {
            ""
        };
        return format!("{}{place}{index}", "../".repeat(below.matches('/').count()));
    }
    let (path, anchor) = match link.split_once('#') {
        Some((path, anchor)) => (path, format!("#{anchor}")),
        None => (link, String::new()),
    };
    if link.contains(':') || path.is_empty() {
        return link.to_owned();
    }
    let ups = path.split('/').take_while(|part| *part == "..").count();
    if ups > below.matches('/').count() {
        let rest: Vec<_> = path.split('/').skip(ups).collect();
        return format!("{REPOSITORY}{}{anchor}", rest.join("/"));
    }
    match path.strip_suffix(".md").filter(|_| has_ending(path, "md")) {
        Some(stem) => format!("{stem}.html{anchor}"),
        None => link.to_owned(),
    }
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_the_site_or_to_the_repository() {
        for (link, below, expected) in [
            ("check.md#sources", "", "check.html#sources"),
            (
                "../wire/README.md",
                "",
                "https://github.com/mcp-assay/mcp-assay/blob/main/wire/README.md",
            ),
            ("../check.md", "decisions/", "../check.html"),
            ("#here", "", "#here"),
            (
                "https://mcp-assay.github.io/mcp-assay/rules/",
                "decisions/",
                "../rules/index.html",
            ),
            ("https://example.com/a.md", "", "https://example.com/a.md"),
            ("picture.svg", "", "picture.svg"),
        ] {
            assert_eq!(target(link, below), expected, "{link}");
        }
    }
}
