//! The two ways in which traffic leaves the gateway sideways: checks and recordings.

use mcp_assay::{Frame, Session};
use mcp_assay_live::guard::{Decision, Guard, Judged, Mode};

/// Gets records of the capture format, each a line with its end.
pub type Recording = Box<dyn FnMut(&str) + Send>;

/// Checks the parts of exchanges in their sessions, and reports the findings in its own way. In
/// `enforce` traffic waits for it.
pub trait Checker: Send {
    /// Whether parts are checked before they are forwarded. It does not change.
    fn mode(&self) -> Mode;

    /// Checks a part in its session, which is known by `name`. `result` must get the result once,
    /// unless the part could not be checked at all; the decision is that of the result.
    fn check(
        &mut self,
        session: &mut Session,
        name: &str,
        frame: Frame<'_>,
        result: &mut dyn FnMut(&Judged<'_>),
    ) -> Decision;

    /// A session is over. Missing responses can be reported.
    fn end_session(&mut self, session: &Session, name: &str);

    /// Nothing more comes of a session that was seen only in part.
    fn forget_session(&mut self, name: &str);
}

/// Checks without reports.
impl Checker for Guard {
    fn mode(&self) -> Mode {
        self.mode
    }

    fn check(
        &mut self,
        session: &mut Session,
        _: &str,
        frame: Frame<'_>,
        result: &mut dyn FnMut(&Judged<'_>),
    ) -> Decision {
        let judged = self.judge(session, frame);
        result(&judged);
        judged.action.decision()
    }

    fn end_session(&mut self, _: &Session, _: &str) {}

    fn forget_session(&mut self, _: &str) {}
}
