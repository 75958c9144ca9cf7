//! Members of objects and items of arrays.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::Unnamed;
use super::answer::Answer;
use super::compare::Comparison;
use super::narrow::Narrow;

impl<'v> Comparison<'v> {
    /// Whether the conditions on members follow. The accepting schema has no `patternProperties`.
    pub(super) fn covers_members(
        &mut self,
        wide: &'v Map<String, Value>,
        narrow: &Narrow<'v>,
        at: &str,
    ) -> Answer {
        let mut answer = Answer::YES;
        let required = wide.get("required").and_then(Value::as_array);
        for name in required.into_iter().flatten().filter_map(Value::as_str) {
            if !narrow.requires(name) {
                let name = name.escape_debug();
                answer.and(Answer::no(at, format!("`{name}` is required")));
            }
        }
        let named = wide.get("properties").and_then(Value::as_object);
        for (name, schema) in named.into_iter().flatten() {
            let at = format!("{at}/properties/{}", escaped(name));
            match self.member(narrow, name) {
                Member::Unnamed if self.unnamed == Unnamed::NotSent => {}
                Member::Unnamed => answer.and(self.covers(schema, &Narrow::ANY, &at)),
                Member::Under(conditions) => answer.and(self.covers(schema, &conditions, &at)),
                Member::Lost => answer.and(Answer::unknown(&at, "a reference leads nowhere")),
            }
        }
        if let Some(rest) = wide.get("additionalProperties") {
            answer.and(self.covers_rest(
                rest,
                named,
                narrow,
                &format!("{at}/additionalProperties"),
            ));
        }
        answer
    }

    /// The members that the accepting schema does not name.
    fn covers_rest(
        &mut self,
        rest: &'v Value,
        named: Option<&Map<String, Value>>,
        narrow: &Narrow<'v>,
        at: &str,
    ) -> Answer {
        let is_named = |name: &str| named.is_some_and(|named| named.contains_key(name));
        let others: BTreeSet<&str> = narrow
            .keyword("properties")
            .filter_map(Value::as_object)
            .flat_map(Map::keys)
            .map(String::as_str)
            .filter(|name| !is_named(name))
            .collect();
        let mut answer = Answer::YES;
        for name in others {
            let found = match self.member(narrow, name) {
                Member::Under(conditions) => self.covers(rest, &conditions, at),
                Member::Unnamed => Answer::YES,
                Member::Lost => Answer::unknown(at, "a reference leads nowhere"),
            };
            answer.and(if *rest == Value::Bool(false) && !found.is_yes() {
                let text = format!("`{}` is not accepted", name.escape_debug());
                if found.against.is_empty() {
                    Answer::unknown(at, text)
                } else {
                    Answer::no(at, text)
                }
            } else {
                found
            });
        }
        let mut conditions = Narrow::ANY;
        for object in &narrow.all {
            // Which names its rest has depends on patterns.
            if object.contains_key("patternProperties") {
                conditions.is_exact = false;
                continue;
            }
            if let Some(schema) = object.get("additionalProperties")
                && conditions.add(schema, self.narrow).is_none()
            {
                return Answer::unknown(at, "a reference leads nowhere");
            }
        }
        let found = self.covers(rest, &conditions, at);
        answer.and(
            if *rest == Value::Bool(false) && !found.against.is_empty() {
                Answer::no(at, "other members are not accepted")
            } else {
                found
            },
        );
        answer
    }

    /// Whether the conditions on items follow.
    pub(super) fn covers_items(
        &mut self,
        wide: &'v Map<String, Value>,
        narrow: &Narrow<'v>,
        at: &str,
    ) -> Answer {
        let Some(items) = wide.get("items") else {
            return Answer::YES;
        };
        let at = format!("{at}/items");
        if wide.contains_key("prefixItems") {
            // Said before, with the other keyword.
            return Answer::YES;
        }
        if items.is_array() {
            return Answer::unknown(&at, "a list of `items` cannot be judged");
        }
        if narrow.smallest("maxItems").is_some_and(|most| most < 1.0) {
            return Answer::YES;
        }
        let mut conditions = Narrow::ANY;
        for object in &narrow.all {
            let Some(schema) = object.get("items") else {
                continue;
            };
            if object.contains_key("prefixItems") || schema.is_array() {
                conditions.is_exact = false;
            } else if conditions.add(schema, self.narrow).is_none() {
                return Answer::unknown(&at, "a reference leads nowhere");
            }
        }
        self.covers(items, &conditions, &at)
    }

    /// The conditions on a member of this name.
    fn member(&self, narrow: &Narrow<'v>, name: &str) -> Member<'v> {
        let mut conditions = Narrow::ANY;
        let mut is_named = false;
        for object in &narrow.all {
            let named = object
                .get("properties")
                .and_then(Value::as_object)
                .and_then(|properties| properties.get(name));
            if object.contains_key("patternProperties") {
                conditions.is_exact = false;
                is_named = true;
            }
            let schema = match named {
                Some(schema) => schema,
                None if object.contains_key("patternProperties") => continue,
                None => match object.get("additionalProperties") {
                    Some(schema) => schema,
                    None => continue,
                },
            };
            is_named = true;
            if conditions.add(schema, self.narrow).is_none() {
                return Member::Lost;
            }
        }
        if is_named || narrow.requires(name) {
            Member::Under(conditions)
        } else {
            Member::Unnamed
        }
    }
}

/// What is known of a member.
enum Member<'v> {
    /// Nothing is said of it, and it need not be there.
    Unnamed,
    Under(Narrow<'v>),
    /// A reference leads nowhere.
    Lost,
}

fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
