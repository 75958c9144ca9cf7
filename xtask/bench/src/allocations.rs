//! Runs `assay-allocations`, the program with the counting allocator.

use std::env;
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// The number of allocations while the valid messages were checked a second time.
pub(crate) fn count() -> Result<usize> {
    let program = env::current_exe()
        .context("the own program has no path")?
        .with_file_name("assay-allocations");
    let output = Command::new(&program).output().with_context(|| {
        format!(
            "cannot run {}; `cargo xtask bench` builds it",
            program.display()
        )
    })?;
    ensure!(output.status.success(), "assay-allocations failed");
    let text =
        String::from_utf8(output.stdout).context("assay-allocations did not print a number")?;
    text.trim()
        .parse()
        .context("assay-allocations did not print a number")
}
