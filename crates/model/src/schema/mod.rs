//! The model as text: JSON Schema documents, the notation of a shape, and the differences between
//! two revisions.
//!
//! Everything comes straight from the tables of the model and gives the same verdict as they do. It
//! is text for people and other programs; nothing here checks traffic.

mod describe;
mod diff;
mod document;
mod json;
mod message;
mod place;
mod shape;

pub use self::describe::describe;
pub use self::diff::{Change, Difference, Subject, diff};
pub use self::document::{definition, definition_names, export};
pub use self::place::{Demand, KeywordPlace, keyword_place};
