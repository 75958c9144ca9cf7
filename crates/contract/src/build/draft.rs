//! Messages that are not checked yet, and batches of them.

use crate::protocol::{Answer, Id, Json, Parts, Protocol, ValidationError, with_default};

/// A message that is checked when it is built.
#[derive(Clone, Debug)]
#[must_use = "it is a message only once it is built"]
pub struct Draft<'a>(Kind<'a>);

#[derive(Clone, Debug)]
enum Kind<'a> {
    Call {
        id: Option<Id<'a>>,
        method: &'a str,
        params: Json<'a>,
    },
    Answer {
        id: Id<'a>,
        answer: Answer<'a>,
    },
}

/// A request.
///
/// ```
/// use mcp_assay_contract::build::request;
/// use mcp_assay_contract::protocol::Reason;
///
/// let error = request(1, "tools/calls", ()).build().unwrap_err();
/// assert_eq!(error.reason(), Reason::UnknownMethod);
/// ```
pub fn request<'a>(
    id: impl Into<Id<'a>>,
    method: &'a str,
    params: impl Into<Json<'a>>,
) -> Draft<'a> {
    Draft(Kind::Call {
        id: Some(id.into()),
        method,
        params: params.into(),
    })
}

/// A notification.
///
/// ```
/// use mcp_assay_contract::build::{Object, notification};
///
/// let params = Object::new().text("progressToken", "t").json("progress", "0.5");
/// assert_eq!(
///     notification("notifications/progress", params).build()?,
///     r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":0.5}}"#,
/// );
/// # Ok::<(), mcp_assay_contract::protocol::ValidationError>(())
/// ```
pub fn notification<'a>(method: &'a str, params: impl Into<Json<'a>>) -> Draft<'a> {
    Draft(Kind::Call {
        id: None,
        method,
        params: params.into(),
    })
}

/// The result of a request of a method.
///
/// ```
/// use mcp_assay::Revision;
/// use mcp_assay_contract::build::response;
/// use mcp_assay_contract::protocol::{Protocol, Reason};
///
/// let mut protocol = Protocol::new().revision(Revision::V2025_06_18);
/// let empty = response(1, "tools/list", r#"{"tools": []}"#).build_with(&mut protocol)?;
/// assert_eq!(empty, r#"{"jsonrpc":"2.0","id":1,"result":{"tools": []}}"#);
///
/// let error = response(1, "tools/list", "{}").build_with(&mut protocol).unwrap_err();
/// assert_eq!(error.reason(), Reason::MissingRequiredFields);
/// # Ok::<(), mcp_assay_contract::protocol::ValidationError>(())
/// ```
pub fn response<'a>(
    id: impl Into<Id<'a>>,
    method: &'a str,
    result: impl Into<Json<'a>>,
) -> Draft<'a> {
    Draft(Kind::Answer {
        id: id.into(),
        answer: Answer::result(result).to(method),
    })
}

/// An error, which may answer any request.
///
/// ```
/// use mcp_assay_contract::build::{Object, error};
///
/// let data = Object::new().text("file", "a \"quoted\" name");
/// assert_eq!(
///     error(7, -32603, "out of paper", data).build()?,
///     r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"out of paper","data":{"file":"a \"quoted\" name"}}}"#,
/// );
/// # Ok::<(), mcp_assay_contract::protocol::ValidationError>(())
/// ```
pub fn error<'a>(
    id: impl Into<Id<'a>>,
    code: i64,
    message: &str,
    data: impl Into<Json<'a>>,
) -> Draft<'a> {
    let error = super::Object::new()
        .integer("code", code)
        .text("message", message)
        .json("data", data);
    Draft(Kind::Answer {
        id: id.into(),
        answer: Answer::error(error),
    })
}

impl Draft<'_> {
    /// The message, under the revision that it shows, or else 2025-11-25.
    ///
    /// # Errors
    ///
    /// The faults of the message.
    pub fn build(&self) -> Result<String, ValidationError> {
        with_default(|protocol| self.build_with(protocol))
    }

    /// The message, under another revision.
    ///
    /// # Errors
    ///
    /// The faults of the message.
    pub fn build_with(&self, protocol: &mut Protocol) -> Result<String, ValidationError> {
        let parts = match &self.0 {
            Kind::Call { id, method, params } => Parts::Call {
                id: id.as_ref(),
                method,
                params,
            },
            Kind::Answer { id, answer } => Parts::Answer { id, answer },
        };
        protocol.write(&parts)
    }
}

/// Several messages as one array. Only one revision has them.
///
/// ```
/// use mcp_assay::Revision;
/// use mcp_assay_contract::build::{batch, notification, request};
/// use mcp_assay_contract::protocol::{Protocol, Reason};
///
/// let both = batch([request(1, "ping", ()), request(2, "tools/list", ())]);
/// let mut with_batches = Protocol::new().revision(Revision::V2025_03_26);
/// assert_eq!(
///     both.build_with(&mut with_batches)?,
///     r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"tools/list"}]"#,
/// );
/// let mut without = Protocol::new().revision(Revision::V2025_06_18);
/// assert_eq!(both.build_with(&mut without).unwrap_err().reason(), Reason::BatchUnsupported);
/// # Ok::<(), mcp_assay_contract::protocol::ValidationError>(())
/// ```
pub fn batch<'a>(messages: impl IntoIterator<Item = Draft<'a>>) -> Batch<'a> {
    Batch(messages.into_iter().collect())
}

/// Several messages that are checked when they are built.
#[derive(Clone, Debug)]
#[must_use = "it is a message only once it is built"]
pub struct Batch<'a>(Vec<Draft<'a>>);

impl Batch<'_> {
    /// The array. The revision has to be chosen: the assumed one has no batches.
    ///
    /// # Errors
    ///
    /// The faults; problems of a message have its index.
    pub fn build_with(&self, protocol: &mut Protocol) -> Result<String, ValidationError> {
        protocol.has_batches()?;
        let mut text = String::from("[");
        // Alone, each message is checked with the method that it answers.
        for (index, draft) in self.0.iter().enumerate() {
            let message = draft
                .build_with(protocol)
                .map_err(|error| error.within(index))?;
            if index > 0 {
                text.push(',');
            }
            text.push_str(&message);
        }
        text.push(']');
        protocol.validate_batch(&text)?;
        Ok(text)
    }
}
