//! `--select`, `--ignore`, `--layers` and `--strict`.

use crate::support::run;
use crate::{TRAFFIC, found};

const ALL: [&str; 4] = [
    "schema/missing-member",
    "schema/wrong-type",
    "jsonrpc/version-member",
    "json/unique-keys",
];

#[test]
fn rules_families_layers_and_levels_are_selected_and_ignored() {
    let [missing, wrong_type, version, keys] = ALL;
    for (flags, expected) in [
        (&[][..], &ALL[..]),
        (&["--select", "schema"], &[missing, wrong_type]),
        (&["--select", "warning"], &[keys]),
        (
            &["--select", "warning,schema/wrong-type"],
            &[wrong_type, keys],
        ),
        (
            &["--select", "warning", "--select", "jsonrpc"],
            &[version, keys],
        ),
        (&["--ignore", "schema"], &[version, keys]),
        (&["--ignore", "error"], &[keys]),
        (&["--select", "schema", "--ignore", wrong_type], &[missing]),
        (
            &["--ignore", "schema", "--select", wrong_type],
            &[wrong_type],
        ),
        (&["--select", missing, "--ignore", "schema"], &[missing]),
        (&["--select", "schema", "--ignore", "schema"], &[]),
        (&["--layers", "json,jsonrpc"], &[version, keys]),
        (&["--layers", "json", "--select", "error"], &[]),
    ] {
        assert_eq!(found(flags), expected, "{flags:?}");
    }
}

#[test]
fn what_is_ignored_does_not_fail_and_strict_makes_warnings_fail() {
    let code = |flags: &[&str]| run(&[&["check", "--no-config"], flags].concat(), TRAFFIC).code;
    assert_eq!(code(&[]), 1);
    assert_eq!(code(&["--ignore", "error"]), 0);
    assert_eq!(code(&["--ignore", "error", "--strict"]), 1);
    assert_eq!(code(&["--ignore", "error", "--strict", "--no-strict"]), 0);
    assert_eq!(code(&["--select", "note"]), 0);
}

#[test]
fn unknown_names_are_refused_with_the_one_that_was_meant() {
    for (flag, name, meant) in [
        ("--select", "shema", "did you mean `schema`?"),
        (
            "--ignore",
            "json,schema/wrong-typ",
            "did you mean `schema/wrong-type`?",
        ),
        (
            "--ignore",
            "wrong-type",
            "did you mean `schema/wrong-type`?",
        ),
        ("--select", "warn", "did you mean `warning`?"),
        (
            "--select",
            "banana",
            "no rule, family, layer or level is called `banana`",
        ),
        ("--layers", "jsonrcp", "'jsonrpc'"),
        (
            "--ignore",
            "schema/request-params",
            "it is checked by `schema/missing-member`",
        ),
    ] {
        for command in ["check", "rules"] {
            let outcome = run(&[command, "--no-config", flag, name], "");
            assert_eq!(outcome.code, 2, "{command} {flag} {name}");
            let shown = outcome.stderr.contains(meant) && outcome.stderr.contains(flag);
            assert!(shown, "{command} {name}: {}", outcome.stderr);
        }
    }
}
