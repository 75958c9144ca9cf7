//! Results of calls, as far as the tool's `outputSchema` applies to them.

use std::sync::Arc;

use crate::rules::prelude::*;
use crate::session::Tool;
use crate::session::message::wants_input;

/// The result of a call that succeeded, with the tool as it was shown before the call, if it still is so. Not the result of
/// a call that goes on: as a task, or when the user has answered.
pub(super) fn finished<'a>(
    message: &Message<'a>,
    session: &'a Session,
) -> Option<(Node<'a>, &'a Arc<Tool>)> {
    let tool = message.request?.asked()?.tool.as_ref()?;
    let result = succeeded(message)?;
    session
        .state
        .tools
        .is_current(tool)
        .then_some((result, tool))
}

/// The result of a call that succeeded.
pub(super) fn succeeded<'a>(message: &Message<'a>) -> Option<Node<'a>> {
    let result = message.result()?;
    let failed = message
        .in_result("isError")
        .is_some_and(|failed| failed.kind() == Kind::True);
    // What has no content is the receipt for a task.
    let goes_on = (message.mentions("resultType") && wants_input(result))
        || message.in_result("content").is_none();
    (!failed && !goes_on).then_some(result)
}
