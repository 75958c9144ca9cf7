//! The workspace's own tool: `cargo xtask <command>`.
//!
//! A command is one variant of [`Command`] and one module. None of them links `mcp-assay-core`, so
//! that a broken or missing generated file can always be written anew; commands that need the
//! library are separate programs, started by [`second_step`], [`mod@bench`] and [`site`].

mod bench;
mod codegen;
mod files;
mod fuzz_corpus;
/// The function that finds names at run time: code generation must not depend on a library that
/// compiles.
#[path = "../../crates/model/src/tables/lookup.rs"]
#[expect(unreachable_pub, reason = "public in the library, whose file this is")]
mod lookup;
mod release;
mod rules;
mod second_step;
mod site;
mod tables;
mod tidy;
mod versions;
mod wire;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Code generation and tidiness for this workspace.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Write the model's tables and the JSON Schemas from `wire/*.wire`, and the lists of rules.
    Codegen {
        /// Write nothing; fail if a generated file is stale.
        #[arg(long)]
        check: bool,
    },
    /// Write only the lists of rules, from the files that are there.
    Rules,
    /// Write the file of a new rule, to be filled in: `new-rule progress token-known`.
    NewRule {
        /// The family, `progress`.
        family: String,
        /// The requirement, `token-known`.
        name: String,
    },
    /// Align the columns of `wire/*.wire`.
    Fmt {
        /// Write nothing; fail if a file is not formatted.
        #[arg(long)]
        check: bool,
    },
    /// Fail on module cycles, wide lines, headless docs, rules named by strings, and versions that
    /// disagree.
    Tidy,
    /// Write the dialogues and examples of the tests as inputs of the fuzz target `session`.
    FuzzCorpus {
        /// The folder for the inputs; it is created if necessary.
        folder: PathBuf,
    },
    /// Build what a release consists of, install each artefact into an empty folder, and run the
    /// demo from there.
    Release {
        /// Publish nothing. A release itself is made by pushing a tag: docs/releasing.md.
        #[arg(long, required = true)]
        dry_run: bool,
        /// Only these parts.
        #[arg(long, value_enum, value_delimiter = ',')]
        only: Vec<release::Part>,
        /// The profile of the program; others than `dist` are quicker to build.
        #[arg(long, default_value = "dist")]
        profile: String,
    },
    /// Write the version of the next release into every file that has one.
    Version {
        /// Three numbers, `0.2.0`.
        version: String,
    },
    /// Make the site from `docs/` and the rules, and check all links; `site --help` has the
    /// options.
    #[command(disable_help_flag = true)]
    Site {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// Draw the terminal in the README anew.
    Picture,
    /// Measure bytes to verdict against `serde_json` and `jsonschema`; `bench --help` has the
    /// options.
    #[command(disable_help_flag = true)]
    Bench {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Codegen { check } => {
            codegen::run(files::Mode::from_check(check)).map(|()| ExitCode::SUCCESS)
        }
        Command::Rules => rules::run(files::Mode::Write).map(|()| ExitCode::SUCCESS),
        Command::NewRule { family, name } => {
            rules::scaffold(&family, &name).map(|()| ExitCode::SUCCESS)
        }
        Command::Fmt { check } => {
            wire::format::run(files::Mode::from_check(check)).map(|()| ExitCode::SUCCESS)
        }
        Command::Tidy => tidy::run().map(|()| ExitCode::SUCCESS),
        Command::FuzzCorpus { folder } => fuzz_corpus::run(&folder).map(|()| ExitCode::SUCCESS),
        Command::Release {
            dry_run: _,
            only,
            profile,
        } => release::rehearse(&only, &profile).map(|()| ExitCode::SUCCESS),
        Command::Version { version } => versions::write(&version).map(|()| ExitCode::SUCCESS),
        Command::Bench { arguments } => bench::run(&arguments),
        Command::Site { arguments } => site::run(&arguments),
        Command::Picture => site::picture(),
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
