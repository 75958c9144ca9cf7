//! Finds the program that a command names, as a client would.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use super::{Check, Outcome};

/// Looks for the program of a command.
pub(super) fn find(command: &str, folder: Option<&str>, environment: &[(String, String)]) -> Check {
    let path = Path::new(command);
    if command.is_empty() {
        return Check::new("command", Outcome::Error, "it is empty")
            .fix("name the program that starts the server");
    }
    if path.components().count() > 1 {
        return at_path(command, path, folder);
    }
    let own = environment.iter().find(|(name, _)| name == "PATH");
    let folders = match own {
        Some((_, value)) => Some(value.into()),
        None => env::var_os("PATH"),
    };
    match in_folders(command, folders.as_deref()) {
        Some(found) => Check::new("command", Outcome::Ok, found.display().to_string()),
        None => Check::new(
            "command",
            Outcome::Error,
            format!("`{command}` is in no folder of PATH"),
        )
        .fix("install it, or write its full path"),
    }
}

fn at_path(command: &str, path: &Path, folder: Option<&str>) -> Check {
    let whole = match folder {
        Some(folder) => Path::new(folder).join(path),
        None => path.to_owned(),
    };
    let fault = match fs::metadata(&whole) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            // On Windows the ending may be left out.
            if endings().any(|ending| with_ending(&whole, &ending).is_file()) {
                return Check::new("command", Outcome::Ok, command);
            }
            "does not exist"
        }
        Err(_) => "cannot be read",
        Ok(metadata) if !metadata.is_file() => "is not a file",
        Ok(metadata) if !is_executable(&metadata) => "may not be executed",
        Ok(_) if path.is_relative() && folder.is_none() => {
            return Check::new(
                "command",
                Outcome::Warning,
                format!("`{command}` is looked up in the folder in which the client starts"),
            )
            .fix("write its full path");
        }
        Ok(_) => return Check::new("command", Outcome::Ok, command),
    };
    let check = Check::new("command", Outcome::Error, format!("`{command}` {fault}"));
    check.fix(match fault {
        "may not be executed" => format!("chmod +x {}", mcp_assay_report::quoted(command)),
        _ => "correct the path".to_owned(),
    })
}

fn in_folders(name: &str, folders: Option<&OsStr>) -> Option<PathBuf> {
    env::split_paths(folders?)
        .map(|folder| folder.join(name))
        .flat_map(|path| {
            let others = endings()
                .map(|ending| with_ending(&path, &ending))
                .collect::<Vec<_>>();
            std::iter::once(path).chain(others)
        })
        .find(|path| {
            fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && is_executable(&metadata))
        })
}

/// The endings of programs that may be left out: `.EXE` and others on Windows.
fn endings() -> impl Iterator<Item = String> {
    let list = if cfg!(windows) {
        env::var("PATHEXT").unwrap_or_else(|_| ".COM;.EXE;.BAT;.CMD".to_owned())
    } else {
        String::new()
    };
    let endings: Vec<_> = list
        .split(';')
        .filter(|ending| !ending.is_empty())
        .collect();
    endings
        .into_iter()
        .map(str::to_owned)
        .collect::<Vec<_>>()
        .into_iter()
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

#[cfg(unix)]
fn is_executable(metadata: &fs::Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &fs::Metadata) -> bool {
    true
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn programs_are_found_as_a_client_finds_them() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_string_lossy().into_owned();
        for (name, mode) in [("server", 0o755), ("text", 0o644)] {
            fs::write(folder.path().join(name), "").unwrap();
            let mode = fs::Permissions::from_mode(mode);
            fs::set_permissions(folder.path().join(name), mode).unwrap();
        }
        let environment = [("PATH".to_owned(), path.clone())];
        let found = |command: &str, folder: Option<&str>| {
            let check = find(command, folder, &environment);
            (check.outcome, check.message)
        };
        assert_eq!(
            found("server", None),
            (Outcome::Ok, format!("{path}/server"))
        );
        let missing = "`sever` is in no folder of PATH".to_owned();
        assert_eq!(found("sever", None), (Outcome::Error, missing));
        assert_eq!(found("text", None).0, Outcome::Error);
        assert_eq!(found("./server", Some(&path)).0, Outcome::Ok);
        assert_eq!(found(&format!("{path}/server"), None).0, Outcome::Ok);
        let text = found(&format!("{path}/text"), None);
        assert!(text.1.ends_with("may not be executed"), "{text:?}");
        let missing = found("./no-such-server", None);
        assert!(missing.1.ends_with("does not exist"), "{missing:?}");
        assert_eq!(found(&path, None).1, format!("`{path}` is not a file"));
        assert_eq!(found("", None).0, Outcome::Error);
    }
}
