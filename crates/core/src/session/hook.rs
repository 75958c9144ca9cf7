//! Hooks: functions of the state that run on the messages that concern them.

use super::Session;
use crate::catalogue::{On, OnHttp};
use crate::session::message::{Message, Transfer};

/// Updates the state after a message was checked. The message may be faulty, so a hook must not
/// rely on its shape.
///
/// A request is already among the open ones ([`Session::newest_request`]); the request of an answer
/// is closed and is in [`Message::request`].
pub(crate) struct Hook(
    pub(crate) &'static [On],
    pub(crate) fn(&Message<'_>, &mut Session),
);

/// The same for parts of HTTP exchanges, after the message in them.
pub(crate) struct HttpHook(
    pub(crate) &'static [OnHttp],
    pub(crate) fn(&Transfer<'_>, &mut Session),
);
