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

use super::Rule;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[&Rule] = &[
    &deprecated::RULE,
    &include_context_deprecated::RULE,
    &tool_block_role::RULE,
    &tool_choice_honoured::RULE,
    &tool_result_known::RULE,
    &tool_results_only::RULE,
    &tool_use_balanced::RULE,
    &tool_use_id_unique::RULE,
    &tool_use_offered::RULE,
];
