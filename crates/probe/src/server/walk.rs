//! The walk over an open connection: first the requests of a good client, then the others, from
//! harmless to harmful.

use serde_json::Value;

use super::capability_truthful::read_lists;
use super::list::PROBES;
use super::step::Moment;
use super::{Listed, Step};

/// The short walk: lists, and a ping.
pub(super) fn quick(step: &mut Step<'_, '_>) -> Listed {
    let listed = read_lists(step);
    if !step.client.is_stateless() && !step.is_over() {
        step.ask("ping", Value::Null);
    }
    listed
}

/// The short walk, and every other step in the order of the list.
pub(super) fn whole(step: &mut Step<'_, '_>) -> Listed {
    let listed = quick(step);
    let mut after_http = false;
    for probe in PROBES {
        let (run, over_http) = match probe.moment {
            Moment::Walk(run) => (run, false),
            Moment::Http(run) if step.client.is_http() => (run, true),
            Moment::Http(_) | Moment::Elsewhere => continue,
        };
        // A server may drop the connection of one bad request: the next has a connection of its
        // own.
        if !(over_http && after_http) && step.is_over() {
            break;
        }
        after_http = over_http;
        run(step, &listed);
    }
    listed
}
