//! Reporters of checked messages, and the lines that they show.

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use mcp_assay::Direction;

use super::{Action, Judged};

/// Is told of each message, or part of an HTTP exchange, when it was judged. Closures will do.
pub trait Reporter: Send + Sync {
    /// A message of a session, by its name if it has one, was judged.
    fn report(&self, session: Option<&str>, judged: &Judged<'_>);

    /// Calls [`Self::report`] so that a panic in it does not stop the traffic.
    fn report_safely(&self, session: Option<&str>, judged: &Judged<'_>) {
        // The panic hook has shown the panic.
        let _caught = catch_unwind(AssertUnwindSafe(|| self.report(session, judged)));
    }
}

impl<F: Fn(Option<&str>, &Judged<'_>) + Send + Sync> Reporter for F {
    fn report(&self, session: Option<&str>, judged: &Judged<'_>) {
        self(session, judged);
    }
}

impl Judged<'_> {
    /// Each violation in a line, and a line for a check that failed: who sent what, the rule, the
    /// place, what was found and expected. Safe to show on a terminal.
    ///
    /// ```
    /// use mcp_assay_live::guard::{Guard, Mode};
    /// use mcp_assay::{Direction, Frame, Policy, Session};
    ///
    /// let (mut guard, mut session) = (Guard::new(Policy::default(), Mode::Shadow), Session::new());
    /// let call = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#;
    /// let judged = guard.judge(&mut session, Frame::new(call).direction(Direction::ClientToServer));
    /// let told: Vec<String> = judged.in_words().collect();
    /// assert!(told[0].starts_with("c2s request tools/call: error[schema/missing-member] at /params: "));
    /// ```
    pub fn in_words(&self) -> impl Iterator<Item = String> {
        let checked = self.checked;
        let fate = match self.action {
            Action::Forward => "",
            Action::Replace(_) if !self.repairs.is_empty() => " (mended)",
            Action::Replace(_) => " (replaced)",
            Action::Refuse(_) => " (refused)",
            Action::Split { .. } => " (refused in part)",
            Action::Drop => " (dropped)",
            Action::Divert => " (moved to standard error)",
        };
        let named = move || {
            let direction = checked.direction().map_or("", Direction::name);
            let kind = checked.kind().name();
            let mut line = format!("{direction} {kind}");
            if let Some(method) = checked.method() {
                line.push(' ');
                line.push_str(&method);
            }
            line
        };
        let failure = self.failed.then(|| {
            let line = format!("{}: the check failed, please report this{fate}", named());
            visible(line.trim_start())
        });
        let violations = checked.violations().iter().map(move |violation| {
            let mut line = named();
            let level = checked.level(violation).name();
            // Writing to memory cannot fail.
            let _ = write!(line, ": {level}[{}]", violation.rule.name);
            let pointer = checked.pointer(violation);
            if !pointer.is_empty() {
                let _ = write!(line, " at {pointer}");
            }
            let _ = write!(line, ": {}{fate}", checked.message(violation));
            visible(line.trim_start())
        });
        failure.into_iter().chain(violations)
    }
}

/// Names in a text come from the traffic: what a terminal would obey is spelt out.
fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        if matches!(letter, '"' | '\'' | '\\') {
            shown.push(letter);
        } else {
            shown.extend(letter.escape_debug());
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn control_characters_are_spelt_out() {
        assert_eq!(
            visible("a\u{1b}[31m\n\u{202e}`ä\"'"),
            "a\\u{1b}[31m\\n\\u{202e}`ä\"'"
        );
    }
}
