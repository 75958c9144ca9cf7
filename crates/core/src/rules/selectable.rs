//! The names of rules, families, layers, levels, methods and kinds of messages that can be
//! selected.

use core::fmt;
use std::sync::LazyLock;

use crate::catalogue::{
    Act, KIND_PREFIX, Layer, Level, LevelOverride, METHOD_PREFIX, Rule, Selection, profile,
};
use crate::envelope::MessageKind;
use crate::model::METHODS;
use crate::rules;
use crate::similar::nearest;

impl Selection {
    /// Turns rules on. The first call turns off everything that is not selected.
    pub fn select(&mut self, what: &str) -> Result<(), UnknownName> {
        self.step(what, Act::Select)
    }

    /// Turns rules off.
    pub fn ignore(&mut self, what: &str) -> Result<(), UnknownName> {
        self.step(what, Act::Ignore)
    }

    /// Sets the level of rules. A level does not turn on a rule that is not selected;
    /// [`LevelOverride::Off`] turns a rule off, unless a stronger [`select`](Self::select) names
    /// it.
    pub fn set_level(&mut self, what: &str, level: LevelOverride) -> Result<(), UnknownName> {
        self.step(what, Act::Level(level))
    }

    fn step(&mut self, what: &str, act: Act) -> Result<(), UnknownName> {
        self.push(selectable(what)?, act);
        Ok(())
    }
}

/// The rule, family, layer or level of this name, or the messages that it means:
/// `method:tools/call` those that call or answer a method of the protocol, `kind:notification`
/// those of a kind.
///
/// A name that is a family and a layer (`schema`) means the rules of both.
pub fn selectable(name: &str) -> Result<&'static str, UnknownName> {
    names()
        .find(|known| *known == name)
        .ok_or_else(|| UnknownName::new(name))
}

/// The names of messages, by method and by kind.
static MESSAGES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let kinds = [
        MessageKind::Request,
        MessageKind::Notification,
        MessageKind::Response,
        MessageKind::Error,
        MessageKind::Batch,
        MessageKind::Unreadable,
    ];
    let kinds = kinds
        .into_iter()
        .map(|kind| format!("{KIND_PREFIX}{}", kind.name()));
    let methods = METHODS.iter();
    let methods = methods.map(|method| format!("{METHOD_PREFIX}{}", method.name));
    kinds.chain(methods).collect()
});

/// Everything that can be selected; a name may come several times.
fn names() -> impl Iterator<Item = &'static str> {
    let levels = LevelOverride::ALL
        .into_iter()
        .filter_map(|level| level.level().map(Level::name));
    levels
        .chain(Layer::ALL.into_iter().map(Layer::name))
        .chain(rules::all().map(Rule::family))
        .chain(rules::all().map(|rule| rule.name))
        .chain(profile::RULES.iter().map(|rule| rule.family()))
        .chain(profile::RULES.iter().map(|rule| rule.name))
        .chain(MESSAGES.iter().map(String::as_str))
}

/// A name that is no rule, family, layer or level, nor that of messages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownName {
    name: String,
    covered: bool,
    nearest: Vec<&'static str>,
}

impl UnknownName {
    fn new(name: &str) -> Self {
        let covering: Vec<_> = rules::all()
            .filter(|rule| rule.covers.contains(&name))
            .map(|rule| rule.name)
            .collect();
        Self {
            name: name.to_owned(),
            covered: !covering.is_empty(),
            nearest: if covering.is_empty() {
                meant(name)
            } else {
                covering
            },
        }
    }

    /// The unknown name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The names that were probably meant, the likeliest first; may be empty.
    #[must_use]
    pub fn nearest(&self) -> &[&'static str] {
        &self.nearest
    }

    /// Whether it is a requirement of the specification that the nearest rules cover.
    #[must_use]
    pub fn is_covered(&self) -> bool {
        self.covered
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name.escape_debug();
        if self.covered {
            write!(f, "`{name}` has no rule of its own; it is checked by ")?;
            return write_names(&self.nearest, "and", f);
        }
        match self.name.split_once(':') {
            Some(("method", method)) => {
                write!(f, "no method is called `{}`", method.escape_debug())?;
            }
            Some(("kind", kind)) => {
                write!(f, "no kind of message is called `{}`", kind.escape_debug())?;
            }
            _ => write!(f, "no rule, family, layer or level is called `{name}`")?,
        }
        if self.nearest.is_empty() {
            return Ok(());
        }
        f.write_str("; did you mean ")?;
        write_names(&self.nearest, "or", f)?;
        f.write_str("?")
    }
}

impl core::error::Error for UnknownName {}

fn write_names(names: &[&str], last: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (index, name) in names.iter().enumerate() {
        match index {
            0 => {}
            _ if index + 1 == names.len() => write!(f, " {last} ")?,
            _ => f.write_str(", ")?,
        }
        write!(f, "`{name}`")?;
    }
    Ok(())
}

/// The maximum number of suggested names.
const MAX_SUGGESTIONS: usize = 3;

/// Suggestions for the whole name, then for the requirement without its family.
fn meant(name: &str) -> Vec<&'static str> {
    let requirement = |rule: &Rule| rule.name.split_once('/').map_or("", |(_, last)| last);
    let whole = nearest(name, names());
    let last = rules::all()
        .map(requirement)
        .find(|last| *last == name)
        .or_else(|| nearest(name, rules::all().map(requirement)));
    let of_last = rules::all()
        .filter(|rule| Some(requirement(rule)) == last)
        .map(|rule| rule.name);
    let mut found: Vec<&'static str> = Vec::new();
    for candidate in whole.into_iter().chain(of_last) {
        if found.len() < MAX_SUGGESTIONS && !found.contains(&candidate) {
            found.push(candidate);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads `+name`, `-name` and `name=level` from left to right.
    fn selection(steps: &str) -> Selection {
        let mut selection = Selection::default();
        for step in steps.split_whitespace() {
            let done = if let Some(what) = step.strip_prefix('+') {
                selection.select(what)
            } else if let Some(what) = step.strip_prefix('-') {
                selection.ignore(what)
            } else {
                let (what, level) = step.split_once('=').unwrap();
                let level = LevelOverride::ALL.into_iter().find(|l| l.name() == level);
                selection.set_level(what, level.unwrap())
            };
            done.unwrap();
        }
        selection
    }

    fn allows(steps: &str, rule: &str) -> bool {
        selection(steps).allows(rules::find(rule).unwrap())
    }

    #[test]
    fn everything_is_on_until_something_is_selected() {
        for rule in rules::all() {
            assert!(Selection::default().allows(rule));
            assert_eq!(Selection::default().level(rule, Level::Note), Level::Note);
            assert_eq!(selection("+json").allows(rule), rule.layer == Layer::Json);
            assert_eq!(
                selection("-warning").allows(rule),
                rule.level != Level::Warning
            );
        }
    }

    #[test]
    fn the_closest_name_decides_and_then_the_last() {
        let rule = "schema/wrong-type";
        for (steps, on) in [
            ("-schema +schema/wrong-type", true),
            ("+schema/wrong-type -schema -error", true),
            ("+schema -schema/wrong-type +schema", false),
            ("-schema/wrong-type +schema/wrong-type", true),
            ("+schema/wrong-type -schema/wrong-type", false),
            ("+schema -error", true),
            ("+error -schema", false),
            ("+json", false),
            ("-json", true),
        ] {
            assert_eq!(allows(steps, rule), on, "{steps}");
        }
        // `schema` is the layer of this one, not its family: as broad as a level.
        assert!(!allows("+schema -error", "request/method-direction"));
        assert!(allows("-error +schema", "request/method-direction"));
        assert!(allows("-schema +request", "request/method-direction"));
    }

    #[test]
    fn levels_turn_off_but_not_on() {
        let rule = "schema/wrong-type";
        for (steps, on) in [
            ("schema/wrong-type=off", false),
            ("schema=off", false),
            ("error=off", false),
            ("schema=off schema/wrong-type=note", true),
            ("schema/wrong-type=note schema=off", true),
            ("schema/wrong-type=off schema/wrong-type=note", true),
            ("schema/wrong-type=off +schema", false),
            ("schema/wrong-type=off +schema/wrong-type", true),
            ("+schema/wrong-type schema/wrong-type=off", false),
            ("+json schema/wrong-type=error", false),
            ("-schema schema/wrong-type=error", false),
        ] {
            assert_eq!(allows(steps, rule), on, "{steps}");
        }
        let rule = rules::find(rule).unwrap();
        for (steps, level) in [
            ("schema=note", Level::Note),
            ("schema=note error=warning", Level::Note),
            ("schema/wrong-type=warning schema=note", Level::Warning),
            ("schema/wrong-type=off +schema/wrong-type", Level::Error),
            ("json=note", Level::Error),
        ] {
            assert_eq!(selection(steps).level(rule, Level::Error), level, "{steps}");
        }
    }

    #[test]
    fn messages_are_selected_by_method_and_kind() {
        let call = |kind: MessageKind, method: &str, steps: &str| {
            selection(steps).scope(&[kind], &[method]).allowed
        };
        let (request, response) = (MessageKind::Request, MessageKind::Response);
        for (steps, allowed) in [
            ("", true),
            ("+method:tools/call", true),
            ("+method:tools/list", false),
            ("+method:tools/list +method:tools/call", true),
            ("+method:tools/call +kind:request", true),
            ("+method:tools/call +kind:notification", false),
            ("-method:tools/call", false),
            ("-method:tools/call +method:tools/call", true),
            ("-kind:request", false),
            ("-kind:notification", true),
            ("+schema", true),
            ("method:tools/call=off", false),
            ("method:tools/call=off method:tools/call=note", true),
            ("kind:request=off +kind:request", true),
        ] {
            assert_eq!(call(request, "tools/call", steps), allowed, "{steps}");
        }
        assert!(call(response, "tools/call", "+method:tools/call"));
        assert!(!call(response, "tools/call", "+kind:request"));
        // Rules are not restricted by names of messages.
        let rule = rules::find("schema/wrong-type").unwrap();
        assert!(selection("+method:tools/call").allows(rule));
        assert!(!selection("+method:tools/call +json").allows(rule));
        // A message of a batch is of both kinds.
        let both = [MessageKind::Batch, request];
        for (steps, allowed) in [
            ("+kind:batch", true),
            ("+kind:request", true),
            ("-kind:batch", false),
            ("+kind:response", false),
        ] {
            let scope = selection(steps).scope(&both, &["ping"]);
            assert_eq!(scope.allowed, allowed, "{steps}");
        }
    }

    #[test]
    fn levels_of_messages_stand_between_families_and_layers() {
        let rule = rules::find("schema/wrong-type").unwrap();
        for (steps, level) in [
            ("method:ping=note", Level::Note),
            ("kind:request=note", Level::Note),
            ("kind:request=note method:ping=warning", Level::Warning),
            ("method:ping=warning kind:request=note", Level::Warning),
            ("method:ping=note error=warning", Level::Note),
            ("schema=warning method:ping=note", Level::Warning),
            ("schema/wrong-type=warning method:ping=note", Level::Warning),
            ("method:tools/call=note", Level::Error),
        ] {
            let selection = selection(steps);
            let scope = selection.scope(&[MessageKind::Request], &["ping"]);
            let found = selection.level_in(rule, Level::Error, scope.level);
            assert_eq!(found, level, "{steps}");
        }
    }

    #[test]
    fn a_rule_that_only_probing_shows_is_selected_like_others() {
        let rule = Rule::probed("tools/probed", "A sentence.");
        let mut selection = selection("tools=note");
        assert_eq!(selection.level(&rule, rule.level), Level::Note);
        selection.set_level_probed("tools/probed", LevelOverride::Warning);
        assert_eq!(selection.level(&rule, rule.level), Level::Warning);
        selection.ignore_probed("tools/probed");
        assert!(!selection.allows(&rule));
        selection.select_probed("tools/probed");
        assert!(selection.allows(&rule));
        assert!(!selection.allows(rules::find("schema/wrong-type").unwrap()));
    }

    #[test]
    fn unknown_names_say_what_was_meant() {
        let meant = |name| selectable(name).unwrap_err().to_string();
        let none = "no rule, family, layer or level is called";
        for (name, known) in [
            ("shema", "schema"),
            ("warnings", "warning"),
            ("JSONRPC", "jsonrpc"),
            ("schema/wrong_type", "schema/wrong-type"),
            ("schema/mising-member", "schema/missing-member"),
            ("wrong-type", "schema/wrong-type"),
            ("missing-membr", "schema/missing-member"),
        ] {
            assert_eq!(
                meant(name),
                format!("{none} `{name}`; did you mean `{known}`?")
            );
        }
        assert_eq!(
            meant("method:tools/cal"),
            "no method is called `tools/cal`; did you mean `method:tools/call`?"
        );
        assert_eq!(
            meant("kind:notifications"),
            "no kind of message is called `notifications`; did you mean `kind:notification`?"
        );
        assert_eq!(meant("banana"), format!("{none} `banana`"));
        assert_eq!(meant("a\u{1b}"), format!("{none} `a\\u{{1b}}`"));
        let covered = selectable("schema/request-params").unwrap_err();
        assert!(covered.is_covered());
        assert!(covered.nearest().contains(&"schema/missing-member"));
    }
}
