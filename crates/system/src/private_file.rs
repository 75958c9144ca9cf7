//! Files that their owner alone can read, from the moment when they exist.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::system;

/// Creates a file that must not exist, for writing. Its owner alone can read it; on Windows the
/// system and its administrators can, too, as everywhere in a user's own folders.
///
/// # Errors
///
/// As [`std::fs::OpenOptions::open`].
pub fn create_new_private(path: &Path) -> io::Result<File> {
    system::create_new_private(path)
}

/// Creates or empties a file. A new one is private; an existing one keeps its permissions.
///
/// # Errors
///
/// As [`std::fs::OpenOptions::open`].
pub fn create_private(path: &Path) -> io::Result<File> {
    system::create_private(path)
}

/// Puts a complete draft in the place of a file, all at once. On Windows the access rights of the
/// replaced file stay; on Unix the caller has given them to the draft.
///
/// # Errors
///
/// As [`std::fs::rename`].
pub fn replace_file(draft: &Path, target: &Path) -> io::Result<()> {
    system::replace_file(draft, target)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write as _;

    use super::*;

    #[test]
    fn files_are_created_emptied_and_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let [one, two] = ["one", "two"].map(|name| folder.path().join(name));
        create_new_private(&one).unwrap().write_all(b"1").unwrap();
        let again = create_new_private(&one).map_err(|error| error.kind());
        assert_eq!(again.err(), Some(io::ErrorKind::AlreadyExists));
        assert_eq!(fs::read(&one).unwrap(), b"1");
        create_private(&one).unwrap().write_all(b"").unwrap();
        assert_eq!(fs::read(&one).unwrap(), b"");
        create_private(&two).unwrap().write_all(b"2").unwrap();
        replace_file(&two, &one).unwrap();
        assert_eq!(fs::read(&one).unwrap(), b"2");
        assert!(!two.exists());
    }

    #[test]
    fn a_file_is_renamed_while_it_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let [one, two] = ["one", "two"].map(|name| folder.path().join(name));
        let mut file = create_private(&one).unwrap();
        fs::rename(&one, &two).unwrap();
        file.write_all(b"text").unwrap();
        assert_eq!(fs::read(&two).unwrap(), b"text");
    }

    #[test]
    fn a_path_may_be_long() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("x".repeat(120)).join("y".repeat(120));
        fs::create_dir_all(&deep).unwrap();
        create_new_private(&deep.join("file")).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_can_read_a_new_file() {
        use std::os::unix::fs::PermissionsExt as _;

        let folder = tempfile::tempdir().unwrap();
        for create in [create_new_private, create_private] {
            let path = folder.path().join("file");
            let mode = create(&path).unwrap().metadata().unwrap().permissions();
            assert_eq!(mode.mode() & 0o777, 0o600);
            fs::remove_file(path).unwrap();
        }
    }
}
