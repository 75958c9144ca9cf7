//! Messages that the model invents, as frames.

use super::Frame;
use crate::model::invent::Invented;

impl<'a> Frame<'a> {
    /// An invented message in the frame that its carrier would make: with direction, revision and
    /// the method that a response answers.
    ///
    /// ```
    /// use mcp_assay::invent::Inventor;
    /// use mcp_assay::{Frame, Revision, Session, Validator, Verdict};
    ///
    /// let mut validator = Validator::default();
    /// for message in Inventor::new(Revision::V2025_06_18, 1).take(100) {
    ///     let checked = validator.check(&mut Session::new(), Frame::of_invented(&message));
    ///     assert_eq!(checked.verdict(), Verdict::Pass);
    /// }
    /// ```
    #[must_use]
    pub fn of_invented(message: &'a Invented) -> Self {
        let frame = Self::new(&message.bytes)
            .direction(message.direction)
            .revision(message.revision);
        if message.is_answer() {
            frame.answers(message.method.name)
        } else {
            frame
        }
    }
}
