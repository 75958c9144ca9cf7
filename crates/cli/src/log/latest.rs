//! `latest.jsonl`, which always points to the newest log.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The name.
const LATEST: &str = "latest.jsonl";

/// The way in which `latest.jsonl` points to a log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Latest {
    /// As a link.
    Linked,
    /// As a copy, which has to be made when the log is written.
    Copied,
}

/// Points `latest.jsonl` to a log of the same folder. It is replaced at once: a reader finds the
/// old or the new one.
pub(super) fn point_at(log: &Path) -> io::Result<Latest> {
    let draft = draft(log);
    let linked = symbolic_link(log, &draft).or_else(|_| fs::hard_link(log, &draft));
    // A file system without links.
    if linked.is_err() {
        return Ok(Latest::Copied);
    }
    replace(&draft, log)?;
    Ok(Latest::Linked)
}

/// Makes `latest.jsonl` a copy of a log.
pub(super) fn copy(log: &Path) -> io::Result<()> {
    let draft = draft(log);
    fs::copy(log, &draft)?;
    replace(&draft, log)
}

fn replace(draft: &Path, log: &Path) -> io::Result<()> {
    fs::rename(draft, log.with_file_name(LATEST)).inspect_err(|_| {
        // A draft that cannot be removed is no news.
        let _ = fs::remove_file(draft);
    })
}

/// The path of a draft: logs of one folder have different names, so their drafts do, too.
fn draft(log: &Path) -> PathBuf {
    let name = log.file_name().unwrap_or_default().to_string_lossy();
    log.with_file_name(format!(".{LATEST}.{name}"))
}

#[cfg(unix)]
fn symbolic_link(log: &Path, link: &Path) -> io::Result<()> {
    // By its name alone, so that the folder may be moved.
    std::os::unix::fs::symlink(log.file_name().unwrap_or_default(), link)
}

/// Elsewhere it needs a privilege that few users have.
#[cfg(windows)]
fn symbolic_link(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_log_is_the_latest() {
        let folder = tempfile::tempdir().unwrap();
        let [first, second] = ["1.jsonl", "2.jsonl"].map(|name| folder.path().join(name));
        let latest = || fs::read_to_string(folder.path().join(LATEST)).unwrap();
        fs::write(&first, "one").unwrap();
        fs::write(&second, "two").unwrap();
        point_at(&first).unwrap();
        assert_eq!(latest(), "one");
        point_at(&second).unwrap();
        assert_eq!(latest(), "two");
        // A link follows its log, whatever kind of link it is.
        fs::write(&second, "more").unwrap();
        assert_eq!(latest(), "more");
        copy(&first).unwrap();
        assert_eq!(latest(), "one");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "no drafts");
    }
}
