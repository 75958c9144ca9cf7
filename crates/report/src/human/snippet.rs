//! Draws a finding: its title, the line with carets and a label, and notes below.
//!
//! The line was cut to the width before; sentences are folded on a terminal only.

use mcp_assay::Level;

use super::window::Window;
use crate::paint::Paint;
use crate::{Style, visible, wrap};

/// A finding without its place in the input. All texts were made visible.
pub(super) struct Snippet<'a> {
    pub(super) level: Level,
    pub(super) rule: Option<&'a str>,
    pub(super) title: &'a str,
    /// The line, and the words under the carets.
    pub(super) line: Option<(&'a Window, &'a str)>,
    /// Names and texts.
    pub(super) notes: &'a [(&'a str, &'a str)],
}

impl Snippet<'_> {
    /// The text, with the empty line that ends it.
    pub(super) fn draw(&self, style: Style) -> String {
        let paint = Paint::new(style);
        // Few findings need more.
        let mut out = String::with_capacity(768);
        self.draw_title(style, paint, &mut out);
        if let Some((window, label)) = self.line {
            draw_gutter(paint, &mut out);
            out.push('\n');
            self.draw_line(window, label, paint, &mut out);
        }
        if !self.notes.is_empty() {
            draw_gutter(paint, &mut out);
            out.push('\n');
        }
        for (name, text) in self.notes {
            out.push(' ');
            paint.frame("= ", &mut out);
            paint.emphasis(name, &mut out);
            let line = [name, ": ", text].concat();
            // The name was painted before.
            let folded = wrap::folded_after(&line, style, 3, name.len() + 5);
            out.extend([&folded[name.len()..], "\n"]);
        }
        out.push('\n');
        out
    }

    fn draw_title(&self, style: Style, paint: Paint, out: &mut String) {
        let level = self.level.name();
        let head = level.len() + self.rule.map_or(0, |rule| rule.len() + 2);
        paint.mark(self.level, out, |out| match self.rule {
            Some(rule) => out.extend([level, "[", rule, "]"]),
            None => out.push_str(level),
        });
        paint.begin_emphasis(out);
        let title = [": ", self.title].concat();
        out.push_str(&wrap::folded_after(&title, style, head, 2));
        paint.end(out);
        out.push('\n');
    }

    fn draw_line(&self, window: &Window, label: &str, paint: Paint, out: &mut String) {
        draw_gutter(paint, out);
        let text = window.text.trim_end();
        if !text.is_empty() {
            out.extend([" ", text]);
        }
        out.push('\n');
        draw_gutter(paint, out);
        let (before, rest) = window.text.split_at(window.carets.start);
        let marked = &rest[..window.carets.len()];
        push_repeated(" ", visible::columns(before) + 1, out);
        // A place between two bytes gets a caret, too.
        paint.mark(self.level, out, |out| {
            push_repeated("^", visible::columns(marked).max(1), out);
        });
        if !label.is_empty() {
            out.push(' ');
            paint.mark(self.level, out, |out| out.push_str(label));
        }
        out.push('\n');
    }
}

fn draw_gutter(paint: Paint, out: &mut String) {
    out.push(' ');
    paint.frame("|", out);
}

fn push_repeated(text: &str, count: usize, out: &mut String) {
    out.extend(std::iter::repeat_n(text, count));
}
