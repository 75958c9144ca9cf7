//! Colours for the text that the snippet renderer does not draw.

use annotate_snippets::renderer::{AnsiColor, Effects, Style as Ansi};
use mcp_assay::Level;

use crate::Style;

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
        self.apply(Ansi::new().effects(Effects::BOLD), text)
    }

    /// In the colour of a level.
    pub(crate) fn level(self, level: Level, text: &str) -> String {
        let colour = match level {
            Level::Error => AnsiColor::BrightRed,
            Level::Warning => AnsiColor::Yellow,
            Level::Note => AnsiColor::BrightGreen,
        };
        self.apply(colour.on_default(), text)
    }

    fn apply(self, style: Ansi, text: &str) -> String {
        if self.colour {
            format!("{style}{text}{style:#}")
        } else {
            text.to_owned()
        }
    }
}
