//! Checks and records for the gateway, and gives report and log their end when it has served.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mcp_assay::{Frame, Session};
use mcp_assay_gateway::Checker;
use mcp_assay_live::guard::{Decision, Judged, Mode};

use super::{Judge, Recorder};

/// A part of the program that the gateway uses while it serves, and the program afterwards.
pub(crate) struct Shared<T>(Arc<Mutex<T>>);

impl<T> Shared<T> {
    pub(crate) fn new(part: T) -> Self {
        Self(Arc::new(Mutex::new(part)))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl Shared<Recorder> {
    /// Writes a record.
    pub(crate) fn write(&self, record: &str) {
        self.lock().write(record);
    }
}

impl Checker for Shared<Judge> {
    fn mode(&self) -> Mode {
        self.lock().mode()
    }

    fn check(
        &mut self,
        session: &mut Session,
        name: &str,
        frame: Frame<'_>,
        result: &mut dyn FnMut(&Judged<'_>),
    ) -> Decision {
        self.lock().judge(session, Some(name), frame, result)
    }

    fn end_session(&mut self, session: &Session, name: &str) {
        self.lock().end_session(session, Some(name));
    }

    fn forget_session(&mut self, name: &str) {
        self.lock().forget_session(Some(name));
    }
}
