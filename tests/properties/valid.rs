//! Invented messages are valid.

use mcp_assay::{Frame, Revision, Session, Verdict};
use mcp_assay_testkit::{message_validator, messages};

#[test]
fn invented_messages_pass() {
    for revision in Revision::ALL {
        let mut validator = message_validator();
        for message in messages(revision, 5000) {
            let checked = validator.check(&mut Session::new(), Frame::of_invented(&message));
            let found: Vec<_> = checked
                .violations()
                .iter()
                .map(|found| checked.message(found))
                .collect();
            assert_eq!(checked.verdict(), Verdict::Pass, "{message:?}\n{found:?}");
            assert_eq!(checked.kind(), message.kind, "{message:?}");
        }
    }
}
