//! The facts of a report about the run itself: the folders of its paths, and the command that shows
//! a violation again.

use std::path::{Component, Path, PathBuf};

/// The facts of a report about the run itself.
///
/// ```
/// use mcp_assay_report::Context;
///
/// let context = Context { flags: vec!["--strict".into()], ..Context::default() };
/// assert_eq!(
///     context.again("my log.ndjson", "json/no-bom"),
///     "mcp-assay check 'my log.ndjson' --strict --select json/no-bom"
/// );
/// ```
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// The flags that another run needs to give the same result.
    pub flags: Vec<String>,
    /// The command that shows everything again, if it does not depend on a file.
    pub command: Option<String>,
    /// The text before and after `--only RULE` in the command that shows a rule again, for a probe
    /// of a live peer.
    pub probe: Option<(String, String)>,
    /// The base folder of relative names of sources.
    pub folder: PathBuf,
    /// The base folder of paths in a report: that of the repository.
    pub root: PathBuf,
}

impl Context {
    /// The command line that shows the violations of a rule in a source again.
    #[must_use]
    pub fn again(&self, source: &str, rule: &str) -> String {
        if let Some((before, after)) = &self.probe {
            return format!("{before} --only {rule} {after}");
        }
        if let Some(command) = &self.command {
            return command.clone();
        }
        let source = match source {
            "<stdin>" => "-".to_owned(),
            // A name that looks like a flag is none after `./`.
            _ if source.starts_with('-') => quoted(&format!("./{source}")),
            _ => quoted(source),
        };
        let flags = self.flags.iter().map(|flag| quoted(flag));
        let mut words = vec!["mcp-assay check".to_owned(), source];
        words.extend(flags);
        // Rules of a profile, and broken records, cannot be selected by name.
        if mcp_assay::selectable(rule).is_ok() {
            words.push(format!("--select {rule}"));
        }
        words.join(" ")
    }

    /// The path of a source from the root, with slashes; absolute if it is not below the root.
    pub(crate) fn path(&self, source: &str) -> String {
        // The name of something that is no file.
        let name = source
            .strip_prefix('<')
            .and_then(|name| name.strip_suffix('>'));
        if let Some(name) = name {
            return name.to_owned();
        }
        let whole = resolved(&self.folder.join(source));
        let root = resolved(&self.root);
        let path = match whole.strip_prefix(&root) {
            Ok(below) if !below.as_os_str().is_empty() => below,
            _ => &whole,
        };
        let path = path.to_string_lossy();
        if cfg!(windows) {
            path.replace('\\', "/")
        } else {
            path.into_owned()
        }
    }
}

/// The path without `.` and `..`, as far as its text shows.
fn resolved(path: &Path) -> PathBuf {
    let mut parts = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(parts.components().next_back(), Some(Component::Normal(_))) =>
            {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts
}

/// A word quoted for a POSIX shell.
#[must_use]
pub fn quoted(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:,=+@%".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_begin_at_the_root() {
        let context = Context {
            folder: "/home/me/repo/logs".into(),
            root: "/home/me/repo".into(),
            ..Context::default()
        };
        for (source, path) in [
            ("a.ndjson", "logs/a.ndjson"),
            ("./x/../a.ndjson", "logs/a.ndjson"),
            ("../b.ndjson", "b.ndjson"),
            ("/home/me/repo/c.ndjson", "c.ndjson"),
            ("/tmp/d.ndjson", "/tmp/d.ndjson"),
            ("../../e.ndjson", "/home/me/e.ndjson"),
            ("<stdin>", "stdin"),
        ] {
            assert_eq!(context.path(source), path, "{source}");
        }
        assert_eq!(Context::default().path("a/b.ndjson"), "a/b.ndjson");
    }

    #[test]
    fn commands_can_be_pasted_into_a_shell() {
        let context = Context::default();
        assert_eq!(context.again("a", "mine/own"), "mcp-assay check a");
        for (source, word) in [
            ("a.ndjson", "a.ndjson"),
            ("it's", r"'it'\''s'"),
            ("$(rm x)", "'$(rm x)'"),
            ("-x", "./-x"),
            ("<stdin>", "-"),
        ] {
            let expected = format!("mcp-assay check {word} --select json/no-bom");
            assert_eq!(context.again(source, "json/no-bom"), expected);
        }
    }
}
