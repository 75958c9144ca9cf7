//! The scanner on JSON texts of our own: what it must accept, what it must refuse and where, and
//! its limits.
//!
//! The texts are written for this project. Each runs many times, moved so that it meets every
//! border of the 64-byte blocks in which the scanner looks at a message.

mod accept;
mod borders;
mod differential;
mod limits;
mod reject;
mod support;
