//! The names that most rules use.

pub(super) use super::check::{Check, Findings, Group};
pub(super) use crate::catalogue::{Capability, Level, On, OnHttp, Place, rule};
pub(super) use crate::ending::{Cause, Endings};
pub(super) use crate::envelope::MessageKind;
pub(super) use crate::frame::{Carrier, Headers, Part};
pub(super) use crate::model::Fact;
pub(super) use crate::rules;
pub(super) use crate::session::Session;
pub(super) use crate::session::message::{Message, Transfer};
pub(super) use crate::syntax::{Kind, Node};
pub(super) use crate::{Direction, Party, Revision, RevisionSet};
