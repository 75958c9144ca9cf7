//! Messages of which only the parts are given, and the names and codes in them.

use mcp_assay::rules::inline;
use mcp_assay::syntax::wording::tame;

use super::input::{Answer, Id, IdSource, Json};
use super::problem::{Problem, ValidationError};
use super::protocol::Protocol;
use super::reason::Reason;
use super::text::{Body, write_string};

/// A call or an answer in its parts.
pub(crate) enum Parts<'p> {
    Call {
        /// A request has one.
        id: Option<&'p Id<'p>>,
        method: &'p str,
        params: &'p Json<'p>,
    },
    Answer {
        id: &'p Id<'p>,
        answer: &'p Answer<'p>,
    },
}

impl Protocol {
    /// See [`validate_request`](super::validate_request).
    pub fn validate_request<'j>(
        &mut self,
        method: &str,
        params: impl Into<Json<'j>>,
    ) -> Result<(), ValidationError> {
        let problems = self.judge_parts(&Parts::Call {
            id: Some(&Id::from(1)),
            method,
            params: &params.into(),
        })?;
        ValidationError::check(of_request(problems, method))
    }

    /// See [`validate_notification`](super::validate_notification).
    pub fn validate_notification<'j>(
        &mut self,
        method: &str,
        params: impl Into<Json<'j>>,
    ) -> Result<(), ValidationError> {
        let problems = self.judge_parts(&Parts::Call {
            id: None,
            method,
            params: &params.into(),
        })?;
        ValidationError::check(of_notification(problems, method))
    }

    /// See [`validate_response`](super::validate_response).
    #[expect(
        clippy::needless_pass_by_value,
        reason = "an answer is made where it is asked about"
    )]
    pub fn validate_response<'i>(
        &mut self,
        id: impl Into<Id<'i>>,
        answer: Answer<'_>,
    ) -> Result<(), ValidationError> {
        let problems = self.judge_parts(&Parts::Answer {
            id: &id.into(),
            answer: &answer,
        })?;
        ValidationError::check(problems)
    }

    /// See [`validate_method_name`](super::validate_method_name).
    pub fn validate_method_name(&mut self, method: &str) -> Result<(), ValidationError> {
        let problems = self.judge_parts(&Parts::Call {
            id: Some(&Id::from(1)),
            method,
            params: &Json::from(()),
        })?;
        only(of_request(problems, method), is_about_the_name)
    }

    /// See [`validate_notification_name`](super::validate_notification_name).
    pub fn validate_notification_name(&mut self, method: &str) -> Result<(), ValidationError> {
        let problems = self.judge_parts(&Parts::Call {
            id: None,
            method,
            params: &Json::from(()),
        })?;
        only(of_notification(problems, method), is_about_the_name)
    }

    /// See [`validate_error_code`](super::validate_error_code).
    pub fn validate_error_code(&mut self, code: i64) -> Result<(), ValidationError> {
        let error = format!(r#"{{"code":{code},"message":""}}"#);
        let problems = self.judge_parts(&Parts::Answer {
            id: &Id::from(1),
            answer: &Answer::error(&error),
        })?;
        // Some codes demand data, which is not the question.
        only(problems, |problem| {
            problem.reason == Reason::InvalidErrorCode
        })
    }

    /// See [`validate_resource_uri`](super::validate_resource_uri).
    pub fn validate_resource_uri(&mut self, uri: &str) -> Result<(), ValidationError> {
        let mut params = br#"{"uri":"#.to_vec();
        write_string(&mut params, uri);
        params.push(b'}');
        // Every revision has a notification about one resource, and demands nothing else in it.
        let problems = self.of_any_party(|protocol| {
            protocol.judge_parts(&Parts::Call {
                id: None,
                method: "notifications/resources/updated",
                params: &Json::from(&params),
            })
        })?;
        only(problems, |problem| problem.reason == Reason::InvalidUri)
    }

    /// Builds a message and returns its errors; an error if a part is not JSON.
    pub(super) fn judge_parts(
        &mut self,
        parts: &Parts<'_>,
    ) -> Result<Vec<Problem>, ValidationError> {
        let mut id_text = Vec::new();
        match *parts {
            Parts::Call { id, method, params } => {
                let id = match id {
                    Some(id) => self.id(id, &mut id_text)?,
                    None => None,
                };
                let params = self.part(params)?;
                Ok(self.judge_written(None, |text| {
                    Body::begin(text)
                        .json("id", id)
                        .string("method", method)
                        .json("params", params)
                        .end();
                }))
            }
            Parts::Answer { id, answer } => {
                let id = self.id(id, &mut id_text)?;
                let name = if answer.failed { "error" } else { "result" };
                let body = self.part(&answer.body)?;
                Ok(self.judge_written(answer.method, |text| {
                    Body::begin(text).json("id", id).json(name, body).end();
                }))
            }
        }
    }

    fn id<'t>(
        &mut self,
        id: &'t Id<'_>,
        text: &'t mut Vec<u8>,
    ) -> Result<Option<&'t [u8]>, ValidationError> {
        match &id.0 {
            IdSource::Integer(number) => text.extend_from_slice(number.to_string().as_bytes()),
            IdSource::Text(string) => write_string(text, string),
            IdSource::Json(json) => return self.part(json),
        }
        Ok(Some(text))
    }
}

/// Reports a superfluous id, which is ours, as the name of a notification.
fn of_request(problems: Vec<Problem>, method: &str) -> Vec<Problem> {
    instead(problems, Reason::UnexpectedId, || {
        let message = format!("`{}` is a notification", tame(method));
        Problem::new(Reason::UnknownMethod, message)
            .with("method", tame(method))
            .by(inline::UNKNOWN_METHOD.name)
    })
}

/// Reports a missing id, which we left out, as the name of a request.
fn of_notification(problems: Vec<Problem>, method: &str) -> Vec<Problem> {
    instead(problems, Reason::MissingId, || {
        let message = format!("`{}` is a request", tame(method));
        Problem::new(Reason::UnknownNotification, message)
            .with("method", tame(method))
            .by(inline::UNKNOWN_METHOD.name)
    })
}

/// One problem in place of all, if one of them has a reason that only we can have caused.
fn instead(
    problems: Vec<Problem>,
    reason: Reason,
    problem: impl FnOnce() -> Problem,
) -> Vec<Problem> {
    if problems.iter().any(|problem| problem.reason == reason) {
        vec![problem()]
    } else {
        problems
    }
}

/// The problems of the given part, without places in a message that the caller has never seen.
fn only(
    mut problems: Vec<Problem>,
    asked: impl Fn(&Problem) -> bool,
) -> Result<(), ValidationError> {
    problems.retain(asked);
    for problem in &mut problems {
        problem.pointer.clear();
        problem.details.retain(|(name, _)| *name != "field");
    }
    ValidationError::check(problems)
}

fn is_about_the_name(problem: &Problem) -> bool {
    matches!(
        problem.reason,
        Reason::UnknownMethod | Reason::UnknownNotification | Reason::WrongDirection
    )
}
