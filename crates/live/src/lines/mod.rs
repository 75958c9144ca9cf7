//! Sessions on byte streams without I/O: one message a line.
//!
//! Adapters cut lines with [`mcp_assay::Lines`] and hand them to a [`LineSession`]. The program,
//! whose checks may wait for a pause of the traffic, checks the [`frame`] of each line itself and
//! puts its [`Delivery`] where it belongs. A [`Joiner`] mends messages that were written over
//! several lines.

mod batch_answers;
mod delivery;
mod joiner;
mod session;

pub use self::batch_answers::BatchAnswers;
pub(crate) use self::batch_answers::merge_batches;
pub use self::delivery::{Delivery, Destination, SeenLine, frame};
pub use self::joiner::{Joined, Joiner, JoinerLine};
pub use self::session::LineSession;
