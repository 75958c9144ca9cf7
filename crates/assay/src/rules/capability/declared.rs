//! Where capabilities are declared.

use crate::message::Message;
use crate::model::Fact;
use crate::syntax::Node;

/// The capabilities that a client declares in a request: in the handshake, or in each where there is none.
pub(super) fn by_client<'a>(request: &Message<'a>) -> Option<Node<'a>> {
    if request.has(Fact::Stateless) {
        let meta = request.meta()?;
        meta.get("io.modelcontextprotocol/clientCapabilities")
    } else if request.method() == Some("initialize") {
        request.param("capabilities")
    } else {
        None
    }
}
