//! How a client answers what a server asks of it.

use super::Verdict;
use super::in_words;

impl Verdict<'_> {
    pub(super) fn undeclared(&mut self) {
        for (name, method, id) in [
            ("roots", "roots/list", "roots/unsupported-reply"),
            (
                "sampling",
                "sampling/createMessage",
                "capability/undeclared-method-reply",
            ),
            (
                "form",
                "elicitation/create",
                "capability/undeclared-method-reply",
            ),
        ] {
            const DECLARE: &str = "capability/declare-client-features";
            let Some((reply, asked, at)) = self.reply(name) else {
                if self.asked(name).is_none() {
                    self.not_applicable(id, "the client declares the capability");
                }
                continue;
            };
            let (talk, evidence) = (asked.talk, [asked.at, at]);
            // Who has nothing to give, or declines without asking anybody, has the wrong way to say that it cannot.
            let is_empty = reply["result"]["roots"]
                .as_array()
                .is_some_and(Vec::is_empty)
                || reply["result"]["action"] == "decline";
            if reply["error"]["code"] == -32601 {
                self.pass(id);
                self.pass(DECLARE);
            } else if reply.get("result").is_some() && !is_empty {
                let message =
                    format!("`{method}` was answered although the capability was not declared");
                self.fail(DECLARE, message, talk, &evidence);
            } else {
                let message = format!(
                    "`{method}`, whose capability was not declared, was answered with {}, expected error -32601",
                    in_words(reply)
                );
                self.fail(id, message, talk, &evidence);
            }
        }
    }

    pub(super) fn modes(&mut self) {
        const MODE: &str = "elicitation/undeclared-mode-reply";
        const FETCH: &str = "elicitation/no-prefetch";
        const TOOLS: &str = "sampling/undeclared-tools-error";
        match self.reply("sampling tools") {
            Some((reply, asked, at)) if reply.get("result").is_some() => {
                let message = "a sampling request with tools was answered with a result although `sampling.tools` was not declared";
                self.fail(TOOLS, message, asked.talk, &[asked.at, at]);
            }
            Some(_) => self.pass(TOOLS),
            None if self.asked("sampling tools").is_none() => {
                self.not_applicable(TOOLS, "the client declares no sampling, or tools with it");
            }
            None => {}
        }
        match self.reply("undeclared url") {
            Some((reply, asked, at)) if reply["error"]["code"] != -32602 => {
                let message = format!(
                    "an elicitation in the mode `url`, which was not declared, was answered with {}, expected error -32602",
                    in_words(reply)
                );
                self.fail(MODE, message, asked.talk, &[asked.at, at]);
            }
            Some(_) => self.pass(MODE),
            None if self.asked("undeclared url").is_none() => {
                self.not_applicable(MODE, "the client declares no elicitation, or that mode");
            }
            None => {}
        }
        let Some(name) = ["url", "undeclared url"]
            .into_iter()
            .find(|name| self.asked(name).is_some())
        else {
            self.not_applicable(FETCH, "the client declares no elicitation");
            return;
        };
        let agreed = self
            .reply(name)
            .is_some_and(|(reply, ..)| reply["result"]["action"] == "accept");
        match (self.scene.seen.lured.is_empty(), agreed) {
            (true, _) => self.pass(FETCH),
            (false, true) => {
                self.not_observed(FETCH, "the address was fetched, and the user agreed");
            }
            (false, false) => {
                let message =
                    "the address of an elicitation was fetched although nobody agreed to it";
                let (talk, at) = self
                    .asked(name)
                    .map_or((0, 0), |asked| (asked.talk, asked.at));
                self.fail(FETCH, message, talk, &[at]);
            }
        }
    }

    pub(super) fn odd_requests(&mut self) {
        self.bad_envelope();
        for (name, id, code, what) in [
            (
                "unknown method",
                "jsonrpc/unknown-method-reply",
                -32601,
                "a request for a method that does not exist",
            ),
            (
                "bad params",
                "jsonrpc/invalid-params-reply",
                -32602,
                "a request whose params do not fit",
            ),
        ] {
            let Some((reply, asked, at)) = self.reply(name) else {
                if self.asked(name).is_none() {
                    self.not_applicable(id, "the client takes no requests with params");
                }
                continue;
            };
            if reply["error"]["code"] == code {
                self.pass(id);
            } else {
                let message = format!(
                    "{what} was answered with {}, expected error {code}",
                    in_words(reply)
                );
                self.fail(id, message, asked.talk, &[asked.at, at]);
            }
        }
    }

    /// Who answers a request without `jsonrpc` has to refuse it. Many do not take it for a message at all, which is no worse.
    fn bad_envelope(&mut self) {
        const ID: &str = "jsonrpc/invalid-request-reply";
        match self.reply("bad envelope") {
            Some((reply, ..)) if reply["error"]["code"] == -32600 => self.pass(ID),
            Some((reply, asked, at)) => {
                let message = format!(
                    "a request without `jsonrpc` was answered with {}, expected error -32600",
                    in_words(reply)
                );
                self.fail(ID, message, asked.talk, &[asked.at, at]);
            }
            None => self.not_observed(ID, "the client does not answer what is no message"),
        }
    }

    /// Something has to be answered with a result.
    pub(super) fn answered(&mut self, name: &str, id: &'static str, what: &str) {
        match (self.reply(name), self.asked(name)) {
            (Some((reply, ..)), _) if reply.get("result").is_some() => self.pass(id),
            (Some((reply, asked, at)), _) => {
                let message = format!("{what} was answered with {}", in_words(reply));
                self.fail(id, message, asked.talk, &[asked.at, at]);
            }
            (None, Some(asked)) => {
                let message = format!("{what} was not answered");
                self.fail(id, message, asked.talk, &[asked.at]);
            }
            (None, None) => {}
        }
    }
}
