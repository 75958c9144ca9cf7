//! What a client makes of tasks, and of a request that its user refuses.

use super::{Verdict, in_words};
use crate::serve::asks::REFUSAL;
use crate::serve::asks::tasks::{TASK, TASK_AFTER, TASK_LIST, TASK_RESULT, UNKNOWN_TASK};
use crate::serve::run::Sampled;

impl Verdict<'_> {
    pub(super) fn tasks(&mut self) {
        const UNKNOWN: &str = "tasks/unknown-id-reply";
        const LIST: &str = "tasks/list-complete";
        const RESULT: &str = "tasks/result-blocks";
        if self.asked(UNKNOWN_TASK).is_none() {
            for id in [UNKNOWN, LIST, RESULT] {
                self.not_applicable(id, "the client declares no tasks");
            }
            return;
        }
        match self.reply(UNKNOWN_TASK) {
            Some((reply, ..)) if reply["error"]["code"] == -32602 => self.pass(UNKNOWN),
            Some((reply, asked, at)) => {
                let message = format!(
                    "`tasks/get` for a task that does not exist was answered with {}, expected error -32602",
                    in_words(reply)
                );
                self.fail(UNKNOWN, message, asked.talk, &[asked.at, at]);
            }
            None => self.not_observed(UNKNOWN, "the client does not answer"),
        }
        let Some((made, asked, at)) = self.reply(TASK) else {
            for id in [LIST, RESULT] {
                self.not_applicable(id, "the client makes no tasks of requests");
            }
            return;
        };
        let id = &made["result"]["task"]["taskId"];
        let pages = self.scene.seen.asked.iter();
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
            self.not_observed(LIST, "the request did not become a task");
        } else if pages.is_empty() {
            self.not_applicable(LIST, "the client declares no lists of tasks");
        } else if is_listed {
            self.pass(LIST);
        } else if is_whole {
            let message = "a task that was just made is on no page of `tasks/list`";
            let mut evidence = vec![asked.at, at];
            evidence.extend(replies.iter().map(|(_, at)| *at));
            self.fail(LIST, message, asked.talk, &evidence);
        } else {
            self.not_observed(LIST, "the client did not give the whole list");
        }
        let result = self.reply(TASK_RESULT).zip(self.reply(TASK_AFTER));
        match result {
            Some(((_, asked, at), (after, later, after_at))) => {
                match after["result"]["status"].as_str() {
                    Some(status @ ("working" | "input_required")) => {
                        let message = format!(
                            "`tasks/result` was answered, and then the task was still `{status}`"
                        );
                        let evidence = [asked.at, at, later.at, after_at];
                        self.fail(RESULT, message, asked.talk, &evidence);
                    }
                    Some(_) => self.pass(RESULT),
                    None => self.not_observed(RESULT, "the client does not say how the task is"),
                }
            }
            None => self.not_observed(RESULT, "no task came to its end while it was watched"),
        }
    }

    /// Only a client that usually answers shows by an error that it refuses; of another one, only what it says counts.
    pub(super) fn refused_sampling(&mut self) {
        const ID: &str = "sampling/rejection-code";
        let Some((reply, asked, at)) = self.reply(REFUSAL) else {
            match self.asked(REFUSAL) {
                Some(_) => self.not_observed(ID, "the client did not answer"),
                None => self.not_applicable(ID, "the client declares no sampling"),
            }
            return;
        };
        let text = &reply["result"]["content"]["text"];
        let is_refused = match reply["error"]["message"].as_str() {
            Some(why) => {
                self.habit
                    .is_some_and(|habit| habit.sampled == Sampled::Text)
                    || {
                        let why = why.to_lowercase();
                        ["reject", "refus", "declin", "denied"]
                            .iter()
                            .any(|word| why.contains(word))
                    }
            }
            None => {
                *text == ""
                    && self
                        .habit
                        .is_some_and(|habit| habit.sampled == Sampled::Text)
            }
        };
        if reply["error"]["code"] == -1 {
            self.pass(ID);
        } else if is_refused {
            let how = match reply.get("error") {
                Some(_) => in_words(reply),
                None => "an empty text".to_owned(),
            };
            let message = format!("a sampling request was refused with {how}, expected error -1");
            self.fail(ID, message, asked.talk, &[asked.at, at]);
        } else {
            let why =
                "nobody refused; the request asks its user to, and `MCP_ASSAY_SCENARIO` says when";
            self.not_observed(ID, why);
        }
    }
}
