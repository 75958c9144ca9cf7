//! What a rule is.

use core::fmt;

use super::check::{Check, On, OnHttp};
use super::pages;
use crate::frame::Part;
use crate::jsonrpc::MessageKind;
use crate::policy::{Layer, Level};
use crate::{Party, Revision, RevisionSet};

/// Something that the specification demands and that can be seen to be violated.
#[derive(Debug)]
#[non_exhaustive]
pub struct Rule {
    /// `family/requirement`, the one name everywhere.
    pub name: &'static str,
    /// Where it looks.
    pub layer: Layer,
    /// How grave a violation is, where the specification is strictest.
    pub level: Level,
    /// The revisions that only recommend what later ones demand: a violation is a warning there.
    pub recommended: RevisionSet,
    /// The revisions that state it.
    pub revisions: RevisionSet,
    /// Who can violate it.
    pub party: Parties,
    /// The clause, `page#heading`.
    pub spec: &'static str,
    /// The JSON-RPC code to refuse with, 0 if a refusal makes no sense.
    pub code: i32,
    /// Requirements of the specification that this rule also stands for.
    pub covers: &'static [&'static str],
    /// What to do about it, in one sentence.
    pub help: &'static str,
    /// The first line of its page, which is the doc comment of its static; of a rule that a profile adds, all there is.
    pub(crate) summary: &'static str,
    /// How it is found.
    pub(crate) check: Check,
}

impl Rule {
    /// Whether a stage of the validator raises it while it reads a message.
    #[must_use]
    pub fn is_inline(&self) -> bool {
        matches!(self.check, Check::Inline)
    }

    /// How grave a violation is in a revision.
    #[must_use]
    pub fn level_in(&self, revision: Revision) -> Level {
        if self.recommended.contains(revision) {
            self.level.min(Level::Warning)
        } else {
            self.level
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
        self.summary.lines().next().unwrap_or_default().trim()
    }

    /// Whether the rule is asked about a message of this kind that calls or answers this method. Of the rules that a stage raises
    /// while it reads, all are asked about everything.
    #[must_use]
    pub fn looks_at(&self, kind: MessageKind, method: Option<&str>) -> bool {
        let on = match self.check {
            Check::Inline => return true,
            Check::Message(on, _) | Check::MessageAndEnd(on, _, _) => on,
            Check::Group(group) => group.on,
            Check::Http(..) | Check::HttpAndEnd(..) | Check::End(_) => return false,
        };
        on.iter().any(|on| match (on, kind) {
            (On::Call(name), MessageKind::Request | MessageKind::Notification)
            | (On::Result(name), MessageKind::Response)
            | (On::Error(name), MessageKind::Error) => method == Some(name),
            (On::AnyRequest, MessageKind::Request)
            | (On::AnyNotification, MessageKind::Notification)
            | (On::AnyResult, MessageKind::Response)
            | (On::AnyError, MessageKind::Error) => true,
            _ => false,
        })
    }

    /// Whether the rule is asked about such a part of an HTTP exchange.
    #[must_use]
    pub fn looks_at_part(&self, part: &Part<'_>) -> bool {
        let (Check::Http(on, _) | Check::HttpAndEnd(on, _, _)) = self.check else {
            return false;
        };
        on.contains(&match part {
            Part::Request { .. } => OnHttp::Request,
            Part::Response { .. } => OnHttp::Response,
            Part::Event { .. } => OnHttp::Event,
            Part::End => OnHttp::End,
        })
    }

    /// Whether the rule is asked when a session is over.
    #[must_use]
    pub fn looks_at_ends(&self) -> bool {
        matches!(
            self.check,
            Check::End(_) | Check::MessageAndEnd(..) | Check::HttpAndEnd(..)
        )
    }

    /// The page, one line each, as it is written. Pages are kept packed until the first is asked for.
    pub fn page(&self) -> impl Iterator<Item = &'static str> {
        pages::find(self.name)
            .unwrap_or(self.summary)
            .lines()
            .map(|line| line.strip_prefix(' ').unwrap_or(line))
    }
}

impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Rule {}

/// Who can violate a rule.
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

/// Declares a rule; its doc comment is the page that `explain` prints and whose examples are run.
///
/// Two members may be left out: `recommended`, the revisions that only recommend it, and `check`, how it is found (a stage
/// of the validator raises a rule without one).
macro_rules! rule {
    (
        #[doc = $summary:literal]
        $(#[doc = $line:literal])*
        $ident:ident = {
            name: $name:literal,
            layer: $layer:ident,
            level: $level:ident,
            $(recommended: $recommended:expr,)?
            revisions: $revisions:expr,
            party: $party:expr,
            spec: $spec:literal,
            code: $code:literal,
            covers: $covers:expr,
            help: $help:literal,
            $(check: $check:expr,)?
        }
    ) => {
        #[doc = $summary]
        $(#[doc = $line])*
        #[allow(unreachable_pub, reason = "of those that the stages raise, other crates know the path")]
        pub static $ident: $crate::rules::Rule = $crate::rules::Rule {
            name: $name,
            layer: $crate::policy::Layer::$layer,
            level: $crate::policy::Level::$level,
            recommended: $crate::rules::rule::first!($($recommended,)? $crate::RevisionSet::NONE),
            revisions: $revisions,
            party: $party,
            spec: $spec,
            code: $code,
            covers: &$covers,
            help: $help,
            summary: $summary,
            check: $crate::rules::rule::first!($($check,)? $crate::rules::check::Check::Inline),
        };
    };
}
pub(crate) use rule;

/// The first of one or two values: what was given, or else the default.
macro_rules! first {
    ($value:expr $(, $default:expr)?) => {
        $value
    };
}
pub(crate) use first;
