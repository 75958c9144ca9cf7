//! A live client that gets itself tokens, right and with one fault at a time.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use mcp_assay_probe::{Report, Status, probe};

use crate::clients::options;
use crate::failed;

/// Requirements that only a client that is refused for want of a token can show.
const ROWS: [&str; 27] = [
    "auth/application-type",
    "auth/as-metadata-issuer",
    "auth/as-metadata-order",
    "auth/client-metadata-document",
    "auth/credentials-per-issuer",
    "auth/discovery-order",
    "auth/iss-checked",
    "auth/legacy-base-url",
    "auth/metadata-resource-matches",
    "auth/offline-access",
    "auth/pkce",
    "auth/pkce-support-checked",
    "auth/pre-registration",
    "auth/redirect-uri",
    "auth/refresh-token-grant",
    "auth/resource-parameter",
    "auth/scope-accumulated",
    "auth/scope-selection",
    "auth/scope-step-up",
    "auth/step-up-limit",
    "auth/token-endpoint-auth",
    "ext-auth/client-credentials",
    "ext-auth/dpop-nonce",
    "ext-auth/dpop-proof",
    "ext-auth/dpop-scheme",
    "ext-auth/identity-exchange",
    "ext-auth/identity-grant",
];

const NEW: &str = "2026-07-28";
const OLD: &str = "2025-11-25";
const OLDEST: &str = "2025-03-26";

/// A fault, the rule that finds it, and the revision in which the client is served.
#[rustfmt::skip]
const FAULTS: &[(&str, &str, &str)] = &[
    ("any-resource", "auth/metadata-resource-matches", NEW),
    ("any-resource", "auth/metadata-resource-matches", "2025-06-18"),
    ("ignores-challenges", "auth/discovery-order", NEW),
    ("root-first", "auth/discovery-order", OLD),
    ("never-at-the-root", "auth/discovery-order", OLD),
    ("openid-first", "auth/as-metadata-order", NEW),
    ("openid-never", "auth/as-metadata-order", OLD),
    ("openid-never-appended", "auth/as-metadata-order", OLD),
    ("any-issuer", "auth/as-metadata-issuer", NEW),
    ("base-with-path", "auth/legacy-base-url", OLDEST),
    ("no-old-metadata", "auth/legacy-base-url", OLDEST),
    ("needs-old-metadata", "auth/legacy-base-url", OLDEST),
    ("no-pkce", "auth/pkce", NEW),
    ("no-pkce", "auth/pkce", OLDEST),
    ("plain-pkce", "auth/pkce", OLD),
    ("no-verifier", "auth/pkce", OLD),
    ("wrong-verifier", "auth/pkce", OLD),
    ("pkce-unchecked", "auth/pkce-support-checked", OLD),
    ("authorisation-without-resource", "auth/resource-parameter", NEW),
    ("token-without-resource", "auth/resource-parameter", "2025-06-18"),
    ("resource-with-fragment", "auth/resource-parameter", OLD),
    ("resource-without-scheme", "auth/resource-parameter", OLD),
    ("resource-elsewhere", "auth/resource-parameter", OLD),
    ("redirects-anywhere", "auth/redirect-uri", NEW),
    ("redirects-anywhere", "auth/redirect-uri", OLDEST),
    ("iss-unchecked", "auth/iss-checked", NEW),
    ("iss-may-be-missing", "auth/iss-checked", NEW),
    ("iss-normalised", "auth/iss-checked", NEW),
    ("iss-checked-if-promised", "auth/iss-checked", NEW),
    ("document-without-tls", "auth/client-metadata-document", NEW),
    ("document-without-path", "auth/client-metadata-document", OLD),
    ("no-application-type", "auth/application-type", NEW),
    ("one-client-for-all", "auth/credentials-per-issuer", NEW),
    ("iss-demanded", "auth/iss-checked", NEW),
    ("scopes-of-the-metadata", "auth/scope-selection", NEW),
    ("scopes-of-the-issuer", "auth/scope-selection", OLD),
    ("first-scope-only", "auth/scope-selection", OLD),
    ("never-steps-up", "auth/scope-step-up", OLD),
    ("steps-up-in-vain", "auth/scope-step-up", NEW),
    ("forgets-scopes", "auth/scope-accumulated", NEW),
    ("steps-up-forever", "auth/step-up-limit", OLD),
    ("secret-in-the-body", "auth/token-endpoint-auth", NEW),
    ("secret-in-the-header", "auth/token-endpoint-auth", "2025-06-18"),
    ("secret-unsent", "auth/token-endpoint-auth", OLD),
    ("ignores-the-given-secret", "auth/pre-registration", NEW),
    ("registers-unasked", "auth/pre-registration", OLD),
    ("offline-everywhere", "auth/offline-access", NEW),
    ("no-refresh-grant", "auth/refresh-token-grant", NEW),
    ("guesses-its-secret", "ext-auth/client-credentials", NEW),
    ("asserts-for-others", "ext-auth/client-credentials", NEW),
    ("asserts-as-another", "ext-auth/client-credentials", OLD),
    ("exchanges-for-the-server", "ext-auth/identity-exchange", NEW),
    ("redeems-without-its-secret", "ext-auth/identity-grant", OLD),
    ("proves-once", "ext-auth/dpop-proof", NEW),
    ("proves-no-token", "ext-auth/dpop-proof", OLD),
    ("bound-token-as-bearer", "ext-auth/dpop-scheme", NEW),
    ("ignores-nonces", "ext-auth/dpop-nonce", OLD),
];

/// The rules that find a fault.
pub(crate) fn found() -> impl Iterator<Item = &'static str> {
    FAULTS.iter().map(|(_, rule, _)| *rule)
}

/// Plays the scenarios with tokens, and no others.
fn guarded(fault: &str, revision: &str) -> Report {
    let mut options = options(true, &["--fault", fault], &[revision]);
    options.only = ROWS.map(str::to_owned).to_vec();
    probe(&options, &mut |_| ()).expect("a report")
}

#[test]
fn each_fault_in_getting_a_token_is_found_by_its_rule_alone() {
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                while let Some((fault, rule, revision)) =
                    FAULTS.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let report = guarded(fault, revision);
                    let found = failed(&report);
                    let ids: Vec<_> = found.iter().map(|(id, _)| *id).collect();
                    let shown = report
                        .failures()
                        .all(|entry| entry.failures.iter().all(|one| one.evidence.len() >= 2));
                    if ids != [*rule] || !shown {
                        let text = format!("{fault} in {revision}: {rule} expected, {found:#?}");
                        wrong.lock().unwrap().push(text);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_right_client_is_seen_to_be_right_in_every_revision() {
    for (revision, unseen) in [
        // The document of the client is not on any network.
        (
            NEW,
            &["auth/client-metadata-document", "auth/legacy-base-url"][..],
        ),
        (
            OLD,
            &[
                "auth/application-type",
                "auth/as-metadata-issuer",
                "auth/client-metadata-document",
                "auth/credentials-per-issuer",
                "auth/iss-checked",
                "auth/legacy-base-url",
                "auth/offline-access",
                "auth/refresh-token-grant",
                "auth/scope-accumulated",
            ],
        ),
        (
            "2025-06-18",
            &[
                "auth/application-type",
                "auth/as-metadata-issuer",
                "auth/as-metadata-order",
                "auth/client-metadata-document",
                "auth/credentials-per-issuer",
                "auth/discovery-order",
                "auth/iss-checked",
                "auth/legacy-base-url",
                "auth/offline-access",
                "auth/pkce-support-checked",
                "auth/pre-registration",
                "auth/refresh-token-grant",
                "auth/scope-accumulated",
                "auth/scope-selection",
                "auth/scope-step-up",
                "auth/step-up-limit",
                "ext-auth/client-credentials",
                "ext-auth/dpop-nonce",
                "ext-auth/dpop-proof",
                "ext-auth/dpop-scheme",
                "ext-auth/identity-exchange",
                "ext-auth/identity-grant",
            ],
        ),
    ] {
        let report = guarded("", revision);
        let passes = |id: &str| {
            let mut entries = report.entries.iter();
            entries.any(|entry| entry.id == id && entry.status == Status::Pass)
        };
        let unseen_here: Vec<_> = ROWS.into_iter().filter(|id| !passes(id)).collect();
        assert_eq!(failed(&report), [], "{revision}");
        assert_eq!(unseen_here, unseen, "{revision}");
    }
    let report = guarded("", OLDEST);
    assert_eq!(failed(&report), []);
    let passed = report.entries.iter();
    let passed: Vec<_> = passed
        .filter(|entry| entry.status == Status::Pass)
        .map(|entry| entry.id)
        .collect();
    assert_eq!(
        passed,
        ["auth/legacy-base-url", "auth/pkce", "auth/redirect-uri"]
    );
}

#[test]
fn a_client_without_authorisation_is_not_blamed() {
    for revision in [NEW, OLD, "2025-06-18", OLDEST] {
        let report = guarded("no-authorisation", revision);
        assert_eq!(failed(&report), [], "{revision}");
        assert_eq!(report.count(Status::Pass), 0, "{revision}");
    }
}

#[test]
fn what_is_unusual_is_not_wrong() {
    for (manner, revision) in [
        ("looks-ahead", NEW),
        ("looks-ahead", OLDEST),
        ("registered-by-hand", NEW),
        ("registered-by-hand", OLDEST),
        ("opens-a-browser", NEW),
        ("opens-a-browser", OLDEST),
    ] {
        let report = guarded(manner, revision);
        assert_eq!(failed(&report), [], "{manner} in {revision}");
        // Nobody can see what a browser does, or refuses to do.
        let status = |id: &str| report.entries.iter().find(|entry| entry.id == id);
        let pkce = status("auth/pkce").expect("a row").status;
        let is_seen = manner != "opens-a-browser";
        assert_eq!(pkce == Status::Pass, is_seen, "{manner} in {revision}");
        if revision == NEW {
            let refuses = status("auth/pkce-support-checked").expect("a row").status;
            assert_eq!(refuses == Status::Pass, is_seen, "{manner} in {revision}");
        }
    }
}

#[test]
fn a_client_that_has_to_be_told_where_to_look_is_found() {
    let report = guarded("needs-to-be-told", OLD);
    let ids: Vec<_> = failed(&report).into_iter().map(|(id, _)| id).collect();
    assert_eq!(ids, ["auth/discovery-order"]);
}
