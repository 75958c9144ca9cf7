//! A message that ends too early is a violation, never a panic.

use mcp_assay::{Revision, Session, Validator, Verdict};
use mcp_assay_testkit::{Random, message_validator, messages};

#[test]
fn every_prefix_of_short_messages() {
    for revision in Revision::ALL {
        let mut validator = message_validator();
        for message in messages(revision, 0).step_by(23) {
            for end in 0..message.bytes.len().min(400) {
                check(&mut validator, &message.bytes[..end]);
            }
        }
    }
}

#[test]
fn random_cuts_and_damage() {
    for revision in Revision::ALL {
        let mut validator = message_validator();
        let mut random = Random::new(7);
        for message in messages(revision, 2000) {
            let mut bytes = message.bytes.clone();
            let end = random.below(bytes.len());
            check(&mut validator, &bytes[..end]);
            // Whatever the bytes are, there is a verdict and words for it.
            let at = random.below(bytes.len());
            bytes[at] = random.bits() as u8;
            let from = random.below(bytes.len());
            for bytes in [&bytes[..], &bytes[from..]] {
                let mut session = Session::new();
                let checked = validator.check(&mut session, bytes);
                for violation in checked.violations() {
                    assert!(!checked.message(violation).is_empty());
                    assert!(!checked.help(violation).is_empty());
                    assert!(violation.span.start <= violation.span.end);
                    assert!(violation.span.end as usize <= bytes.len());
                    let _ = checked.pointer(violation);
                }
            }
        }
    }
}

/// A proper prefix of an object or array is not JSON.
fn check(validator: &mut Validator, prefix: &[u8]) {
    let first = validator.first_violation(&Session::new(), prefix);
    assert!(first.is_some());
    assert_eq!(
        validator.check(&mut Session::new(), prefix).verdict(),
        Verdict::Block
    );
}
