//! Differences between two revisions, straight from the tables.

use core::fmt;
use std::collections::BTreeMap;

use super::describe;
use crate::tables::{
    Arm, ArmTag, ENUMS, ERRORS, FACTS, METHODS, MethodForm, MethodKind, Need, Revision, STRUCTS,
    ShapeId, Struct, UNIONS, Union,
};

/// One difference between two revisions.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Change {
    /// The kind of the item that differs.
    pub subject: Subject,
    /// Its name, with that of its container: `Tool.outputSchema`.
    pub name: String,
    /// The difference.
    pub difference: Difference,
}

/// The kind of an item that differs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Subject {
    /// A fact about the whole revision.
    Fact,
    /// A method.
    Method,
    /// A struct.
    Struct,
    /// A member of a struct.
    Member,
    /// An enum.
    Enum,
    /// A value of an enum.
    Value,
    /// A union.
    Union,
    /// A branch of a union.
    Branch,
    /// An error code.
    Error,
}

/// The difference of an item. The texts describe it, and are empty if the name says everything.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Difference {
    /// Only the second revision has it.
    Added(String),
    /// Only the first revision has it.
    Removed(String),
    /// Both have it, and it is not the same.
    Changed {
        /// In the first revision.
        from: String,
        /// In the second revision.
        to: String,
    },
}

/// `Tool.outputSchema: added, optional ToolSchema`
impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let noun = match self.subject {
            Subject::Fact => "fact ",
            Subject::Method => "method ",
            Subject::Struct => "struct ",
            Subject::Enum => "enum ",
            Subject::Union => "union ",
            Subject::Error => "error ",
            Subject::Member | Subject::Value | Subject::Branch => "",
        };
        write!(f, "{noun}{}: ", self.name)?;
        match &self.difference {
            Difference::Added(what) if what.is_empty() => f.write_str("added"),
            Difference::Added(what) => write!(f, "added, {what}"),
            Difference::Removed(what) if what.is_empty() => f.write_str("removed"),
            Difference::Removed(what) => write!(f, "removed, was {what}"),
            Difference::Changed { from, to } => write!(f, "changed from {from} to {to}"),
        }
    }
}

/// Lists what a reader of revision `a` has to learn for revision `b`: facts, methods, types with
/// their members, error codes.
///
/// ```
/// use mcp_assay_model::{Revision, schema};
///
/// let changes = schema::diff(Revision::V2025_03_26, Revision::V2025_06_18);
/// assert!(changes.iter().any(|change| change.to_string() == "Tool.outputSchema: added, optional ToolSchema"));
/// ```
#[must_use]
pub fn diff(a: Revision, b: Revision) -> Vec<Change> {
    let mut changes = Vec::new();
    for (subject, entries) in LISTS {
        // One map for all kinds: each way to fill one is compiled with a sort of its own.
        let [before, after] = [a, b].map(|revision| entries(revision).into_iter().collect());
        compare(*subject, &before, &after, &mut changes);
    }
    drop_parts(&mut changes);
    changes
}

/// A thing in a revision: name and description.
type Entry = (String, String);

/// Everything of one kind in a revision.
type Entries = BTreeMap<String, String>;

/// Each kind with the function that lists its items.
type List = (Subject, fn(Revision) -> Vec<Entry>);

const LISTS: &[List] = &[
    (Subject::Fact, facts),
    (Subject::Method, methods),
    (Subject::Struct, structs),
    (Subject::Member, members),
    (Subject::Enum, enums),
    (Subject::Value, values),
    (Subject::Union, unions),
    (Subject::Branch, branches),
    (Subject::Error, errors),
];

fn compare(subject: Subject, before: &Entries, after: &Entries, changes: &mut Vec<Change>) {
    let names = before
        .keys()
        .chain(after.keys().filter(|name| !before.contains_key(*name)));
    let mut found: Vec<Change> = names
        .filter_map(|name| {
            let difference = match (before.get(name), after.get(name)) {
                (Some(from), Some(to)) if from == to => return None,
                (Some(from), Some(to)) => Difference::Changed {
                    from: from.clone(),
                    to: to.clone(),
                },
                (Some(from), None) => Difference::Removed(from.clone()),
                (None, Some(to)) => Difference::Added(to.clone()),
                (None, None) => return None,
            };
            Some(Change {
                subject,
                name: name.clone(),
                difference,
            })
        })
        .collect();
    found.sort_by(|one, other| one.name.cmp(&other.name));
    changes.append(&mut found);
}

/// Removes the parts of a type that was added or removed as a whole: they are not news.
fn drop_parts(changes: &mut Vec<Change>) {
    let wholes: Vec<String> = changes
        .iter()
        .filter(|change| {
            matches!(
                change.subject,
                Subject::Struct | Subject::Enum | Subject::Union
            )
        })
        .map(|change| format!("{}.", change.name))
        .collect();
    changes.retain(|change| {
        let is_part = matches!(
            change.subject,
            Subject::Member | Subject::Value | Subject::Branch
        );
        !is_part || !wholes.iter().any(|whole| change.name.starts_with(whole))
    });
}

fn facts(revision: Revision) -> Vec<Entry> {
    let facts = FACTS
        .iter()
        .filter(|(_, _, revisions)| revisions.contains(revision));
    facts
        .map(|(_, name, _)| ((*name).to_owned(), String::new()))
        .collect()
}

fn methods(revision: Revision) -> Vec<Entry> {
    let forms = METHODS
        .iter()
        .filter_map(|method| Some((method.name, method.forms[revision.index()]?)));
    forms
        .map(|(name, form)| (name.to_owned(), describe_form(form, revision)))
        .collect()
}

fn describe_form(form: &MethodForm, revision: Revision) -> String {
    let kind = match form.kind {
        MethodKind::Request => "request",
        MethodKind::Notification => "notification",
        MethodKind::Input => "input request",
    };
    let sender = match (form.from_client, form.from_server) {
        (true, false) => "of the client",
        (false, true) => "of the server",
        _ => "of both",
    };
    let mut parts = vec![format!("{kind} {sender}")];
    if form.params != ShapeId::ABSENT {
        let presence = if form.params_required {
            ""
        } else {
            "optional "
        };
        parts.push(format!(
            "params {presence}{}",
            describe(form.params, revision)
        ));
    }
    if form.result != ShapeId::ABSENT {
        parts.push(format!("result {}", describe(form.result, revision)));
    }
    parts.extend(
        form.needs
            .iter()
            .map(|need| format!("needs {}", describe_need(need))),
    );
    parts.join(", ")
}

fn describe_need(need: &Need) -> String {
    let path = need.path.iter();
    path.fold(need.party.name().to_owned(), |text, part| {
        format!("{text}.{part}")
    })
}

fn structs(revision: Revision) -> Vec<Entry> {
    structs_in(revision)
        .map(|row| (row.name.to_owned(), String::new()))
        .collect()
}

fn structs_in(revision: Revision) -> impl Iterator<Item = &'static Struct> {
    STRUCTS
        .iter()
        .filter(move |row| row.revisions.contains(revision))
}

fn members(revision: Revision) -> Vec<Entry> {
    let mut entries = Vec::new();
    for row in structs_in(revision) {
        for (index, field) in row.fields.iter().enumerate() {
            let shape = field.shape[revision.index()];
            if shape != ShapeId::ABSENT {
                let presence = if row.required[revision.index()] >> index & 1 == 1 {
                    "required"
                } else {
                    "optional"
                };
                entries.push((
                    format!("{}.{}", row.name, field.name),
                    format!("{presence} {}", describe(shape, revision)),
                ));
            }
        }
    }
    entries
}

fn enums(revision: Revision) -> Vec<Entry> {
    let rows = ENUMS.iter().filter(|row| row.revisions.contains(revision));
    rows.map(|row| (row.name.to_owned(), String::new()))
        .collect()
}

fn values(revision: Revision) -> Vec<Entry> {
    let rows = ENUMS.iter().filter(|row| row.revisions.contains(revision));
    let values = rows.flat_map(|row| row.values.iter().map(move |value| (row, value)));
    let present = values.filter(|(_, (_, revisions))| revisions.contains(revision));
    present
        .map(|(row, (value, _))| (format!("{}.{value}", row.name), String::new()))
        .collect()
}

fn unions(revision: Revision) -> Vec<Entry> {
    named_unions(revision)
        .map(|row| (row.name.to_owned(), String::new()))
        .collect()
}

fn named_unions(revision: Revision) -> impl Iterator<Item = &'static Union> {
    UNIONS
        .iter()
        .filter(move |row| row.revisions.contains(revision) && !super::shape::is_in_place(row))
}

fn branches(revision: Revision) -> Vec<Entry> {
    let rows = named_unions(revision).flat_map(|row| row.arms.iter().map(move |arm| (row, arm)));
    let present = rows.filter(|(_, arm)| arm.revisions.contains(revision));
    present
        .map(|(row, arm)| {
            (
                format!("{}.{}", row.name, branch_name(arm, revision)),
                branch_text(arm, revision),
            )
        })
        .collect()
}

fn branch_name(arm: &Arm, revision: Revision) -> String {
    match arm.tag {
        ArmTag::Value(value) => value.to_owned(),
        ArmTag::Absent => "absent".to_owned(),
        ArmTag::Else => "else".to_owned(),
        ArmTag::Untagged => describe(arm.shape, revision),
    }
}

/// Whether a branch has no tag: it is named by its shape, which says everything.
fn branch_text(arm: &Arm, revision: Revision) -> String {
    if arm.tag == ArmTag::Untagged {
        String::new()
    } else {
        describe(arm.shape, revision)
    }
}

fn errors(revision: Revision) -> Vec<Entry> {
    let rows = ERRORS.iter().filter(|row| row.revisions.contains(revision));
    rows.map(|row| {
        let data = if row.data == ShapeId::ABSENT {
            String::new()
        } else {
            format!(", data {}", describe(row.data, revision))
        };
        (row.name.to_owned(), format!("code {}{data}", row.code))
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(a: Revision, b: Revision) -> Vec<String> {
        diff(a, b).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn nothing_differs_from_itself() {
        for revision in Revision::ALL {
            assert_eq!(diff(revision, revision), []);
        }
    }

    #[test]
    fn every_kind_of_change_is_told() {
        let lines: Vec<String> = Revision::ALL
            .windows(2)
            .flat_map(|pair| lines(pair[0], pair[1]))
            .collect();
        for expected in [
            "fact batches: added",
            "fact batches: removed",
            "Tool.outputSchema: added, optional ToolSchema",
            "Tool.execution: removed, was optional ToolExecution",
            "ContentBlock.audio: added, AudioContent",
            "struct AudioContent: added",
            "error URLElicitationRequired: added, code -32042, data URLElicitationRequiredData",
            "RequestParams._meta: changed from optional RequestMetaObject to required RequestMetaObject",
        ] {
            assert!(
                lines.iter().any(|line| line == expected),
                "{expected}\n{lines:#?}"
            );
        }
        assert!(
            lines
                .iter()
                .any(|line| line
                    .starts_with("method initialize: removed, was request of the client"))
        );
    }

    #[test]
    fn parts_of_a_new_struct_are_no_news() {
        let lines = lines(Revision::V2024_11_05, Revision::V2025_03_26);
        assert!(
            lines.contains(&"struct AudioContent: added".to_owned()),
            "{lines:#?}"
        );
        assert!(
            !lines.iter().any(|line| line.starts_with("AudioContent.")),
            "{lines:#?}"
        );
    }

    #[test]
    fn the_way_back_turns_additions_into_removals() {
        let there = diff(Revision::V2025_03_26, Revision::V2025_06_18);
        let back = diff(Revision::V2025_06_18, Revision::V2025_03_26);
        assert_eq!(there.len(), back.len());
        for change in &there {
            let turned = match change.difference.clone() {
                Difference::Added(what) => Difference::Removed(what),
                Difference::Removed(what) => Difference::Added(what),
                Difference::Changed { from, to } => Difference::Changed { from: to, to: from },
            };
            assert!(
                back.contains(&Change {
                    difference: turned,
                    ..change.clone()
                }),
                "{change}"
            );
        }
    }
}
