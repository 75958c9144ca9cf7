//! Scenarios with a server that wants a token, and the checks that they share. The checks of one
//! requirement are in a file of their own.

use mcp_assay::RevisionSet;

use super::auth_application_type::{self, TYPE};
use super::auth_as_metadata_issuer::{self, ISSUER};
use super::auth_as_metadata_order::{self, ISSUER_ORDER};
use super::auth_client_metadata_document::{self, DOCUMENT};
use super::auth_credentials_per_issuer::{self, CREDENTIALS};
use super::auth_discovery_order::{self, ORDER};
use super::auth_iss_checked::{self, ISS};
use super::auth_legacy_base_url::{self, LEGACY};
use super::auth_metadata_resource_matches::{self, RESOURCE};
use super::auth_offline_access::{self, OFFLINE, REFRESH_GRANT};
use super::auth_pkce::{self, PKCE};
use super::auth_pkce_support_checked::{self, SUPPORT};
use super::auth_pre_registration::{self, CREDENTIALS_USED};
use super::auth_redirect_uri::{self, REDIRECT};
use super::auth_resource_parameter::{self, PARAMETER};
use super::auth_scope_selection::{self, SELECTION};
use super::auth_scope_step_up::{self, ACCUMULATED, STEP_UP};
use super::auth_step_up_limit::{self, LIMIT};
use super::auth_token_endpoint::{self, AUTHENTICATION};
use super::ext_auth_client_credentials::{self, CLIENT_CREDENTIALS};
use super::ext_auth_enterprise::{self, EXCHANGE, PRESENTED};
use super::ext_auth_proof::{self, NONCE, PROOF, SCHEME};
use super::scenario::{Check, Over, Scenario};
use super::verdict::Verdict;
use crate::record::Record;
use crate::requirement::{ONLY_2025_03, Requirement, SINCE_2025_06, SINCE_2025_11, SINCE_2026_07};
use crate::serve::Twist;
use crate::serve::oauth::{Errand, Guard, TokenAuthentication, Visit};

/// The requirements that a client without authorisation shows nothing about.
static ALL: [&Requirement; 27] = [
    &RESOURCE,
    &ORDER,
    &ISSUER_ORDER,
    &ISSUER,
    &LEGACY,
    &PKCE,
    &SUPPORT,
    &PARAMETER,
    &REDIRECT,
    &ISS,
    &DOCUMENT,
    &TYPE,
    &CREDENTIALS,
    &SELECTION,
    &STEP_UP,
    &ACCUMULATED,
    &LIMIT,
    &AUTHENTICATION,
    &CREDENTIALS_USED,
    &OFFLINE,
    &REFRESH_GRANT,
    &CLIENT_CREDENTIALS,
    &EXCHANGE,
    &PRESENTED,
    &PROOF,
    &SCHEME,
    &NONCE,
];

const fn guarded(
    name: &'static str,
    guard: Guard,
    revisions: RevisionSet,
    shows: &'static [&'static Requirement],
) -> Scenario {
    Scenario {
        name,
        twist: Twist::Guarded(guard),
        over: Over::Http,
        revisions,
        shows,
        check: Check::One(check),
        excuses: &[],
    }
}

/// Those in which a correct client gets a token come first: they show what the client does at all.
pub(super) static GUARDED: [Scenario; 28] = [
    // The first shows whether any of the others is worth playing.
    guarded(
        "a token is wanted",
        Guard::Told,
        SINCE_2025_06,
        &[
            &RESOURCE,
            &ORDER,
            &ISSUER_ORDER,
            &ISSUER,
            &PKCE,
            &SUPPORT,
            &PARAMETER,
            &REDIRECT,
            &ISS,
            &DOCUMENT,
            &TYPE,
            &CREDENTIALS,
            &SELECTION,
            &OFFLINE,
        ],
    ),
    guarded(
        "a token is wanted, and nothing says where",
        Guard::Untold,
        SINCE_2025_11,
        &[&ORDER, &DOCUMENT],
    ),
    guarded(
        "an issuer with a path",
        Guard::PathIssuer,
        SINCE_2025_11,
        &[&ISSUER_ORDER, &DOCUMENT],
    ),
    guarded(
        "OpenID discovery only",
        Guard::OpenId,
        SINCE_2025_11,
        &[&ISSUER_ORDER, &DOCUMENT],
    ),
    guarded(
        "scopes in the metadata only",
        Guard::ScopesListed,
        SINCE_2025_11,
        &[&SELECTION, &DOCUMENT],
    ),
    guarded(
        "no word of scopes",
        Guard::ScopesUnnamed,
        SINCE_2025_11,
        &[&SELECTION, &DOCUMENT],
    ),
    guarded(
        "a further scope for calls",
        Guard::StepUp,
        SINCE_2025_11,
        &[&STEP_UP, &ACCUMULATED, &SELECTION],
    ),
    guarded(
        "a scope that is never enough",
        Guard::NeverEnough,
        SINCE_2025_11,
        &[&LIMIT],
    ),
    guarded(
        "a secret in the header only",
        Guard::OneAuthentication(TokenAuthentication::Basic),
        SINCE_2025_06,
        &[&AUTHENTICATION],
    ),
    guarded(
        "a secret in the body only",
        Guard::OneAuthentication(TokenAuthentication::Post),
        SINCE_2025_06,
        &[&AUTHENTICATION],
    ),
    guarded(
        "public clients only",
        Guard::OneAuthentication(TokenAuthentication::Public),
        SINCE_2025_06,
        &[&AUTHENTICATION],
    ),
    guarded(
        "credentials from elsewhere",
        Guard::PreRegistered,
        SINCE_2025_11,
        &[&CREDENTIALS_USED],
    ),
    guarded(
        "refresh tokens on offer",
        Guard::OfflineAccess,
        SINCE_2026_07,
        &[&OFFLINE, &REFRESH_GRANT],
    ),
    guarded(
        "client credentials with a secret",
        Guard::SecretGrant,
        SINCE_2025_11,
        &[&CLIENT_CREDENTIALS],
    ),
    guarded(
        "client credentials with a key",
        Guard::KeyGrant,
        SINCE_2025_11,
        &[&CLIENT_CREDENTIALS],
    ),
    guarded(
        "an identity provider",
        Guard::Enterprise,
        SINCE_2025_11,
        &[&EXCHANGE, &PRESENTED],
    ),
    guarded(
        "tokens that are bound to a key",
        Guard::Proof,
        SINCE_2025_11,
        &[&PROOF, &SCHEME],
    ),
    guarded(
        "tokens that are bound to a key, with a nonce",
        Guard::ProofWithNonce,
        SINCE_2025_11,
        &[&PROOF, &SCHEME, &NONCE],
    ),
    guarded(
        "a redirect without a promise of its issuer",
        Guard::IssUnpromised,
        SINCE_2026_07,
        &[&ISS],
    ),
    guarded(
        "a token as in 2025-03-26",
        Guard::Old,
        ONLY_2025_03,
        &[&LEGACY, &PKCE, &REDIRECT],
    ),
    guarded(
        "a token as in 2025-03-26, without metadata",
        Guard::OldDefaults,
        ONLY_2025_03,
        &[&LEGACY, &PKCE, &REDIRECT],
    ),
    guarded(
        "another authorisation server",
        Guard::Changed,
        SINCE_2026_07,
        &[&CREDENTIALS],
    ),
    guarded(
        "metadata of another resource",
        Guard::OtherResource,
        SINCE_2025_06,
        &[&RESOURCE],
    ),
    guarded(
        "metadata of another issuer",
        Guard::OtherIssuer,
        SINCE_2026_07,
        &[&ISSUER],
    ),
    guarded("no word of PKCE", Guard::NoPkce, SINCE_2025_11, &[&SUPPORT]),
    guarded(
        "a redirect without its issuer",
        Guard::IssMissing,
        SINCE_2026_07,
        &[&ISS],
    ),
    guarded(
        "a redirect with a slash more",
        Guard::IssAltered,
        SINCE_2026_07,
        &[&ISS],
    ),
    guarded(
        "a redirect of another issuer",
        Guard::IssUnasked,
        SINCE_2026_07,
        &[&ISS],
    ),
];

fn check(verdict: &mut Verdict<'_>) {
    let Twist::Guarded(guard) = verdict.twist else {
        return;
    };
    if verdict.reach.is_hopeless() {
        let why = "the client asks for no token when it is refused with 401";
        for requirement in ALL {
            verdict.not_observed(requirement, why);
        }
        return;
    }
    match guard {
        Guard::Told => auth_discovery_order::check_told(verdict),
        Guard::Untold => auth_discovery_order::check_untold(verdict),
        Guard::PathIssuer
        | Guard::OpenId
        | Guard::ScopesListed
        | Guard::ScopesUnnamed
        | Guard::OfflineAccess => {}
        Guard::StepUp => auth_scope_step_up::check(verdict),
        Guard::NeverEnough => auth_step_up_limit::check(verdict),
        Guard::OneAuthentication(expected) => auth_token_endpoint::check(verdict, expected),
        Guard::PreRegistered => auth_pre_registration::check(verdict),
        Guard::SecretGrant | Guard::KeyGrant => ext_auth_client_credentials::check(verdict),
        Guard::Enterprise => ext_auth_enterprise::check(verdict),
        Guard::Proof | Guard::ProofWithNonce => ext_auth_proof::check(verdict, guard),
        Guard::Old => auth_legacy_base_url::check_metadata(verdict),
        Guard::OldDefaults => auth_legacy_base_url::check_defaults(verdict),
        Guard::Changed => auth_credentials_per_issuer::check(verdict),
        Guard::OtherResource => auth_metadata_resource_matches::check(verdict),
        Guard::OtherIssuer => auth_as_metadata_issuer::check(verdict),
        Guard::NoPkce => auth_pkce_support_checked::check(verdict),
        Guard::IssUnpromised => auth_iss_checked::check_unpromised(verdict),
        Guard::IssMissing | Guard::IssAltered | Guard::IssUnasked => {
            auth_iss_checked::check(verdict, guard);
        }
    }
    if !guard.is_old() {
        auth_as_metadata_order::check(verdict, guard);
        auth_offline_access::check(verdict, guard);
    }
    if matches!(
        guard,
        Guard::Told | Guard::StepUp | Guard::ScopesListed | Guard::ScopesUnnamed
    ) {
        auth_scope_selection::check(verdict, guard);
    }
    auth_application_type::check(verdict);
    auth_redirect_uri::check(verdict);
    if guard != Guard::NoPkce {
        auth_pkce::check(verdict);
    }
    if guard != Guard::OtherResource {
        auth_resource_parameter::check(verdict);
    }
    if guard.takes_documents() {
        auth_client_metadata_document::check(verdict);
    }
}

impl Verdict<'_> {
    pub(super) fn visits(&self) -> &[Visit] {
        &self.scene.seen.visits
    }

    /// The visits of one kind.
    pub(super) fn on(&self, errand: Errand) -> Vec<Visit> {
        let visits = self.visits().iter();
        let visits = visits.filter(|visit| visit.errand == errand);
        visits.cloned().collect()
    }

    /// A visit, and how it was answered.
    pub(super) fn exchange(&self, visit: &Visit) -> Vec<Record> {
        self.records(visit.exchange)
    }

    /// The first refusal.
    pub(super) fn refusal(&self) -> Vec<Record> {
        let refused = self.scene.seen.refused;
        refused.map_or_else(Vec::new, |exchange| self.records(exchange))
    }

    pub(super) fn records(&self, exchange: i64) -> Vec<Record> {
        let records = self.scene.talks.first().map(|talk| talk.records.iter());
        let of_it = |record: &&Record| record.exchange() == Some(exchange);
        records
            .into_iter()
            .flatten()
            .filter(of_it)
            .cloned()
            .collect()
    }

    /// Reports a failure that these visits show.
    pub(super) fn fail_at(
        &mut self,
        requirement: &'static Requirement,
        message: impl Into<String>,
        visits: &[&Visit],
    ) {
        let evidence = visits.iter().flat_map(|visit| self.exchange(visit));
        let evidence = evidence.collect();
        self.fail_with(requirement, message.into(), evidence);
    }
}

/// Metadata that was read must not be followed by its use. It counts only for clients that would
/// otherwise go so far.
pub(super) fn refused(
    verdict: &mut Verdict<'_>,
    requirement: &'static Requirement,
    read: Option<Visit>,
    used: Option<Visit>,
    usual: bool,
    message: &str,
) {
    match (read, used) {
        (Some(read), Some(used)) => verdict.fail_at(requirement, message, &[&read, &used]),
        (Some(_), None) if usual => verdict.pass(requirement),
        _ => verdict.not_observed(requirement, "the client does not go so far"),
    }
}

/// The first request for metadata of an authorisation server.
pub(super) fn issuer_metadata(verdict: &Verdict<'_>) -> Option<Visit> {
    let is_metadata = |visit: &&Visit| matches!(visit.errand, Errand::Issuer(_));
    verdict.visits().iter().find(is_metadata).cloned()
}

/// The first visit of these kinds to the authorisation server.
pub(super) fn first_use(verdict: &Verdict<'_>, errands: &[Errand]) -> Option<Visit> {
    let visits = verdict.visits().iter();
    let mut used = visits.filter(|visit| visit.door > 0 && errands.contains(&visit.errand));
    used.next().cloned()
}

/// The requests for metadata of the resource.
pub(super) fn asked_for_resource(verdict: &Verdict<'_>) -> Vec<Visit> {
    let visits = verdict.visits().iter();
    let visits = visits.filter(|visit| matches!(visit.errand, Errand::Resource(_)));
    visits.cloned().collect()
}
