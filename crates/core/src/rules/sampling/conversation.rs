//! Walks over the conversation in a sampling request, once for all rules about the use of tools in
//! it.

use super::{
    tool_block_role, tool_result_known, tool_results_only, tool_use_balanced, tool_use_id_unique,
};
use crate::rules::prelude::*;
use crate::session::message::inputs;
use crate::session::{blocks, is_kind};

/// Checks sampling requests, and results that embed them.
pub(super) static GROUP: Group = Group {
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

fn conversation(params: Node<'_>, findings: &mut Findings<'_>) {
    let Some(messages) = params.get("messages") else {
        return;
    };
    // Ids of the used tools, with the message that used them; conversations are short.
    let mut used: Vec<(Node<'_>, usize)> = Vec::new();
    for (position, message) in messages.items().enumerate() {
        roles(message, findings);
        let is_result = |block: &Node<'_>| is_kind(*block, "tool_result");
        if blocks(message).any(|block| is_result(&block)) {
            if let Some(other) = blocks(message).find(|block| !is_result(block)) {
                let text = "a message with results of tools has nothing else";
                findings.raise(&tool_results_only::RULE, other, text);
            }
            for id in blocks(message).filter_map(|block| block.get("toolUseId")) {
                if !used.iter().any(|(known, _)| is_same(*known, id)) {
                    let text = "no tool was used under this id before";
                    findings.raise(&tool_result_known::RULE, id, text);
                }
            }
        }
        for id in tool_uses(message) {
            if used.iter().any(|(known, _)| is_same(*known, id)) {
                let text = "this id stands for another use of a tool already";
                findings.raise(&tool_use_id_unique::RULE, id, text);
            }
            used.push((id, position));
        }
    }
    balanced(messages, &used, findings);
}

/// Checks that every use of a tool is answered in the next message.
fn balanced(messages: Node<'_>, used: &[(Node<'_>, usize)], findings: &mut Findings<'_>) {
    for (id, position) in used {
        let Some(next) = messages.items().nth(position + 1) else {
            // A conversation that ends with the use of a tool makes the model continue without its
            // result.
            findings.raise(
                &tool_use_balanced::RULE,
                *id,
                "this use of a tool has no result",
            );
            continue;
        };
        let mut answers = blocks(next).filter_map(|block| block.get("toolUseId"));
        if !answers.any(|answer| is_same(*id, answer)) {
            let text = "the next message has no result for this use of a tool";
            findings.raise(&tool_use_balanced::RULE, *id, text);
        }
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

fn is_same(one: Node<'_>, other: Node<'_>) -> bool {
    one.text() == other.text()
}
