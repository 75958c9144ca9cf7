// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `capability`.

mod client_requests;
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
mod truthful;

pub use self::completions::RULE as COMPLETIONS;
pub use self::elicitation::RULE as ELICITATION;
pub use self::elicitation_mode::RULE as ELICITATION_MODE;
pub use self::elicitation_some_mode::RULE as ELICITATION_SOME_MODE;
pub use self::extension_fallback::RULE as EXTENSION_FALLBACK;
pub use self::extension_key::RULE as EXTENSION_KEY;
pub use self::logging_message::RULE as LOGGING_MESSAGE;
pub use self::logging_set_level::RULE as LOGGING_SET_LEVEL;
pub use self::prompts::RULE as PROMPTS;
pub use self::prompts_list_changed::RULE as PROMPTS_LIST_CHANGED;
pub use self::resources::RULE as RESOURCES;
pub use self::resources_list_changed::RULE as RESOURCES_LIST_CHANGED;
pub use self::resources_subscribe::RULE as RESOURCES_SUBSCRIBE;
pub use self::resources_updated::RULE as RESOURCES_UPDATED;
pub use self::roots::RULE as ROOTS;
pub use self::roots_list_changed::RULE as ROOTS_LIST_CHANGED;
pub use self::sampling::RULE as SAMPLING;
pub use self::sampling_context::RULE as SAMPLING_CONTEXT;
pub use self::sampling_tools::RULE as SAMPLING_TOOLS;
pub use self::tools::RULE as TOOLS;
pub use self::tools_list_changed::RULE as TOOLS_LIST_CHANGED;
pub use self::truthful::RULE as TRUTHFUL;
use super::Rule;
use super::check::Check;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[(&Rule, &Check)] = &[
    (&COMPLETIONS, &completions::CHECK),
    (&ELICITATION, &elicitation::CHECK),
    (&ELICITATION_MODE, &elicitation_mode::CHECK),
    (&ELICITATION_SOME_MODE, &elicitation_some_mode::CHECK),
    (&EXTENSION_FALLBACK, &extension_fallback::CHECK),
    (&EXTENSION_KEY, &extension_key::CHECK),
    (&LOGGING_MESSAGE, &logging_message::CHECK),
    (&LOGGING_SET_LEVEL, &logging_set_level::CHECK),
    (&PROMPTS, &prompts::CHECK),
    (&PROMPTS_LIST_CHANGED, &prompts_list_changed::CHECK),
    (&RESOURCES, &resources::CHECK),
    (&RESOURCES_LIST_CHANGED, &resources_list_changed::CHECK),
    (&RESOURCES_SUBSCRIBE, &resources_subscribe::CHECK),
    (&RESOURCES_UPDATED, &resources_updated::CHECK),
    (&ROOTS, &roots::CHECK),
    (&ROOTS_LIST_CHANGED, &roots_list_changed::CHECK),
    (&SAMPLING, &sampling::CHECK),
    (&SAMPLING_CONTEXT, &sampling_context::CHECK),
    (&SAMPLING_TOOLS, &sampling_tools::CHECK),
    (&TOOLS, &tools::CHECK),
    (&TOOLS_LIST_CHANGED, &tools_list_changed::CHECK),
    (&TRUTHFUL, &truthful::CHECK),
];
