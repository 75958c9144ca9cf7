//! The end of a connection, and what is left of it.

use super::Client;
use crate::judge::Broken;
use crate::record::Record;

/// The records and findings of a closed connection.
pub(crate) struct Finished {
    pub(crate) records: Vec<Record>,
    pub(crate) broken: Vec<Broken>,
    pub(crate) asked: Vec<&'static str>,
    pub(crate) given_up: Option<GivenUp>,
}

/// The reason why a server is not talked to any longer.
#[derive(Debug)]
pub(crate) enum GivenUp {
    /// It sends more than anybody can read; what it sent.
    SaysTooMuch(String),
    /// It is there and answers nothing any more.
    Hangs,
}

impl Client<'_> {
    /// Whether it said too much, and is heard no more.
    pub(crate) fn is_cut_off(&self) -> bool {
        matches!(self.given_up, Some(GivenUp::SaysTooMuch(_)))
    }
}
