//! Tracks the lowest log level that the client requested.

use core::time::Duration;

use crate::Direction;
use crate::catalogue::On;
use crate::frame::Carrier;
use crate::model::Fact;
use crate::session::message::Message;
use crate::session::{Hook, Moment, Session};
use crate::syntax::Node;

/// The key under which a request sets its own log level.
pub(crate) const LEVEL_KEY: &str = "io.modelcontextprotocol/logLevel";

/// A level of a log message, the least severe first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct LogLevel(u8);

impl LogLevel {
    /// The number of levels.
    pub(crate) const COUNT: usize = 8;

    /// Its rank.
    pub(crate) fn index(self) -> usize {
        usize::from(self.0) % Self::COUNT
    }

    /// The least severe level with a count above zero.
    pub(crate) fn least(counts: &[u32; Self::COUNT]) -> Option<Self> {
        (0u8..)
            .zip(counts)
            .find(|(_, count)| **count > 0)
            .map(|(rank, _)| Self(rank))
    }

    /// Reads the name of a level.
    pub(crate) fn read(name: Node<'_>) -> Option<Self> {
        const NAMES: [&str; LogLevel::COUNT] = [
            "debug",
            "info",
            "notice",
            "warning",
            "error",
            "critical",
            "alert",
            "emergency",
        ];
        (0u8..)
            .zip(NAMES)
            .find(|(_, known)| name.is_text(known))
            .map(|(rank, _)| Self(rank))
    }

    /// The level that a request sets in its `_meta`.
    pub(crate) fn asked_by(request: &Message<'_>) -> Option<Self> {
        request.meta()?.get(LEVEL_KEY).and_then(Self::read)
    }
}

/// The state: the lowest log level that the client requested.
#[derive(Clone, Debug, Default)]
pub(crate) struct Logging {
    /// The level of the session, and the moment of its confirmation.
    set: Option<(LogLevel, Moment)>,
}

impl Logging {
    /// The lowest level that the server may send now, if it is set for the session. Until a change
    /// of it is answered, either level is right; over HTTP a message may be sent before the answer
    /// and arrive after it.
    pub(crate) fn threshold(message: &Message<'_>, session: &Session) -> Option<LogLevel> {
        const MAX_TRANSIT: Duration = Duration::from_secs(1);
        let (mut level, since) = session.state.logging.set?;
        let passed = || message.now().since(&since);
        if message.frame.carrier == Carrier::Http && passed().is_none_or(|time| time < MAX_TRANSIT)
        {
            return None;
        }
        let [known @ .., unknown] = session.tally(Direction::ClientToServer).set_level;
        if unknown > 0 {
            return None;
        }
        if let Some(least) = LogLevel::least(&known) {
            level = level.min(least);
        }
        Some(level)
    }
}

pub(super) static HOOKS: &[Hook] = &[
    Hook(&[On::Where(Fact::LogLevelInMeta, &On::AnyRequest)], sent),
    Hook(&[On::Call("logging/setLevel")], track_request),
    Hook(&[On::Result("logging/setLevel")], answered),
];

/// Tracks the log level of a request.
fn sent(message: &Message<'_>, session: &mut Session) {
    if !message.has(Fact::LogLevelInMeta) {
        return;
    }
    let level = LogLevel::asked_by(message);
    if level.is_some()
        && let Some(mut request) = session.newest_request()
    {
        request.data_mut().log_level = level;
    }
}

fn track_request(message: &Message<'_>, session: &mut Session) {
    let level = message.param("level").and_then(LogLevel::read);
    if let Some(mut request) = session.newest_request() {
        request.data_mut().log_level = level;
    }
}

fn answered(message: &Message<'_>, session: &mut Session) {
    let level = message
        .request
        .and_then(|request| request.data()?.log_level);
    session.state.logging.set = level.map(|level| (level, message.now()));
}
