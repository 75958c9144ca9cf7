//! What several rules need.

mod capability;
mod digest;
mod inputs;
mod uri;
mod uri_template;
mod known_id;

pub(crate) use self::capability::needs;
pub(crate) use self::digest::Digester;
pub(crate) use self::inputs::{Input, input_requests, input_responses, inputs, wants_input};
pub(crate) use self::known_id::KnownId;
pub(crate) use self::uri::{Uri, UriFault, is_parent_segment, uri_fault};
pub(crate) use self::uri_template::template_fault;
