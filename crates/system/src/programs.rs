//! The program that a command names.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::system;

/// A command whose program is found as in a shell. On Windows `npx` is `npx.cmd`, which the system
/// itself would not find.
pub fn command(program: impl AsRef<OsStr>) -> Command {
    let program = program.as_ref();
    // Elsewhere the system does the same, and tells the program the name that the user gave.
    let found = cfg!(windows).then(|| find_program(program)).flatten();
    match found {
        Some(path) => Command::new(path),
        // It may be in a folder that only the system knows; if not, the failure names it.
        None => Command::new(program),
    }
}

/// The path of the program that a command names: the name itself if it has a folder, else the first
/// in the folders of `PATH`. On Windows an extension may be left out.
pub fn find_program(name: impl AsRef<OsStr>) -> Option<PathBuf> {
    let name = Path::new(name.as_ref());
    if name.components().count() > 1 {
        return system::program_at(name.to_owned());
    }
    let folders = env::var_os("PATH")?;
    // A program in whatever folder we are in is not meant.
    env::split_paths(&folders)
        .filter(|folder| folder.is_absolute())
        .find_map(|folder| system::program_at(folder.join(name)))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_program_is_found_by_its_path_and_by_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("server-2.0.cmd");
        fs::write(&path, "").unwrap();
        assert_eq!(find_program(&path), Some(path.clone()));
        let bare = path.with_extension("");
        assert_eq!(find_program(bare), cfg!(windows).then_some(path));
        assert_eq!(find_program(folder.path()), None, "a folder is no program");
        assert_eq!(find_program("no-such-program"), None);
        let shell = if cfg!(windows) { "cmd" } else { "sh" };
        assert!(find_program(shell).is_some_and(|path| path.is_absolute()));
    }
}
