//! The envelope itself.

use core::fmt;
use core::ops::Range;

use mcp_assay::syntax::write_text;

use super::{Details, JsonText, Meta, NonEmpty};
use crate::canonical::{CanonicalError, DetailedError};

/// The result of one exchange. There is no way to make one that its schema refuses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResultEnvelope {
    outcome: Result<JsonText, ErrorObject>,
    meta: Meta,
    status: u16,
}

/// The reason why an exchange failed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ErrorObject {
    /// The canonical error.
    pub code: CanonicalError,
    /// A description for people. It must not contain secrets.
    pub message: NonEmpty,
    /// Details for programs.
    pub details: Details,
}

impl ResultEnvelope {
    /// An exchange that succeeded, with status 200.
    #[must_use]
    pub fn success(data: JsonText, meta: Meta) -> Self {
        Self {
            outcome: Ok(data),
            meta,
            status: 200,
        }
    }

    /// An exchange that failed, with the status of the canonical error.
    #[must_use]
    pub fn failure(error: impl Into<ErrorObject>, meta: Meta) -> Self {
        let error = error.into();
        let status = error.code.to_http_status();
        Self {
            outcome: Err(error),
            meta,
            status,
        }
    }

    /// Sets the status that HTTP really had: 200 to 299 if it succeeded, 400 to 599 if it failed.
    ///
    /// # Errors
    ///
    /// The status contradicts the outcome.
    pub fn with_status(mut self, status: u16) -> Result<Self, StatusOutOfRange> {
        let range = if self.is_ok() { 200..=299 } else { 400..=599 };
        if !range.contains(&status) {
            return Err(StatusOutOfRange { status });
        }
        self.status = status;
        Ok(self)
    }

    /// Whether the exchange succeeded.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.outcome.is_ok()
    }

    /// The result, if it succeeded.
    #[must_use]
    pub fn data(&self) -> Option<&JsonText> {
        self.outcome.as_ref().ok()
    }

    /// The error, if it failed.
    #[must_use]
    pub fn error(&self) -> Option<&ErrorObject> {
        self.outcome.as_ref().err()
    }

    /// The other facts about it.
    #[must_use]
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    /// The HTTP status, or the one that it would be.
    #[must_use]
    pub fn status(&self) -> u16 {
        self.status
    }

    /// The envelope as JSON, on one line.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut out = String::with_capacity(512);
        self.write_json(&mut out);
        out
    }

    /// Appends the envelope as JSON, on one line. Returns the range of `meta` in it.
    pub fn write_json(&self, out: &mut String) -> Range<usize> {
        match &self.outcome {
            Ok(data) => {
                out.push_str(r#"{"ok":true,"data":"#);
                out.push_str(data.as_str());
                out.push_str(r#","error":null"#);
            }
            Err(error) => {
                out.push_str(r#"{"ok":false,"data":null,"error":"#);
                error.write(out);
            }
        }
        out.push_str(r#","meta":"#);
        let start = out.len();
        self.meta.write(self.status, out);
        let end = out.len();
        out.push('}');
        start..end
    }
}

impl ErrorObject {
    /// An error without details.
    #[must_use]
    pub fn new(code: CanonicalError, message: NonEmpty) -> Self {
        Self {
            code,
            message,
            details: Details::default(),
        }
    }

    /// Adds details.
    #[must_use]
    pub fn with_details(self, details: Details) -> Self {
        Self { details, ..self }
    }

    fn write(&self, out: &mut String) {
        out.push_str(r#"{"code":"#);
        write_text(self.code.name(), out);
        out.push_str(r#","message":"#);
        write_text(self.message.as_str(), out);
        out.push_str(r#","details":"#);
        out.push_str(self.details.as_str());
        out.push('}');
    }
}

/// Without a message, the error describes itself.
impl From<DetailedError> for ErrorObject {
    fn from(error: DetailedError) -> Self {
        let message = NonEmpty::new(error.message);
        let message = message.unwrap_or_else(|| NonEmpty::known(error.kind.sentence()));
        Self::new(error.kind, message)
    }
}

impl From<CanonicalError> for ErrorObject {
    fn from(error: CanonicalError) -> Self {
        Self::new(error, NonEmpty::known(error.sentence()))
    }
}

/// A status that contradicts the outcome, or is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct StatusOutOfRange {
    /// The status.
    pub status: u16,
}

impl fmt::Display for StatusOutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "status {} does not go with the outcome", self.status)
    }
}

impl core::error::Error for StatusOutOfRange {}
