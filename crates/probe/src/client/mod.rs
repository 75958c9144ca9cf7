//! Requirements that are probed on a client: one file each, or one for those that share a scenario.
//!
//! A file holds the demand, the oddity of the server and the check of the answers; `list` has one
//! line for its scenario.

mod auth;
mod auth_application_type;
mod auth_as_metadata_issuer;
mod auth_as_metadata_order;
mod auth_client_metadata_document;
mod auth_credentials_per_issuer;
mod auth_discovery_order;
mod auth_iss_checked;
mod auth_legacy_base_url;
mod auth_metadata_resource_matches;
mod auth_offline_access;
mod auth_pkce;
mod auth_pkce_support_checked;
mod auth_pre_registration;
mod auth_redirect_uri;
mod auth_resource_parameter;
mod auth_scope_selection;
mod auth_scope_step_up;
mod auth_step_up_limit;
mod auth_token_endpoint;
mod caching_key_exact;
mod caching_no_mrtr_results;
mod caching_private_not_shared;
mod cancel_stdio_needs_notification;
mod elicitation_defaults_prefilled;
mod ext_auth_client_credentials;
mod ext_auth_enterprise;
mod ext_auth_proof;
mod good_server;
mod harm;
mod http_client_reads_both;
mod jsonrpc_batch_accepted;
mod lifecycle_stdio_shutdown_order;
mod list;
mod odd_requests;
mod pagination_pages;
mod passive_scenarios;
mod ping_any_phase;
mod response_absent_result_type;
mod run;
mod sampling_max_tokens;
mod sampling_rejection_code;
mod scenario;
mod scene;
mod schema_bounded_validation;
mod schema_dialect_2020_12;
mod schema_keywords_preserved;
mod schema_network_ref;
mod schema_unknown_dialect_error;
mod subscriptions_resubscribe;
mod tasks;
mod tools_x_mcp_header_invalid_dropped;
mod tools_x_mcp_header_valid;
mod undeclared_modes;
mod undeclared_requests;
mod verdict;
mod version_disconnect_on_unsupported;
mod version_fallback_not_code_keyed;
mod version_retry_with_supported;

pub(crate) use self::list::scenarios;
pub(crate) use self::run::run;
