//! Tools whose arguments are repeated in headers. The passive rules check the calls.

use serde_json::{Value, json};

use super::scenario::{Check, Over, Scenario};
use crate::requirement::SINCE_2026_07;
use crate::serve::{Answering, OddAnswer, Twist, bait_tools};

pub(super) static SCENARIO: Scenario = Scenario {
    name: "tools with header annotations",
    twist: Twist::Answers(OddAnswer::ToolList, change),
    over: Over::Http,
    revisions: SINCE_2026_07,
    shows: &[],
    check: Check::PassiveRules,
    excuses: &[],
};

fn change(answer: &mut Value, request: &Answering<'_>) {
    if !request.is_first_page() {
        return;
    }
    let [plant, water] = [bait_tools::PLANT, bait_tools::WATER];
    let schema = json!({"type": "object", "required": ["bed", "rows"], "properties": {
        "bed": {"type": "string", "x-mcp-header": "Bed"},
        "rows": {"type": "integer", "x-mcp-header": "Rows"},
        "dry": {"type": "boolean", "x-mcp-header": "Dry"},
        "note": {"type": "string"}}});
    bait_tools::add_odd(answer, plant, &schema);
    // A value that a header cannot carry as it is.
    let schema = json!({"type": "object", "required": ["bed"], "properties": {
        "bed": {"type": "string", "default": "Kräuterbeet", "x-mcp-header": "Bed"}}});
    bait_tools::add_odd(answer, water, &schema);
}
