//! The requirements that only probing can show, and what this crate does about each.

use mcp_assay::rules::Parties;
use mcp_assay::{Level, Party, Revision, RevisionSet};

/// A requirement that only probing can show.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Row {
    /// `family/requirement`.
    pub id: &'static str,
    /// How grave it is to break it.
    pub level: Level,
    /// The revisions that state it.
    pub revisions: RevisionSet,
    /// Who can break it.
    pub party: Parties,
    /// Whether there is a step that provokes it in servers; `UNPROVOKED` says why a server cannot be made to show the others.
    pub built: bool,
}

impl Row {
    /// The first half of its id.
    #[must_use]
    pub fn family(&self) -> &'static str {
        self.id
            .split_once('/')
            .map_or(self.id, |(family, _)| family)
    }

    /// Whether a scenario can make a client show it; `UNPROVOKED_IN_CLIENTS` says why none can for the others.
    #[must_use]
    pub fn has_scenario(&self) -> bool {
        crate::serve::shows(self.id)
    }
}

const fn row(
    id: &'static str,
    level: Level,
    revisions: RevisionSet,
    party: Parties,
    built: bool,
) -> Row {
    Row {
        id,
        level,
        revisions,
        party,
        built,
    }
}

const ERROR: Level = Level::Error;
const WARNING: Level = Level::Warning;
const BOTH: Parties = Parties::Both;
const CLIENT: Parties = Parties::Only(Party::Client);
const SERVER: Parties = Parties::Only(Party::Server);

const ALL: RevisionSet = RevisionSet::ALL;
const SINCE_2025_03: RevisionSet = RevisionSet::since(Revision::V2025_03_26);
const SINCE_2025_06: RevisionSet = RevisionSet::since(Revision::V2025_06_18);
const SINCE_2025_11: RevisionSet = RevisionSet::since(Revision::V2025_11_25);
const SINCE_2026_07: RevisionSet = RevisionSet::since(Revision::V2026_07_28);
const UNTIL_2025_11: RevisionSet = RevisionSet::until(Revision::V2025_11_25);
const ONLY_2024_11: RevisionSet = RevisionSet::only(Revision::V2024_11_05);
const ONLY_2025_03: RevisionSet = RevisionSet::only(Revision::V2025_03_26);
const ONLY_2025_11: RevisionSet = RevisionSet::only(Revision::V2025_11_25);
const FROM_2025_03_TO_2025_11: RevisionSet = SINCE_2025_03.intersection(UNTIL_2025_11);
const FROM_2025_06_TO_2025_11: RevisionSet = SINCE_2025_06.intersection(UNTIL_2025_11);

/// What no page of the specification states, but every user expects.
pub const OWN: &[Row] = &[
    row("probe/answers", ERROR, ALL, SERVER, true),
    row("probe/survives", ERROR, ALL, BOTH, true),
    row("probe/within-limits", ERROR, ALL, SERVER, true),
];

/// All of them, in the order of the catalogue.
#[rustfmt::skip]
pub const ROWS: &[Row] = &[
    row("jsonrpc/parse-error-reply", ERROR, ALL, BOTH, true),
    row("jsonrpc/invalid-request-reply", ERROR, ALL, BOTH, true),
    row("jsonrpc/unknown-method-reply", ERROR, ALL, BOTH, true),
    row("jsonrpc/invalid-params-reply", ERROR, ALL, BOTH, true),
    row("jsonrpc/batch-accepted", ERROR, ONLY_2025_03, BOTH, true),
    row("response/absent-result-type-is-complete", ERROR, SINCE_2026_07, CLIENT, false),
    row("schema/dialect-2020-12", ERROR, SINCE_2025_11, BOTH, true),
    row("schema/unknown-dialect-error", ERROR, SINCE_2025_11, BOTH, true),
    row("schema/no-network-ref", ERROR, SINCE_2026_07, BOTH, false),
    row("schema/unresolved-ref-rejected", WARNING, SINCE_2026_07, BOTH, false),
    row("schema/bounded-validation", WARNING, SINCE_2026_07, BOTH, false),
    row("schema/keywords-preserved", WARNING, SINCE_2025_11, CLIENT, false),
    row("lifecycle/stdio-shutdown-order", WARNING, ALL, CLIENT, false),
    row("lifecycle/exit-on-stdin-eof", WARNING, ALL, SERVER, true),
    row("lifecycle/stateless-requests", ERROR, SINCE_2026_07, SERVER, true),
    row("version/echo-supported", ERROR, UNTIL_2025_11, SERVER, true),
    row("version/counter-offer", ERROR, UNTIL_2025_11, SERVER, true),
    row("version/disconnect-on-unsupported", WARNING, UNTIL_2025_11, CLIENT, false),
    row("version/retry-with-supported", WARNING, SINCE_2026_07, CLIENT, false),
    row("version/fallback-not-code-keyed", ERROR, SINCE_2026_07, CLIENT, false),
    row("version/initialize-refusal-names-versions", WARNING, SINCE_2026_07, SERVER, true),
    row("capability/declare-tools", ERROR, ALL, SERVER, true),
    row("capability/declare-resources", ERROR, ALL, SERVER, true),
    row("capability/declare-prompts", ERROR, ALL, SERVER, true),
    row("capability/declare-completions", ERROR, SINCE_2025_03, SERVER, true),
    row("capability/declare-client-features", ERROR, ALL, CLIENT, false),
    row("capability/undeclared-method-reply", WARNING, ALL, BOTH, true),
    row("capability/truthful", ERROR, ALL, SERVER, true),
    row("capability/missing-required-error", ERROR, SINCE_2026_07, SERVER, true),
    row("cancel/invalid-ignored", WARNING, ALL, BOTH, true),
    row("cancel/stdio-needs-notification", ERROR, SINCE_2026_07, CLIENT, false),
    row("cancel/http-disconnect-cancels", ERROR, SINCE_2026_07, SERVER, false),
    row("cancel/http-disconnect-not-cancel", WARNING, FROM_2025_03_TO_2025_11, SERVER, true),
    row("ping/any-phase", ERROR, UNTIL_2025_11, BOTH, true),
    row("pagination/empty-cursor-is-cursor", ERROR, SINCE_2026_07, CLIENT, false),
    row("pagination/invalid-cursor-reply", WARNING, ALL, SERVER, true),
    row("pagination/no-assumed-page-size", ERROR, ALL, CLIENT, false),
    row("tools/input-validated", ERROR, ALL, SERVER, true),
    row("tools/unknown-tool-reply", WARNING, ALL, SERVER, true),
    row("tools/execution-error-in-result", WARNING, ALL, SERVER, true),
    row("tools/input-error-in-result", WARNING, SINCE_2025_11, SERVER, true),
    row("tools/list-stable-across-connections", ERROR, SINCE_2026_07, SERVER, true),
    row("tools/x-mcp-header-invalid-dropped", ERROR, SINCE_2026_07, CLIENT, false),
    row("resources/not-found-legacy", WARNING, UNTIL_2025_11, SERVER, true),
    row("resources/not-found", ERROR, SINCE_2026_07, SERVER, true),
    row("resources/not-found-not-empty", ERROR, SINCE_2026_07, SERVER, true),
    row("resources/list-stable-across-connections", ERROR, SINCE_2026_07, SERVER, true),
    row("resources/no-traversal", ERROR, SINCE_2026_07, SERVER, true),
    row("prompts/missing-argument-reply", WARNING, ALL, SERVER, true),
    row("prompts/unknown-prompt-reply", WARNING, ALL, SERVER, true),
    row("prompts/list-stable-across-connections", ERROR, SINCE_2026_07, SERVER, true),
    row("completion/unknown-ref-reply", WARNING, SINCE_2025_03, SERVER, true),
    row("logging/invalid-level-reply", WARNING, ALL, SERVER, true),
    row("roots/unsupported-reply", WARNING, UNTIL_2025_11, CLIENT, false),
    row("sampling/undeclared-tools-error", ERROR, SINCE_2025_11, CLIENT, false),
    row("sampling/max-tokens", ERROR, SINCE_2026_07, CLIENT, false),
    row("sampling/rejection-code", WARNING, UNTIL_2025_11, CLIENT, false),
    row("elicitation/undeclared-mode-reply", ERROR, ONLY_2025_11, CLIENT, false),
    row("elicitation/no-prefetch", ERROR, SINCE_2025_11, CLIENT, false),
    row("elicitation/decline-handled", ERROR, SINCE_2026_07, SERVER, true),
    row("elicitation/defaults-prefilled", WARNING, SINCE_2025_11, CLIENT, false),
    row("tasks/result-blocks", ERROR, ONLY_2025_11, BOTH, true),
    row("tasks/unknown-id-reply", ERROR, ONLY_2025_11, BOTH, true),
    row("tasks/list-complete", ERROR, ONLY_2025_11, BOTH, true),
    row("tasks/auth-bound", ERROR, ONLY_2025_11, BOTH, false),
    row("ext-tasks/undeclared-reply", ERROR, SINCE_2026_07, SERVER, true),
    row("ext-tasks/unknown-id-reply", ERROR, SINCE_2026_07, SERVER, true),
    row("discover/implemented", ERROR, SINCE_2026_07, SERVER, true),
    row("mrtr/state-tampering-rejected", ERROR, SINCE_2026_07, SERVER, true),
    row("mrtr/state-replay-guard", WARNING, SINCE_2026_07, SERVER, true),
    row("mrtr/missing-input-asked-again", WARNING, SINCE_2026_07, SERVER, true),
    row("mrtr/extra-input-ignored", WARNING, SINCE_2026_07, SERVER, true),
    row("mrtr/input-validated", WARNING, SINCE_2026_07, SERVER, true),
    row("subscriptions/resubscribe", ERROR, SINCE_2026_07, CLIENT, false),
    row("caching/key-exact", ERROR, SINCE_2026_07, CLIENT, false),
    row("caching/private-not-shared", ERROR, SINCE_2026_07, CLIENT, false),
    row("caching/no-mrtr-results", ERROR, SINCE_2026_07, CLIENT, false),
    row("meta/missing-field-reply", ERROR, SINCE_2026_07, SERVER, true),
    row("http/sse-two-endpoints", ERROR, ONLY_2024_11, SERVER, true),
    row("http/origin-validated", ERROR, ALL, SERVER, true),
    row("http/origin-403", ERROR, SINCE_2025_11, SERVER, true),
    row("http/localhost-bind", WARNING, ALL, SERVER, true),
    row("http/single-endpoint", ERROR, SINCE_2025_03, SERVER, true),
    row("http/client-reads-both", ERROR, SINCE_2025_03, CLIENT, false),
    row("http/sse-replay-own-stream", ERROR, FROM_2025_03_TO_2025_11, SERVER, true),
    row("http/get-delete-405", WARNING, SINCE_2026_07, SERVER, true),
    row("http/session-missing-400", WARNING, FROM_2025_03_TO_2025_11, SERVER, true),
    row("http/session-ended-404", ERROR, FROM_2025_03_TO_2025_11, SERVER, true),
    row("http/version-header-bad-400", ERROR, FROM_2025_06_TO_2025_11, SERVER, true),
    row("http/version-header-default", WARNING, FROM_2025_06_TO_2025_11, SERVER, true),
    row("http/base64-decoded", ERROR, SINCE_2026_07, SERVER, true),
    row("http/header-mismatch-reply", ERROR, SINCE_2026_07, SERVER, true),
    row("http/header-name-case", ERROR, SINCE_2026_07, SERVER, true),
    row("http/intermediary-forwards", ERROR, SINCE_2026_07, BOTH, false),
    row("http/intermediary-status", ERROR, SINCE_2026_07, BOTH, false),
    row("http/intermediary-unvalidated", WARNING, SINCE_2026_07, BOTH, false),
    row("auth/metadata-discoverable", ERROR, SINCE_2025_11, SERVER, true),
    row("auth/metadata-authorization-servers", ERROR, SINCE_2025_06, SERVER, true),
    row("auth/metadata-resource-matches", ERROR, SINCE_2025_06, CLIENT, false),
    row("auth/discovery-order", ERROR, SINCE_2025_11, CLIENT, false),
    row("auth/as-metadata-order", ERROR, SINCE_2025_11, CLIENT, false),
    row("auth/as-metadata-issuer", ERROR, SINCE_2026_07, CLIENT, false),
    row("auth/legacy-base-url", ERROR, ONLY_2025_03, CLIENT, false),
    row("auth/pkce", ERROR, SINCE_2025_03, CLIENT, false),
    row("auth/pkce-support-checked", ERROR, SINCE_2025_11, CLIENT, false),
    row("auth/resource-parameter", ERROR, SINCE_2025_06, CLIENT, false),
    row("auth/https-endpoints", ERROR, SINCE_2025_03, SERVER, true),
    row("auth/redirect-uri", ERROR, SINCE_2025_03, CLIENT, false),
    row("auth/iss-checked", ERROR, SINCE_2026_07, CLIENT, false),
    row("auth/client-metadata-document", ERROR, SINCE_2025_11, CLIENT, false),
    row("auth/application-type", ERROR, SINCE_2026_07, CLIENT, false),
    row("auth/credentials-per-issuer", ERROR, SINCE_2026_07, CLIENT, false),
    row("auth/audience", ERROR, SINCE_2025_06, SERVER, true),
];

/// Why no scenario can make a client show whether it keeps a requirement.
pub const UNPROVOKED_IN_CLIENTS: &[(&str, &str)] = &[
    (
        "tasks/auth-bound",
        "a client has one server, and nobody else who could ask for its tasks",
    ),
    (
        "http/intermediary-forwards",
        "it is about those between a client and a server",
    ),
    (
        "http/intermediary-status",
        "it is about those between a client and a server",
    ),
    (
        "http/intermediary-unvalidated",
        "it is about those between a client and a server",
    ),
];

/// Why no step can make a server show whether it keeps a requirement.
pub const UNPROVOKED: &[(&str, &str)] = &[
    (
        "schema/no-network-ref",
        "a server is sent no schemas, and what it fetches for its own is not seen",
    ),
    (
        "schema/unresolved-ref-rejected",
        "a server is sent no schemas, and its own references may well resolve for it",
    ),
    ("schema/bounded-validation", "a server is sent no schemas"),
    (
        "cancel/http-disconnect-cancels",
        "nothing shows whether a tool goes on once nobody listens",
    ),
    ("tasks/auth-bound", "it takes the credentials of two users"),
    (
        "http/intermediary-forwards",
        "what an intermediary passes on is seen behind it only",
    ),
    (
        "http/intermediary-status",
        "nothing tells an intermediary from a server",
    ),
    (
        "http/intermediary-unvalidated",
        "nothing tells an intermediary from a server",
    ),
];
