//! What a line of a capture means: a message as it is, or a record around one.
//!
//! Nothing is judged here but the record itself.

mod guess;
mod record;

pub(crate) use self::guess::{Guess, guess};
pub(crate) use self::record::{Broken, Content, Payload, Record, is_record};
