//! The members of a command besides its name: read one by one, until none is left.

use std::time::Duration;

use serde_json::{Map, Value};

/// The longest time that a command may listen.
const MAX_SECONDS: f64 = 3600.0;

/// The members of a command besides its name.
pub(super) struct Arguments {
    members: Map<String, Value>,
}

/// The fault of a command, in words.
pub(super) type Complaint = String;

impl Arguments {
    pub(super) fn new(members: Map<String, Value>) -> Self {
        Self { members }
    }

    /// A member of any type; null if it is missing.
    pub(super) fn value(&mut self, name: &str) -> Value {
        self.members.remove(name).unwrap_or_default()
    }

    /// A required member of any type.
    pub(super) fn optional(&mut self, name: &str) -> Option<Value> {
        self.members.remove(name)
    }

    pub(super) fn text(&mut self, name: &str) -> Result<String, Complaint> {
        match self.members.remove(name) {
            Some(Value::String(text)) => Ok(text),
            Some(_) => Err(format!("`{name}` is a string")),
            None => Err(format!("`{name}` is missing")),
        }
    }

    pub(super) fn integer(&mut self, name: &str) -> Result<i64, Complaint> {
        match self.members.remove(name) {
            Some(value) => value
                .as_i64()
                .ok_or_else(|| format!("`{name}` is an integer")),
            None => Err(format!("`{name}` is missing")),
        }
    }

    pub(super) fn seconds(&mut self, name: &str) -> Result<Duration, Complaint> {
        match self.members.remove(name).as_ref().map(Value::as_f64) {
            Some(Some(seconds)) if (0.0..=MAX_SECONDS).contains(&seconds) => {
                Ok(Duration::from_secs_f64(seconds))
            }
            Some(_) => Err(format!("`{name}` is a number of seconds, at most an hour")),
            None => Err(format!("`{name}` is missing")),
        }
    }

    /// A boolean member; false if it is missing.
    pub(super) fn flag(&mut self, name: &str) -> Result<bool, Complaint> {
        match self.members.remove(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(flag),
            Some(_) => Err(format!("`{name}` is true or false")),
        }
    }

    /// A member that is a list of strings; empty if it is missing.
    pub(super) fn names(&mut self, name: &str) -> Result<Vec<String>, Complaint> {
        let complaint = || format!("`{name}` is a list of strings");
        match self.members.remove(name) {
            None => Ok(Vec::new()),
            Some(Value::Array(items)) => items
                .into_iter()
                .map(|item| item.as_str().map(str::to_owned).ok_or_else(complaint))
                .collect(),
            Some(_) => Err(complaint()),
        }
    }

    /// Refuses members that were not read: a slip would go unnoticed.
    pub(super) fn end(self) -> Result<(), Complaint> {
        match self.members.keys().next() {
            None => Ok(()),
            Some(name) => Err(format!("the command has no `{name}`")),
        }
    }
}
