//! A fault of a shape names the keyword of the exported schema that states it.

use mcp_assay::{Detail, Frame, Revision, Session, schema};
use mcp_assay_testkit::{Failures, cases, message_validator};
use serde_json::Value;

/// The rules that come from the model.
const STRUCTURAL: [&str; 7] = [
    "schema/missing-member",
    "schema/no-null-optional",
    "schema/out-of-range",
    "schema/unknown-method",
    "schema/unknown-value",
    "schema/unknown-variant",
    "schema/wrong-type",
];

#[test]
fn a_structural_fault_names_its_keyword_in_the_export() {
    let mut failures = Failures::default();
    for revision in Revision::ALL {
        let export: Value = serde_json::from_str(&schema::export(revision)).expect("JSON");
        let mut validator = message_validator();
        let mut named = 0;
        for case in cases(revision, 3000) {
            let mut session = Session::new();
            let checked = validator.check(&mut session, Frame::of_invented(&case));
            for violation in checked.violations() {
                if !STRUCTURAL.contains(&violation.rule.name) {
                    continue;
                }
                let found = checked.schema(violation);
                let keyword = found.as_ref().and_then(|place| {
                    let is_last = place.pointer.rsplit('/').next() == Some(place.keyword);
                    export.pointer(&place.pointer).filter(|_| is_last)
                });
                let is_right = match (violation.detail, keyword) {
                    (_, None) => false,
                    (Detail::Missing { member, .. }, Some(keyword)) => {
                        let members = keyword.as_array().into_iter().flatten();
                        let mut members = members.filter_map(Value::as_str);
                        // A union whose tag is missing has branches in place of names.
                        members.any(|name| name == member) || keyword[0].is_object()
                    }
                    (_, Some(_)) => true,
                };
                named += usize::from(is_right);
                if !is_right {
                    let pointer = checked.pointer(violation);
                    let text = format!("{revision} {} {pointer}", case.method.name);
                    failures.add(text, || {
                        format!("{case:?}\n{violation:?}\nfound: {found:?}")
                    });
                }
            }
        }
        assert!(named > 3000, "only {named} faults in {revision}");
    }
    failures.finish();
}
