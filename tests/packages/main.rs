//! The script that installs the program for the action, with `gh` and `cargo` replaced by scripts.

#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

/// A machine with an archive to download, and scripts in place of programs.
struct Machine {
    folder: TempDir,
}

impl Machine {
    /// A release is there, with the right checksum and attestation.
    fn new() -> Self {
        let machine = Self {
            folder: tempfile::tempdir().expect("a folder"),
        };
        for name in ["bin", "release"] {
            fs::create_dir(machine.path(name)).expect("a folder");
        }
        let target = format!("{}-unknown-linux-musl", std::env::consts::ARCH);
        let name = format!("mcp-assay-{target}");
        let packed = machine.path(&name);
        fs::create_dir(&packed).expect("a folder");
        script(&packed.join("mcp-assay"), "echo downloaded");
        let archive = format!("release/{name}.tar.xz");
        machine.shell(&format!(
            "tar -cJf {archive} {name} && cd release && sha256sum {name}.tar.xz > {name}.tar.xz.sha256"
        ));
        machine.gh("exit 0");
        let cargo = r#"mkdir -p "$4/bin"; cp "$0" "$4/bin/mcp-assay"; echo "$@" > "$LOG""#;
        script(&machine.path("bin/cargo"), cargo);
        script(
            &machine.path("bin/uname"),
            &format!(
                "[ \"$1\" = -s ] && echo Linux || echo {}",
                std::env::consts::ARCH
            ),
        );
        machine
    }

    /// Replaces `gh`: downloads copy the release, `verify` does this.
    fn gh(&self, verify: &str) {
        let text = format!(
            "case \"$1\" in\n\
             release) while [ \"$1\" != --dir ]; do shift; done; cp \"$RELEASE\"/* \"$2\" ;;\n\
             attestation) {verify} ;;\n\
             esac"
        );
        script(&self.path("bin/gh"), &text);
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    fn shell(&self, command: &str) {
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).current_dir(self.folder.path());
        assert!(shell.status().expect("a shell").success(), "{command}");
    }

    /// Installs version 0.1.0.
    fn install(&self) -> Output {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let path = std::env::var("PATH").expect("a path");
        Command::new(root.join("packages/action/install"))
            .arg("v0.1.0")
            .arg(self.path("installed"))
            .env("PATH", format!("{}:{path}", self.path("bin").display()))
            .env("RELEASE", self.path("release"))
            .env("LOG", self.path("cargo.log"))
            .output()
            .expect("the script runs")
    }

    /// The text of the installed program.
    fn installed(&self) -> Option<String> {
        fs::read_to_string(self.path("installed/mcp-assay")).ok()
    }

    fn has_built(&self) -> bool {
        self.path("cargo.log").exists()
    }
}

fn script(path: &Path, text: &str) {
    fs::write(path, format!("#!/bin/sh\n{text}\n")).expect("a script");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("a mode");
}

#[test]
fn a_release_is_downloaded() {
    let machine = Machine::new();
    let output = machine.install();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout).trim_end(),
        machine.path("installed").to_string_lossy()
    );
    let program = machine.installed().expect("a program");
    assert!(program.contains("downloaded"), "{program}");
    assert!(!machine.has_built());
}

#[test]
fn the_program_in_the_cache_is_taken() {
    let machine = Machine::new();
    assert!(machine.install().status.success());
    fs::remove_dir_all(machine.path("release")).expect("the release goes");
    let output = machine.install();
    assert!(output.status.success(), "{output:?}");
    assert!(!machine.has_built());
}

#[test]
fn a_wrong_checksum_installs_nothing() {
    let machine = Machine::new();
    machine.shell("for file in release/*.xz; do printf x >> \"$file\"; done");
    assert!(!machine.install().status.success());
    assert_eq!(machine.installed(), None);
    assert!(!machine.has_built());
}

#[test]
fn a_wrong_attestation_installs_nothing() {
    let machine = Machine::new();
    machine.gh("echo no attestation >&2; exit 1");
    assert!(!machine.install().status.success());
    assert_eq!(machine.installed(), None);
    assert!(!machine.has_built());
}

#[test]
fn cargo_builds_where_there_is_no_release() {
    let machine = Machine::new();
    machine.shell("rm release/*");
    let output = machine.install();
    assert!(output.status.success(), "{output:?}");
    assert!(machine.has_built());
    assert!(machine.installed().is_some());
}
