//! What comes of a request.

use serde_json::{Value, json};

/// What came of a request.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) reply: Reply,
    /// The records of request and answer.
    pub(crate) evidence: Vec<usize>,
}

/// An answer.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Reply {
    Result(Value),
    Error(i64, Value),
    /// HTTP answered with this status and nothing that answers the request.
    Status(u16),
    /// Nothing came in time.
    Silence,
    /// The server is gone.
    Closed,
}

impl Answer {
    pub(crate) fn result(&self) -> Option<&Value> {
        match &self.reply {
            Reply::Result(result) => Some(result),
            _ => None,
        }
    }

    pub(crate) fn code(&self) -> Option<i64> {
        match &self.reply {
            Reply::Error(code, _) => Some(*code),
            _ => None,
        }
    }

    /// The answer in a few words.
    pub(crate) fn in_words(&self) -> String {
        match &self.reply {
            Reply::Result(result) if result["isError"] == json!(true) => {
                "a result with `isError`".to_owned()
            }
            Reply::Result(_) => "a result".to_owned(),
            Reply::Error(code, _) => format!("error {code}"),
            Reply::Status(status) => format!("status {status} and no message"),
            Reply::Silence => "no answer".to_owned(),
            Reply::Closed => "the end of the server".to_owned(),
        }
    }
}
