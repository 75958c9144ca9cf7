//! The facts of a report about the run: the flags that give the same result again, and the folder
//! of the repository.

use std::env;
use std::path::Path;

use mcp_assay_report::Context;

use crate::args::{CheckArgs, Choice, DemoArgs};

/// The context of `check`.
pub(crate) fn of_check(args: &CheckArgs) -> Context {
    let folder = env::current_dir().unwrap_or_default();
    Context {
        flags: flags(args),
        root: repository(&folder).unwrap_or(&folder).to_owned(),
        folder,
        ..Context::default()
    }
}

/// The context of `demo`: a session that is kept is checked again as a file.
pub(crate) fn of_demo(args: &DemoArgs) -> Context {
    let folder = env::current_dir().unwrap_or_default();
    Context {
        command: args.keep.is_none().then(|| "mcp-assay demo".to_owned()),
        root: folder.clone(),
        folder,
        ..Context::default()
    }
}

/// The folder of the repository that a folder belongs to.
pub(crate) fn repository(folder: &Path) -> Option<&Path> {
    folder
        .ancestors()
        .find(|folder| folder.join(".git").exists())
}

/// The flags that decide how messages are checked. The selection of rules is not among them:
/// another run selects one.
fn flags(args: &CheckArgs) -> Vec<String> {
    let selection = &args.selection;
    let mut flags = Vec::new();
    let mut pair = |flag: &str, value: Option<String>| {
        flags.extend(value.into_iter().flat_map(|value| [flag.to_owned(), value]));
    };
    let path = |path: &Path| path.to_string_lossy().into_owned();
    pair(
        "--input-format",
        args.input_format
            .given()
            .map(|format| format.name().to_owned()),
    );
    pair(
        "--revision",
        args.revision.map(|revision| match revision {
            Choice::Auto => "auto".to_owned(),
            Choice::Given(revision) => revision.name().to_owned(),
        }),
    );
    pair(
        "--direction",
        args.direction
            .given()
            .map(|direction| direction.name().to_owned()),
    );
    pair("--answers", args.answers.clone());
    pair("--as", args.against.clone());
    pair("--schema", args.definitions.schema.clone());
    pair(
        "--max-message-bytes",
        args.max_message_bytes.map(|bytes| bytes.to_string()),
    );
    pair("--max-depth", args.max_depth.map(|depth| depth.to_string()));
    pair("--config", selection.config.as_deref().map(path));
    let profile = selection.profile.as_ref();
    pair(
        "--profile",
        profile.map(|profile| profile.given().to_owned()),
    );
    for (flag, given) in [
        ("--schema-required", args.definitions.schema_required),
        ("--strict", selection.strict),
        ("--no-strict", selection.no_strict),
        ("--no-config", selection.no_config),
    ] {
        if given {
            flags.push(flag.to_owned());
        }
    }
    flags
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::{Args, Command};

    #[test]
    fn flags_that_judge_are_kept() {
        let line = "mcp-assay check a b --format html --output x --jobs 2 --select json --strict --revision auto \
                    --direction s2c --max-depth 9 --no-config --exit-zero --profile openai";
        let Command::Check(args) = Args::parse_from(line.split_whitespace()).command else {
            panic!("not a check");
        };
        let kept =
            "--revision auto --direction s2c --max-depth 9 --profile openai --strict --no-config";
        assert_eq!(flags(&args).join(" "), kept);
    }

    #[test]
    fn the_repository_is_above() {
        let made = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(made.path().join(".git")).unwrap();
        let below = made.path().join("a/b");
        assert_eq!(repository(&below), Some(made.path()));
        assert_eq!(repository(made.path()), Some(made.path()));
    }
}
