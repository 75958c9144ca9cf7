//! Faults of a wire file, with their places.

use std::fmt;

/// A place in a file; line and column count from one, columns in characters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Place {
    /// The path, as it is shown.
    pub(crate) file: std::rc::Rc<str>,
    /// The line.
    pub(crate) line: usize,
    /// The column.
    pub(crate) column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A fault in a wire file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Diagnostic {
    /// The place.
    pub(crate) place: Place,
    /// The found and the expected text.
    pub(crate) message: String,
}

impl Diagnostic {
    /// A fault at a place.
    pub(crate) fn new(place: &Place, message: impl Into<String>) -> Self {
        Self {
            place: place.clone(),
            message: message.into(),
        }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

impl std::error::Error for Diagnostic {}

/// All faults as one text, a line each, in order of their places.
pub(crate) fn render(diagnostics: &[Diagnostic]) -> String {
    let mut sorted = diagnostics.to_vec();
    sorted.sort();
    sorted.dedup();
    let lines: Vec<String> = sorted.iter().map(ToString::to_string).collect();
    lines.join("\n")
}
