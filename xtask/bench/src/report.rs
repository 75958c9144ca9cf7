//! What is printed.

use serde_json::{Value, json};

use crate::bars::{self, Bar};

/// A table, its rows once more as JSON, and the goals.
pub(crate) struct Report {
    pub(crate) lines: Vec<String>,
    pub(crate) rows: Vec<Value>,
    pub(crate) bars: Vec<Bar>,
}

impl Report {
    pub(crate) fn passes(&self) -> bool {
        self.bars.iter().all(Bar::passes)
    }

    /// `about` says what was measured against what.
    pub(crate) fn print(&self, about: &str) {
        println!("{about}\n");
        for line in &self.lines {
            println!("{line}");
        }
        println!();
        bars::print(&self.bars);
    }

    pub(crate) fn print_json(&self, about: &str) {
        let goals: Vec<Value> = self.bars.iter().map(Bar::to_json).collect();
        println!(
            "{:#}",
            json!({"about": about, "rows": self.rows, "goals": goals, "pass": self.passes()})
        );
    }
}
