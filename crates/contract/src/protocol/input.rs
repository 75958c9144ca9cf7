//! The arguments of the functions: JSON, ids, answers.

use core::fmt;
use std::borrow::Cow;

use super::problem::ValidationError;

/// A JSON value, or none.
///
/// A `&str` is JSON text, not a string: `"3"` is the number three. `()` leaves out params, data or a
/// schema, and so does an `Option` that is `None`.
///
/// ```
/// use mcp_assay::Revision;
/// use mcp_assay_contract::protocol::Protocol;
///
/// let mut protocol = Protocol::new().revision(Revision::V2025_06_18);
/// assert!(protocol.validate_request("ping", ()).is_ok());
/// assert!(protocol.validate_request("ping", "{}").is_ok());
/// assert!(protocol.validate_request("ping", b"{}").is_ok());
/// assert!(protocol.validate_request("ping", Some("{}")).is_ok());
/// assert!(protocol.validate_request("ping", None::<&str>).is_ok());
/// ```
#[derive(Clone, Debug)]
pub struct Json<'a>(pub(super) Source<'a>);

#[derive(Clone, Debug)]
pub(super) enum Source<'a> {
    Absent,
    Text(Cow<'a, [u8]>),
    /// It was put together from something that is not JSON.
    Faulty(Box<ValidationError>),
}

impl Json<'_> {
    pub(crate) fn from_text(text: Vec<u8>) -> Self {
        Self(Source::Text(Cow::Owned(text)))
    }

    pub(crate) fn faulty(error: ValidationError) -> Self {
        Self(Source::Faulty(Box::new(error)))
    }

    /// The text, if there is any.
    pub(crate) fn text(&self) -> Result<Option<&[u8]>, ValidationError> {
        match &self.0 {
            Source::Absent => Ok(None),
            Source::Text(text) => Ok(Some(text)),
            Source::Faulty(error) => Err((**error).clone()),
        }
    }
}

impl From<()> for Json<'_> {
    fn from((): ()) -> Self {
        Self(Source::Absent)
    }
}

impl<'a, T: Into<Json<'a>>> From<Option<T>> for Json<'a> {
    fn from(json: Option<T>) -> Self {
        json.map_or(Self(Source::Absent), Into::into)
    }
}

impl<'a> From<&'a [u8]> for Json<'a> {
    fn from(text: &'a [u8]) -> Self {
        Self(Source::Text(Cow::Borrowed(text)))
    }
}

impl<'a, const N: usize> From<&'a [u8; N]> for Json<'a> {
    fn from(text: &'a [u8; N]) -> Self {
        Self::from(text.as_slice())
    }
}

impl<'a> From<&'a Vec<u8>> for Json<'a> {
    fn from(text: &'a Vec<u8>) -> Self {
        Self::from(text.as_slice())
    }
}

impl From<Vec<u8>> for Json<'_> {
    fn from(text: Vec<u8>) -> Self {
        Self::from_text(text)
    }
}

impl<'a> From<&'a str> for Json<'a> {
    fn from(text: &'a str) -> Self {
        Self::from(text.as_bytes())
    }
}

impl From<String> for Json<'_> {
    fn from(text: String) -> Self {
        Self::from_text(text.into_bytes())
    }
}

impl<'a> From<&'a String> for Json<'a> {
    fn from(text: &'a String) -> Self {
        Self::from(text.as_bytes())
    }
}

#[cfg(feature = "value")]
impl From<&serde_json::Value> for Json<'_> {
    fn from(value: &serde_json::Value) -> Self {
        // A value can always be written: its keys are strings. An empty text would be refused.
        Self::from_text(serde_json::to_vec(value).unwrap_or_default())
    }
}

#[cfg(feature = "value")]
impl From<serde_json::Value> for Json<'_> {
    fn from(value: serde_json::Value) -> Self {
        Self::from(&value)
    }
}

/// The id of a request or answer.
///
/// Numbers and strings are taken as they are, and `None` leaves it out. Anything else is
/// [`Id::json`].
#[derive(Clone, Debug)]
pub struct Id<'a>(pub(super) IdSource<'a>);

#[derive(Clone, Debug)]
pub(super) enum IdSource<'a> {
    Integer(i64),
    Text(Cow<'a, str>),
    Json(Json<'a>),
}

impl<'a> Id<'a> {
    /// An id that may be no valid one, such as `null`.
    ///
    /// ```
    /// use mcp_assay_contract::protocol::{Answer, Id, Reason, validate_response};
    ///
    /// let error = validate_response(Id::json("1.5"), Answer::result("{}")).unwrap_err();
    /// assert_eq!(error.reason(), Reason::InvalidId);
    /// ```
    pub fn json(json: impl Into<Json<'a>>) -> Self {
        Self(IdSource::Json(json.into()))
    }
}

impl<'a> From<Option<Id<'a>>> for Id<'a> {
    fn from(id: Option<Id<'a>>) -> Self {
        id.unwrap_or(Self(IdSource::Json(Json(Source::Absent))))
    }
}

impl From<i64> for Id<'_> {
    fn from(id: i64) -> Self {
        Self(IdSource::Integer(id))
    }
}

impl From<i32> for Id<'_> {
    fn from(id: i32) -> Self {
        Self(IdSource::Integer(id.into()))
    }
}

impl From<u32> for Id<'_> {
    fn from(id: u32) -> Self {
        Self(IdSource::Integer(id.into()))
    }
}

impl<'a> From<&'a str> for Id<'a> {
    fn from(id: &'a str) -> Self {
        Self(IdSource::Text(Cow::Borrowed(id)))
    }
}

impl<'a> From<&'a String> for Id<'a> {
    fn from(id: &'a String) -> Self {
        Self::from(id.as_str())
    }
}

impl From<String> for Id<'_> {
    fn from(id: String) -> Self {
        Self(IdSource::Text(Cow::Owned(id)))
    }
}

/// A result or an error, and the method it answers.
#[derive(Clone)]
pub struct Answer<'a> {
    pub(super) body: Json<'a>,
    pub(super) failed: bool,
    pub(super) method: Option<&'a str>,
}

impl<'a> Answer<'a> {
    /// The value of `result`.
    pub fn result(result: impl Into<Json<'a>>) -> Self {
        Self {
            body: result.into(),
            failed: false,
            method: None,
        }
    }

    /// The value of `error`: an object with `code` and `message`.
    pub fn error(error: impl Into<Json<'a>>) -> Self {
        Self {
            failed: true,
            ..Self::result(error)
        }
    }

    /// The method that it answers. Without it the type of the result is not known.
    #[must_use]
    pub fn to(self, method: &'a str) -> Self {
        Self {
            method: Some(method),
            ..self
        }
    }
}

impl fmt::Debug for Answer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if self.failed { "error" } else { "result" };
        f.debug_struct("Answer")
            .field(name, &self.body)
            .field("method", &self.method)
            .finish()
    }
}
