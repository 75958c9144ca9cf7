//! Walks over the conversation in a sampling request, once for all rules about the use of tools in
//! it.

use super::{
    tool_block_role, tool_result_known, tool_results_only, tool_use_balanced, tool_use_id_unique,
};
use crate::rules::prelude::*;
use crate::rules::support::Texts;
use crate::session::message::inputs;
use crate::session::{blocks, is_kind};

/// Checks sampling requests, and results that embed them.
pub(super) static GROUP: Group = Group {
    keys: &[],
    on: &[
        On::Call("sampling/createMessage"),
        On::Result("sampling/createMessage"),
        On::Where(Fact::InputRequests, &On::Result("tools/call")),
        On::Where(Fact::InputRequests, &On::Result("prompts/get")),
        On::Where(Fact::InputRequests, &On::Result("resources/read")),
        On::Where(Fact::InputRequests, &On::Result("tasks/get")),
        On::Call("notifications/tasks"),
    ],
    check,
};

fn check(message: &Message<'_>, _: &Session, findings: &mut Findings<'_>) {
    if message.method() == Some("sampling/createMessage") {
        if let Some(params) = message.params() {
            conversation(params, findings);
        } else if let Some(result) = message.result() {
            roles(result, findings);
        }
        return;
    }
    for input in inputs(message).filter(|input| input.asks("sampling/createMessage")) {
        if let Some(params) = input.params {
            conversation(params, findings);
        }
    }
}

fn conversation<'a>(params: Node<'a>, findings: &mut Findings<'_>) {
    let Some(messages) = params.get("messages") else {
        return;
    };
    // The ids of the tools that were used so far.
    let mut used = Texts::default();
    // Those of the message before, which this one has to answer.
    let mut pending: Vec<Node<'a>> = Vec::new();
    let mut unanswered: Vec<(Node<'a>, &'static str)> = Vec::new();
    for message in messages.items() {
        roles(message, findings);
        let is_result = |block: &Node<'_>| is_kind(*block, "tool_result");
        let answers = || blocks(message).filter_map(|block| block.get("toolUseId"));
        if blocks(message).any(|block| is_result(&block)) {
            if let Some(other) = blocks(message).find(|block| !is_result(block)) {
                let text = "a message with results of tools has nothing else";
                findings.raise(&tool_results_only::RULE, other, text);
            }
            for id in answers().filter(|id| !used.contains(*id)) {
                let text = "no tool was used under this id before";
                findings.raise(&tool_result_known::RULE, id, text);
            }
        }
        if !pending.is_empty() {
            let answered: Texts<'_> = answers().collect();
            let text = "the next message has no result for this use of a tool";
            let missing = pending.drain(..).filter(|id| !answered.contains(*id));
            unanswered.extend(missing.map(|id| (id, text)));
        }
        for id in tool_uses(message) {
            if !used.insert(id) {
                let text = "this id stands for another use of a tool already";
                findings.raise(&tool_use_id_unique::RULE, id, text);
            }
            pending.push(id);
        }
    }
    // A conversation that ends with the use of a tool makes the model continue without its result.
    let text = "this use of a tool has no result";
    unanswered.extend(pending.into_iter().map(|id| (id, text)));
    for (id, text) in unanswered {
        findings.raise(&tool_use_balanced::RULE, id, text);
    }
}

/// Checks that the assistant uses tools, and the user returns their results.
fn roles(message: Node<'_>, findings: &mut Findings<'_>) {
    let is_role = |role: &str| message.get("role").is_some_and(|found| found.is_text(role));
    for block in blocks(message) {
        if is_kind(block, "tool_use") && is_role("user") {
            let text = "a tool is used by the assistant, not by the user";
            findings.raise(&tool_block_role::RULE, block, text);
        } else if is_kind(block, "tool_result") && is_role("assistant") {
            let text = "the result of a tool comes from the user, not from the assistant";
            findings.raise(&tool_block_role::RULE, block, text);
        }
    }
}

fn tool_uses(message: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    blocks(message)
        .filter(|block| is_kind(*block, "tool_use"))
        .filter_map(|block| block.get("id"))
}
