//! Colours for text on a terminal.

use mcp_assay::Level;

use crate::Style;

const RESET: &str = "\x1b[0m";
const BOLD: &str = "\x1b[1m";
/// Bright blue, for lines around the text.
const FRAME: &str = "\x1b[94m";

/// Colours text, or leaves it as it is.
#[derive(Clone, Copy)]
pub(crate) struct Paint {
    colour: bool,
}

impl Paint {
    pub(crate) fn new(style: Style) -> Self {
        Self {
            colour: style.colour,
        }
    }

    pub(crate) fn bold(self, text: &str) -> String {
        let mut out = String::new();
        self.emphasis(text, &mut out);
        out
    }

    /// In the colour of a level.
    pub(crate) fn level(self, level: Level, text: &str) -> String {
        if self.colour {
            [code(level), text, RESET].concat()
        } else {
            text.to_owned()
        }
    }

    /// Adds bold text.
    pub(crate) fn emphasis(self, text: &str, out: &mut String) {
        self.begin_emphasis(out);
        out.push_str(text);
        self.end(out);
    }

    /// Adds text of the frame.
    pub(crate) fn frame(self, text: &str, out: &mut String) {
        self.begin(&[BOLD, FRAME], out);
        out.push_str(text);
        self.end(out);
    }

    /// Adds text in bold and in the colour of a level.
    pub(crate) fn mark(self, level: Level, out: &mut String, text: impl FnOnce(&mut String)) {
        self.begin(&[BOLD, code(level)], out);
        text(out);
        self.end(out);
    }

    /// Begins bold text.
    pub(crate) fn begin_emphasis(self, out: &mut String) {
        self.begin(&[BOLD], out);
    }

    /// Ends coloured or bold text.
    pub(crate) fn end(self, out: &mut String) {
        if self.colour {
            out.push_str(RESET);
        }
    }

    fn begin(self, codes: &[&str], out: &mut String) {
        if self.colour {
            out.extend(codes.iter().copied());
        }
    }
}

/// The colour of a level: bright red, yellow or bright green.
fn code(level: Level) -> &'static str {
    match level {
        Level::Error => "\x1b[91m",
        Level::Warning => "\x1b[33m",
        Level::Note => "\x1b[92m",
    }
}
