//! What several rules need.

mod capability;
mod inputs;

pub(crate) use self::capability::needs;
pub(crate) use self::inputs::{Input, input_requests, input_responses, inputs, wants_input};
