// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `sampling`.

mod answers;
mod conversation;
mod deprecated;
mod include_context_deprecated;
mod tool_block_role;
mod tool_choice_honoured;
mod tool_result_known;
mod tool_results_only;
mod tool_use_balanced;
mod tool_use_id_unique;
mod tool_use_offered;

pub use self::deprecated::RULE as DEPRECATED;
pub use self::include_context_deprecated::RULE as INCLUDE_CONTEXT_DEPRECATED;
pub use self::tool_block_role::RULE as TOOL_BLOCK_ROLE;
pub use self::tool_choice_honoured::RULE as TOOL_CHOICE_HONOURED;
pub use self::tool_result_known::RULE as TOOL_RESULT_KNOWN;
pub use self::tool_results_only::RULE as TOOL_RESULTS_ONLY;
pub use self::tool_use_balanced::RULE as TOOL_USE_BALANCED;
pub use self::tool_use_id_unique::RULE as TOOL_USE_ID_UNIQUE;
pub use self::tool_use_offered::RULE as TOOL_USE_OFFERED;
use super::Rule;
use super::check::Check;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[(&Rule, &Check)] = &[
    (&DEPRECATED, &deprecated::CHECK),
    (&INCLUDE_CONTEXT_DEPRECATED, &include_context_deprecated::CHECK),
    (&TOOL_BLOCK_ROLE, &tool_block_role::CHECK),
    (&TOOL_CHOICE_HONOURED, &tool_choice_honoured::CHECK),
    (&TOOL_RESULT_KNOWN, &tool_result_known::CHECK),
    (&TOOL_RESULTS_ONLY, &tool_results_only::CHECK),
    (&TOOL_USE_BALANCED, &tool_use_balanced::CHECK),
    (&TOOL_USE_ID_UNIQUE, &tool_use_id_unique::CHECK),
    (&TOOL_USE_OFFERED, &tool_use_offered::CHECK),
];
