//! Properties of every message that the model can invent, and of every single fault in one.

mod agreement;
mod coverage;
mod exported;
mod limits;
mod places;
mod prefixes;
mod protocol;
mod schema_places;
mod valid;
