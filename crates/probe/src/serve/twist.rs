//! The oddity of a server in one scenario.

use serde_json::Value;

use super::answers::page;
use super::asks::{Asks, Circumstances, Harm};
use super::oauth::Guard;

/// The oddity of a server.
#[derive(Clone, Copy)]
pub(crate) enum Twist {
    /// None.
    Nothing,
    /// It sends something before it answers the first request.
    Asks(fn(&mut Asks<'_>, &Circumstances<'_>)),
    /// It sends messages that may harm a client before it answers the first request: all of
    /// them, or only the one at this place of the list.
    Harms(fn(&Circumstances<'_>) -> Vec<Harm>, Option<usize>),
    /// It changes its answers to these requests.
    Answers(OddAnswer, fn(&mut Value, &Answering<'_>)),
    /// It pings before it answers `initialize`.
    EarlyPing,
    /// It answers `initialize` with a version that nobody knows.
    UnknownVersion,
    /// It answers `initialize` with an error.
    RefusedInitialize,
    /// It refuses every request.
    Errors,
    /// It never answers the first request.
    Silent,
    /// It takes its time, and reports its progress.
    Slow,
    /// It dies of the first request.
    Dies,
    /// It answers with streams only.
    Streams,
    /// It ends a stream before the answer came.
    Resume,
    /// It forgets the session.
    Expired,
    /// It speaks only a version that nobody knows.
    OtherVersion,
    /// It refuses a modern opening with another code than usual.
    OddCode,
    /// It has a resource that it gives out after a question only, and anew each time.
    AskedReads,
    /// It wants a token.
    Guarded(Guard),
}

/// The first answer that is odd.
#[derive(Clone, Copy)]
pub(crate) enum OddAnswer {
    /// The answer to any request.
    Any,
    /// A list of tools.
    ToolList,
    /// The result of the tool `sum`.
    Sum,
}

/// A request that is being answered.
pub(crate) struct Answering<'a> {
    pub(crate) method: &'a str,
    pub(crate) params: &'a Value,
    /// A place on the network where nobody has any business.
    pub(crate) bait: &'a str,
}

impl Answering<'_> {
    pub(crate) fn is_first_page(&self) -> bool {
        self.method == "tools/list" && page(self.params) == Some(1)
    }

    pub(super) fn is_odd(&self, answer: OddAnswer) -> bool {
        match answer {
            OddAnswer::Any => true,
            OddAnswer::ToolList => self.method == "tools/list",
            OddAnswer::Sum => self.params["name"] == "sum",
        }
    }
}
