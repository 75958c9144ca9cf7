//! Checks a progress notification once for the rules about its token and its value.
//!
//! They exclude one another: after a fault of the token its value is not checked.

use super::{
    increases, stops_after_completion, task_stops_at_terminal, task_token_kept, token_known,
    token_type_preserved,
};
use crate::rules::prelude::*;
use crate::session::{ARRIVAL, Moment, State, related_task};

/// Checks progress notifications.
pub(super) static GROUP: Group = Group {
    keys: &[],
    on: &[On::Call("notifications/progress")],
    check,
};

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let (Some(token), Some(request_direction)) = (
        message.param("progressToken"),
        message.direction().map(Direction::reverse),
    ) else {
        return;
    };
    if message.has(Fact::CoreTasks) && is_of_other_task(message, request_direction, token, session)
    {
        let text = "the request that made the task gave another progress token";
        findings.raise(&task_token_kept::RULE, token, text);
        return;
    }
    let progress = &session.state.progress;
    let report = progress.report(message);
    let given =
        report.and_then(|(key, value)| Some((progress.given(request_direction, key)?, value)));
    let Some((given, value)) = given else {
        unknown(message, request_direction, token, session, findings);
        return;
    };
    let ended = match given.state {
        State::Open | State::Unknown => None,
        State::Answered(at) => Some((
            at,
            &stops_after_completion::RULE,
            "the request of this token was answered",
        )),
        State::Task(id) => session
            .state
            .tasks
            .get(request_direction, id)
            .filter(|task| !task.uncertain)
            .and_then(|task| task.ended)
            .map(|at| {
                (
                    at,
                    &task_stops_at_terminal::RULE,
                    "the task of this token has ended",
                )
            }),
    };
    let last = given.last.filter(|_| !given.shared);
    if let Some((at, rule, text)) = ended
        && comes_after(&message.now(), &at, value, last)
    {
        findings.raise(rule, token, text);
    } else if let Some((last, at)) = last
        && value <= last
        && at.exchange == message.now().exchange
        && let Some(node) = message.param("progress")
    {
        findings.raise(
            &increases::RULE,
            node,
            "the progress is not greater than before",
        );
    }
}

/// Whether it declares a task whose request set another token.
fn is_of_other_task(
    message: &Message<'_>,
    request_direction: Direction,
    token: Node<'_>,
    session: &Session,
) -> bool {
    let keys = &session.state.progress.keys;
    let related = related_task(message).and_then(|id| keys.of(id));
    let task = related.and_then(|id| session.state.tasks.get(request_direction, id));
    let own = task
        .filter(|task| !task.uncertain)
        .and_then(|task| task.token);
    own.is_some() && own != keys.of(token)
}

fn unknown(
    message: &Message<'_>,
    request_direction: Direction,
    token: Node<'_>,
    session: &Session,
    findings: &mut Findings<'_>,
) {
    let progress = &session.state.progress;
    let is_complete = progress.is_complete(request_direction);
    if is_complete && progress.is_given_as_other_type(request_direction, token) {
        let text = "the progress token came with another JSON type";
        findings.raise(&token_type_preserved::RULE, token, text);
        return;
    }
    // An unreadable message may have been the request.
    let all_known = session.is_whole(message)
        && is_complete
        && session.losses.unread[request_direction as usize] == 0;
    if all_known {
        let text = "no request gave this progress token";
        findings.raise(&token_known::RULE, token, text);
    }
}

/// Whether a notification was sent after the end. HTTP streams overtake one another, and a resumed
/// stream repeats events; so a notification on another stream counts only if it is late and new.
fn comes_after(now: &Moment, end: &Moment, value: f64, last: Option<(f64, Moment)>) -> bool {
    if now.exchange == end.exchange {
        return true;
    }
    let is_new = last.is_none_or(|(last, _)| value > last);
    is_new && now.since(end).is_some_and(|passed| passed > ARRIVAL)
}
