//! The files that a `[[path]]` table selects.

use std::path::{Component, Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};

/// Patterns of files.
///
/// A pattern with a slash begins at the folder of the configuration, one without means files of
/// that name in any folder. `*` and `?` stop at slashes, `**` does not; a pattern that ends in a
/// slash means everything in that folder.
#[derive(Clone, Debug, Default)]
pub(crate) struct Files {
    patterns: Vec<Pattern>,
}

#[derive(Clone, Debug)]
struct Pattern {
    glob: GlobMatcher,
    reach: Reach,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reach {
    /// The name alone.
    Name,
    /// The path from the folder of the configuration.
    Relative,
    /// The whole path.
    Absolute,
}

impl Files {
    /// Adds a pattern; the error describes its fault.
    pub(crate) fn add(&mut self, pattern: &str) -> Result<(), String> {
        if pattern.is_empty() {
            return Err("an empty pattern means no file".to_owned());
        }
        let below = if pattern.ends_with('/') { "**" } else { "" };
        let pattern = format!("{}{below}", pattern.strip_prefix("./").unwrap_or(pattern));
        let reach = if Path::new(&pattern).is_absolute() {
            Reach::Absolute
        } else if pattern.contains('/') {
            Reach::Relative
        } else {
            Reach::Name
        };
        let glob = GlobBuilder::new(&pattern)
            .literal_separator(true)
            .build()
            .map_err(|error| error.kind().to_string())?;
        self.patterns.push(Pattern {
            glob: glob.compile_matcher(),
            reach,
        });
        Ok(())
    }

    /// Whether a file is selected; both paths are whole.
    pub(crate) fn mean(&self, file: &Path, folder: &Path) -> bool {
        self.patterns.iter().any(|Pattern { glob, reach }| {
            let part = match reach {
                Reach::Name => file.file_name().map(Path::new),
                Reach::Relative => file.strip_prefix(folder).ok(),
                Reach::Absolute => Some(file),
            };
            part.is_some_and(|part| glob.is_match(part))
        })
    }
}

/// The whole path, without `.` and `..`. Links stay as they are: patterns concern names, not the
/// targets of links.
pub(crate) fn whole(path: &Path) -> PathBuf {
    // Fails only without a working directory; then nothing relative can be opened either.
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut whole = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                whole.pop();
            }
            other => whole.push(other),
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean(pattern: &str, file: &str) -> bool {
        let mut files = Files::default();
        files.add(pattern).unwrap();
        let folder = whole(Path::new("/project"));
        files.mean(&whole(Path::new(file)), &folder)
    }

    #[test]
    fn patterns_mean_files() {
        for (pattern, file) in [
            ("legacy/**", "/project/legacy/a.ndjson"),
            ("legacy/**", "/project/legacy/deep/a.ndjson"),
            ("legacy/", "/project/legacy/deep/a.ndjson"),
            ("./legacy/*.ndjson", "/project/legacy/a.ndjson"),
            ("**/old/*", "/project/a/b/old/x.log"),
            ("*.log", "/project/deep/x.log"),
            ("*.log", "/elsewhere/x.log"),
            ("{a,b}/[xy].log", "/project/b/y.log"),
            ("/elsewhere/**", "/elsewhere/x.log"),
            ("legacy/**", "/project/other/../legacy/./a.ndjson"),
        ] {
            assert!(mean(pattern, file), "{pattern} {file}");
        }
        for (pattern, file) in [
            ("legacy/*", "/project/legacy/deep/a.ndjson"),
            ("legacy/**", "/project/sub/legacy/a.ndjson"),
            ("legacy/**", "/elsewhere/legacy/a.ndjson"),
            ("*.log", "/project/x.log.gz"),
            ("legacy", "/project/legacy/a.ndjson"),
        ] {
            assert!(!mean(pattern, file), "{pattern} {file}");
        }
        assert!(Files::default().add("a[").is_err() && Files::default().add("").is_err());
    }
}
