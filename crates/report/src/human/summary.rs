//! The last lines: the number of messages, and the violated rules with their counts.

use std::io::{self, Write};

use crate::Totals;

/// Writes the summary; a clean run is one line.
pub(crate) fn write(totals: &Totals, out: &mut dyn Write) -> io::Result<()> {
    let Totals {
        missing: _,
        messages,
        pass,
        flag,
        block,
        record_faults,
        violations,
        // Reported before, one line each.
        sources: _,
    } = totals;
    match messages {
        0 => write!(out, "no messages")?,
        1 if totals.is_clean() => write!(out, "1 message: pass")?,
        _ if totals.is_clean() => write!(out, "{messages} messages: all pass")?,
        _ => {
            let noun = if *messages == 1 {
                "message"
            } else {
                "messages"
            };
            write!(
                out,
                "{messages} {noun}: {pass} pass, {flag} flag, {block} block"
            )?;
        }
    }
    match record_faults {
        0 => writeln!(out)?,
        1 => writeln!(out, "; 1 record cannot be read")?,
        many => writeln!(out, "; {many} records cannot be read")?,
    }
    let width = violations
        .values()
        .max()
        .map_or(0, |count| count.to_string().len());
    for (rule, count) in violations {
        writeln!(out, "  {count:>width$}  {rule}")?;
    }
    Ok(())
}
