//! The scenarios: what each changes about the server, and which requirements it can show.

use mcp_assay::{Revision, RevisionSet};

use super::oauth::{GUARDED, Guard};

/// What is odd about a server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Twist {
    /// Nothing.
    Nothing,
    /// It asks for what the client did not declare.
    Undeclared,
    /// It asks in modes that the client did not declare.
    Modes,
    /// It asks for methods that nobody knows, and with params that do not fit.
    OddRequests,
    /// It pings before it answers `initialize`.
    EarlyPing,
    /// It sends a batch.
    Batch,
    /// It sends what is no message.
    Garbage,
    /// It sends messages that belong to nothing.
    Stray,
    /// It answers `initialize` with a version that nobody knows.
    UnknownVersion,
    /// It answers `initialize` with an error.
    RefusedInitialize,
    /// It refuses every request.
    Errors,
    /// It never answers the first request.
    Silent,
    /// It takes its time, and tells of its progress.
    Slow,
    /// It dies of the first request.
    Dies,
    /// It answers with streams only.
    Streams,
    /// It ends a stream before the answer came.
    Resume,
    /// It forgets the session.
    Expired,
    /// It has a tool with a schema in a dialect that nobody knows.
    OddDialect,
    /// It has a tool with a schema that refers to the network.
    NetworkRef,
    /// It has a tool with a schema that takes for ever to evaluate.
    HostileSchema,
    /// It has a tool with a header annotation that is not allowed.
    BadHeader,
    /// It leaves out what kind of result it sends.
    NoResultType,
    /// It speaks only a version that nobody knows.
    OtherVersion,
    /// It refuses a modern opening with another code than usual.
    OddCode,
    /// It asks for a sampled message that the user should refuse.
    Refusal,
    /// It asks for tasks.
    Tasks,
    /// It has a tool whose schema uses many keywords, and one that wants to see what became of them.
    Keywords,
    /// It has a tool with a schema that only the default dialect reads rightly.
    Dialect,
    /// Its answers may be kept for an hour.
    LongLived,
    /// So may those of one user, and then comes another.
    Private,
    /// It has a resource that it gives out after a question only, and anew each time.
    AskedReads,
    /// It wants a token.
    Guarded(Guard),
}

/// Over what a scenario can be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Over {
    Both,
    Stdio,
    Http,
}

/// A scenario.
pub(super) struct Scenario {
    pub(super) name: &'static str,
    pub(super) twist: Twist,
    pub(super) over: Over,
    /// The revisions in which it makes sense; it is played in the newest of those that the client speaks.
    pub(super) revisions: RevisionSet,
    /// The requirements that only it can show. What is passive is judged in every scenario.
    pub(super) shows: &'static [&'static str],
}

impl Scenario {
    /// Whether, over HTTP, what is odd about it goes over streams.
    pub(super) fn needs_streams(&self) -> bool {
        matches!(
            self.twist,
            Twist::Undeclared
                | Twist::Modes
                | Twist::OddRequests
                | Twist::Batch
                | Twist::Garbage
                | Twist::Stray
                | Twist::Resume
                | Twist::Refusal
                | Twist::Tasks
        )
    }
}

const LEGACY: RevisionSet = RevisionSet::until(Revision::V2025_11_25);
const LEGACY_HTTP: RevisionSet = RevisionSet::since(Revision::V2025_03_26).intersection(LEGACY);
const SINCE_2025_11: RevisionSet = RevisionSet::since(Revision::V2025_11_25);
const MODERN: RevisionSet = RevisionSet::since(Revision::V2026_07_28);
const ALL: RevisionSet = RevisionSet::ALL;

const fn scenario(
    name: &'static str,
    twist: Twist,
    over: Over,
    revisions: RevisionSet,
    shows: &'static [&'static str],
) -> Scenario {
    Scenario {
        name,
        twist,
        over,
        revisions,
        shows,
    }
}

/// A good server. It is played in every revision, before all others.
pub(super) const GOOD: Scenario = scenario(
    "a good server",
    Twist::Nothing,
    Over::Both,
    ALL,
    &[
        "lifecycle/stdio-shutdown-order",
        "pagination/no-assumed-page-size",
        "pagination/empty-cursor-is-cursor",
        "elicitation/defaults-prefilled",
        "sampling/max-tokens",
    ],
);

/// All others.
#[rustfmt::skip]
pub(super) const SCENARIOS: &[Scenario] = &[
    scenario("streams only", Twist::Streams, Over::Http, ALL, &["http/client-reads-both"]),
    scenario("requests that the client did not allow", Twist::Undeclared, Over::Both, LEGACY,
        &["roots/unsupported-reply", "capability/undeclared-method-reply", "capability/declare-client-features"]),
    scenario("modes that the client did not allow", Twist::Modes, Over::Both, RevisionSet::only(Revision::V2025_11_25),
        &["sampling/undeclared-tools-error", "elicitation/undeclared-mode-reply", "elicitation/no-prefetch"]),
    scenario("odd requests", Twist::OddRequests, Over::Both, LEGACY,
        &["jsonrpc/unknown-method-reply", "jsonrpc/invalid-params-reply", "jsonrpc/invalid-request-reply"]),
    scenario("an early ping", Twist::EarlyPing, Over::Stdio, LEGACY, &["ping/any-phase"]),
    scenario("a batch", Twist::Batch, Over::Both, RevisionSet::only(Revision::V2025_03_26), &["jsonrpc/batch-accepted"]),
    scenario("garbage", Twist::Garbage, Over::Both, LEGACY, &["probe/survives", "jsonrpc/parse-error-reply"]),
    scenario("garbage, without a handshake", Twist::Garbage, Over::Both, MODERN, &["probe/survives"]),
    scenario("stray messages", Twist::Stray, Over::Both, LEGACY, &["probe/survives", "cancel/invalid-ignored"]),
    scenario("an unknown version", Twist::UnknownVersion, Over::Both, LEGACY, &["version/disconnect-on-unsupported"]),
    scenario("a refused handshake", Twist::RefusedInitialize, Over::Both, LEGACY, &[]),
    scenario("errors only", Twist::Errors, Over::Both, ALL, &[]),
    scenario("slow answers", Twist::Slow, Over::Both, ALL, &[]),
    scenario("no answer", Twist::Silent, Over::Both, ALL, &["cancel/stdio-needs-notification"]),
    scenario("a server that dies", Twist::Dies, Over::Both, ALL, &["subscriptions/resubscribe"]),
    scenario("a stream that breaks off", Twist::Resume, Over::Http, LEGACY_HTTP, &[]),
    scenario("a session that expires", Twist::Expired, Over::Http, LEGACY_HTTP, &[]),
    scenario("an unknown dialect", Twist::OddDialect, Over::Both, SINCE_2025_11, &["schema/unknown-dialect-error"]),
    scenario("a schema on the network", Twist::NetworkRef, Over::Both, MODERN,
        &["schema/no-network-ref", "schema/unresolved-ref-rejected"]),
    scenario("a hostile schema", Twist::HostileSchema, Over::Both, MODERN, &["schema/bounded-validation"]),
    scenario("a bad header annotation", Twist::BadHeader, Over::Http, MODERN, &["tools/x-mcp-header-invalid-dropped"]),
    scenario("no kind of result", Twist::NoResultType, Over::Both, MODERN, &["response/absent-result-type-is-complete"]),
    scenario("another version", Twist::OtherVersion, Over::Both, MODERN, &["version/retry-with-supported"]),
    scenario("an odd refusal", Twist::OddCode, Over::Both, LEGACY, &["version/fallback-not-code-keyed"]),
    scenario("sampling that the user refuses", Twist::Refusal, Over::Both, LEGACY, &["sampling/rejection-code"]),
    scenario("tasks", Twist::Tasks, Over::Both, RevisionSet::only(Revision::V2025_11_25),
        &["tasks/result-blocks", "tasks/unknown-id-reply", "tasks/list-complete"]),
    scenario("many keywords", Twist::Keywords, Over::Both, SINCE_2025_11, &["schema/keywords-preserved"]),
    scenario("the default dialect", Twist::Dialect, Over::Both, SINCE_2025_11, &["schema/dialect-2020-12"]),
    scenario("long-lived answers", Twist::LongLived, Over::Both, MODERN, &["caching/key-exact"]),
    scenario("private answers", Twist::Private, Over::Http, MODERN, &["caching/private-not-shared"]),
    scenario("answers after a question", Twist::AskedReads, Over::Both, MODERN, &["caching/no-mrtr-results"]),
];

/// Whether a scenario can show a requirement.
pub(crate) fn shows(id: &str) -> bool {
    [&GOOD]
        .into_iter()
        .chain(SCENARIOS)
        .chain(GUARDED)
        .any(|scenario| scenario.shows.contains(&id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::concerns;
    use crate::rows::{OWN, ROWS};

    #[test]
    fn scenarios_show_requirements_for_clients() {
        for scenario in [&GOOD].into_iter().chain(SCENARIOS).chain(GUARDED) {
            for id in scenario.shows {
                let row = OWN.iter().chain(ROWS).find(|row| row.id == *id);
                let row = row.unwrap_or_else(|| panic!("{id} is not in the table"));
                assert!(concerns(row.party, mcp_assay::Party::Client), "{id}");
            }
        }
    }
}
