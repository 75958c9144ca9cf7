//! The scenarios with a server that wants a token.

use mcp_assay::{Revision, RevisionSet};

use super::guard::Guard;
use crate::serve::scenarios::{Over, Scenario, Twist};

const SINCE_2025_06: RevisionSet = RevisionSet::since(Revision::V2025_06_18);
const SINCE_2025_11: RevisionSet = RevisionSet::since(Revision::V2025_11_25);
const MODERN: RevisionSet = RevisionSet::since(Revision::V2026_07_28);
const OLD: RevisionSet = RevisionSet::only(Revision::V2025_03_26);

const fn guarded(
    name: &'static str,
    guard: Guard,
    revisions: RevisionSet,
    shows: &'static [&'static str],
) -> Scenario {
    Scenario {
        name,
        twist: Twist::Guarded(guard),
        over: Over::Http,
        revisions,
        shows,
    }
}

/// All of them. Those in which a right client gets a token come first: they show what the client does at all.
#[rustfmt::skip]
pub(in crate::serve) const GUARDED: &[Scenario] = &[
    // Whether any of the others is worth playing is seen here.
    guarded("a token is wanted", Guard::Told, SINCE_2025_06, &[
        "auth/metadata-resource-matches", "auth/discovery-order", "auth/as-metadata-order", "auth/as-metadata-issuer", "auth/pkce",
        "auth/pkce-support-checked", "auth/resource-parameter", "auth/redirect-uri", "auth/iss-checked", "auth/client-metadata-document",
        "auth/application-type", "auth/credentials-per-issuer",
    ]),
    guarded("a token is wanted, and nothing says where", Guard::Untold, SINCE_2025_11, &["auth/discovery-order", "auth/client-metadata-document"]),
    guarded("an issuer with a path", Guard::PathIssuer, SINCE_2025_11, &["auth/as-metadata-order", "auth/client-metadata-document"]),
    guarded("OpenID discovery only", Guard::OpenId, SINCE_2025_11, &["auth/as-metadata-order", "auth/client-metadata-document"]),
    guarded("a token as in 2025-03-26", Guard::Old, OLD, &["auth/legacy-base-url", "auth/pkce", "auth/redirect-uri"]),
    guarded("a token as in 2025-03-26, without metadata", Guard::OldDefaults, OLD, &["auth/legacy-base-url", "auth/pkce", "auth/redirect-uri"]),
    guarded("another authorisation server", Guard::Changed, MODERN, &["auth/credentials-per-issuer"]),
    guarded("metadata of another resource", Guard::OtherResource, SINCE_2025_06, &["auth/metadata-resource-matches"]),
    guarded("metadata of another issuer", Guard::OtherIssuer, MODERN, &["auth/as-metadata-issuer"]),
    guarded("no word of PKCE", Guard::NoPkce, SINCE_2025_11, &["auth/pkce-support-checked"]),
    guarded("a redirect without its issuer", Guard::IssMissing, MODERN, &["auth/iss-checked"]),
    guarded("a redirect with a slash more", Guard::IssAltered, MODERN, &["auth/iss-checked"]),
    guarded("a redirect of another issuer", Guard::IssUnasked, MODERN, &["auth/iss-checked"]),
];
