//! A scripted server that a client under test connects to, correct or with one oddity.
//!
//! The client cannot be told what to do. It is started once for every scenario and does what it
//! always does; each scenario changes one thing about the server that it meets.

pub(crate) mod answers;
pub(crate) mod asks;
pub(crate) mod bait_tools;
pub(crate) mod http;
pub(crate) mod link;
pub(crate) mod oauth;
pub(crate) mod recorder;
mod relay;
pub(crate) mod script;
pub(crate) mod subject;
mod twist;
mod unguessable;

pub use self::relay::relay;
pub(crate) use self::twist::{Answering, OddAnswer, Twist};
use self::unguessable::unguessable;
