//! The known differences between our model and the official schemas.

use mcp_assay::Revision;
use serde::Deserialize;

use super::compare::Question;

/// The list of the tests against the official schemas: a copy that `cargo xtask codegen` writes.
const KNOWN: &str = include_str!("known.toml");

#[derive(Deserialize)]
pub(super) struct Errata {
    #[serde(default)]
    erratum: Vec<Erratum>,
}

/// An intended difference.
#[derive(Deserialize)]
pub(super) struct Erratum {
    pub(super) id: String,
    /// The revisions whose official schema has it.
    revisions: Vec<String>,
    /// The methods called or answered; all if left out.
    methods: Option<Vec<String>>,
    /// The kinds of message; all if left out.
    kinds: Option<Vec<String>>,
    /// Patterns of JSON Pointers: `*` is one step, `**` any number of steps.
    pointers: Vec<String>,
    ours: Side,
    pub(super) reason: String,
}

/// The direction of a difference.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[serde(rename_all = "lowercase")]
pub(super) enum Side {
    /// We refuse a message that the document accepts.
    Stricter,
    /// We accept a message that the document refuses.
    Looser,
}

impl Errata {
    pub(super) fn read() -> Self {
        // The list is part of the program, and a test reads it.
        toml::from_str(KNOWN).expect("the list of errata is well formed")
    }

    /// The erratum that explains a difference which may mean any of these places.
    pub(super) fn explain(
        &self,
        revision: Revision,
        question: &Question<'_>,
        side: Side,
        places: &[String],
    ) -> Option<&Erratum> {
        self.erratum.iter().find(|erratum| {
            erratum.ours == side
                && erratum.revisions.iter().any(|name| name == revision.name())
                && allows(erratum.methods.as_deref(), question.method)
                && allows(erratum.kinds.as_deref(), question.kind.name())
                && places
                    .iter()
                    .any(|place| erratum.pointers.iter().any(|pattern| fits(pattern, place)))
        })
    }
}

fn allows(names: Option<&[String]>, wanted: &str) -> bool {
    names.is_none_or(|names| names.iter().any(|name| name == wanted))
}

fn fits(pattern: &str, pointer: &str) -> bool {
    let pattern: Vec<_> = pattern.split('/').skip(1).collect();
    let pointer: Vec<_> = pointer.split('/').skip(1).collect();
    fit_steps(&pattern, &pointer)
}

fn fit_steps(pattern: &[&str], pointer: &[&str]) -> bool {
    match (pattern, pointer) {
        ([], _) => pointer.is_empty(),
        (["**", rest @ ..], _) => {
            (0..=pointer.len()).any(|skipped| fit_steps(rest, &pointer[skipped..]))
        }
        ([first, rest @ ..], [step, below @ ..]) => {
            (*first == "*" || first == step) && fit_steps(rest, below)
        }
        (_, []) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{Errata, fits};

    #[test]
    fn the_list_is_well_formed() {
        for erratum in Errata::read().erratum {
            assert!(
                !erratum.id.is_empty()
                    && !erratum.reason.is_empty()
                    && !erratum.pointers.is_empty()
            );
        }
    }

    #[test]
    fn patterns_fit_pointers() {
        assert!(
            fits("", "")
                && fits("/a/*/c", "/a/b/c")
                && fits("/**/c", "/c")
                && fits("/**/c", "/a/b/c")
                && fits("/a/**", "/a/b/c")
        );
        assert!(!fits("/a/*", "/a") && !fits("/a", "/a/b") && !fits("/a/b", "/a"));
    }
}
