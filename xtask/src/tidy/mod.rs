//! `cargo xtask tidy`: checks of the source that neither the compiler nor clippy makes.
//!
//! - The modules of a crate form no cycle. The direction of data between crates is kept by cargo;
//!   within a crate, the top-level modules that a file names after `crate::`, or after enough
//!   `super::`, are the edges of a graph without cycles. Tests may import any module.
//! - No line has more than 100 columns (`width`).
//! - No doc comment begins with a headless clause (`openings`).
//! - A rule is named by a literal in its own file only (`rule_names`).
//! - A package includes only files of its own folder (`includes`).
//! - Every file that states the version states that of the workspace (`crate::versions`).

mod graph;
mod includes;
mod lexer;
mod openings;
mod rule_names;
mod source;
mod text;
mod width;

use std::fs;

use anyhow::{Context, Result, bail};

use self::graph::{Edge, cycle};
use crate::{files, versions};

/// Fails if a check finds a fault that is not pending.
pub(crate) fn run() -> Result<()> {
    let folder = files::root().join("crates");
    let mut faults = Vec::new();
    for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.join("src").exists() {
            check(&name, &source::edges(&path.join("src"))?, &mut faults);
        }
    }
    faults.sort();
    text::run(files::root(), &mut faults)?;
    versions::check(&mut faults)?;
    if faults.is_empty() {
        return Ok(());
    }
    bail!("the source is not tidy\n{}", faults.join("\n"));
}

fn check(name: &str, edges: &[Edge], faults: &mut Vec<String>) {
    if let Some(found) = cycle(edges) {
        let steps = found
            .iter()
            .map(|edge| format!("{} -> {} ({})", edge.from, edge.to, edge.file));
        faults.push(format!("{name}: {}", steps.collect::<Vec<_>>().join(", ")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_source_is_tidy() {
        run().unwrap();
    }

    #[test]
    fn a_cycle_is_a_fault() {
        let edge = |from: &str, to: &str| Edge {
            from: from.to_owned(),
            to: to.to_owned(),
            file: format!("{from}.rs"),
        };
        let mut faults = Vec::new();
        check(
            "x",
            &[edge("a", "b"), edge("b", "c"), edge("a", "c")],
            &mut faults,
        );
        assert_eq!(faults, [""; 0]);
        check(
            "x",
            &[edge("a", "b"), edge("b", "c"), edge("c", "a")],
            &mut faults,
        );
        assert_eq!(faults, ["x: a -> b (a.rs), b -> c (b.rs), c -> a (c.rs)"]);
    }
}
