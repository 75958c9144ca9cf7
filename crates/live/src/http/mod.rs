//! Streamable HTTP without I/O: what an exchange needs beside the check of its parts.
//!
//! An [`Exchange`] finds its session in a [`SessionTable`], or in [`UnnamedSessions`] where nothing
//! names it, decides what goes on in each direction
//! and which status a refusal has. A [`BodyBuffer`] copies the bytes of a forwarded body,
//! within a [`Budget`] for all of them. Adapters
//! read and write; they check each part with a guard and pass on the [`CheckedPart`].

mod awaited;
mod body_buffer;
mod budget;
mod checked_part;
mod coding;
mod error_body;
mod exchange;
mod headers;
mod publications;
mod representation;
mod session_table;
#[cfg(test)]
mod tests;
mod unnamed_sessions;

pub use self::body_buffer::BodyBuffer;
pub use self::budget::{Budget, Share};
pub use self::checked_part::{CheckedPart, Decision};
pub use self::coding::{Coding, DecodeError, Decoder, codings};
pub use self::error_body::error_body;
pub use self::exchange::{Exchange, HeadAction, Located, Method, RequestAction, ResponseAction};
pub use self::headers::{
    PROTOCOL_VERSION, SESSION_ID, accepts_events, contradiction, header_pairs, header_revision,
    header_texts, is_media_type, leads_elsewhere,
};
pub use self::publications::{CREDENTIALS, Identity, Lesson, Publications};
pub use self::representation::{CODED_HEADERS, Media, Representation, Unreadable};
pub use self::session_table::{SessionKey, SessionTable};
pub use self::unnamed_sessions::{Assigned, ClientHead, SenderFacts, SessionCut, UnnamedSessions};
