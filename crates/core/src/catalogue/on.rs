//! Conditions on messages and on parts of HTTP exchanges, as data.

use crate::model::Fact;

/// The messages that a check runs on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum On {
    /// Requests or notifications of this method.
    Call(&'static str),
    /// Results that answer this method.
    Result(&'static str),
    /// Errors that answer this method.
    Error(&'static str),
    /// Every request, of a known method or not.
    AnyRequest,
    /// Every notification.
    AnyNotification,
    /// Every result, whatever it answers.
    AnyResult,
    /// Every error.
    AnyError,
    /// The same, only in revisions that have a fact: for example, input requests are embedded in
    /// results, or each request declares capabilities.
    Where(Fact, &'static On),
}

/// The parts of an HTTP exchange that a check runs on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OnHttp {
    /// The head of a request, with its body.
    Request,
    /// The head of a response, with its body unless it is streamed.
    Response,
    /// An event of a stream.
    Event,
    /// The end of a stream.
    End,
}
