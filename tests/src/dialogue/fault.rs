//! Dialogues with one fault put into them.

use mcp_assay::Direction;

use super::{Dialogue, Step};

impl Dialogue {
    /// The same dialogue with a fault, once for each message that can have it. Messages over HTTP are left as they are.
    ///
    /// From a message and its direction the fault makes the lines that take its place; `None` if the message cannot have it.
    pub fn with_fault<'d>(
        &'d self,
        fault: impl Fn(&str, Direction) -> Option<Vec<String>> + 'd,
    ) -> impl Iterator<Item = (&'d str, Self)> {
        let steps = self.steps.iter().enumerate();
        steps.filter_map(move |(position, step)| {
            let Step::Message {
                direction, text, ..
            } = step
            else {
                return None;
            };
            let lines = fault(text, *direction)?.into_iter();
            let faulty = lines.map(|text| Step::Message {
                direction: *direction,
                text,
                unterminated: false,
            });
            let mut dialogue = self.clone();
            dialogue.steps.splice(position..=position, faulty);
            Some((text.as_str(), dialogue))
        })
    }
}
