//! Tests of profiles that are built in code, without a file.

use std::sync::Arc;

use super::{CustomRule, OwnMethod, Profile};
use crate::model::MethodKind;
use crate::{Frame, LevelOverride, Policy, Session, Validator};

const RULE: (&str, &str, &str) = ("house/short", "/params", r#"{"maxProperties":1}"#);

fn rule() -> CustomRule {
    CustomRule::new(RULE.0, RULE.1, RULE.2, "too many params")
}

fn profile() -> Profile {
    let mut profile = Profile::new("house");
    profile.add_rule(&rule()).unwrap();
    profile.allow_null_ids();
    profile.stands_for("tools/execute", "tools/call").unwrap();
    profile.add_method("x/greet", &OwnMethod::REQUEST).unwrap();
    profile.set_other_error_codes(LevelOverride::Warning);
    profile
}

fn found(profile: Option<Profile>, message: &str) -> Vec<&'static str> {
    let policy = profile.map_or_else(Policy::default, |profile| {
        Policy::with_profile(Arc::new(profile))
    });
    let mut validator = Validator::new(policy);
    let frame = || Frame::from(message.as_bytes());
    let first = validator.first_violation(&Session::new(), frame());
    let mut session = Session::new();
    let checked = validator.check(&mut session, frame());
    let all: Vec<_> = checked.violations().iter().map(|it| it.rule.name).collect();
    // Stopping and collecting agree.
    assert_eq!(first.map(|it| it.rule.name), all.first().copied());
    all
}

#[test]
fn profiles_bend_what_they_say_and_nothing_else() {
    for (message, under, without) in [
        (
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            &[][..],
            &["jsonrpc/request-id-not-null"][..],
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/execute","params":{}}"#,
            &["schema/missing-member"],
            &["schema/unknown-method"],
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"x/greet"}"#,
            &[],
            &["schema/unknown-method"],
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":1,"b":2}}"#,
            &["house/short"],
            &[],
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32200,"message":"no"}}"#,
            &["profile/error-code"],
            &["jsonrpc/error-code-reserved"],
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#,
            &["schema/missing-member"],
            &["schema/missing-member"],
        ),
    ] {
        assert_eq!(found(Some(profile()), message), under, "{message}");
        assert_eq!(found(None, message), without, "{message}");
        assert_eq!(found(Some(Profile::new("spec")), message), without);
    }
}

#[test]
fn a_method_that_a_revision_lacks_may_be_added_under_its_own_name() {
    let mut profile = Profile::new("house");
    profile.add_method("ping", &OwnMethod::REQUEST).unwrap();
    let message = r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"a","version":"1"}}}}"#;
    assert_eq!(found(None, message), ["schema/unknown-method"]);
    assert_eq!(found(Some(profile), message), Vec::<&str>::new());
}

#[test]
fn the_same_rule_is_kept_once() {
    let rules = || profile().rules().next().unwrap();
    assert!(std::ptr::eq(rules(), rules()));
    let mut graver = profile();
    let other = CustomRule {
        message: "far too many params".to_owned(),
        ..rule()
    };
    graver.add_rule(&other).unwrap();
    assert_eq!(graver.rules().count(), 1);
    assert!(!std::ptr::eq(rules(), graver.rules().next().unwrap()));
}

#[test]
fn extending_adds_what_is_not_said() {
    let mut stronger = Profile::new("mine");
    stronger.add_error_codes(1..=1, LevelOverride::Off).unwrap();
    stronger.extend(&profile()).unwrap();
    let error =
        |code| format!(r#"{{"jsonrpc":"2.0","id":1,"error":{{"code":{code},"message":""}}}}"#);
    assert_eq!(found(Some(stronger.clone()), &error(1)), Vec::<&str>::new());
    assert_eq!(
        found(Some(stronger.clone()), &error(2)),
        ["profile/error-code"]
    );
    assert!(stronger.has_method("x/greet") && stronger.rules().count() == 1);
    stronger.set_level("house", LevelOverride::Off).unwrap();
    let message = r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":1,"b":2}}"#;
    assert_eq!(found(Some(stronger), message), Vec::<&str>::new());
}

#[test]
fn profiles_are_bounded() {
    let mut profile = Profile::new("large");
    let mut added = 0;
    while profile
        .add_method(&format!("x/{added}"), &OwnMethod::NOTIFICATION)
        .is_ok()
    {
        added += 1;
    }
    assert_eq!(added, 256);
    assert!((0..=256).any(|code| {
        profile
            .add_error_codes(code..=code, LevelOverride::Off)
            .is_err()
    }));
    for name in ["", "a\u{1b}", &"x".repeat(257)] {
        assert!(profile.add_method(name, &OwnMethod::REQUEST).is_err());
    }
    assert_eq!(OwnMethod::NOTIFICATION.kind, MethodKind::Notification);
}
