//! A profile: the methods, names and tolerances of a dialect.

use core::fmt::Write as _;
use core::ops::RangeInclusive;
use std::collections::BTreeMap;

use super::codes::Codes;
use super::custom::{Custom, CustomRule};
use super::example::Example;
use super::fault::ProfileFault;
use super::intern;
use super::method::{Meaning, Own, OwnMethod, known, schema};
use crate::catalogue::{
    Detail, LevelOverride, METHOD_PREFIX, RefusalStatus, Rule, Violation, inline,
};
use crate::compiled_schema::Schema;
use crate::model::Method;
use crate::syntax::Kind;
use crate::{Direction, MessageKind, Revision};

/// The maximum number of methods, and of rules, in a profile.
const MAX_ENTRIES: usize = 256;

/// The longest name of a method, in bytes.
const MAX_NAME: usize = 256;

/// The differences between a dialect and the protocol. A new profile has none.
///
/// ```
/// use std::sync::Arc;
/// use mcp_assay::{Policy, Session, Validator, Verdict};
/// use mcp_assay::profile::Profile;
///
/// let mut profile = Profile::new("mine");
/// profile.stands_for("tools/execute", "tools/call")?;
/// profile.allow_null_ids();
/// let mut validator = Validator::new(Policy::with_profile(Arc::new(profile)));
/// let message = br#"{"jsonrpc":"2.0","id":null,"method":"tools/execute","params":{"name":"add"}}"#;
/// assert_eq!(validator.check(&mut Session::new(), message).verdict(), Verdict::Pass);
/// # Ok::<(), mcp_assay::profile::ProfileFault>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Profile {
    name: String,
    methods: BTreeMap<String, Meaning>,
    /// Methods of the protocol that are renamed, with the new name.
    renamed: Vec<(&'static Method, &'static str)>,
    pub(crate) codes: Codes,
    /// A bit for each tolerance.
    tolerances: u8,
    /// Whether an empty method is refused as no name.
    demands_method_names: bool,
    /// Forms of resource URIs; every one must be met.
    pub(crate) uris: Vec<UriForm>,
    levels: Vec<(&'static str, LevelOverride)>,
    strict: bool,
    refusal_status: Option<RefusalStatus>,
    pub(crate) expected: Option<ExpectedRevision>,
    pub(crate) rules: Vec<Custom>,
    description: String,
    examples: Vec<Example>,
}

/// A message that JSON-RPC or a peer allows and the protocol does not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
#[repr(u8)]
pub enum Tolerance {
    /// `"id": null`, in requests as in answers.
    NullIds,
    /// Ids such as `1.5`.
    FractionalIds,
    /// Arrays as `params`; their items are not checked.
    PositionalParams,
    /// Results that are no object; they are not checked.
    AnyResults,
    /// Arrays of messages, in every revision.
    Batches,
}

/// The revision that sessions have to speak.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ExpectedRevision {
    /// This one.
    Exactly(Revision),
    /// The latest that both parties have shown to support.
    LatestCommon,
}

/// A form that URIs of resources must have.
#[derive(Clone, Debug)]
pub(crate) enum UriForm {
    /// They begin with one of these.
    Prefixes(Vec<String>),
    /// A schema with the pattern accepts them.
    Pattern(Schema),
}

impl Profile {
    /// A dialect that is the protocol itself, under a name for messages.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            ..Self::default()
        }
    }

    /// Adds a name for a method or notification of the protocol, beside its own name.
    pub fn stands_for(&mut self, name: &str, method: &str) -> Result<(), ProfileFault> {
        let method = known(method)?;
        self.name_method(name, Meaning::StandsFor(method))
    }

    /// Renames a method or notification of the protocol; its own name becomes unknown.
    pub fn rename(&mut self, method: &str, name: &str) -> Result<(), ProfileFault> {
        self.stands_for(name, method)?;
        let method = known(method)?;
        let name = intern::text(name)?;
        self.renamed
            .retain(|(other, _)| other.index != method.index);
        self.renamed.push((method, name));
        Ok(())
    }

    /// Adds a method or notification. Revisions that already have this name keep their own
    /// definition.
    pub fn add_method(&mut self, name: &str, method: &OwnMethod) -> Result<(), ProfileFault> {
        let own = Own::new(method)?;
        self.name_method(name, Meaning::Own(Box::new(own)))
    }

    /// Sets the level of error codes: `Off` allows them, whatever the protocol demands. If several
    /// ranges contain a code, the one that was added first decides.
    pub fn add_error_codes(
        &mut self,
        codes: RangeInclusive<i64>,
        level: LevelOverride,
    ) -> Result<(), ProfileFault> {
        self.codes.add(codes, level)
    }

    /// Sets the level of error codes outside all ranges. Without it the rules of the protocol check
    /// them.
    pub fn set_other_error_codes(&mut self, level: LevelOverride) {
        self.codes.set_others(level);
    }

    /// Allows messages that the protocol does not.
    pub fn allow(&mut self, tolerance: Tolerance) {
        self.tolerances |= 1 << tolerance as u8;
    }

    /// Reverts [`allow`](Self::allow).
    pub fn refuse(&mut self, tolerance: Tolerance) {
        self.tolerances &= !(1 << tolerance as u8);
    }

    /// Allows `"id": null`, in requests as in answers.
    pub fn allow_null_ids(&mut self) {
        self.allow(Tolerance::NullIds);
    }

    /// Allows arrays as `params`; their items are not checked.
    pub fn allow_positional_params(&mut self) {
        self.allow(Tolerance::PositionalParams);
    }

    /// Refuses an empty method as an invalid request (-32600) instead of an unknown method.
    pub fn demand_method_names(&mut self) {
        self.demands_method_names = true;
    }

    /// Reverts [`demand_method_names`](Self::demand_method_names).
    pub fn accept_empty_methods(&mut self) {
        self.demands_method_names = false;
    }

    /// Demands that URIs of resources begin with one of these.
    pub fn restrict_uris_to_prefixes(&mut self, prefixes: &[&str]) -> Result<(), ProfileFault> {
        if prefixes.is_empty() {
            return Err(ProfileFault::new("no URI begins with one of no prefixes"));
        }
        let prefixes = prefixes.iter().map(|&prefix| prefix.to_owned()).collect();
        self.uris.push(UriForm::Prefixes(prefixes));
        Ok(())
    }

    /// Demands that resource URIs match a regular expression; `^` and `$` anchor it.
    pub fn restrict_uris_to_pattern(&mut self, pattern: &str) -> Result<(), ProfileFault> {
        let form = schema(&pattern_schema(pattern))?;
        self.uris.push(UriForm::Pattern(form));
        Ok(())
    }

    /// Raises warnings to errors.
    pub fn raise_warnings(&mut self) {
        self.strict = true;
    }

    /// Reverts [`raise_warnings`](Self::raise_warnings).
    pub fn keep_warnings(&mut self) {
        self.strict = false;
    }

    /// Sets the HTTP status of refusals.
    pub fn set_refusal_status(&mut self, status: RefusalStatus) {
        self.refusal_status = Some(status);
    }

    /// Demands that sessions speak a revision.
    pub fn expect_revision(&mut self, revision: Revision) {
        self.expected = Some(ExpectedRevision::Exactly(revision));
    }

    /// Demands that sessions speak the latest revision that both parties have shown to support. A
    /// party that is only older is not at fault.
    pub fn expect_latest_common_revision(&mut self) {
        self.expected = Some(ExpectedRevision::LatestCommon);
    }

    /// Sets the line that describes it.
    pub fn describe(&mut self, description: &str) {
        description.clone_into(&mut self.description);
    }

    /// Adds messages that it allows or refuses, to be run by a test.
    pub fn add_example(&mut self, example: Example) -> Result<(), ProfileFault> {
        if self.examples.len() >= MAX_ENTRIES {
            return Err(ProfileFault::new(format!(
                "a profile has at most {MAX_ENTRIES} examples"
            )));
        }
        self.examples.push(example);
        Ok(())
    }

    /// Appends the settings of a weaker profile; settings of this one take precedence. Description
    /// and examples stay its own.
    pub fn extend(&mut self, weaker: &Self) -> Result<(), ProfileFault> {
        for (name, meaning) in &weaker.methods {
            if !self.methods.contains_key(name) {
                self.name_method(name, meaning.clone())?;
            }
        }
        for (method, name) in &weaker.renamed {
            if !self
                .renamed
                .iter()
                .any(|(own, _)| own.index == method.index)
            {
                self.renamed.push((method, name));
            }
        }
        self.codes.extend(&weaker.codes)?;
        self.tolerances |= weaker.tolerances;
        self.demands_method_names |= weaker.demands_method_names;
        self.uris.extend(weaker.uris.iter().cloned());
        // The later of two levels decides.
        self.levels.splice(..0, weaker.levels.iter().copied());
        self.strict |= weaker.strict;
        self.refusal_status = self.refusal_status.or(weaker.refusal_status);
        self.expected = self.expected.or(weaker.expected);
        let others = weaker.rules.iter().filter(|theirs| {
            let same = |own: &&Custom| own.rule.name == theirs.rule.name;
            self.rules.iter().find(same).is_none()
        });
        let others: Vec<_> = others.cloned().collect();
        if self.rules.len() + others.len() > MAX_ENTRIES {
            return Err(ProfileFault::new(format!(
                "a profile has at most {MAX_ENTRIES} rules, with those it extends"
            )));
        }
        self.rules.extend(others);
        Ok(())
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it adds a method or notification of this name, or an alias or new name for one.
    #[must_use]
    pub fn has_method(&self, name: &str) -> bool {
        self.methods.contains_key(name)
    }

    /// Its own rules.
    pub fn rules(&self) -> impl Iterator<Item = &'static Rule> + '_ {
        self.rules.iter().map(|custom| custom.rule)
    }

    /// Its own rules for messages of this kind, direction and method, each with the JSON Pointer to
    /// the value that it checks.
    pub fn rules_about<'p>(
        &'p self,
        kind: MessageKind,
        method: Option<&'p str>,
        direction: Direction,
    ) -> impl Iterator<Item = (&'static Rule, &'p str)> {
        let about = self.rules.iter();
        let about = about.filter(move |custom| custom.is_about(kind, method, direction));
        about.map(|custom| (custom.rule, custom.pointer.as_str()))
    }

    /// Whether warnings are raised to errors.
    #[must_use]
    pub fn raises_warnings(&self) -> bool {
        self.strict
    }

    /// The HTTP status of refusals, if it sets one.
    #[must_use]
    pub fn refusal_status(&self) -> Option<RefusalStatus> {
        self.refusal_status
    }

    /// Whether it allows messages that the protocol does not.
    #[must_use]
    pub fn allows(&self, tolerance: Tolerance) -> bool {
        self.tolerances >> tolerance as u8 & 1 == 1
    }

    /// Whether it refuses an empty method as an invalid request.
    #[must_use]
    pub fn demands_method_names(&self) -> bool {
        self.demands_method_names
    }

    /// Its description of itself, in one line; may be empty.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Messages that it allows or refuses.
    #[must_use]
    pub fn examples(&self) -> &[Example] {
        &self.examples
    }

    /// The name `method:NAME` of a method that this profile adds.
    pub(crate) fn own_method_selector(&self, what: &str) -> Option<&'static str> {
        let name = what.strip_prefix(METHOD_PREFIX)?;
        if !self.has_method(name) {
            return None;
        }
        intern::text(what).ok()
    }

    /// Gives another level to a name that was looked up before.
    pub(crate) fn push_level(&mut self, what: &'static str, level: LevelOverride) {
        self.levels.push((what, level));
    }

    /// Adds a rule whose name was looked up before, in place of one with the same name.
    pub(crate) fn push_rule(&mut self, rule: &CustomRule) -> Result<(), ProfileFault> {
        for method in &rule.applies.methods {
            if !self.has_method(method) {
                known(method)?;
            }
        }
        let custom = Custom::new(rule, &self.name)?;
        self.rules
            .retain(|other| other.rule.name != custom.rule.name);
        if self.rules.len() >= MAX_ENTRIES {
            return Err(ProfileFault::new(format!(
                "a profile has at most {MAX_ENTRIES} rules"
            )));
        }
        self.rules.push(custom);
        Ok(())
    }

    /// The levels that it gives, the weakest first.
    pub(crate) fn levels(&self) -> &[(&'static str, LevelOverride)] {
        &self.levels
    }

    /// The meaning of a method name, if this profile defines it.
    pub(crate) fn meaning(&self, name: &str) -> Option<&Meaning> {
        self.methods.get(name)
    }

    /// The method of the protocol that a name stands for.
    #[cold]
    pub(crate) fn stood_for(&self, name: &str) -> Option<&'static Method> {
        match self.meaning(name)? {
            Meaning::StandsFor(method) => Some(method),
            Meaning::Own(_) => None,
        }
    }

    /// The dialect's own method of this name.
    #[cold]
    pub(crate) fn own(&self, name: &str) -> Option<&Own> {
        match self.meaning(name)? {
            Meaning::StandsFor(_) => None,
            Meaning::Own(own) => Some(own),
        }
    }

    /// The direction of a dialect's own method, if it has only one.
    #[cold]
    pub(crate) fn direction(&self, name: &str) -> Option<Direction> {
        self.own(name)?.direction()
    }

    /// The new name of a method of the protocol, if this profile renames it.
    pub(crate) fn new_name(&self, method: &Method) -> Option<&'static str> {
        self.renamed
            .iter()
            .find(|(renamed, _)| renamed.index == method.index)
            .map(|(_, name)| *name)
    }

    /// Whether this profile sets the level of an error code.
    pub(crate) fn decides_code(&self, code: i64) -> bool {
        self.codes.level(code).is_some()
    }

    /// Whether this profile tolerates a fault of an envelope.
    pub(crate) fn tolerates(&self, violation: &Violation) -> bool {
        let found = match violation.detail {
            Detail::EnvelopeType { found, .. } => Some(found),
            _ => None,
        };
        let tolerance = match (violation.rule, found) {
            (rule, _) if *rule == inline::RESULT_OBJECT => Tolerance::AnyResults,
            (rule, _) if *rule == inline::ID_NOT_FRACTIONAL => Tolerance::FractionalIds,
            (rule, Some(Kind::Array)) if *rule == inline::PARAMS_OBJECT => {
                Tolerance::PositionalParams
            }
            (rule, Some(Kind::Null))
                if *rule == inline::REQUEST_ID_NOT_NULL
                    || *rule == inline::ERROR_ID_NOT_NULL
                    || *rule == inline::ID_TYPE =>
            {
                Tolerance::NullIds
            }
            _ => return false,
        };
        self.allows(tolerance)
    }

    fn name_method(&mut self, name: &str, meaning: Meaning) -> Result<(), ProfileFault> {
        if name.is_empty() || name.len() > MAX_NAME || name.chars().any(char::is_control) {
            return Err(ProfileFault::new(format!(
                "the name of a method has 1 to {MAX_NAME} bytes and no control characters"
            )));
        }
        if self.methods.len() >= MAX_ENTRIES && !self.methods.contains_key(name) {
            return Err(ProfileFault::new(format!(
                "a profile has at most {MAX_ENTRIES} methods"
            )));
        }
        if let Meaning::StandsFor(method) = meaning
            && known(name).is_ok()
        {
            return Err(ProfileFault::new(format!(
                "`{name}` is a method of the protocol: it cannot stand for `{}`",
                method.name
            )));
        }
        self.methods.insert(name.to_owned(), meaning);
        Ok(())
    }
}

/// A schema that accepts strings in which a pattern is found.
fn pattern_schema(pattern: &str) -> String {
    let mut json = String::from(r#"{"pattern":""#);
    for character in pattern.chars() {
        match character {
            '"' | '\\' => json.extend(['\\', character]),
            '\0'..='\u{1f}' => {
                // Writing to a string does not fail.
                let _ = write!(json, "\\u{:04x}", u32::from(character));
            }
            _ => json.push(character),
        }
    }
    json.push_str("\"}");
    json
}
