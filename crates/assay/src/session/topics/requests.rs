//! Remembers which ids were used, and what each request declared.

use crate::message::Message;
use crate::model::Fact;
use crate::rules::check::On;
use crate::session::{Hook, Session, UsedId, UsedIds, declared_by};
use crate::syntax::{Kind, Node};

/// What is remembered of all requests, also of those that were answered.
#[derive(Debug, Default)]
pub(crate) struct Requests {
    /// Ids that requests of each direction have used.
    pub(crate) ids: [UsedIds; 2],
}

pub(super) static HOOKS: &[Hook] = &[Hook(&[On::AnyRequest], sent)];

fn sent(message: &Message<'_>, session: &mut Session) {
    if message.batched {
        let order = message.now.order;
        if let Some(request) = session.newest_request() {
            request.asked_mut().batch = Some(order);
        }
    }
    if message.has(Fact::Stateless)
        && let Some(declared) = declared_by(message)
        && let Some(request) = session.newest_request()
    {
        request.asked_mut().capabilities = Some(declared);
    }
    let (Some(direction), Some(id)) = (message.direction(), message.id()) else {
        return;
    };
    let ids = &mut session.topics.requests.ids[direction as usize];
    let limit = message.policy.limits.ids;
    let mut text = Vec::new();
    let remembered = used_id(id, &mut text).is_none_or(|id| ids.insert(id, limit));
    if !remembered {
        session.is_full_of("ids");
    }
}

/// An id as it is remembered; the buffer is used only for one with escapes.
pub(crate) fn used_id<'a>(id: Node<'a>, buffer: &'a mut Vec<u8>) -> Option<UsedId<'a>> {
    match id.kind() {
        Kind::Number => id.as_i64().map(UsedId::Number),
        Kind::String => Some(UsedId::Text(match id.plain() {
            Some(plain) => plain,
            None => {
                id.text_into(buffer);
                buffer
            }
        })),
        _ => None,
    }
}
