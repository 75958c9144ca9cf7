//! Checks the documents of a source against one definition (`--as`): a file is one JSON text, or
//! one on each line.

use std::io;
use std::time::Instant;

use mcp_assay::syntax::{Tape, scan};
use mcp_assay::{Carrier, Frame, Limits, Validator};
use mcp_assay_report::Origin;

use super::failure::Failure;
use super::report::Report;
use crate::against::Against;
use crate::capture::{DOCUMENT_LIMIT, Lines};
use crate::input::{Meter, Source};
use crate::log::Event;

/// Checks every document of a source.
pub(super) fn check(
    source: &Source,
    against: &Against,
    (validator, tape): (&mut Validator, &mut Tape),
    meter: &Meter,
    report: &mut Report<'_>,
) -> Result<(), Failure> {
    let input = source.open(meter).map_err(Failure::Read)?;
    let limits = validator.policy().limits;
    let mut lines = Lines::new(input, limits.bytes);
    let Some(text) = lines.rest(DOCUMENT_LIMIT).map_err(Failure::Read)? else {
        return Err(Failure::Read(io::Error::other(format!(
            "a document above {} MiB is not read, because it has to be held in memory",
            DOCUMENT_LIMIT >> 20
        ))));
    };
    let name = source.name();
    for (line, document) in documents(text, &limits, tape) {
        let origin = Origin {
            source: &name,
            line,
            bare: true,
            ..Origin::default()
        };
        let begun = Instant::now();
        let checked = against.check(validator, Frame::new(document));
        if let Some(log) = report.log {
            log.message(&Event {
                origin,
                carrier: Carrier::Unknown,
                time: None,
                took: begun.elapsed(),
                checked: &checked,
            });
        }
        report.message(&origin, &checked).map_err(Failure::Write)?;
    }
    Ok(())
}

/// The documents of a text with their lines: the whole of it, unless its first line is a document
/// and more lines follow.
fn documents<'t>(text: &'t [u8], limits: &Limits, tape: &mut Tape) -> Vec<(u64, &'t [u8])> {
    let mut is_json = |text: &[u8]| scan(text, &limits.for_scan(), tape).is_ok();
    let whole = text.trim_ascii_end();
    let blank = |line: &[u8]| line.trim_ascii().is_empty();
    let first = whole.split(|&byte| byte == b'\n').find(|line| !blank(line));
    let Some(first) = first else {
        return Vec::new();
    };
    if !is_json(first) || is_json(whole) {
        let before = whole.len() - whole.trim_ascii_start().len();
        let line = whole[..before].split(|&byte| byte == b'\n').count();
        return vec![(line as u64, &whole[before..])];
    }
    (1..)
        .zip(whole.split(|&byte| byte == b'\n'))
        .filter(|(_, line)| !blank(line))
        .map(|(number, line)| (number, line.strip_suffix(b"\r").unwrap_or(line)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_one_document_or_one_on_each_line() {
        let lines_of = |text: &'static str| -> Vec<(u64, String)> {
            documents(text.as_bytes(), &Limits::DEFAULT, &mut Tape::new())
                .into_iter()
                .map(|(line, text)| (line, String::from_utf8(text.to_vec()).unwrap()))
                .collect()
        };
        for (text, expected) in [
            ("", vec![]),
            ("\n \n", vec![]),
            ("{\n}\n", vec![(1, "{\n}")]),
            ("\n{}", vec![(2, "{}")]),
            ("{}\r\n\n[]\n", vec![(1, "{}"), (3, "[]")]),
            // A broken text is one text.
            ("{\n\"a\":\n", vec![(1, "{\n\"a\":")]),
            // A broken line among good ones is one document.
            ("{}\n{\n{}", vec![(1, "{}"), (2, "{"), (3, "{}")]),
        ] {
            let expected: Vec<_> = expected
                .into_iter()
                .map(|(line, text)| (line, text.to_owned()))
                .collect();
            assert_eq!(lines_of(text), expected, "{text:?}");
        }
    }
}
