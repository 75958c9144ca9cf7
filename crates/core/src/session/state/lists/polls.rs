//! How regularly lists are asked for.

use super::{List, Lists};
use crate::Direction;
use crate::session::message::Message;
use crate::session::{Moment, Session};

/// How many intervals in a row show that `ttlMs` is used as a timer.
const REGULAR: u32 = 4;

/// How regularly a list is asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Polls {
    pub(super) asked: Option<Moment>,
    pub(super) answered: Option<Moment>,
    /// `ttlMs` of the answer.
    pub(super) ttl: Option<u64>,
    /// How many intervals in a row were as long as `ttlMs`.
    pub(super) regular: u32,
    /// What else the client had sent by then.
    pub(super) others: u64,
}

impl Lists {
    /// Whether a request makes the fourth interval in a row that is as long as `ttlMs`, while the client does nothing else.
    pub(crate) fn polls_by_ttl(&self, message: &Message<'_>, session: &Session) -> bool {
        List::of(message).is_some_and(|list| {
            let polls = &self.known(list).polls;
            polls.regular + 1 == REGULAR && self.is_regular(polls, message, session)
        })
    }

    pub(super) fn is_regular(
        &self,
        polls: &Polls,
        message: &Message<'_>,
        session: &Session,
    ) -> bool {
        // Whatever happens quickly happens after so short a time.
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
        self.others(session) == polls.others && (as_long(&polls.asked) || as_long(&polls.answered))
    }

    /// How many messages of the client asked for something else than a list.
    pub(super) fn others(&self, session: &Session) -> u64 {
        session.spoken[Direction::ClientToServer as usize].saturating_sub(self.asked)
    }
}
