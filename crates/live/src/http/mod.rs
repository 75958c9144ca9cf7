//! Streamable HTTP without I/O: what an exchange needs beside the check of its parts.
//!
//! An [`Exchange`] finds its session in a [`SessionTable`], decides what goes on in each direction
//! and which status a refusal has. A [`BodyBuffer`] copies the bytes of a forwarded body. Adapters
//! read and write; they check each part with a guard and pass on the [`CheckedPart`].

mod awaited;
mod body_buffer;
mod checked_part;
mod error_body;
mod exchange;
mod headers;
mod session_table;
#[cfg(test)]
mod tests;

pub use self::body_buffer::BodyBuffer;
pub use self::checked_part::{CheckedPart, Decision};
pub use self::error_body::error_body;
pub use self::exchange::{Exchange, Located, Method, RequestAction, ResponseAction};
pub use self::headers::{
    PROTOCOL_VERSION, SESSION_ID, header_pairs, header_revision, header_texts, is_media_type,
};
pub use self::session_table::{SessionKey, SessionTable};
