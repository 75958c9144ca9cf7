//! Replies that wait: for the messages before them, or for their time.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{Asked, Script};
use crate::record::Pairs;
use crate::serve::asks::Ask;
use crate::serve::recorder::{Recorder, Way};

/// The time after a question from which other messages show that it is not being answered.
const NEGLECT: Duration = Duration::from_secs(1);

/// An answer that waits until the server has said what it wants to say first.
pub(super) struct DelayedReply {
    way: Way,
    asks: VecDeque<Ask>,
    pub(super) waiting: Option<(Value, Instant)>,
    answer: Value,
    headers: Pairs,
}

/// A message that is due later.
pub(super) enum Due {
    Say(Value),
    Reply(Value),
}

impl DelayedReply {
    /// Has something to say before the rest.
    pub(super) fn prepend(&mut self, mut asks: VecDeque<Ask>) {
        asks.append(&mut self.asks);
        self.asks = asks;
    }
}

impl Script {
    /// A pipe is over: nobody waits for answers there any more.
    pub(crate) fn closed(&mut self, pipe: usize) {
        self.delayed
            .take_if(|delayed| delayed.way == Way::Pipe(pipe));
        self.due.retain(|(_, way, _)| *way != Way::Pipe(pipe));
    }

    /// The time of the next act.
    pub(crate) fn next_due(&self) -> Option<Instant> {
        let waiting = self
            .delayed
            .as_ref()
            .and_then(|delayed| delayed.waiting.as_ref())
            .map(|(_, until)| *until);
        self.due.iter().map(|(when, ..)| *when).chain(waiting).min()
    }

    /// Does what is due.
    pub(crate) fn tick(&mut self, recorder: &mut Recorder<'_>) {
        let now = Instant::now();
        let (ready, later) = std::mem::take(&mut self.due)
            .into_iter()
            .partition(|(when, ..)| *when <= now);
        self.due = later;
        for (_, way, due) in ready {
            match due {
                Due::Say(message) => {
                    recorder.say(way, message.to_string().into_bytes());
                }
                Due::Reply(message) => recorder.reply(way, &message, Pairs::new()),
            }
        }
        let given_up = self
            .delayed
            .as_mut()
            .and_then(|delayed| delayed.waiting.take_if(|(_, until)| *until <= now));
        if let Some((id, _)) = given_up {
            for asked in &mut self.seen.asked {
                asked.in_vain |= asked.id.as_ref() == Some(&id);
            }
            self.go_on(recorder);
        }
    }

    /// A client that goes on to other things while it is waited for does not mean to answer.
    pub(super) fn note_neglect(&mut self) {
        let waiting = self
            .delayed
            .as_ref()
            .and_then(|delayed| delayed.waiting.as_ref());
        let Some((id, _)) = waiting else { return };
        for asked in &mut self.seen.asked {
            asked.in_vain |= asked.id.as_ref() == Some(id) && asked.sent.elapsed() >= NEGLECT;
        }
    }

    pub(super) fn delay(
        &mut self,
        recorder: &mut Recorder<'_>,
        way: Way,
        asks: VecDeque<Ask>,
        answer: Value,
        headers: Pairs,
    ) {
        if self.delayed.is_some() {
            // One conversation aside at a time.
            recorder.reply(way, &answer, headers);
            return;
        }
        self.delayed = Some(DelayedReply {
            way,
            asks,
            waiting: None,
            answer,
            headers,
        });
        self.go_on(recorder);
    }

    /// Says what is to be said next, until an answer has to be waited for.
    pub(super) fn go_on(&mut self, recorder: &mut Recorder<'_>) {
        let Some(mut delayed) = self.delayed.take() else {
            return;
        };
        while let Some(ask) = delayed.asks.pop_front() {
            let at = recorder.say(delayed.way, ask.bytes);
            self.seen.asked.push(Asked {
                name: ask.name,
                id: ask.id.clone(),
                talk: delayed.way.talk(),
                at,
                reply: None,
                in_vain: false,
                sent: Instant::now(),
                owed: ask.owed,
            });
            if let Some(id) = ask.id {
                let until = Instant::now() + recorder.options.step_timeout;
                delayed.waiting = Some((id, until));
                self.delayed = Some(delayed);
                return;
            }
        }
        recorder.reply(delayed.way, &delayed.answer, delayed.headers);
    }
}
