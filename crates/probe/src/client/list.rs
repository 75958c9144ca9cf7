//! The list of the scenarios that probe a client.

use super::auth::GUARDED;
use super::scenario::Scenario;

/// The scenario without an oddity, played in every revision before all others.
pub(super) static GOOD: &Scenario = &super::good_server::SCENARIO;

/// All others, in their order.
pub(super) fn odd() -> impl Iterator<Item = &'static Scenario> {
    ODD.iter().copied().chain(&GUARDED)
}

/// All of them.
pub(crate) fn scenarios() -> impl Iterator<Item = &'static Scenario> {
    [GOOD].into_iter().chain(odd())
}

static ODD: &[&Scenario] = &[
    &super::http_client_reads_both::SCENARIO,
    &super::undeclared_requests::SCENARIO,
    &super::undeclared_modes::SCENARIO,
    &super::odd_requests::SCENARIO,
    &super::ping_any_phase::SCENARIO,
    &super::jsonrpc_batch_accepted::SCENARIO,
    &super::harm::GARBAGE,
    &super::harm::GARBAGE_STATELESS,
    &super::harm::STRAY,
    &super::version_disconnect_on_unsupported::SCENARIO,
    &super::passive_scenarios::REFUSED_HANDSHAKE,
    &super::passive_scenarios::ERRORS,
    &super::passive_scenarios::SLOW,
    &super::cancel_stdio_needs_notification::SCENARIO,
    &super::subscriptions_resubscribe::SCENARIO,
    &super::passive_scenarios::BROKEN_STREAM,
    &super::passive_scenarios::EXPIRED_SESSION,
    &super::schema_unknown_dialect_error::SCENARIO,
    &super::schema_network_ref::SCENARIO,
    &super::schema_bounded_validation::SCENARIO,
    &super::tools_x_mcp_header_invalid_dropped::SCENARIO,
    &super::tools_x_mcp_header_valid::SCENARIO,
    &super::response_absent_result_type::SCENARIO,
    &super::version_retry_with_supported::SCENARIO,
    &super::version_fallback_not_code_keyed::SCENARIO,
    &super::sampling_rejection_code::SCENARIO,
    &super::tasks::SCENARIO,
    &super::schema_keywords_preserved::SCENARIO,
    &super::schema_dialect_2020_12::SCENARIO,
    &super::caching_key_exact::SCENARIO,
    &super::caching_private_not_shared::SCENARIO,
    &super::caching_no_mrtr_results::SCENARIO,
];
