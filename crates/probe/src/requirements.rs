//! The list of all requirements that only probing shows.

use std::sync::LazyLock;

use mcp_assay::{Party, Rule, rules};

use crate::requirement::Requirement;
use crate::unprovoked::UNPROVOKED;
use crate::{client, server};

/// Every requirement that only probing shows, in the order of the ids.
///
/// ```
/// let mut all = mcp_assay_probe::requirements().iter();
/// let origin = all.find(|requirement| requirement.id == "http/origin-403").unwrap();
/// assert!(origin.demand.contains("403"));
/// ```
#[must_use]
pub fn requirements() -> &'static [&'static Requirement] {
    static ALL: LazyLock<Vec<&Requirement>> = LazyLock::new(|| {
        let probed = shown_by(Party::Server).chain(shown_by(Party::Client));
        let mut all: Vec<_> = probed.chain(UNPROVOKED).collect();
        all.sort_by_key(|requirement| requirement.id);
        all.dedup_by_key(|requirement| requirement.id);
        all
    });
    &ALL
}

/// The requirement with an id.
#[must_use]
pub fn requirement(id: &str) -> Option<&'static Requirement> {
    let all = requirements();
    let at = all.binary_search_by_key(&id, |known| known.id).ok()?;
    Some(all[at])
}

/// The rules that only probing shows, in the order of their names: those that other traffic shows,
/// too, are not among them.
///
/// ```
/// let batch = mcp_assay_probe::probed_rules().find(|rule| rule.name == "jsonrpc/batch-accepted");
/// assert_eq!(batch.map(|rule| rule.spec), Some("basic/index#batching"));
/// ```
pub fn probed_rules() -> impl Iterator<Item = &'static Rule> {
    PROBED.iter()
}

/// The rule of a name, whether traffic shows it or only probing.
#[must_use]
pub fn find_rule(name: &str) -> Option<&'static Rule> {
    rules::find(name).or_else(|| {
        let at = PROBED.binary_search_by_key(&name, |rule| rule.name).ok()?;
        PROBED.get(at)
    })
}

static PROBED: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    let only_probed = requirements()
        .iter()
        .filter(|requirement| rules::find(requirement.id).is_none());
    only_probed
        .map(|requirement| requirement.to_rule())
        .collect()
});

/// Whether a step or scenario makes a party show a requirement.
#[must_use]
pub fn is_provoked(id: &str, party: Party) -> bool {
    shown_by(party).any(|requirement| requirement.id == id)
}

/// The requirements of the steps or scenarios for a party; one may come several times.
fn shown_by(party: Party) -> Box<dyn Iterator<Item = &'static Requirement>> {
    match party {
        Party::Server => Box::new(server::PROBES.iter().flat_map(|probe| probe.shows).copied()),
        Party::Client => Box::new(
            client::scenarios()
                .flat_map(|scenario| scenario.shows)
                .copied(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use mcp_assay::rules::Parties;

    use super::*;

    #[test]
    fn each_is_provoked_in_whom_it_concerns_or_has_a_reason() {
        for requirement in requirements() {
            for party in [Party::Client, Party::Server] {
                let concerns = matches!(requirement.party, Parties::Both)
                    || requirement.party == Parties::Only(party);
                let provoked = is_provoked(requirement.id, party);
                let has_reason = requirement.unprovoked_in(party).is_some();
                assert!(!provoked || concerns, "{}", requirement.id);
                assert_eq!(concerns, provoked != has_reason, "{}", requirement.id);
                assert!(!(provoked && has_reason), "{}", requirement.id);
            }
        }
    }

    #[test]
    fn each_has_a_page() {
        for requirement in requirements() {
            let id = requirement.id;
            assert!(requirement.spec.contains('#'), "{id}");
            assert!(requirement.why.ends_with('.'), "{id}");
            let help = requirement.help;
            assert!(!help.is_empty() && !help.ends_with('.'), "{id}");
            assert!(find_rule(id).is_some_and(|rule| rule.name == id), "{id}");
        }
        assert!(find_rule("http/no-such").is_none());
    }

    #[test]
    fn each_is_declared_once() {
        let mut all: Vec<_> = shown_by(Party::Server)
            .chain(shown_by(Party::Client))
            .collect();
        all.sort_by_key(|requirement| requirement.id);
        for pair in all.windows(2) {
            assert!(
                pair[0].id != pair[1].id || std::ptr::eq(pair[0], pair[1]),
                "{}",
                pair[0].id
            );
        }
        assert_eq!(
            requirement("http/origin-403").map(|found| found.id),
            Some("http/origin-403")
        );
        assert!(requirement("http/no-such").is_none());
    }
}
