//! Runs the examples of a profile: messages that it allows or refuses.

use std::sync::Arc;

use crate::catalogue::profile::{Example, Expected, Profile};
use crate::catalogue::{Level, Policy};
use crate::frame::Frame;
use crate::session::Session;
use crate::validator::Validator;

impl Example {
    /// Checks the messages under a profile.
    ///
    /// # Errors
    ///
    /// The rules that were violated, if they are not those that the example expects.
    pub fn run(&self, profile: &Arc<Profile>) -> Result<(), String> {
        let mut validator = Validator::new(Policy::with_profile(Arc::clone(profile)));
        let mut session = Session::new();
        let mut found: Vec<&str> = Vec::new();
        for (direction, message) in &self.messages {
            let mut frame = Frame::new(message.as_bytes()).direction(*direction);
            frame.revision = self.revision;
            let checked = validator.check(&mut session, frame);
            let errors = checked.violations().iter();
            let errors = errors.filter(|violation| checked.level(violation) == Level::Error);
            found.extend(errors.map(|violation| violation.rule.name));
        }
        found.sort_unstable();
        found.dedup();
        let expected: Vec<&str> = match &self.expected {
            Expected::Allowed => Vec::new(),
            Expected::Refused(rule) => vec![rule],
        };
        if found == expected {
            return Ok(());
        }
        let named = |rules: &[&str]| match rules {
            [] => "nothing".to_owned(),
            rules => format!("`{}`", rules.join("`, `")),
        };
        Err(format!(
            "the example violates {}, expected {}",
            named(&found),
            named(&expected)
        ))
    }
}
