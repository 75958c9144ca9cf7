//! The known differences between our model and the official schemas: `known.toml`.

use std::cell::Cell;

use mcp_assay::Revision;
use mcp_assay::invent::Invented;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    erratum: Vec<Erratum>,
    example: Vec<Example>,
}

/// A difference that is meant.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Erratum {
    pub(crate) id: String,
    /// The revisions whose official schema has it.
    revisions: Vec<String>,
    /// The methods called or answered; all if left out.
    methods: Option<Vec<String>>,
    /// The kinds of message; all if left out.
    kinds: Option<Vec<String>>,
    /// Patterns of JSON Pointers: `*` is one step, `**` any number of steps.
    pointers: Vec<String>,
    ours: Side,
    reason: String,
    /// The place where the specification says so.
    clause: String,
    #[serde(skip)]
    used: Cell<usize>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Side {
    /// We refuse what the official schema accepts.
    Stricter,
    /// We accept what the official schema refuses.
    Looser,
}

/// An official example that is wrong itself.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Example {
    /// `<Definition>/<file>`.
    pub(crate) file: String,
    /// The rule that it breaks.
    pub(crate) rule: String,
    pub(crate) reason: String,
    pub(crate) clause: String,
}

pub(crate) struct Errata {
    errata: Vec<Erratum>,
    pub(crate) examples: Vec<Example>,
}

impl Errata {
    pub(crate) fn load() -> Self {
        let file: File =
            toml::from_str(include_str!("known.toml")).expect("known.toml is well formed");
        for erratum in &file.erratum {
            let known = erratum
                .revisions
                .iter()
                .all(|revision| revision.parse::<Revision>().is_ok());
            assert!(known, "{}: revisions", erratum.id);
            let complete = [&erratum.reason, &erratum.clause]
                .iter()
                .all(|text| !text.trim().is_empty());
            assert!(
                complete && !erratum.pointers.is_empty(),
                "{} must say where and why",
                erratum.id
            );
        }
        for example in &file.example {
            assert!(
                !example.reason.trim().is_empty() && !example.clause.trim().is_empty(),
                "{}",
                example.file
            );
        }
        Self {
            errata: file.erratum,
            examples: file.example,
        }
    }

    /// Whether an erratum explains a difference at one of these places; each that does counts as
    /// used.
    pub(crate) fn explain(&self, case: &Invented, side: Side, places: &[String]) -> bool {
        let fitting = self.errata.iter().filter(|erratum| {
            erratum.ours == side
                && erratum
                    .revisions
                    .iter()
                    .any(|name| name == case.revision.name())
                && erratum
                    .methods
                    .as_ref()
                    .is_none_or(|methods| methods.iter().any(|name| name == case.method.name))
                && erratum
                    .kinds
                    .as_ref()
                    .is_none_or(|kinds| kinds.iter().any(|name| name == case.kind.name()))
                && places
                    .iter()
                    .any(|place| erratum.pointers.iter().any(|pattern| fits(pattern, place)))
        });
        let mut explained = false;
        for erratum in fitting {
            erratum.used.set(erratum.used.get() + 1);
            explained = true;
        }
        explained
    }

    /// The errata of a revision, with how often each was used.
    pub(crate) fn uses(&self, revision: Revision) -> impl Iterator<Item = (&str, usize)> {
        let of_revision =
            move |erratum: &&Erratum| erratum.revisions.iter().any(|name| name == revision.name());
        self.errata
            .iter()
            .filter(of_revision)
            .map(|erratum| (erratum.id.as_str(), erratum.used.get()))
    }
}

fn fits(pattern: &str, pointer: &str) -> bool {
    let steps = |text: &str| {
        text.split('/')
            .skip(1)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    fit_steps(&steps(pattern), &steps(pointer))
}

fn fit_steps(pattern: &[String], pointer: &[String]) -> bool {
    match pattern.split_first() {
        None => pointer.is_empty(),
        Some((first, rest)) if first == "**" => {
            (0..=pointer.len()).any(|skipped| fit_steps(rest, &pointer[skipped..]))
        }
        Some((first, rest)) => match pointer.split_first() {
            Some((step, below)) => (first == "*" || first == step) && fit_steps(rest, below),
            None => false,
        },
    }
}

#[test]
fn patterns() {
    assert!(fits("", ""));
    assert!(fits("/a/*/c", "/a/b/c"));
    assert!(!fits("/a/*", "/a"));
    assert!(fits("/**/c", "/c") && fits("/**/c", "/a/b/c"));
    assert!(fits("/a/**", "/a") && fits("/a/**", "/a/b/c"));
    assert!(!fits("/a", "/a/b"));
}
