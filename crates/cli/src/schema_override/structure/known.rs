//! Intended differences between the model and the official schemas, statement by statement.

use std::collections::BTreeSet;

use mcp_assay::Revision;
use mcp_assay::model::{METHODS, MethodKind};
use serde::Deserialize;

use super::{Difference, Side};

/// The list, which is part of the program.
const LIST: &str = include_str!("known.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    /// Definitions that nothing else in the official schema refers to.
    roots: Vec<Roots>,
    difference: Vec<Intended>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Roots {
    revisions: Vec<String>,
    names: Vec<String>,
}

/// Intended differences of one kind.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Intended {
    revisions: Vec<String>,
    /// Names of definitions; `*` stands for any beginning or end.
    definitions: Vec<String>,
    side: Side,
    /// The place, with `**` for any number of steps.
    place: String,
    statements: Vec<String>,
    /// Statements that the document makes at the same place; without one of them the difference is
    /// another.
    #[serde(default)]
    given: Vec<String>,
    #[expect(dead_code, reason = "for people who read the list")]
    reason: String,
}

/// The intended differences of a revision.
pub(super) struct Known {
    roots: Vec<String>,
    differences: Vec<Intended>,
}

impl Known {
    pub(super) fn of(revision: Revision) -> Self {
        // The list is part of the program, and a test reads it.
        let list: List = toml::from_str(LIST).expect("the list of differences is well formed");
        let has = |revisions: &[String]| revisions.iter().any(|name| name == revision.name());
        let roots = list.roots.into_iter().filter(|it| has(&it.revisions));
        let differences = list.difference.into_iter();
        Self {
            roots: roots.flat_map(|it| it.names).collect(),
            differences: differences.filter(|it| has(&it.revisions)).collect(),
        }
    }

    /// The definitions that an official schema has even if nothing in it refers to them.
    pub(super) fn names(&self, revision: Revision) -> impl Iterator<Item = &str> {
        let forms = METHODS
            .iter()
            .filter_map(move |it| it.forms[revision.index()]);
        let messages = forms.filter(|form| form.kind != MethodKind::Input);
        let messages = messages.map(|form| form.definition);
        messages.chain(self.roots.iter().map(String::as_str))
    }

    /// Whether a difference is one of them.
    pub(super) fn explains(
        &self,
        difference: &Difference,
        documented: &BTreeSet<Difference>,
    ) -> bool {
        let mut differences = self.differences.iter();
        differences.any(|it| it.fits(difference) && it.is_given(difference, documented))
    }
}

impl Intended {
    fn is_given(&self, difference: &Difference, documented: &BTreeSet<Difference>) -> bool {
        self.given.iter().all(|text| {
            documented.contains(&Difference {
                side: Side::Document,
                text: text.clone(),
                ..difference.clone()
            })
        })
    }

    fn fits(&self, difference: &Difference) -> bool {
        let place: Vec<_> = difference.place.split('/').collect();
        let pattern: Vec<_> = self.place.split('/').collect();
        self.side == difference.side
            && self
                .definitions
                .iter()
                .any(|it| fits_name(it, &difference.definition))
            && self.statements.contains(&difference.text)
            && fits_place(&pattern, &place)
    }
}

fn fits_name(pattern: &str, name: &str) -> bool {
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(end), _) => name.ends_with(end),
        (None, Some(start)) => name.starts_with(start),
        (None, None) => name == pattern,
    }
}

fn fits_place(pattern: &[&str], place: &[&str]) -> bool {
    match (pattern, place) {
        ([], _) => place.is_empty(),
        (["**", rest @ ..], _) => {
            (0..=place.len()).any(|skipped| fits_place(rest, &place[skipped..]))
        }
        ([first, rest @ ..], [step, below @ ..]) => first == step && fits_place(rest, below),
        (_, []) => false,
    }
}
