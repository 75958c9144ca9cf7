//! A requirement that only probing shows, as data.
//!
//! Each is declared in a file of `server/` or `client/`, beside the step that provokes it; one that
//! concerns both is declared on the side of the server.

use mcp_assay::rules::Parties;
use mcp_assay::{Layer, Level, Party, Revision, RevisionSet, Rule, rules};

use crate::options::Options;

/// A requirement that only probing shows.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Requirement {
    /// `family/requirement`.
    pub id: &'static str,
    /// The level of a violation.
    pub level: Level,
    /// The revisions that state it.
    pub revisions: RevisionSet,
    /// The parties that can break it.
    pub party: Parties,
    /// The requirement in a sentence.
    pub demand: &'static str,
    /// The clause, `page#heading`.
    pub spec: &'static str,
    /// The consequences of a violation, and the reason for its level.
    pub why: &'static str,
    /// The remedy, in one sentence.
    pub help: &'static str,
    /// Examples in the notation of rule pages, in pairs; empty if no message can show the fault.
    pub examples: &'static str,
    /// The reason why no step can make a server show it.
    pub unprovoked_in_servers: Option<&'static str>,
    /// The reason why no scenario can make a client show it.
    pub unprovoked_in_clients: Option<&'static str>,
}

impl Requirement {
    pub(crate) const fn of_server(
        id: &'static str,
        level: Level,
        revisions: RevisionSet,
        demand: &'static str,
    ) -> Self {
        let party = Parties::Only(Party::Server);
        Self {
            party,
            ..Self::of_both(id, level, revisions, demand)
        }
    }

    pub(crate) const fn of_client(
        id: &'static str,
        level: Level,
        revisions: RevisionSet,
        demand: &'static str,
    ) -> Self {
        let party = Parties::Only(Party::Client);
        Self {
            party,
            ..Self::of_both(id, level, revisions, demand)
        }
    }

    pub(crate) const fn of_both(
        id: &'static str,
        level: Level,
        revisions: RevisionSet,
        demand: &'static str,
    ) -> Self {
        Self {
            id,
            level,
            revisions,
            party: Parties::Both,
            demand,
            spec: "",
            why: "",
            help: "",
            examples: "",
            unprovoked_in_servers: None,
            unprovoked_in_clients: None,
        }
    }

    /// Adds the clause, the consequences and the remedy.
    pub(crate) const fn page(
        mut self,
        spec: &'static str,
        why: &'static str,
        help: &'static str,
    ) -> Self {
        (self.spec, self.why, self.help) = (spec, why, help);
        self
    }

    /// Adds examples, a good one and a bad one.
    pub(crate) const fn examples(mut self, examples: &'static str) -> Self {
        self.examples = examples;
        self
    }

    pub(crate) const fn unprovoked_in_servers(mut self, why: &'static str) -> Self {
        self.unprovoked_in_servers = Some(why);
        self
    }

    pub(crate) const fn unprovoked_in_clients(mut self, why: &'static str) -> Self {
        self.unprovoked_in_clients = Some(why);
        self
    }

    /// The first half of its id.
    #[must_use]
    pub fn family(&self) -> &'static str {
        self.id
            .split_once('/')
            .map_or(self.id, |(family, _)| family)
    }

    /// The layer of its rule: that of the other rules of its family.
    fn layer(&self) -> Layer {
        let family = self.family();
        let mut rules = rules::all().filter(|rule| rule.family() == family);
        match family {
            "http" | "auth" | "ext-auth" => Layer::Http,
            _ => rules.next().map_or(Layer::Session, |rule| rule.layer),
        }
    }

    /// The requirement as a rule that can be listed, explained and selected.
    pub(crate) fn to_rule(self) -> Rule {
        let page = format!("{}\n\n{}\n\n{}", self.demand, self.why, self.examples);
        // One text for each requirement, for the life of the program.
        let mut rule = Rule::probed(self.id, page.leak());
        rule.layer = self.layer();
        rule.level = self.level;
        rule.revisions = self.revisions;
        rule.party = self.party;
        rule.spec = self.spec;
        rule.help = self.help;
        rule
    }

    /// The reason why it is not provoked in a party.
    pub(crate) fn unprovoked_in(&self, party: Party) -> Option<&'static str> {
        match party {
            Party::Client => self.unprovoked_in_clients,
            Party::Server => self.unprovoked_in_servers,
        }
    }
}

pub(crate) const ERROR: Level = Level::Error;
pub(crate) const WARNING: Level = Level::Warning;

pub(crate) const ALL: RevisionSet = RevisionSet::ALL;
pub(crate) const SINCE_2025_03: RevisionSet = RevisionSet::since(Revision::V2025_03_26);
pub(crate) const SINCE_2025_06: RevisionSet = RevisionSet::since(Revision::V2025_06_18);
pub(crate) const SINCE_2025_11: RevisionSet = RevisionSet::since(Revision::V2025_11_25);
pub(crate) const SINCE_2026_07: RevisionSet = RevisionSet::since(Revision::V2026_07_28);
pub(crate) const UNTIL_2025_11: RevisionSet = RevisionSet::until(Revision::V2025_11_25);
pub(crate) const ONLY_2024_11: RevisionSet = RevisionSet::only(Revision::V2024_11_05);
pub(crate) const ONLY_2025_03: RevisionSet = RevisionSet::only(Revision::V2025_03_26);
pub(crate) const ONLY_2025_11: RevisionSet = RevisionSet::only(Revision::V2025_11_25);
pub(crate) const FROM_2025_03_TO_2025_11: RevisionSet = SINCE_2025_03.intersection(UNTIL_2025_11);
pub(crate) const FROM_2025_06_TO_2025_11: RevisionSet = SINCE_2025_06.intersection(UNTIL_2025_11);

/// The options of a probe, and whether they select steps.
#[derive(Clone, Copy)]
pub(crate) struct Wanted<'o> {
    pub(crate) options: &'o Options,
    /// Whether something is selected that any traffic can show: then every step is worth taking.
    every_step: bool,
}

impl<'o> Wanted<'o> {
    /// `is_of_one_step` says whether a name that the user selects is that of a requirement.
    pub(crate) fn new(options: &'o Options, is_of_one_step: impl Fn(&str) -> bool) -> Self {
        let every_step = options.only.iter().any(|only| !is_of_one_step(only));
        Self {
            options,
            every_step,
        }
    }

    /// Whether a step is worth taking that shows these.
    pub(crate) fn any(self, requirements: &[&Requirement]) -> bool {
        let wants = |requirement: &&Requirement| self.options.wants(requirement.id);
        self.every_step || requirements.iter().any(wants)
    }
}
