//! The functions and builders under a profile.

use std::sync::Arc;

use mcp_assay::profile::Profile;
use mcp_assay::{LevelOverride, Revision};
use mcp_assay_contract::build;
use mcp_assay_contract::protocol::{Answer, Id, Protocol, Reason};

fn dialect() -> Protocol {
    let mut profile = Profile::new("dialect");
    profile
        .stands_for("tools/execute", "tools/call")
        .expect("a name");
    profile
        .rename("logging/setLevel", "logging/set_level")
        .expect("a name");
    profile
        .rename(
            "notifications/resources/updated",
            "notifications/resourcesupdated",
        )
        .expect("a name");
    profile
        .add_error_codes(-32_113..=-32_000, LevelOverride::Off)
        .expect("codes");
    profile.set_other_error_codes(LevelOverride::Error);
    profile
        .restrict_uris_to_prefixes(&["resource://"])
        .expect("a prefix");
    profile.allow_null_ids();
    profile.allow_positional_params();
    Protocol::new()
        .revision(Revision::V2025_06_18)
        .profile(Arc::new(profile))
}

#[test]
fn what_a_dialect_has_is_known_there_and_only_there() {
    let (mut dialect, mut spec) = (dialect(), Protocol::new().revision(Revision::V2025_06_18));
    for name in ["tools/execute", "logging/set_level"] {
        assert!(dialect.validate_method_name(name).is_ok(), "{name}");
        assert!(spec.validate_method_name(name).is_err(), "{name}");
    }
    let name = "notifications/resourcesupdated";
    assert!(dialect.validate_notification_name(name).is_ok());
    assert!(spec.validate_notification_name(name).is_err());
    let error = dialect.validate_method_name("logging/setLevel");
    assert_eq!(
        error.expect_err("renamed").to_string(),
        "unknown_method: method=logging/setLevel, renamed=logging/set_level"
    );
    let error = dialect.validate_notification_name("notifications/resources/updated");
    assert_eq!(
        error.expect_err("renamed").reason(),
        Reason::UnknownNotification
    );
}

#[test]
fn codes_ids_params_and_uris_are_those_of_the_dialect() {
    let (mut dialect, mut spec) = (dialect(), Protocol::new().revision(Revision::V2025_06_18));
    assert!(dialect.validate_error_code(-32_110).is_ok());
    assert!(spec.validate_error_code(-32_110).is_err());
    let error = dialect.validate_error_code(7).expect_err("not its own");
    assert_eq!(error.reason(), Reason::InvalidErrorCode);
    assert!(spec.validate_error_code(7).is_ok());

    let pong = || Answer::result("{}").to("ping");
    let null = || Id::json("null");
    assert!(dialect.validate_response(null(), pong()).is_ok());
    assert!(spec.validate_response(null(), pong()).is_err());
    assert!(dialect.validate_request("ping", "[]").is_ok());
    assert!(spec.validate_request("ping", "[]").is_err());
    let message = r#"{"jsonrpc":"2.0","id":null,"method":"ping","params":[]}"#;
    assert!(dialect.validate_jsonrpc(message).is_ok());
    assert!(spec.validate_jsonrpc(message).is_err());

    assert!(dialect.validate_resource_uri("resource://p/a").is_ok());
    let error = dialect
        .validate_resource_uri("file:///a")
        .expect_err("file");
    assert_eq!(error.reason(), Reason::InvalidUri);
    assert!(spec.validate_resource_uri("file:///a").is_ok());

    let call = build::request(null(), "tools/execute", r#"{"name":"a"}"#);
    assert!(call.build_with(&mut dialect).is_ok());
    assert!(call.build_with(&mut spec).is_err());
}

#[test]
fn a_strict_profile_makes_problems_of_warnings() {
    let mut profile = Profile::new("strict");
    profile.raise_warnings();
    let mut strict = Protocol::new()
        .revision(Revision::V2025_06_18)
        .profile(Arc::new(profile));
    let twice = r#"{"jsonrpc":"2.0","id":1,"id":1,"method":"ping"}"#;
    let error = strict.validate_message(twice).expect_err("twice");
    assert_eq!(
        error.to_string(),
        "duplicate_key: field=/id, problem=`id` stands twice in the same object"
    );
    let lone = r#"{"jsonrpc":"2.0","id":"\ud800","method":"ping"}"#;
    let error = strict.validate_message(lone).expect_err("half a pair");
    assert_eq!(error.reason(), Reason::LoneSurrogate);
    let mut spec = Protocol::new().revision(Revision::V2025_06_18);
    assert!(spec.validate_message(twice).is_ok());
    assert!(spec.validate_message(lone).is_ok());
}
