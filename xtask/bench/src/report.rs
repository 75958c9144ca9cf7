//! The output.

use serde_json::{Value, json};

use crate::bars::{self, Bar};

/// A table, its rows once more as JSON, and the goals.
pub(crate) struct Report {
    pub(crate) lines: Vec<String>,
    pub(crate) rows: Vec<Value>,
    pub(crate) bars: Vec<Bar>,
}

impl Report {
    /// Whether the goals whose names contain one of these are met; each of these has to name one.
    pub(crate) fn passes(&self, gates: &[String]) -> bool {
        gates.iter().all(|gate| {
            let mut named = self.bars.iter().filter(|bar| bar.name.contains(gate));
            named.clone().next().is_some() && named.all(Bar::passes)
        })
    }

    /// `about` describes the comparison.
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
            json!({"about": about, "rows": self.rows, "goals": goals, "pass": self.bars.iter().all(Bar::passes)})
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bars::Goal;

    #[test]
    fn gates_are_goals_by_parts_of_their_names() {
        let bar = |name: &str, found| Bar::new(name, found, Goal::AtLeast(6.0));
        let report = Report {
            lines: Vec::new(),
            rows: Vec::new(),
            bars: vec![bar("medium, sum", 8.0), bar("small, sum", 5.0)],
        };
        let passes = |gates: &[&str]| {
            let gates: Vec<String> = gates.iter().map(|gate| (*gate).to_owned()).collect();
            report.passes(&gates)
        };
        assert!(passes(&[]) && passes(&["medium"]));
        assert!(!passes(&[""]) && !passes(&["medium", "small"]));
        assert!(!passes(&["no such goal"]));
    }
}
