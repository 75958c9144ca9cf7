//! The policy: layers, limits, selected rules and their levels. Rules find, policy decides.

use std::sync::Arc;

use crate::Revision;
use crate::catalogue::profile::Profile;
use crate::catalogue::{Rule, Selection, Violation, inline};
use crate::syntax::ScanLimits;

/// The severity of a violation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// Advice: legal, but known to break peers.
    Note,
    /// The specification says SHOULD.
    Warning,
    /// The specification says MUST, or the schema requires it.
    Error,
}

impl Level {
    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// The verdict on a message.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Verdict {
    /// Nothing was found.
    Pass,
    /// Warnings or notes only.
    Flag,
    /// An error.
    Block,
}

impl Verdict {
    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Flag => "flag",
            Self::Block => "block",
        }
    }
}

/// The layer that a rule checks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Layer {
    /// Whether the bytes are one complete message.
    Framing,
    /// Whether the text is JSON, UTF-8 and within limits.
    Json,
    /// Whether the value is a JSON-RPC 2.0 message.
    Jsonrpc,
    /// Whether method, params and result fit the revision in force.
    Schema,
    /// Whether arguments and structured results fit the schemas of the server's tools.
    Tools,
    /// Lifecycle, capabilities, correlation and the rest.
    Session,
    /// Streamable HTTP.
    Http,
}

impl Layer {
    /// All layers, outermost first.
    pub const ALL: [Self; 7] = [
        Self::Framing,
        Self::Json,
        Self::Jsonrpc,
        Self::Schema,
        Self::Tools,
        Self::Session,
        Self::Http,
    ];

    /// The name in reports and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Framing => "framing",
            Self::Json => "json",
            Self::Jsonrpc => "jsonrpc",
            Self::Schema => "schema",
            Self::Tools => "tools",
            Self::Session => "session",
            Self::Http => "http",
        }
    }
}

/// A set of layers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LayerSet(u8);

impl LayerSet {
    /// Every layer.
    pub const ALL: Self = Self(0x7f);

    /// Framing, JSON, JSON-RPC and schema: the checks of one message with the request that it
    /// answers.
    pub const MESSAGE: Self = Self(0x0f);

    /// Whether the layer is in the set.
    #[must_use]
    pub const fn contains(self, layer: Layer) -> bool {
        self.0 >> layer as u8 & 1 == 1
    }
}

impl FromIterator<Layer> for LayerSet {
    fn from_iter<I: IntoIterator<Item = Layer>>(layers: I) -> Self {
        Self(
            layers
                .into_iter()
                .fold(0, |bits, layer| bits | 1 << layer as u8),
        )
    }
}

/// Limits of one message and of one session. Each limit has a rule that reports it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of a message (`json/size-limit`).
    pub bytes: usize,
    /// Levels of nesting (`json/depth-limit`).
    pub depth: usize,
    /// Tokens of a message: values and keys (`json/token-limit`).
    pub tokens: usize,
    /// Requests of one party that wait for an answer (`session/open-requests-limit`).
    pub open_requests: usize,
    /// Violations of one message that are listed (`json/violation-limit`).
    pub violations: usize,
    /// Ids, or ranges of ids, that are tracked for each party (`session/memory-limit`, as are all
    /// below).
    pub ids: usize,
    /// Progress tokens that are tracked.
    pub progress_tokens: usize,
    /// Cursors that are tracked.
    pub cursors: usize,
    /// Tools, prompts and resources that are tracked, of each.
    pub listed: usize,
    /// Subscriptions that are tracked.
    pub subscriptions: usize,
    /// Tasks that are tracked.
    pub tasks: usize,
    /// Elicitations, and requests that wait for more input, that are tracked.
    pub elicitations: usize,
    /// HTTP streams and event ids that are tracked.
    pub streams: usize,
    /// Named sessions of one recording that are tracked.
    pub sessions: usize,
    /// Bytes of a text that is stored: a version, or a path or a name in a head of HTTP.
    pub texts: usize,
}

impl Limits {
    /// 64 MiB, 128 levels, 4 million tokens, 100 violations of one message, 65536 ids, 2^20
    /// sessions, 4096 of everything else.
    pub const DEFAULT: Self = Self {
        bytes: ScanLimits::DEFAULT.bytes,
        depth: ScanLimits::DEFAULT.depth,
        tokens: ScanLimits::DEFAULT.tokens,
        open_requests: 4096,
        violations: 100,
        ids: 65_536,
        progress_tokens: 4096,
        cursors: 4096,
        listed: 4096,
        subscriptions: 4096,
        tasks: 4096,
        elicitations: 4096,
        streams: 4096,
        sessions: 1 << 20,
        texts: 4096,
    };

    /// The limits of the scanner.
    #[inline(always)]
    #[must_use]
    pub const fn for_scan(&self) -> ScanLimits {
        ScanLimits {
            bytes: self.bytes,
            depth: self.depth,
            tokens: self.tokens,
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The HTTP status of a refusal, where live checking stands between client and server.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum RefusalStatus {
    /// The status that the protocol has for it: up to 2025-11-25 that of a JSON-RPC error is 200.
    #[default]
    Protocol,
    /// The status of the canonical error: 400, 401, 404, 500, 502 or 504.
    Canonical,
}

impl RefusalStatus {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Protocol, Self::Canonical];

    /// The name on the command line and in configurations.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Protocol => "protocol",
            Self::Canonical => "canonical",
        }
    }
}

/// The rules to check and their levels, the limits, and the revision and profile in force.
///
/// ```
/// use mcp_assay::{Policy, Revision};
///
/// let mut policy = Policy::default();
/// policy.revision = Some(Revision::V2025_06_18);
/// policy.limits.bytes = 1 << 20;
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Policy {
    /// Limits on size.
    pub limits: Limits,
    /// The layers that are checked.
    pub layers: LayerSet,
    /// The revision in force, whatever the traffic says; `None` reads it from the traffic.
    pub revision: Option<Revision>,
    /// The selected rules, and levels that replace their own.
    pub selection: Selection,
    /// Raises warnings to errors.
    pub strict: bool,
    /// The HTTP status of refusals.
    pub refusal_status: RefusalStatus,
    /// Raises members that receivers may read in different ways to errors, as `enforce` does.
    pub one_reading: bool,
    /// The dialect; `None` for the protocol itself.
    pub(crate) profile: Option<Arc<Profile>>,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            limits: Limits::DEFAULT,
            layers: LayerSet::ALL,
            revision: None,
            selection: Selection::default(),
            strict: false,
            refusal_status: RefusalStatus::Protocol,
            one_reading: false,
            profile: None,
        }
    }
}

impl Policy {
    /// The default policy under a profile: with its levels and its status of refusals, and strict
    /// if the profile is. Later selections take precedence.
    #[must_use]
    pub fn with_profile(profile: Arc<Profile>) -> Self {
        let mut policy = Self {
            strict: profile.raises_warnings(),
            refusal_status: profile.refusal_status().unwrap_or_default(),
            ..Self::default()
        };
        policy.selection.set_levels(profile.levels());
        policy.profile = Some(profile);
        policy
    }

    /// The profile, unless it is the protocol itself.
    #[inline]
    #[must_use]
    pub fn dialect(&self) -> Option<&Profile> {
        self.profile.as_deref()
    }

    /// Whether a rule is checked.
    #[must_use]
    pub fn wants(&self, rule: &Rule) -> bool {
        self.layers.contains(rule.layer) && self.selection.allows(rule)
    }

    /// The level of a rule under this policy, in a revision if it is known.
    #[must_use]
    pub fn level(&self, rule: &Rule, revision: Option<Revision>) -> Level {
        self.level_of_case(rule, (Level::Error, None), revision)
    }

    /// The level of a violation under this policy, in a revision if it is known.
    #[must_use]
    pub fn level_of(&self, violation: &Violation, revision: Option<Revision>) -> Level {
        let case = (violation.at_most, violation.of_message);
        self.level_of_case(violation.rule, case, revision)
    }

    /// The same for a case of a rule whose level is limited, in a message that may have a level.
    pub(crate) fn level_of_case(
        &self,
        rule: &Rule,
        (at_most, of_message): (Level, Option<Level>),
        revision: Option<Revision>,
    ) -> Level {
        let stated = if self.one_reading && *rule == inline::UNIQUE_KEYS {
            Level::Error
        } else {
            revision.map_or(rule.level, |revision| rule.level_in(revision))
        };
        let given = stated.min(at_most);
        let level = self.selection.level_in(rule, given, of_message);
        if self.strict { level.raised() } else { level }
    }

    /// The verdict on a list of violations.
    #[must_use]
    pub fn judge(&self, violations: &[Violation], revision: Option<Revision>) -> Verdict {
        let worst = violations
            .iter()
            .map(|violation| self.level_of(violation, revision))
            .max();
        match worst {
            None => Verdict::Pass,
            Some(Level::Note | Level::Warning) => Verdict::Flag,
            Some(Level::Error) => Verdict::Block,
        }
    }
}

impl Level {
    fn raised(self) -> Self {
        match self {
            Self::Note => Self::Note,
            Self::Warning | Self::Error => Self::Error,
        }
    }
}
