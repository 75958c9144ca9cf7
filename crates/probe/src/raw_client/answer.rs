//! The outcome of a request.

use serde_json::{Value, json};

/// The outcome of a request.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The answer.
    pub reply: Reply,
    /// The records of request and answer.
    pub evidence: Vec<usize>,
}

/// An answer.
#[derive(Clone, PartialEq, Debug)]
pub enum Reply {
    /// A result.
    Result(Value),
    /// An error: its code, 0 if that is no number, and the whole object.
    Error(i64, Value),
    /// HTTP answered with this status and nothing that answers the request.
    Status(u16),
    /// Nothing came in time.
    Silence,
    /// The server is gone.
    Closed,
}

impl Answer {
    /// The result, if it is one.
    pub fn result(&self) -> Option<&Value> {
        match &self.reply {
            Reply::Result(result) => Some(result),
            _ => None,
        }
    }

    /// The code, if it is an error.
    pub fn code(&self) -> Option<i64> {
        match &self.reply {
            Reply::Error(code, _) => Some(*code),
            _ => None,
        }
    }

    /// The answer in a few words.
    pub fn in_words(&self) -> String {
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
