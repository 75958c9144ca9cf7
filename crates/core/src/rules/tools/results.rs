//! Results of calls to which the tool's `outputSchema` applies.

use std::sync::Arc;

use crate::rules::prelude::*;
use crate::session::Tool;
use crate::session::message::wants_input;

/// The result of a successful call, with the tool as it was listed before the call, if it is still
/// current. Not the result of a call that continues: as a task, or after input of the user.
pub(super) fn finished<'a>(
    message: &Message<'a>,
    session: &'a Session,
) -> Option<(Node<'a>, &'a Arc<Tool>)> {
    let tool = message.request?.data()?.tool.as_ref()?;
    let result = succeeded(message)?;
    session
        .state
        .tools
        .is_current(tool)
        .then_some((result, tool))
}

/// The result of a successful call.
pub(super) fn succeeded<'a>(message: &Message<'a>) -> Option<Node<'a>> {
    let result = message.result()?;
    let failed = message
        .in_result("isError")
        .is_some_and(|failed| failed.kind() == Kind::True);
    // A result without content is the receipt for a task.
    let goes_on = (message.mentions("resultType") && wants_input(result))
        || message.in_result("content").is_none();
    (!failed && !goes_on).then_some(result)
}
