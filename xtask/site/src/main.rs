//! The site of mcp-assay: `docs/`, a page for each rule, and the playground, as files that any web
//! server can serve. Started by `cargo xtask site`.
//!
//! Every page forbids code and data from elsewhere. Links within the repository and within the site
//! are checked before anything is written; addresses of other sites are not visited.

mod html;
mod links;
mod markdown;
mod pages;
mod rules;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use anyhow::{Context, Result, bail};
use clap::Parser;

use self::pages::Site;

/// Makes the site.
#[derive(Parser)]
#[command(name = "cargo xtask site", bin_name = "cargo xtask site")]
struct Arguments {
    /// Write nothing; fail on links that lead nowhere
    #[arg(long)]
    check: bool,

    /// The folder to write to
    #[arg(long, value_name = "DIR", default_value = "target/site")]
    output: PathBuf,

    /// The built npm package whose checks the playground runs: the folder `mcp-assay` that
    /// `packages/npm/build` writes. Without it the playground says that it cannot load them
    #[arg(long, value_name = "DIR")]
    package: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<()> {
    let root = root()?;
    let faults = links::of_repository(&root)?;
    let mut site = Site::make(&root)?;
    if let Some(package) = &arguments.package {
        site.add_package(package)?;
    }
    let faults = [faults, links::of_site(&site)].concat();
    if !faults.is_empty() {
        bail!("links lead nowhere\n{}", faults.join("\n"));
    }
    if arguments.check {
        return Ok(());
    }
    for (name, content) in site.files() {
        let path = arguments.output.join(name);
        let folder = path.parent().context("a file without a folder")?;
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        fs::write(&path, content).with_context(|| path.display().to_string())?;
    }
    println!(
        "{} files in {}",
        site.files().count(),
        arguments.output.display()
    );
    Ok(())
}

/// The folder of the workspace.
fn root() -> Result<PathBuf> {
    let here = env::var_os("CARGO_MANIFEST_DIR").context("run it with `cargo xtask site`")?;
    let root = Path::new(&here).ancestors().nth(2);
    Ok(root.context("the workspace has no folder")?.to_owned())
}
