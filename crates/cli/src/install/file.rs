//! A configuration on disk: read whole, kept beside itself, replaced at once.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use mcp_assay_system::{create_new_private, replace_file};

use super::document::{Notation, located};

/// No configuration is as large.
const MAX_BYTES: u64 = 64 << 20;

const BYTE_ORDER_MARK: char = '\u{feff}';

/// The text of a configuration, and its file.
#[derive(Debug)]
pub(crate) struct ConfigText {
    /// The path as the user gave it.
    pub(crate) path: PathBuf,
    /// The file itself, behind all links.
    real: PathBuf,
    has_mark: bool,
    text: String,
}

impl ConfigText {
    /// Reads a file; `None` if it does not exist.
    pub(crate) fn read(path: &Path) -> anyhow::Result<Option<Self>> {
        let context = || format!("failed to read {}", path.display());
        let real = match fs::canonicalize(path) {
            Ok(real) => real,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).with_context(context),
        };
        let text = read_text(&real).with_context(context)?;
        let bare = text.strip_prefix(BYTE_ORDER_MARK).map(str::to_owned);
        Ok(Some(Self {
            path: path.to_owned(),
            real,
            has_mark: bare.is_some(),
            text: bare.unwrap_or(text),
        }))
    }

    /// The text, without a byte-order mark.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Its notation, by its name.
    pub(crate) fn notation(&self) -> Notation {
        let ending = self.path.extension();
        if ending.is_some_and(|ending| ending.eq_ignore_ascii_case("toml")) {
            Notation::Toml
        } else {
            Notation::Json
        }
    }

    /// The path of the backup.
    pub(crate) fn backup(&self) -> PathBuf {
        beside(&self.real, ".mcp-assay.bak")
    }

    /// The path of the backup for a person: the system resolves links to a form of its own on
    /// Windows.
    pub(crate) fn backup_name(&self) -> String {
        let name = self.backup().display().to_string();
        match name.strip_prefix(r"\\?\") {
            Some(plain) if !plain.starts_with("UNC") => plain.to_owned(),
            _ => name,
        }
    }

    /// Writes the backup. An older one without wrapped servers is replaced only by another such.
    pub(crate) fn keep(&self, is_wrapped: bool) -> anyhow::Result<()> {
        let backup = self.backup();
        if is_wrapped && backup.exists() {
            return Ok(());
        }
        self.put(&backup, &self.text)
            .with_context(|| format!("failed to write {}", self.backup_name()))
    }

    /// Replaces the file, all at once, unless another program has changed it meanwhile.
    pub(crate) fn replace(&self, text: &str) -> anyhow::Result<Replaced> {
        let context = || format!("failed to write {}", self.path.display());
        if self.is_changed() {
            return Ok(Replaced::Changed);
        }
        // The draft is complete before the last look, so that little time is left to others.
        let draft = self.draft(&self.real, text).with_context(context)?;
        if self.is_changed() {
            draft.discard();
            return Ok(Replaced::Changed);
        }
        draft.rename(&self.real).with_context(context)?;
        Ok(Replaced::Done)
    }

    /// Whether the file is no longer the one that was read: another text, or another target of a
    /// link.
    fn is_changed(&self) -> bool {
        let is_same_file = fs::canonicalize(&self.path).is_ok_and(|real| real == self.real);
        let now = read_text(&self.real);
        let is_same_text = now.is_ok_and(|now| {
            let bare = now.strip_prefix(BYTE_ORDER_MARK);
            bare.is_some() == self.has_mark && bare.unwrap_or(&now) == self.text
        });
        !(is_same_file && is_same_text)
    }

    /// Removes the backup if it equals this text. Returns whether it did.
    pub(crate) fn drop_backup(&self, text: &str) -> bool {
        let backup = self.backup();
        let kept = read_text(&backup);
        kept.is_ok_and(|kept| kept.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&kept) == text)
            && fs::remove_file(&backup).is_ok()
    }

    fn put(&self, target: &Path, text: &str) -> io::Result<()> {
        self.draft(target, text)?.rename(target)
    }

    /// Writes a new file beside another, with the same owner and permissions.
    fn draft(&self, target: &Path, text: &str) -> io::Result<Draft> {
        let (path, file) = create_beside(target)?;
        let draft = Draft(path);
        match self.fill(file, text) {
            Ok(()) => Ok(draft),
            Err(error) => {
                draft.discard();
                Err(error)
            }
        }
    }

    fn fill(&self, mut file: File, text: &str) -> io::Result<()> {
        let metadata = fs::metadata(&self.real)?;
        if self.has_mark {
            file.write_all(BYTE_ORDER_MARK.encode_utf8(&mut [0; 4]).as_bytes())?;
        }
        file.write_all(text.as_bytes())?;
        keep_owner(&file, &metadata);
        file.set_permissions(metadata.permissions())?;
        file.sync_all()
    }
}

/// The result of replacing a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Replaced {
    Done,
    /// It is not the file that was read: nothing was written.
    Changed,
}

/// A complete file that has not taken the place of another.
struct Draft(PathBuf);

impl Draft {
    fn rename(self, target: &Path) -> io::Result<()> {
        if let Err(error) = replace_file(&self.0, target) {
            self.discard();
            return Err(error);
        }
        // The file is there in any case; whether its name outlives a crash is up to the system.
        #[cfg(unix)]
        if let Some(folder) = target.parent().and_then(|it| File::open(it).ok()) {
            let _ = folder.sync_all();
        }
        Ok(())
    }

    fn discard(self) {
        // A leftover file is of no use; the first error is the one to report.
        let _ = fs::remove_file(&self.0);
    }
}

/// Keeps the owner where the user may: the administrator edits files of others.
#[cfg(unix)]
fn keep_owner(file: &File, metadata: &fs::Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};

    let _ = fchown(file, Some(metadata.uid()), Some(metadata.gid()));
}

#[cfg(windows)]
fn keep_owner(_: &File, _: &fs::Metadata) {}

/// Creates a new file in the folder of another. Configurations hold secrets: nobody else may read
/// it, even before it has its permissions. A crashed run may have left one of the same name.
fn create_beside(target: &Path) -> io::Result<(PathBuf, File)> {
    let mut attempt = 0;
    loop {
        let path = beside(target, &format!(".{}-{attempt}.tmp", std::process::id()));
        match create_new_private(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < 100 => {
                attempt += 1;
            }
            result => return result.map(|file| (path, file)),
        }
    }
}

fn read_text(path: &Path) -> anyhow::Result<String> {
    let file = File::open(path)?;
    if !file.metadata()?.is_file() {
        bail!("it is not a file");
    }
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        bail!("it is larger than {} MiB", MAX_BYTES >> 20);
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let valid = String::from_utf8_lossy(&error.as_bytes()[..at]).into_owned();
        anyhow::Error::msg(located(&valid, at, "it is not UTF-8"))
    })
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().map_or_else(OsString::new, OsString::from);
    name.push(ending);
    path.with_file_name(name)
}
