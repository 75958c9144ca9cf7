//! Tests of JSON Schema over the tape.

mod definitions;
mod documents;
mod tape;

use super::value::TapeNode;
use crate::policy::Limits;
use crate::syntax::{Tape, scan};

/// Scans a text and looks at it as `jsonschema` does.
fn with_tape<T>(text: &str, look: impl FnOnce(TapeNode<'_>) -> T) -> T {
    let mut tape = Tape::new();
    scan(text.as_bytes(), &Limits::DEFAULT.for_scan(), &mut tape).expect("the text is JSON");
    let root = tape
        .root(text.as_bytes())
        .expect("a scanned text has a root");
    look(TapeNode::new(root, &tape))
}
