//! The last lines: the number of messages, and the violated rules with their counts.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::Totals;

/// Writes the summary; a clean run is one line.
pub(crate) fn write(totals: &Totals, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", counts(totals))?;
    let width = totals
        .violations
        .values()
        .max()
        .map_or(0, |count| count.to_string().len());
    for (rule, count) in &totals.violations {
        writeln!(out, "  {count:>width$}  {rule}")?;
    }
    for sentence in [not_judged(totals), totals.unnamed_sentence()]
        .iter()
        .flatten()
    {
        writeln!(out, "{sentence}")?;
    }
    Ok(())
}

/// The counts on one line, without its end.
pub(crate) fn counts(totals: &Totals) -> String {
    let Totals {
        messages,
        pass,
        flag,
        block,
        not_judged,
        ..
    } = totals;
    let noun = if *messages == 1 {
        "message"
    } else {
        "messages"
    };
    let mut text = match (messages, not_judged) {
        (0, _) => "no messages".to_owned(),
        (1, 0) if totals.is_clean() => "1 message: clean".to_owned(),
        (_, 0) if totals.is_clean() => format!("{messages} {noun}: all clean"),
        _ => format!("{messages} {noun}: {pass} clean"),
    };
    for (count, what) in [(*flag, "with warnings"), (*block, "with errors")] {
        if count > 0 {
            // Writing to a string cannot fail.
            let _ = write!(text, ", {count} {what}");
        }
    }
    if *not_judged > 0 {
        let _ = write!(text, ", {not_judged} not judged");
    }
    match totals.record_faults {
        0 => {}
        1 => text.push_str("; 1 record cannot be read"),
        many => {
            let _ = write!(text, "; {many} records cannot be read");
        }
    }
    text
}

/// The reason why messages were not judged, and the flag that helps.
pub(crate) fn not_judged(totals: &Totals) -> Option<String> {
    let what = match totals.not_judged {
        0 => return None,
        1 => "1 response was not judged: its request is".to_owned(),
        many => format!("{many} responses were not judged: their requests are"),
    };
    Some(format!(
        "{what} not in the input; `check --answers METHOD` gives the method"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_of_a_shared_connection_are_told() {
        let mut totals = Totals::default();
        let shown = |totals: &Totals| {
            let mut out = Vec::new();
            write(totals, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(shown(&totals), "no messages\n");
        totals.unnamed_sessions.insert("connection", 2);
        let mut other = Totals::default();
        other.unnamed_sessions.insert("connection", 1);
        other.unnamed_sessions.insert("order", 4);
        totals.merge(&other);
        assert_eq!(
            shown(&totals),
            "no messages\n7 sessions without an id, told apart: 3 by connection, 4 by order\n"
        );
    }
}
