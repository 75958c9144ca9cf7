//! The bytes of a message with the offending ones highlighted.

use mcp_assay::{Level, Span};

use super::escape::{self, add};

/// Bytes of a message that are shown.
const MAX_BYTES: usize = 64 << 10;
/// Bytes around the offending ones in an excerpt, and at most of these.
const AROUND: usize = 120;
const MAX_HIGHLIGHTED: usize = 400;

/// Bytes at fault, and the level of the fault.
#[derive(Clone, Copy)]
pub(super) struct Lit {
    pub(super) span: Span,
    pub(super) level: Level,
}

/// The beginning of a message, with the offending bytes highlighted.
pub(super) fn whole(bytes: &[u8], lit: &[Lit], out: &mut String) {
    out.push_str("<pre class=\"raw\">");
    let shown = &bytes[..boundary_before(bytes, MAX_BYTES)];
    write(shown, 0, bytes.len(), lit, out);
    out.push_str("</pre>");
    match bytes.len() - shown.len() {
        0 => {}
        more => add(
            out,
            format_args!("<p class=\"more\">{more} more bytes are not shown</p>"),
        ),
    }
}

/// The bytes at fault with some around them.
pub(super) fn excerpt(bytes: &[u8], lit: Lit, out: &mut String) {
    let start = (lit.span.start as usize).min(bytes.len());
    let end = (lit.span.end as usize)
        .clamp(start, bytes.len())
        .min(start + MAX_HIGHLIGHTED);
    let from = boundary_before(bytes, start.saturating_sub(AROUND));
    let to = boundary_before(bytes, end + AROUND);
    out.push_str("<pre class=\"cut\">");
    if from > 0 {
        out.push('…');
    }
    write(&bytes[from..to], from, bytes.len(), &[lit], out);
    if to < bytes.len() {
        out.push('…');
    }
    out.push_str("</pre>");
}

/// Writes bytes that begin at `offset` of a message of `total` bytes.
fn write(bytes: &[u8], offset: usize, total: usize, lit: &[Lit], out: &mut String) {
    let end = offset + bytes.len();
    let widened: Vec<(usize, usize, Level)> = lit
        .iter()
        .map(|lit| {
            let (from, to) = (lit.span.start as usize, lit.span.end as usize);
            // A place between two bytes is shown by the byte after it.
            (from, to.max(from + 1), lit.level)
        })
        .collect();
    let mut cuts: Vec<usize> = widened
        .iter()
        .flat_map(|(from, to, _)| [*from, *to])
        .filter(|cut| (offset..end).contains(cut))
        .map(|cut| offset + boundary_before(bytes, cut - offset))
        .chain([offset, end])
        .collect();
    cuts.sort_unstable();
    cuts.dedup();
    for pair in cuts.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let level = widened
            .iter()
            .filter(|(start, stop, _)| *start < to && *stop > from)
            .map(|(_, _, level)| *level)
            .max();
        let part = &bytes[from - offset..to - offset];
        match level {
            None => escape::bytes(part, out),
            Some(level) => {
                add(out, format_args!("<mark class=\"{}\">", level.name()));
                escape::bytes(part, out);
                out.push_str("</mark>");
            }
        }
    }
    // A missing end of a message has no byte of its own.
    let at_end = widened
        .iter()
        .filter(|(from, _, _)| *from >= total && end == total);
    if let Some(level) = at_end.map(|(_, _, level)| *level).max() {
        add(
            out,
            format_args!("<mark class=\"{}\">◂</mark>", level.name()),
        );
    }
}

/// The last beginning of a character at or before an offset.
fn boundary_before(bytes: &[u8], offset: usize) -> usize {
    if offset >= bytes.len() {
        return bytes.len();
    }
    // A character has at most four bytes: in bytes that are not UTF-8 any place will do.
    (offset.saturating_sub(3)..=offset)
        .rev()
        .find(|&at| bytes[at] & 0xc0 != 0x80)
        .unwrap_or(offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lit(start: u32, end: u32, level: Level) -> Lit {
        Lit {
            span: Span { start, end },
            level,
        }
    }

    fn shown(bytes: &[u8], lit: &[Lit]) -> String {
        let mut out = String::new();
        whole(bytes, lit, &mut out);
        out.replace("<pre class=\"raw\">", "").replace("</pre>", "")
    }

    #[test]
    fn the_gravest_fault_lights_a_byte() {
        let marks = [lit(1, 5, Level::Note), lit(2, 3, Level::Error)];
        assert_eq!(
            shown(b"abcdef", &marks),
            "a<mark class=\"note\">b</mark><mark class=\"error\">c</mark><mark class=\"note\">de</mark>f"
        );
    }

    #[test]
    fn places_between_bytes_are_shown() {
        assert_eq!(
            shown(b"ab", &[lit(1, 1, Level::Error)]),
            "a<mark class=\"error\">b</mark>"
        );
        assert_eq!(
            shown(b"ab", &[lit(2, 2, Level::Error)]),
            "ab<mark class=\"error\">◂</mark>"
        );
        assert_eq!(
            shown(b"", &[lit(0, 0, Level::Error)]),
            "<mark class=\"error\">◂</mark>"
        );
    }

    #[test]
    fn characters_stay_whole() {
        // The second byte of `é` is named.
        assert_eq!(
            shown("aéb".as_bytes(), &[lit(2, 3, Level::Error)]),
            "a<mark class=\"error\">é</mark>b"
        );
    }

    #[test]
    fn long_messages_are_cut_and_excerpts_still_show_the_fault() {
        let mut bytes = vec![b'x'; 5 << 20];
        bytes.extend_from_slice("<b>".as_bytes());
        let at = bytes.len() as u32;
        let mark = lit(at - 3, at, Level::Error);
        let text = shown(&bytes, &[mark]);
        assert!(
            text.len() < MAX_BYTES + 100 && text.ends_with("5177347 more bytes are not shown</p>"),
            "{}",
            &text[text.len() - 80..]
        );
        let mut out = String::new();
        excerpt(&bytes, mark, &mut out);
        assert!(
            out.starts_with("<pre class=\"cut\">…xxx")
                && out.ends_with("x<mark class=\"error\">&lt;b&gt;</mark></pre>"),
            "{out}"
        );
    }
}
