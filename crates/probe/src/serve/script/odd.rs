//! The answers of a script, as odd as its scenario wants them.

use mcp_assay::model::Fact;
use serde_json::{Value, json};

use super::Script;
use crate::serve::twist::{Answering, Twist};
use crate::serve::{answers, bait_tools};

impl Script {
    /// The answer to a request, as odd as the scenario wants it.
    pub(super) fn answer(&mut self, method: &str, params: &Value) -> Value {
        let is_retry = params.get("inputResponses").is_some();
        if method == "tools/call"
            && self.revision.has(Fact::InputRequests)
            && matches!(self.twist, Twist::Nothing)
            && !is_retry
            && !self.asked_for_input
            && let Some(answer) = answers::input_required(self.revision, &self.seen.capabilities)
        {
            self.asked_for_input = true;
            return answer;
        }
        if matches!(self.twist, Twist::AskedReads) && params["uri"] == bait_tools::FRESH {
            return self.fresh(is_retry);
        }
        let mut answer = answers::answer(self.revision, method, params);
        let request = Answering {
            method,
            params,
            bait: &self.bait,
        };
        match self.twist {
            Twist::Answers(_, change) => change(&mut answer, &request),
            Twist::AskedReads if request.is_first_page() => {
                bait_tools::add(&mut answer, bait_tools::reading_tool());
            }
            _ => {}
        }
        answer
    }

    /// The contents of the resource that is new each time, after a question if the client can
    /// answer any.
    fn fresh(&mut self, is_retry: bool) -> Value {
        if !is_retry
            && let Some(question) = answers::input_required(self.revision, &self.seen.capabilities)
        {
            return question;
        }
        let params = json!({"uri": bait_tools::FRESH});
        let mut answer = answers::answer(self.revision, "resources/read", &params);
        let text = crate::serve::unguessable(self.seen.texts.len() as u64);
        answer["result"]["contents"][0]["text"] = json!(text);
        bait_tools::keep(&mut answer, "public");
        if is_retry {
            self.seen.texts.push(text);
        }
        answer
    }
}
