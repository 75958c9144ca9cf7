//! Tasks that a server asks a client for. The requirements share one task.

use super::scenario::{Check, Over, Scenario};
use super::verdict::Verdict;
use super::verdict::in_words;
use crate::requirement::ONLY_2025_11;
use crate::serve::Twist;
use crate::serve::asks::tasks::{TASK, TASK_AFTER, TASK_LIST, TASK_RESULT, UNKNOWN_TASK, begin};
use crate::server::tasks_followed::{BLOCKS, COMPLETE};
use crate::server::tasks_unknown_id_reply::UNKNOWN;

pub(super) static SCENARIO: Scenario = Scenario {
    name: "tasks",
    twist: Twist::Asks(begin),
    over: Over::Both,
    revisions: ONLY_2025_11,
    shows: &[&BLOCKS, &UNKNOWN, &COMPLETE],
    check: Check::One(check),
    excuses: &[],
};

fn check(verdict: &mut Verdict<'_>) {
    if verdict.asked(UNKNOWN_TASK).is_none() {
        for requirement in [&UNKNOWN, &COMPLETE, &BLOCKS] {
            verdict.not_applicable(requirement, "the client declares no tasks");
        }
        return;
    }
    match verdict.reply(UNKNOWN_TASK) {
        Some((reply, ..)) if reply["error"]["code"] == -32602 => verdict.pass(&UNKNOWN),
        Some((reply, asked, at)) => {
            let message = format!(
                "`tasks/get` for a task that does not exist was answered with {}, expected error \
                 -32602",
                in_words(reply)
            );
            verdict.fail(&UNKNOWN, message, asked.talk, &[asked.at, at]);
        }
        None => verdict.not_observed(&UNKNOWN, "the client does not answer"),
    }
    let Some((made, asked, at)) = verdict.reply(TASK) else {
        for requirement in [&COMPLETE, &BLOCKS] {
            verdict.not_applicable(requirement, "the client makes no tasks of requests");
        }
        return;
    };
    let id = &made["result"]["task"]["taskId"];
    let pages = verdict.scene.seen.asked.iter();
    let pages: Vec<_> = pages.filter(|asked| asked.name == TASK_LIST).collect();
    let replies: Vec<_> = pages
        .iter()
        .filter_map(|page| page.reply.as_ref())
        .collect();
    let is_listed = replies.iter().any(|(page, _)| {
        let tasks = page["result"]["tasks"].as_array();
        tasks.is_some_and(|tasks| tasks.iter().any(|task| task["taskId"] == *id))
    });
    let is_whole = replies.last().is_some_and(|(page, _)| {
        page["result"]["tasks"].is_array() && page["result"]["nextCursor"].is_null()
    });
    if !id.is_string() {
        verdict.not_observed(&COMPLETE, "the request did not become a task");
    } else if pages.is_empty() {
        verdict.not_applicable(&COMPLETE, "the client declares no lists of tasks");
    } else if is_listed {
        verdict.pass(&COMPLETE);
    } else if is_whole {
        let message = "a task that was just made is on no page of `tasks/list`";
        let mut evidence = vec![asked.at, at];
        evidence.extend(replies.iter().map(|(_, at)| *at));
        verdict.fail(&COMPLETE, message, asked.talk, &evidence);
    } else {
        verdict.not_observed(&COMPLETE, "the client did not give the whole list");
    }
    let result = verdict.reply(TASK_RESULT).zip(verdict.reply(TASK_AFTER));
    match result {
        Some(((_, asked, at), (after, later, after_at))) => {
            match after["result"]["status"].as_str() {
                Some(status @ ("working" | "input_required")) => {
                    let message = format!(
                        "`tasks/result` was answered, and then the task was still `{status}`"
                    );
                    let evidence = [asked.at, at, later.at, after_at];
                    verdict.fail(&BLOCKS, message, asked.talk, &evidence);
                }
                Some(_) => verdict.pass(&BLOCKS),
                None => verdict.not_observed(&BLOCKS, "the client does not say how the task is"),
            }
        }
        None => verdict.not_observed(&BLOCKS, "no task came to its end while it was watched"),
    }
}
