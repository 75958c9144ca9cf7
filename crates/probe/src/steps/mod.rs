//! What is said to a server, family by family. A step says what it found about each rule that it stands for.

mod broken;
mod cancel;
mod capability;
mod dialects;
mod handshake;
mod http;
mod lists;
mod prompts;
mod resources;
mod resume;
mod rounds;
mod state;
mod stateless;
mod step;
mod subscriptions;
mod tasks;
mod together;
mod tools;
mod utilities;

use mcp_assay::model::Fact;

pub(crate) use self::handshake::{Greeting, early_ping, greet, is_counter_offer, judge_stranger};
pub(crate) use self::stateless::discover;
pub(crate) use self::step::Step;

/// What a server lists; read once, used by the steps that follow.
#[derive(Default)]
pub(crate) struct Listed {
    pub(crate) tools: Vec<serde_json::Value>,
    pub(crate) resources: Vec<serde_json::Value>,
    pub(crate) templates: Vec<serde_json::Value>,
    pub(crate) prompts: Vec<serde_json::Value>,
}

/// The short walk: lists, and a ping.
pub(crate) fn quick(step: &mut Step<'_, '_>) -> Listed {
    let listed = lists::walk(step);
    if !step.client.is_stateless() {
        utilities::ping(step);
    }
    listed
}

/// The whole walk over an open connection: first what a good client does, then the rest, from harmless to harmful.
pub(crate) fn all(step: &mut Step<'_, '_>) -> Listed {
    let listed = quick(step);
    let families: &[fn(&mut Step<'_, '_>, &Listed)] = &[
        tools::run,
        resources::run,
        prompts::run,
        utilities::run,
        tasks::run,
        subscriptions::run,
        capability::run,
        together::run,
        cancel::run,
        broken::refusals,
    ];
    for family in families {
        if step.is_over() {
            return listed;
        }
        family(step, &listed);
    }
    if step
        .revision()
        .is_some_and(|revision| revision.has(Fact::Stateless))
    {
        stateless::run(step);
    }
    if step.client.is_http() && !step.is_over() {
        http::run(step);
    }
    if !step.is_over() {
        broken::run(step);
    }
    if step.client.is_http() && !step.is_over() {
        http::end(step);
    }
    listed
}
