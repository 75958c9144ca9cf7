//! Dialogues as they are drawn on the pages of rules and in `tests/conversations`, and what the
//! program says about them.
//!
//! `-->` is sent by the client, `<--` by the server. Carets mark the offending characters of the
//! line above; what follows them is for the reader, or the name of the rule. `…` within a `_meta`
//! stands for the members that every correct message has there under the revision, and `YYYY-MM-DD`
//! for the name of the revision.
//!
//! ```text
//! === open client:{"roots":{}} server:{"tools":{}}
//! --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
//! === wait 30s
//! === end
//! ```
//!
//! `<EOF>` behind a message says that the stream ended without its newline.
//!
//! `=== open` stands for the messages that open a session with these capabilities: the handshake,
//! or since there is none a request for `server/discover`. `=== wait` lets time pass. `=== end`
//! ends the recording; a caret under a message then also marks what is still missing. `=== end
//! server` says that the server ended the connection. A level in brackets behind the carets, as in
//! `^ [note]`, is compared, too.
//!
//! A part of an HTTP exchange has its head on the first line, then its headers, then its body, each
//! indented by four. The word `stream` says that the body of a response is streamed. `…` as a
//! header stands for those that every correct client or server sends.
//!
//! ```text
//! --> POST /mcp #1
//!     …
//!     {"jsonrpc":"2.0","id":1,"method":"ping"}
//! <-- 200 #1 stream
//!     content-type: text/event-stream
//! <-- event #1 id:7 name:message retry:3000
//!     {"jsonrpc":"2.0","id":1,"result":{}}
//! <-- end #1 by:server
//! ```

mod headers;
mod read;
mod run;
mod text;

use mcp_assay::{Direction, Party, Policy, Revision};

use crate::traffic::Head;

pub use self::run::{Found, Outcome, Where};

/// A dialogue with what is drawn under it.
#[derive(Clone)]
pub struct Dialogue {
    /// The revision that it is written for.
    pub revision: Revision,
    /// Whether it is about this revision alone.
    pub only: bool,
    /// Limits, and whatever else its options say.
    pub policy: Policy,
    /// Whether the messages are lines of a stdio stream.
    pub stdio: bool,
    /// Whether the revision is found in the traffic instead of being forced.
    pub auto: bool,
    /// Other words of its options.
    pub options: Vec<String>,
    steps: Vec<Step>,
    marks: Vec<Mark>,
}

/// Something drawn under a line.
#[derive(Clone, Debug)]
pub struct Mark {
    /// The words behind the carets.
    pub text: String,
    step: usize,
    place: MarkPlace,
}

#[derive(Clone, Copy, Debug)]
enum MarkPlace {
    /// Columns of the message or body.
    Columns(usize, usize),
    /// A header, by its place among those that are written out.
    Header(usize),
    /// The head.
    Head,
}

#[derive(Clone)]
enum Step {
    Message {
        direction: Direction,
        text: String,
        unterminated: bool,
    },
    Http(HttpStep),
    Open {
        client: String,
        server: String,
    },
    Wait(f64),
    /// The end of the recording, and the party that ended the connection, if that is known.
    End(Option<Party>),
}

#[derive(Clone)]
struct HttpStep {
    direction: Direction,
    exchange: Option<i64>,
    head: Head,
    /// Name and value; an empty name stands for all that are usual.
    headers: Vec<(String, String)>,
    body: Option<String>,
}
