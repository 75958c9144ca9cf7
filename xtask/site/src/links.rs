//! Links that lead nowhere: in the Markdown of the repository, and in the pages of the site.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result};

use crate::markdown::Document;
use crate::pages::Site;

/// Folders without pages of the project.
const SKIPPED: [&str; 4] = ["target", "node_modules", ".git", "fuzz"];

/// The faults in the Markdown of the repository, a line each.
pub(crate) fn of_repository(root: &Path) -> Result<Vec<String>> {
    let mut files = Vec::new();
    find(root, &mut files)?;
    files.sort();
    let mut anchors: HashMap<PathBuf, HashSet<String>> = HashMap::new();
    let mut faults = Vec::new();
    for file in &files {
        let text = read(file)?;
        let shown = file.strip_prefix(root).unwrap_or(file).display();
        for link in Document::parse(&text)
            .links()
            .filter(|link| is_internal(link))
        {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if path.is_empty() {
                file.clone()
            } else {
                let folder = file.parent().unwrap_or(root);
                plain(&folder.join(path))
            };
            if !target.starts_with(root) || !target.exists() {
                faults.push(format!("{shown}: there is no `{link}`"));
            } else if !anchor.is_empty() && target.extension().is_some_and(|it| it == "md") {
                if !anchors.contains_key(&target) {
                    let found = Document::parse(&read(&target)?).anchors();
                    anchors.insert(target.clone(), found.into_iter().collect());
                }
                if !anchors[&target].contains(anchor) {
                    faults.push(format!("{shown}: `{link}` names no heading"));
                }
            }
        }
    }
    Ok(faults)
}

/// The faults in the pages of the site, a line each.
pub(crate) fn of_site(site: &Site) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, content) in site.files().filter(|(name, _)| has_ending(name, "html")) {
        let text = String::from_utf8_lossy(content);
        for link in attributes(&text).filter(|link| is_internal(link)) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let folder = Path::new(name).parent().unwrap_or(Path::new(""));
            let target = match path {
                "" => name.to_owned(),
                path => plain(&folder.join(path))
                    .to_string_lossy()
                    .replace('\\', "/"),
            };
            match site.file(&target) {
                None => faults.push(format!("{name} of the site: there is no `{link}`")),
                Some(content) if !anchor.is_empty() => {
                    let id = format!("id=\"{anchor}\"");
                    if !String::from_utf8_lossy(content).contains(&id) {
                        faults.push(format!("{name} of the site: `{link}` names no place"));
                    }
                }
                Some(_) => {}
            }
        }
    }
    faults
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if path.is_dir() {
            if !SKIPPED.contains(&&*name) && !name.starts_with('.') {
                find(&path, files)?;
            }
        } else if has_ending(&name, "md") {
            files.push(path);
        }
    }
    Ok(())
}

/// Whether a file has this ending.
pub(crate) fn has_ending(name: &str, ending: &str) -> bool {
    Path::new(name).extension().is_some_and(|it| it == ending)
}

fn read(file: &Path) -> Result<String> {
    fs::read_to_string(file).with_context(|| file.display().to_string())
}

/// Whether a link leads to a file of ours.
fn is_internal(link: &str) -> bool {
    let has_scheme = link.split_once(':').is_some_and(|(scheme, _)| {
        scheme
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    });
    !has_scheme && !link.starts_with("//")
}

/// The values of `href` and `src`.
fn attributes(html: &str) -> impl Iterator<Item = &str> {
    let parts = html
        .split(" href=\"")
        .skip(1)
        .chain(html.split(" src=\"").skip(1));
    parts.filter_map(|part| part.split('"').next())
}

/// The path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root;

    #[test]
    fn every_link_of_the_repository_and_the_site_leads_somewhere() {
        let root = root().unwrap();
        let faults = of_repository(&root).unwrap();
        assert!(faults.is_empty(), "{}", faults.join("\n"));
        let faults = of_site(&Site::make(&root).unwrap());
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }

    #[test]
    fn links_that_lead_nowhere_are_found() {
        let folder = std::env::temp_dir().join(format!("assay-site-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let page = "# One\n[a](b.md) [b](#one) [c](#two) [d](a.md#one) [e](https://example.com/)\n";
        fs::write(folder.join("a.md"), page).unwrap();
        let faults = of_repository(&folder).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(
            faults,
            ["a.md: there is no `b.md`", "a.md: `#two` names no heading"]
        );
    }
}
