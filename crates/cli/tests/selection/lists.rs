//! `rules` and `explain`.

use serde_json::Value;

use crate::support::{folder, run, run_in};

fn listed(arguments: &[&str]) -> Vec<Value> {
    let outcome = run(&[&["rules", "--format", "json"], arguments].concat(), "");
    serde_json::from_str(&outcome.stdout).expect(&outcome.stdout)
}

#[test]
fn rules_shows_what_is_on() {
    let all = listed(&[]).len();
    let schema = listed(&["--no-config", "--select", "schema/wrong-type,note"]);
    assert!(
        schema.len() < all
            && schema
                .iter()
                .any(|rule| rule["name"] == "schema/wrong-type")
    );
    for rule in &schema {
        assert!(rule["level"] == "note" || rule["name"] == "schema/wrong-type");
    }
    for rule in listed(&["--no-config", "--strict"]) {
        assert_ne!(rule["level"], "warning", "{rule}");
    }
    let folder = folder(&[("mcp-assay.toml", b"select = [\"json/no-bom\"]\n")]);
    let on = run_in(&folder, &["rules", "--on"]).stdout;
    assert!(on.contains(&format!("1 of {all} rules are on")), "{on}");
    let plain = run_in(&folder, &["rules"]).stdout;
    assert!(plain.contains(&format!("{all} rules;")), "{plain}");
    let pages = run_in(&folder, &["rules", "--on", "--pages"]).stdout;
    assert_eq!(pages, run(&["explain", "json/no-bom"], "").stdout);
}

#[test]
fn a_page_says_everything() {
    let page = run(&["explain", "framing/utf8"], "").stdout;
    for part in [
        "framing/utf8 (error)",
        "The peer cannot decode",
        "Good (2025-06-18)",
        "Bad (2025-06-18)",
        "How to fix",
        "level      error since 2025-03-26",
        "broken by  client or server",
        "clause     basic/transports",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
}

#[test]
fn what_is_no_rule_leads_to_the_rules() {
    let covered = run(&["explain", "schema/request-params"], "");
    assert_eq!(covered.code, 0);
    assert!(
        covered
            .stdout
            .starts_with("schema/request-params is checked by schema/")
            && covered.stdout.contains("\nschema/wrong-type (error)"),
        "{}",
        covered.stdout
    );
    let family = run(&["explain", "schema"], "");
    assert_eq!(family.code, 2);
    assert!(
        family.stderr.contains("rules --select schema --pages"),
        "{}",
        family.stderr
    );
}
