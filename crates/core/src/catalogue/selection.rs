//! The selection of rules and of messages, and their levels.
//!
//! A name means a rule (`progress/token-known`), a family (`progress`), a layer (`schema`) or a
//! level (`warning`). If several names match a rule, the most specific decides: a rule before its
//! family, a family before a layer or a level. Among equals the later one decides. ruff resolves
//! its selectors in the same way.
//!
//! `method:tools/call` means the messages that call or answer a method, `kind:notification` those
//! of a kind. A violation counts if its rule, the method and the kind of its message all count,
//! each decided by the names of its own sort. A level of a method is weaker than that of a rule or
//! family, stronger than that of a kind, and that is stronger than that of a layer or level.

use super::policy::Level;
use super::rule::Rule;
use crate::model::MessageKind;

/// The rules that count, and their levels. By default all rules count, at their own level.
///
/// ```
/// use mcp_assay::{Level, LevelOverride, Selection, rules};
///
/// let mut selection = Selection::default();
/// selection.ignore("jsonrpc")?;
/// selection.select("schema")?;
/// selection.set_level("schema/wrong-type", LevelOverride::Warning)?;
/// let wrong_type = rules::find("schema/wrong-type").unwrap();
/// assert!(selection.allows(wrong_type));
/// assert_eq!(selection.level(wrong_type, wrong_type.level), Level::Warning);
/// assert!(!selection.allows(rules::find("jsonrpc/id-type").unwrap()));
/// assert!(selection.select("shema").is_err());
/// # Ok::<(), mcp_assay::UnknownName>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Selection {
    /// Decisions about rules.
    steps: Vec<Step>,
    /// Decisions about messages.
    messages: Vec<Step>,
}

/// The beginning of a name that means messages of a method.
pub(crate) const METHOD_PREFIX: &str = "method:";

/// The beginning of a name that means messages of a kind.
pub(crate) const KIND_PREFIX: &str = "kind:";

/// The effect of a selection on the violations of one message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MessageScope {
    /// Whether they count.
    pub(crate) allowed: bool,
    /// The level that the message gives them.
    pub(crate) level: Option<Level>,
}

impl MessageScope {
    /// All of them, at their own levels.
    pub(crate) const EVERYTHING: Self = Self {
        allowed: true,
        level: None,
    };
}

/// The level that a rule gets in place of its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LevelOverride {
    /// The rule does not count.
    Off,
    /// Advice.
    Note,
    /// As if the specification said SHOULD.
    Warning,
    /// As if the specification said MUST.
    Error,
}

impl LevelOverride {
    /// All of them, the mildest first.
    pub const ALL: [Self; 4] = [Self::Off, Self::Note, Self::Warning, Self::Error];

    /// The name in a configuration.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.level().map_or("off", Level::name)
    }

    /// The level; `None` for off.
    #[must_use]
    pub fn level(self) -> Option<Level> {
        match self {
            Self::Off => None,
            Self::Note => Some(Level::Note),
            Self::Warning => Some(Level::Warning),
            Self::Error => Some(Level::Error),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Step {
    what: &'static str,
    act: Act,
}

/// A decision about the rules of a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Act {
    Select,
    Ignore,
    Level(LevelOverride),
}

/// The specificity of a matching name, then its position.
type Strength = (Closeness, usize);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Closeness {
    /// A layer or a level.
    Broad,
    Family,
    Name,
}

impl Selection {
    /// Gives levels to names that were looked up before.
    pub(crate) fn set_levels(&mut self, levels: &[(&'static str, LevelOverride)]) {
        for &(what, level) in levels {
            self.push(what, Act::Level(level));
        }
    }

    /// Whether nothing was selected, ignored or given a level.
    #[must_use]
    pub fn is_everything(&self) -> bool {
        self.steps.is_empty() && self.messages.is_empty()
    }

    /// Whether methods or kinds of messages were named.
    #[inline]
    pub(crate) fn picks_messages(&self) -> bool {
        !self.messages.is_empty()
    }

    /// The effect on the violations of a message of these kinds (a message of a batch is of two),
    /// that calls or answers a method with these names.
    pub(crate) fn scope(&self, kinds: &[MessageKind], methods: &[&str]) -> MessageScope {
        let is_method = |name: &str| methods.contains(&name);
        let is_kind = |name: &str| kinds.iter().any(|kind| kind.name() == name);
        let (of_method, method_level) = self.choice(METHOD_PREFIX, is_method);
        let (of_kind, kind_level) = self.choice(KIND_PREFIX, is_kind);
        MessageScope {
            allowed: of_method && of_kind,
            level: method_level.or(kind_level),
        }
    }

    /// Whether the names of one sort let a message count, and the level that they give it. The last
    /// name that means it decides.
    fn choice(&self, prefix: &str, means: impl Fn(&str) -> bool) -> (bool, Option<Level>) {
        let (mut selects, mut chosen, mut level) = (false, None, None);
        for step in &self.messages {
            let Some(name) = step.what.strip_prefix(prefix) else {
                continue;
            };
            selects |= step.act == Act::Select;
            if !means(name) {
                continue;
            }
            match step.act {
                Act::Select => {
                    chosen = Some(Choice::On);
                    level = level.filter(|level| *level != LevelOverride::Off);
                }
                Act::Ignore => chosen = Some(Choice::Off),
                Act::Level(given) => level = Some(given),
            }
        }
        let is_on = chosen.map_or(!selects, |choice| choice == Choice::On);
        let is_off = level == Some(LevelOverride::Off);
        (is_on && !is_off, level.and_then(LevelOverride::level))
    }

    /// Whether a rule counts.
    #[must_use]
    pub fn allows(&self, rule: &Rule) -> bool {
        if self.steps.is_empty() {
            return true;
        }
        let choice = self.strongest(rule, |act| match act {
            Act::Select => Some(Choice::On),
            Act::Ignore => Some(Choice::Off),
            Act::Level(_) => None,
        });
        match (choice, self.level_step(rule)) {
            (choice, Some((strength, LevelOverride::Off))) => {
                choice.is_some_and(|(stronger, choice)| choice == Choice::On && stronger > strength)
            }
            (Some((_, choice)), _) => choice == Choice::On,
            // A selection excludes everything that it does not name.
            (None, _) => self.steps.iter().all(|step| step.act != Act::Select),
        }
    }

    /// The level of a rule that would have the level `given` otherwise.
    #[must_use]
    pub fn level(&self, rule: &Rule, given: Level) -> Level {
        self.level_in(rule, given, None)
    }

    /// The same for a violation in a message that has a level of its own.
    pub(crate) fn level_in(&self, rule: &Rule, given: Level, message: Option<Level>) -> Level {
        let step = self.level_step(rule);
        let of_rule = step.and_then(|(_, level)| level.level());
        let is_broad = step.is_none_or(|((closeness, _), _)| closeness == Closeness::Broad);
        match message {
            Some(level) if is_broad => level,
            _ => of_rule.unwrap_or(given),
        }
    }

    /// Selects a rule that only probing shows, or its family.
    pub fn select_probed(&mut self, name: &'static str) {
        self.push(name, Act::Select);
    }

    /// Turns off a rule that only probing shows, or its family.
    pub fn ignore_probed(&mut self, name: &'static str) {
        self.push(name, Act::Ignore);
    }

    /// Sets the level of a rule that only probing shows, or of its family.
    pub fn set_level_probed(&mut self, name: &'static str, level: LevelOverride) {
        self.push(name, Act::Level(level));
    }

    /// Appends a step about a name that was looked up before.
    pub(crate) fn push(&mut self, what: &'static str, act: Act) {
        let is_of_messages = what.starts_with(METHOD_PREFIX) || what.starts_with(KIND_PREFIX);
        let steps = if is_of_messages {
            &mut self.messages
        } else {
            &mut self.steps
        };
        steps.push(Step { what, act });
    }

    fn level_step(&self, rule: &Rule) -> Option<(Strength, LevelOverride)> {
        self.strongest(rule, |act| match act {
            Act::Level(level) => Some(level),
            Act::Select | Act::Ignore => None,
        })
    }

    fn strongest<T>(
        &self,
        rule: &Rule,
        wanted: impl Fn(Act) -> Option<T>,
    ) -> Option<(Strength, T)> {
        self.steps
            .iter()
            .enumerate()
            .filter_map(|(index, step)| {
                Some(((closeness(step.what, rule)?, index), wanted(step.act)?))
            })
            .max_by_key(|(strength, _)| *strength)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Choice {
    On,
    Off,
}

fn closeness(what: &str, rule: &Rule) -> Option<Closeness> {
    if rule.name == what {
        Some(Closeness::Name)
    } else if rule.family() == what {
        Some(Closeness::Family)
    } else if rule.layer.name() == what || rule.level.name() == what {
        Some(Closeness::Broad)
    } else {
        None
    }
}
