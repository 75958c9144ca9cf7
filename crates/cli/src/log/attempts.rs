//! Counts attempts: exchanges that failed in a way that may pass, and the requests that repeat
//! them.

use std::collections::VecDeque;
use std::num::NonZeroU32;

use mcp_assay::Direction;
use mcp_assay_contract::envelope::NonEmpty;

/// Failed exchanges that are tracked; beyond that the oldest is dropped.
const MAX_FAILED: usize = 1024;

/// The place of a request among the attempts of an exchange.
#[derive(Clone, Debug)]
pub(super) struct Attempt {
    /// Counts from one.
    pub(super) number: NonZeroU32,
    /// The id of the exchange, if an earlier attempt has named it.
    pub(super) request: Option<NonEmpty>,
}

impl Attempt {
    pub(super) const FIRST: Self = Self {
        number: NonZeroU32::MIN,
        request: None,
    };

    /// The attempt after one with this number, in the exchange with this id.
    pub(super) fn after(number: NonZeroU32, request: &NonEmpty) -> Self {
        Self {
            number: number.saturating_add(1),
            request: Some(request.clone()),
        }
    }
}

/// The content of a request, its session and its sender: equal requests have equal ones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Subject {
    pub(super) session: Option<Box<str>>,
    pub(super) direction: Option<Direction>,
    pub(super) content: u64,
}

/// Exchanges that ended with a retryable error, and the attempt that would be next; the oldest
/// first.
#[derive(Default, Debug)]
pub(super) struct Failed(VecDeque<(Subject, Attempt)>);

impl Failed {
    /// Adds an exchange that may be repeated.
    pub(super) fn add(&mut self, subject: Subject, next: Attempt) {
        if self.0.len() >= MAX_FAILED {
            self.0.pop_front();
        }
        self.0.push_back((subject, next));
    }

    /// Takes the newest exchange of this content that a request repeats.
    pub(super) fn take(
        &mut self,
        content: u64,
        is_repeated: impl Fn(&Subject) -> bool,
    ) -> Option<Attempt> {
        let mut failed = self.0.iter();
        let index =
            failed.rposition(|(failed, _)| failed.content == content && is_repeated(failed))?;
        Some(self.0.remove(index)?.1)
    }

    /// Drops the exchanges of sessions that are over.
    pub(super) fn end(&mut self, pick: impl Fn(Option<&str>) -> bool) {
        self.0
            .retain(|(failed, _)| !pick(failed.session.as_deref()));
    }
}
