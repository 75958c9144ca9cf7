//! Every member of every official definition is in our model, required or optional as there.
//!
//! Messages invented from our tables cannot show a member that the tables lack, so this test starts
//! from the other side.

use mcp_assay::Revision;
use mcp_assay::model::{METHODS, STRUCTS, Shape, ShapeId, Struct, UNIONS};
use mcp_assay_testkit::Failures;
use serde_json::Value;

use crate::official::{GATHERING, Official, folder};

/// Official names of which our model has the content under other names, or in the envelope.
const ELSEWHERE: &[&str] = &[
    // Bases of all requests and notifications; each method has its own.
    "Request",
    "Notification",
    "PaginatedRequest",
    // Whole messages: the envelope and the method's result or the code's data.
    "ResultResponse",
    "JSONRPC",
    "Error",
    // 2025-06-18 calls LegacyTitledEnumSchema so.
    "EnumSchema",
];

#[test]
fn no_official_member_is_missing() {
    if folder().is_none() {
        return;
    }
    let mut failures = Failures::default();
    for revision in Revision::ALL {
        let Some(official) = Official::load(revision) else {
            return;
        };
        let mut search = Search {
            official: &official,
            revision,
            members: 0,
            failures: &mut failures,
        };
        let named = official.definitions().iter();
        for (name, definition) in named.filter(|(name, _)| !GATHERING.contains(&name.as_str())) {
            search.definition(name, definition);
        }
        println!("{revision}: {} members", search.members);
        assert!(
            search.members > 150,
            "only {} members of {revision} were found",
            search.members
        );
    }
    failures.finish();
}

struct Search<'a> {
    official: &'a Official,
    revision: Revision,
    members: usize,
    failures: &'a mut Failures,
}

impl Search<'_> {
    fn definition(&mut self, name: &str, definition: &Value) {
        if let Some(method) = definition
            .pointer("/properties/method/const")
            .and_then(Value::as_str)
        {
            self.call(name, method, definition);
        } else if let Some(item) = self.struct_named(name) {
            self.members(name, definition, item);
        } else if definition.get("properties").is_some()
            && !ELSEWHERE.iter().any(|known| name.contains(known))
        {
            self.failures.add(format!("{} {name}", self.revision), || {
                "our model has no such struct".to_owned()
            });
        }
    }

    fn call(&mut self, name: &str, method: &str, definition: &Value) {
        let known = METHODS.iter().find(|known| known.name == method);
        let Some(form) = known.and_then(|known| known.forms[self.revision.index()]) else {
            self.failures
                .add(format!("{} {method}", self.revision), || {
                    "our model has no such method".to_owned()
                });
            return;
        };
        if form.definition != name {
            self.failures
                .add(format!("{} {method}", self.revision), || {
                    format!("{} here, {name} there", form.definition)
                });
        }
        if requires(definition, "params") != form.params_required {
            self.failures
                .add(format!("{} {method}", self.revision), || {
                    "params required by one side only".to_owned()
                });
        }
        if let Some(params) = definition.pointer("/properties/params") {
            self.value(&format!("{name}.params"), params, form.params);
        }
    }

    fn members(&mut self, name: &str, definition: &Value, item: &'static Struct) {
        let index = self.revision.index();
        let members = definition.get("properties").and_then(Value::as_object);
        for (member, schema) in members.into_iter().flatten() {
            self.members += 1;
            let place = format!("{name}.{member}");
            let found = item
                .fields
                .iter()
                .position(|field| field.name == member && field.shape[index] != ShapeId::ABSENT);
            let Some(position) = found else {
                let struct_name = item.name;
                self.failures.add(format!("{} {place}", self.revision), || {
                    format!("our {struct_name} lacks it")
                });
                continue;
            };
            if requires(definition, member) != (item.required[index] >> position & 1 == 1) {
                self.failures.add(format!("{} {place}", self.revision), || {
                    "required by one side only".to_owned()
                });
            }
            self.value(&place, schema, item.fields[position].shape[index]);
        }
    }

    /// Goes into objects and arrays that are written in place.
    fn value(&mut self, place: &str, schema: &Value, shape: ShapeId) {
        match shape.get() {
            Some(&Shape::Struct(id)) if schema.get("properties").is_some() => {
                self.members(place, schema, &STRUCTS[usize::from(id)]);
            }
            // A reference is followed where ours has another name.
            Some(&Shape::Struct(id)) => {
                let item = &STRUCTS[usize::from(id)];
                let target = schema
                    .get("$ref")
                    .and_then(Value::as_str)
                    .and_then(|path| path.rsplit('/').next());
                if let Some(target) = target.filter(|target| *target != item.name)
                    && let Some(definition) = self.official.definition(target)
                {
                    self.members(target, definition, item);
                }
            }
            Some(&Shape::Array { item, .. }) => {
                if let Some(items) = schema.get("items") {
                    self.value(&format!("{place}[]"), items, item);
                }
            }
            Some(&Shape::Map(item)) => {
                if let Some(items) = schema.get("additionalProperties") {
                    self.value(&format!("{place}{{}}"), items, item);
                }
            }
            // Inline parts of unions have names of their own in our model; their arms are compared
            // by these.
            Some(&Shape::Union(id)) => debug_assert!(!UNIONS[usize::from(id)].arms.is_empty()),
            _ => {}
        }
    }

    fn struct_named(&self, name: &str) -> Option<&'static Struct> {
        STRUCTS
            .iter()
            .find(|item| item.name == name && item.revisions.contains(self.revision))
    }
}

fn requires(definition: &Value, member: &str) -> bool {
    let required = definition.get("required").and_then(Value::as_array);
    required.into_iter().flatten().any(|name| name == member)
}
