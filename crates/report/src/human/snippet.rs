//! Draws a finding: its title, the line with carets and a label, and notes below.
//!
//! A snippet is one line that was cut to the width before. So nothing is laid out here, which keeps
//! the cost of a finding low.

use mcp_assay::Level;

use super::window::Window;
use crate::paint::Paint;
use crate::visible;

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
    pub(super) fn draw(&self, paint: Paint) -> String {
        // Few findings need more.
        let mut out = String::with_capacity(768);
        self.draw_title(paint, &mut out);
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
            out.extend([": ", text, "\n"]);
        }
        out.push('\n');
        out
    }

    fn draw_title(&self, paint: Paint, out: &mut String) {
        let level = self.level.name();
        paint.mark(self.level, out, |out| match self.rule {
            Some(rule) => out.extend([level, "[", rule, "]"]),
            None => out.push_str(level),
        });
        paint.begin_emphasis(out);
        out.extend([": ", self.title]);
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
