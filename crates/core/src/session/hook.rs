//! How a part of the session's memory is told of the messages that concern it.

use super::Session;
use crate::catalogue::{On, OnHttp};
use crate::session::message::{Message, Transfer};

/// Is told of messages after they were judged. What was sent counts, right or wrong; so nothing may be taken for granted.
///
/// A request stands among the open ones by then ([`Session::newest_request`]); of an answer the request has been
/// taken out and is in [`Message::request`].
pub(crate) struct Hook(
    pub(crate) &'static [On],
    pub(crate) fn(&Message<'_>, &mut Session),
);

/// The same for parts of HTTP exchanges, after the message in them.
pub(crate) struct HttpHook(
    pub(crate) &'static [OnHttp],
    pub(crate) fn(&Transfer<'_>, &mut Session),
);
