//! The changes between two snapshots.

use mcp_assay_schemas::containment::{Answer, Containment, Unnamed, accepts_all_of};
use serde_json::Value;

use super::tools::{PARTS, Tool, Tools};
use crate::args::Undecided;

/// The changes, by name of the tool.
#[derive(Debug, Default)]
pub(crate) struct ToolDiff {
    pub(super) changes: Vec<Change>,
    /// Whether tools that are missing from the new snapshot may still exist.
    pub(super) is_incomplete: bool,
}

/// The change of a tool.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) tool: String,
    pub(super) kind: Kind,
    pub(super) details: Vec<Detail>,
}

/// The kinds of change, the gravest last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    Added,
    Compatible,
    Unknown,
    Breaking,
    Removed,
}

/// One change of a part of a tool.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Detail {
    pub(super) kind: Kind,
    /// The member of the tool.
    pub(super) part: &'static str,
    /// The place in the schema.
    pub(super) pointer: String,
    pub(super) text: String,
    /// A value that shows the change, at the first detail of its part.
    pub(super) example: Option<Value>,
}

impl Kind {
    pub(super) const ALL: [Self; 5] = [
        Self::Removed,
        Self::Breaking,
        Self::Unknown,
        Self::Compatible,
        Self::Added,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Compatible => "compatible",
            Self::Unknown => "unknown",
            Self::Breaking => "breaking",
            Self::Removed => "removed",
        }
    }
}

impl ToolDiff {
    /// Whether users of the tools have to act.
    pub(crate) fn fails(&self, undecided: Undecided) -> bool {
        self.changes.iter().any(|change| match change.kind {
            Kind::Breaking | Kind::Removed => true,
            Kind::Unknown => undecided == Undecided::Fail,
            Kind::Compatible | Kind::Added => false,
        })
    }

    /// A sentence about changes that could not be decided, if there are any to warn of.
    pub(crate) fn warning(&self, undecided: Undecided) -> Option<String> {
        let count = self.count(Kind::Unknown) as u64;
        (count > 0 && undecided == Undecided::Warn).then(|| {
            let tools = crate::output::counted(count, "tool");
            format!("{tools} changed in ways that may break callers: see `unknown`, or choose with --unknown")
        })
    }

    pub(super) fn count(&self, kind: Kind) -> usize {
        self.changes.iter().filter(|it| it.kind == kind).count()
    }
}

/// Compares two snapshots.
pub(crate) fn compare(old: &Tools, new: &Tools) -> ToolDiff {
    let mut changes = Vec::new();
    for (name, tool) in &old.by_name {
        match new.by_name.get(name) {
            Some(other) => changes.extend(change(name, tool, other)),
            None if new.is_complete => changes.push(whole(name, Kind::Removed)),
            None => {}
        }
    }
    let added = new.by_name.keys();
    changes.extend(
        added
            .filter(|name| !old.by_name.contains_key(*name))
            .map(|name| whole(name, Kind::Added)),
    );
    changes.sort_by(|left, right| left.tool.cmp(&right.tool));
    ToolDiff {
        changes,
        is_incomplete: !new.is_complete,
    }
}

fn whole(name: &str, kind: Kind) -> Change {
    Change {
        tool: name.to_owned(),
        kind,
        details: Vec::new(),
    }
}

fn change(name: &str, old: &Tool, new: &Tool) -> Option<Change> {
    let mut details = Vec::new();
    for part in PARTS {
        let (was, is) = (old.fingerprints.get(part), new.fingerprints.get(part));
        if was == is {
            continue;
        }
        match part {
            "inputSchema" => input(old, new, &mut details),
            "outputSchema" => output(old, new, &mut details),
            _ => {
                let text = match (was, is) {
                    (None, _) => "added",
                    (_, None) => "removed",
                    _ => "changed",
                };
                details.push(detail(Kind::Compatible, part, text));
            }
        }
    }
    let kind = details.iter().map(|detail| detail.kind).max()?;
    Some(Change {
        tool: name.to_owned(),
        kind,
        details,
    })
}

/// Checks that the new schema accepts every value that the old one accepted.
fn input(old: &Tool, new: &Tool, details: &mut Vec<Detail>) {
    const PART: &str = "inputSchema";
    let (Some(old), Some(new)) = (&old.input, &new.input) else {
        details.push(detail(Kind::Unknown, PART, "is missing on one side"));
        return;
    };
    let answer = accepts_all_of(new, old, Unnamed::NotSent);
    tell(
        PART,
        "accepts all that it did before",
        "now",
        &answer,
        details,
    );
}

/// Checks that the new schema allows no value that the old one did not.
fn output(old: &Tool, new: &Tool, details: &mut Vec<Detail>) {
    const PART: &str = "outputSchema";
    match (&old.output, &new.output) {
        (None, _) => details.push(detail(Kind::Compatible, PART, "added")),
        (_, None) => {
            let text = "removed: structured results are no longer promised";
            details.push(detail(Kind::Breaking, PART, text));
        }
        (Some(old), Some(new)) => {
            let answer = accepts_all_of(old, new, Unnamed::Any);
            tell(
                PART,
                "allows no more than before",
                "before",
                &answer,
                details,
            );
        }
    }
}

/// Reports the reasons, which concern the schema that should accept: `when` it is in force.
fn tell(part: &'static str, fine: &str, when: &str, answer: &Answer, details: &mut Vec<Detail>) {
    let (kind, lead) = match answer.containment {
        Containment::Proven => return details.push(detail(Kind::Compatible, part, fine)),
        Containment::Refuted => (Kind::Breaking, when),
        Containment::Undecided => (Kind::Unknown, "cannot be decided"),
    };
    let mut example = answer.counterexample.clone();
    details.extend(answer.reasons.iter().map(|reason| Detail {
        kind,
        part,
        pointer: reason.pointer.clone(),
        text: format!("{lead}: {}", reason.text),
        example: example.take(),
    }));
}

fn detail(kind: Kind, part: &'static str, text: &str) -> Detail {
    Detail {
        kind,
        part,
        pointer: String::new(),
        text: text.to_owned(),
        example: None,
    }
}
