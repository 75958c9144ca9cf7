// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `capability`.

mod asked;
mod completions;
mod declared;
mod elicitation;
mod elicitation_mode;
mod elicitation_some_mode;
mod extension_fallback;
mod extension_key;
mod logging_message;
mod logging_set_level;
mod notices;
mod prompts;
mod prompts_list_changed;
mod resources;
mod resources_list_changed;
mod resources_subscribe;
mod resources_updated;
mod roots;
mod roots_list_changed;
mod sampling;
mod sampling_context;
mod sampling_tools;
mod tools;
mod tools_list_changed;

use super::Rule;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[&Rule] = &[
    &completions::RULE,
    &elicitation::RULE,
    &elicitation_mode::RULE,
    &elicitation_some_mode::RULE,
    &extension_fallback::RULE,
    &extension_key::RULE,
    &logging_message::RULE,
    &logging_set_level::RULE,
    &prompts::RULE,
    &prompts_list_changed::RULE,
    &resources::RULE,
    &resources_list_changed::RULE,
    &resources_subscribe::RULE,
    &resources_updated::RULE,
    &roots::RULE,
    &roots_list_changed::RULE,
    &sampling::RULE,
    &sampling_context::RULE,
    &sampling_tools::RULE,
    &tools::RULE,
    &tools_list_changed::RULE,
];
