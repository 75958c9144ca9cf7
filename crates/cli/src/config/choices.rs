//! The choices of one place about the policy, and their combination.

use mcp_assay::{
    Layer, LayerSet, LevelOverride, Limits, Policy, RefusalStatus, Revision, Selection,
};

use crate::args::{Choice, SelectionArgs};
use crate::profile::ChosenProfile;
use crate::rule_names::probed;

/// The choices of one place about the policy; open ones are decided by another place.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Choices {
    /// Rules, families, layers and levels that are on.
    pub(crate) select: Option<Vec<&'static str>>,
    /// Those that are off.
    pub(crate) ignore: Vec<&'static str>,
    /// Those with another level.
    pub(crate) levels: Vec<(&'static str, LevelOverride)>,
    pub(crate) layers: Option<Vec<Layer>>,
    pub(crate) strict: Option<bool>,
    pub(crate) revision: Option<Choice<Revision>>,
    pub(crate) profile: Option<ChosenProfile>,
    /// The HTTP status of refusals.
    pub(crate) refusal_status: Option<RefusalStatus>,
    /// By the names of [`LIMITS`].
    pub(crate) limits: Vec<(&'static str, usize)>,
}

/// The place of a limit in the policy.
type Limit = fn(&mut Limits) -> &mut usize;

/// The limits that can be set, by name.
pub(crate) const LIMITS: [(&str, Limit); 15] = [
    ("bytes", |limits| &mut limits.bytes),
    ("depth", |limits| &mut limits.depth),
    ("tokens", |limits| &mut limits.tokens),
    ("open_requests", |limits| &mut limits.open_requests),
    ("violations", |limits| &mut limits.violations),
    ("ids", |limits| &mut limits.ids),
    ("progress_tokens", |limits| &mut limits.progress_tokens),
    ("cursors", |limits| &mut limits.cursors),
    ("listed", |limits| &mut limits.listed),
    ("subscriptions", |limits| &mut limits.subscriptions),
    ("tasks", |limits| &mut limits.tasks),
    ("elicitations", |limits| &mut limits.elicitations),
    ("streams", |limits| &mut limits.streams),
    ("sessions", |limits| &mut limits.sessions),
    ("texts", |limits| &mut limits.texts),
];

impl Choices {
    /// The choices of the flags.
    pub(crate) fn of_flags(args: &SelectionArgs) -> Self {
        let strict = match (args.strict, args.no_strict) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            (false, false) => None,
        };
        Self {
            select: (!args.select.is_empty()).then(|| args.select.clone()),
            ignore: args.ignore.clone(),
            layers: (!args.layers.is_empty()).then(|| args.layers.clone()),
            strict,
            profile: args.profile.clone(),
            ..Self::default()
        }
    }
}

/// The policy of several places, the strongest last.
///
/// A later place replaces the choices of an earlier one; only `ignore` and levels add up. A
/// `select` begins afresh: earlier selections no longer count.
pub(crate) fn policy(places: &[&Choices]) -> Policy {
    let profile = places.iter().rev().find_map(|place| place.profile.as_ref());
    let mut policy = profile.map_or_else(Policy::default, ChosenProfile::policy);
    for place in places {
        if let Some(layers) = &place.layers {
            policy.layers = layers.iter().copied().collect::<LayerSet>();
        }
        if let Some(strict) = place.strict {
            policy.strict = strict;
        }
        if let Some(status) = place.refusal_status {
            policy.refusal_status = status;
        }
        if let Some(revision) = place.revision {
            policy.revision = revision.given();
        }
        for (name, value) in &place.limits {
            if let Some((_, limit)) = LIMITS.iter().find(|(known, _)| known == name) {
                *limit(&mut policy.limits) = *value;
            }
        }
    }
    policy.selection = selection(places, policy.selection);
    policy
}

/// The choices of places, on top of the levels of the profile.
fn selection(places: &[&Choices], mut selection: Selection) -> Selection {
    // Names were looked up when they were read.
    const KNOWN: &str = "a known name";
    let afresh = places
        .iter()
        .rposition(|place| place.select.is_some())
        .unwrap_or_default();
    for (index, place) in places.iter().enumerate() {
        if index >= afresh {
            for what in place.select.iter().flatten() {
                match probed(what) {
                    Some(name) => selection.select_probed(name),
                    None => selection.select(what).expect(KNOWN),
                }
            }
            for what in &place.ignore {
                match probed(what) {
                    Some(name) => selection.ignore_probed(name),
                    None => selection.ignore(what).expect(KNOWN),
                }
            }
        }
        for (what, level) in &place.levels {
            match probed(what) {
                Some(name) => selection.set_level_probed(name, *level),
                None => selection.set_level(what, *level).expect(KNOWN),
            }
        }
    }
    selection
}

#[cfg(test)]
mod tests {
    use mcp_assay::{Level, rules};

    use super::*;

    fn on(places: &[&Choices]) -> Vec<&'static str> {
        let policy = policy(places);
        rules::all()
            .filter(|rule| policy.selection.allows(rule))
            .map(|rule| rule.name)
            .collect()
    }

    #[test]
    fn a_later_select_begins_afresh_and_a_later_ignore_adds() {
        let file = Choices {
            select: Some(vec!["schema"]),
            ignore: vec!["schema/wrong-type"],
            ..Choices::default()
        };
        let selects = Choices {
            select: Some(vec!["schema"]),
            ..Choices::default()
        };
        let ignores = Choices {
            ignore: vec!["schema/missing-member"],
            ..Choices::default()
        };
        assert!(!on(&[&file]).contains(&"schema/wrong-type"));
        assert!(on(&[&file, &selects]).contains(&"schema/wrong-type"));
        let both = on(&[&file, &ignores]);
        assert!(!both.contains(&"schema/wrong-type") && !both.contains(&"schema/missing-member"));
        assert!(both.contains(&"schema/unknown-value") && !both.contains(&"json/no-bom"));
    }

    #[test]
    fn the_last_place_wins() {
        let file = Choices {
            strict: Some(true),
            layers: Some(vec![Layer::Json]),
            revision: Some(Choice::Given(Revision::latest())),
            levels: vec![("json/no-bom", LevelOverride::Note)],
            limits: vec![("bytes", 7), ("depth", 8)],
            ..Choices::default()
        };
        let flags = Choices {
            strict: Some(false),
            revision: Some(Choice::Auto),
            limits: vec![("depth", 9)],
            ..Choices::default()
        };
        let policy = policy(&[&file, &flags]);
        assert!(!policy.strict && policy.revision.is_none());
        assert_eq!((policy.limits.bytes, policy.limits.depth), (7, 9));
        assert!(policy.layers.contains(Layer::Json) && !policy.layers.contains(Layer::Schema));
        let rule = rules::find("json/no-bom").unwrap();
        assert_eq!(policy.selection.level(rule, Level::Error), Level::Note);
    }
}
