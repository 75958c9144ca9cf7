//! A rule as data: its name, its page, and its relations to other rules.

use core::fmt;

use super::policy::{Layer, Level};
use super::relations::{Once, Reveals, State, Use};
use crate::{Party, Revision, RevisionSet};

/// A demand of the specification whose violation can be detected.
#[non_exhaustive]
pub struct Rule {
    /// `family/requirement`, the one name everywhere.
    pub name: &'static str,
    /// The layer of a message that it checks.
    pub layer: Layer,
    /// The level of a violation, in the strictest revision.
    pub level: Level,
    /// The revisions that only recommend it: a violation is a warning there.
    pub recommended: RevisionSet,
    /// The revisions that state it.
    pub revisions: RevisionSet,
    /// The parties that can violate it.
    pub party: Parties,
    /// The clause, `page#heading`.
    pub spec: &'static str,
    /// The JSON-RPC code to refuse with, 0 if a refusal makes no sense.
    pub code: i32,
    /// Further requirements of the specification that this rule covers.
    pub covers: &'static [&'static str],
    /// The remedy, in one sentence.
    pub help: &'static str,
    /// The page: the doc comment of its static. A rule of a profile has one sentence.
    pub(crate) page: &'static str,
    /// Parts of the session that it depends on; it is silent while one of them has a gap.
    pub(crate) needs: &'static [State],
    /// Rules that report the same fault of a message better.
    pub(crate) hidden_by: &'static [&'static Self],
    /// Rules whose violation makes a later one of this rule inevitable.
    pub(crate) follows: &'static [&'static Self],
    /// Scopes in which it is reported once.
    pub(crate) once: &'static [Once],
    /// Capabilities that it demands; each is reported as missing once, by any rule.
    pub(crate) uses: &'static [Use],
    /// A fact about other messages that a violation reveals.
    pub(crate) reveals: Option<Reveals>,
}

impl Rule {
    /// The default of each field.
    pub(crate) const DEFAULT: Self = Self {
        name: "",
        layer: Layer::Session,
        level: Level::Error,
        recommended: RevisionSet::NONE,
        revisions: RevisionSet::ALL,
        party: Parties::Both,
        spec: "",
        code: 0,
        covers: &[],
        help: "",
        page: "",
        needs: &[],
        hidden_by: &[],
        follows: &[],
        once: &[],
        uses: &[],
        reveals: None,
    };

    /// A rule that no check raises, because only probing shows it; the other fields have their
    /// defaults.
    ///
    /// ```
    /// let rule = mcp_assay::Rule::probed("probe/answers", "Every request is answered.");
    /// assert_eq!(rule.summary(), "Every request is answered.");
    /// ```
    #[must_use]
    pub const fn probed(name: &'static str, page: &'static str) -> Self {
        Self {
            name,
            page,
            ..Self::DEFAULT
        }
    }

    /// The level of a violation in a revision.
    #[must_use]
    pub fn level_in(&self, revision: Revision) -> Level {
        if self.recommended.contains(revision) {
            self.level.min(Level::Warning)
        } else {
            self.level
        }
    }

    /// The clause in a revision, `revision/page#heading`; without one, in the latest that states
    /// it.
    #[must_use]
    pub fn clause(&self, revision: Option<Revision>) -> String {
        let stated = revision.filter(|revision| self.revisions.contains(*revision));
        match stated.or_else(|| self.revisions.iter().next_back()) {
            Some(revision) => format!("{revision}/{}", self.spec),
            None => self.spec.to_owned(),
        }
    }

    /// The first half of its name.
    #[must_use]
    pub fn family(&self) -> &'static str {
        self.name
            .split_once('/')
            .map_or(self.name, |(family, _)| family)
    }

    /// The first sentence of its page.
    #[must_use]
    pub fn summary(&self) -> &'static str {
        self.page.lines().next().unwrap_or_default().trim()
    }

    /// The page, one line each, as it is written.
    pub fn page(&self) -> impl Iterator<Item = &'static str> {
        let lines = self.page.lines();
        lines.map(|line| line.strip_prefix(' ').unwrap_or(line))
    }
}

impl fmt::Debug for Rule {
    /// Writes the name only: the relations of a rule may lead back to itself.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Rule").field(&self.name).finish()
    }
}

impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Rule {}

/// The parties that can violate a rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Parties {
    /// Only one party.
    Only(Party),
    /// Either.
    Both,
}

impl fmt::Display for Parties {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Only(party) => f.pad(party.name()),
            Self::Both => f.pad("both"),
        }
    }
}

/// Declares a rule as `RULE`, and its check as `CHECK`. The doc comment is the page that `explain`
/// prints; its examples are run.
///
/// Fields with a default may be left out; the order is fixed. A rule without `check` is raised by a
/// stage of the validator.
macro_rules! rule {
    (
        #[doc = $summary:literal]
        $(#[doc = $line:literal])*
        $ident:ident = {
            name: $name:literal,
            layer: $layer:ident,
            level: $level:ident,
            $(recommended: $recommended:expr,)?
            $(revisions: $revisions:expr,)?
            $(party: $party:ident,)?
            spec: $spec:literal,
            $(code: $code:literal,)?
            $(covers: $covers:expr,)?
            help: $help:literal,
            $(needs: [$($state:ident),+ $(,)?],)?
            $(hidden_by: [$($hidden:path),+ $(,)?],)?
            $(follows: [$($followed:path),+ $(,)?],)?
            $(once: [$($once:ident),+ $(,)?],)?
            $(uses: [$($whose:ident($used:ident)),+ $(,)?],)?
            $(reveals: $reveals:ident,)?
            $(check: $check:expr,)?
        }
    ) => {
        #[doc = $summary]
        $(#[doc = $line])*
        #[allow(unreachable_pub, reason = "other crates know the path of the list")]
        pub static $ident: $crate::catalogue::Rule = $crate::catalogue::Rule {
            name: $name,
            layer: $crate::catalogue::Layer::$layer,
            level: $crate::catalogue::Level::$level,
            $(recommended: $recommended,)?
            $(revisions: $revisions,)?
            $(party: $crate::catalogue::Parties::Only($crate::Party::$party),)?
            spec: $spec,
            $(code: $code,)?
            $(covers: &$covers,)?
            help: $help,
            page: concat!($summary, $("\n", $line),*),
            $(needs: &[$($crate::catalogue::State::$state),+],)?
            $(hidden_by: &[$(&$hidden),+],)?
            $(follows: &[$(&$followed),+],)?
            $(once: &[$($crate::catalogue::Once::$once),+],)?
            $(uses: &[$(
                $crate::catalogue::Use::$whose($crate::catalogue::Capability::$used)
            ),+],)?
            $(reveals: Some($crate::catalogue::Reveals::$reveals),)?
            ..$crate::catalogue::Rule::DEFAULT
        };

        $(pub(super) static CHECK: Check = $check;)?
    };
}
pub(crate) use rule;
