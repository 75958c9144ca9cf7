//! The selection of rules, and their levels.
//!
//! A name means a rule (`progress/token-known`), a family (`progress`), a layer (`schema`) or a
//! level (`warning`). If several names match a rule, the most specific decides: a rule before its
//! family, a family before a layer or a level. Among equals the later one decides. ruff resolves
//! its selectors in the same way.

use super::policy::Level;
use super::rule::Rule;

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
    steps: Vec<Step>,
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
        let steps = levels.iter().map(|&(what, level)| Step {
            what,
            act: Act::Level(level),
        });
        self.steps.extend(steps);
    }

    /// Whether nothing was selected, ignored or given a level.
    #[must_use]
    pub fn is_everything(&self) -> bool {
        self.steps.is_empty()
    }

    /// Whether a rule counts.
    #[must_use]
    pub fn allows(&self, rule: &Rule) -> bool {
        if self.is_everything() {
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
        self.level_step(rule)
            .and_then(|(_, level)| level.level())
            .unwrap_or(given)
    }

    /// The level of a requirement that has no rule, by its family; otherwise it has the level
    /// `given`.
    #[must_use]
    pub fn level_in_family(&self, family: &str, given: Level) -> Level {
        let steps = self.steps.iter().enumerate();
        let levels = steps.filter_map(|(index, step)| {
            let closeness = match step.what {
                what if what == family => Closeness::Family,
                what if what == given.name() => Closeness::Broad,
                _ => return None,
            };
            match step.act {
                Act::Level(level) => Some(((closeness, index), level)),
                Act::Select | Act::Ignore => None,
            }
        });
        let strongest = levels.max_by_key(|(strength, _)| *strength);
        strongest
            .and_then(|(_, level)| level.level())
            .unwrap_or(given)
    }

    /// Appends a step about a name that was looked up before.
    pub(crate) fn push(&mut self, what: &'static str, act: Act) {
        self.steps.push(Step { what, act });
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
