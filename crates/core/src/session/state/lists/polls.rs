//! Tracks the intervals at which lists are requested.

use super::{List, Lists};
use crate::Direction;
use crate::session::message::Message;
use crate::session::{Moment, Session};

/// The number of intervals in a row that show that `ttlMs` is used as a timer.
const MIN_REGULAR: u32 = 4;

/// The intervals at which a list is requested.
#[derive(Clone, Debug, Default)]
pub(super) struct Polls {
    pub(super) requested_at: Option<Moment>,
    pub(super) answered: Option<Moment>,
    /// `ttlMs` of the answer.
    pub(super) ttl: Option<u64>,
    /// The number of intervals in a row that were as long as `ttlMs`.
    pub(super) regular: u32,
    /// The number of other messages that the client had sent until then.
    pub(super) others: u64,
}

impl Lists {
    /// Whether a request makes the fourth interval in a row that is as long as `ttlMs`, while the
    /// client does nothing else.
    pub(crate) fn polls_by_ttl(&self, message: &Message<'_>, session: &Session) -> bool {
        List::of(message).is_some_and(|list| {
            let polls = &self.known(list).polls;
            polls.regular + 1 == MIN_REGULAR && self.is_regular(polls, message, session)
        })
    }

    pub(super) fn is_regular(
        &self,
        polls: &Polls,
        message: &Message<'_>,
        session: &Session,
    ) -> bool {
        // After so short a time any two requests would match.
        let Some(ttl) = polls.ttl.filter(|ttl| *ttl >= 1000) else {
            return false;
        };
        let slack = ttl.saturating_mul(3) / 100;
        let as_long = |since: &Option<Moment>| {
            let passed = since.and_then(|since| message.now().since(&since));
            passed.is_some_and(|passed| {
                passed.as_millis().abs_diff(u128::from(ttl)) <= u128::from(slack)
            })
        };
        self.others(session) == polls.others
            && (as_long(&polls.requested_at) || as_long(&polls.answered))
    }

    /// The number of messages of the client other than requests for lists.
    pub(super) fn others(&self, session: &Session) -> u64 {
        session.spoken[Direction::ClientToServer as usize].saturating_sub(self.list_requests)
    }
}
