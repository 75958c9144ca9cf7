//! A line on the terminal that is drawn over and over while something takes its time, and is gone in the end.
//!
//! It goes to standard error, with nothing but carriage returns and blanks, so that any terminal can show it.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Where a terminal does not tell.
const COLUMNS: usize = 80;

const SPINNER: [char; 4] = ['|', '/', '-', '\\'];

/// The line.
#[derive(Default)]
pub(crate) struct StatusLine {
    /// How many columns of it are on the screen.
    shown: Mutex<usize>,
}

impl StatusLine {
    /// Whether there is a terminal to show it on.
    pub(crate) fn can_be_seen() -> bool {
        io::stderr().is_terminal()
    }

    /// Shows a text in place of the last one. What does not fit is left out.
    pub(crate) fn show(&self, text: &str) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        let line = fit(text, columns());
        let length = line.chars().count();
        draw(&format!("\r{line:<width$}", width = *shown));
        *shown = length;
    }

    /// Takes the line away, and keeps it away while something else writes to the terminal.
    pub(crate) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if *shown > 0 {
            draw(&format!("\r{:<width$}\r", "", width = *shown));
            *shown = 0;
        }
        write()
    }

    /// Takes the line away.
    pub(crate) fn clear(&self) {
        self.suspend(|| ());
    }
}

/// How wide the terminal is, less the last column, where some terminals begin a new line.
pub(crate) fn columns() -> usize {
    let size = terminal_size::terminal_size_of(io::stderr());
    let columns = size.map_or(COLUMNS, |(width, _)| usize::from(width.0));
    columns.saturating_sub(1)
}

/// A bar of so many columns.
pub(crate) fn bar(done: u64, total: u64, columns: usize) -> String {
    let full = u128::from(done) * columns as u128 / u128::from(total.max(1));
    let full = usize::try_from(full).unwrap_or(columns).min(columns);
    "█".repeat(full) + &"░".repeat(columns - full)
}

/// What turns while something goes on.
pub(crate) fn spinner(tick: usize) -> char {
    SPINNER[tick % SPINNER.len()]
}

/// A number of bytes as people read it.
pub(crate) fn bytes(count: u64) -> String {
    let units = [(40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")];
    match units.into_iter().find(|(bits, _)| count >> bits > 0) {
        Some((bits, unit)) => {
            let hundredths = (u128::from(count) * 100) >> bits;
            format!("{}.{:02} {unit}", hundredths / 100, hundredths % 100)
        }
        None => format!("{count} B"),
    }
}

/// A time as people read it.
pub(crate) fn time(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..60 => format!("{seconds}s"),
        seconds @ 60..3600 => format!("{}m", seconds / 60),
        seconds => format!("{}h", seconds / 3600),
    }
}

/// As much of a text as fits, without what could move the cursor.
fn fit(text: &str, columns: usize) -> String {
    let plain = text.chars().filter(|char| !char.is_control());
    plain.take(columns).collect()
}

fn draw(text: &str) {
    let mut screen = io::stderr().lock();
    // A terminal that is gone shows nothing, which does no harm.
    let _ = screen
        .write_all(text.as_bytes())
        .and_then(|()| screen.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_grow_from_nothing_to_all() {
        assert_eq!(bar(0, 10, 4), "░░░░");
        assert_eq!(bar(5, 10, 4), "██░░");
        assert_eq!(bar(10, 10, 4), "████");
        // A file may grow while it is read, and be empty when it is looked at.
        assert_eq!(bar(11, 10, 4), "████");
        assert_eq!(bar(0, 0, 4), "░░░░");
        assert_eq!(bar(1, 2, 0), "");
    }

    #[test]
    fn numbers_are_for_people() {
        assert_eq!(bytes(1023), "1023 B");
        assert_eq!(bytes(1536), "1.50 KiB");
        assert_eq!(bytes(3 << 30), "3.00 GiB");
        assert_eq!(bytes(5 << 40), "5.00 TiB");
        assert_eq!(time(Duration::from_millis(1900)), "1s");
        assert_eq!(time(Duration::from_secs(150)), "2m");
        assert_eq!(time(Duration::from_secs(7300)), "2h");
    }

    #[test]
    fn a_text_cannot_move_the_cursor_or_wrap() {
        assert_eq!(fit("a\u{1b}[2J\nb\r", 80), "a[2Jb");
        assert_eq!(fit("checking", 5), "check");
    }
}
