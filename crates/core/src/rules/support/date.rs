//! Dates with times, ISO 8601.

/// Whether a text is date and time of ISO 8601, with or without separators, fraction and zone.
pub(crate) fn is_timestamp(text: &str) -> bool {
    is_usual(text.as_bytes()) || is_some_timestamp(text)
}

/// Whether a text has the most common form: `2026-07-28T12:00:00Z`.
fn is_usual(text: &[u8]) -> bool {
    let Some(&text) = <&[u8; 20]>::try_from(text).ok() else {
        return false;
    };
    let shape = *b"0000-00-00T00:00:00Z";
    let number = |at: usize| (text[at] & 15) * 10 + (text[at + 1] & 15);
    let fits = text
        .iter()
        .zip(shape)
        .all(|(byte, expected)| match expected {
            b'0' => byte.is_ascii_digit(),
            _ => *byte == expected,
        });
    fits && (1..=12).contains(&number(5))
        && (1..=31).contains(&number(8))
        && number(11) <= 24
        && number(14) <= 59
        && number(17) <= 60
}

/// Whether a text is a date as the names of revisions are: `2025-06-18`.
pub(crate) fn is_date(text: &str) -> bool {
    text.len() == 10
        && fields(
            text.as_bytes(),
            b'-',
            &[4, 2, 2],
            &[(0, 9999), (1, 12), (1, 31)],
        )
}

fn is_some_timestamp(text: &str) -> bool {
    let Some((date, time)) = text.split_once(['T', 't', ' ']) else {
        return false;
    };
    let zone = time.find(['Z', 'z', '+', '-']).unwrap_or(time.len());
    let (clock, zone) = time.split_at_checked(zone).unwrap_or((time, ""));
    let (clock, fraction) = clock.split_once(['.', ',']).unwrap_or((clock, "0"));
    let is_zone = match zone.as_bytes() {
        [] | [b'Z' | b'z'] => true,
        [_, offset @ ..] => fields(offset, b':', &[2, 2], &[(0, 23), (0, 59)]),
    };
    is_zone
        && fields(
            date.as_bytes(),
            b'-',
            &[4, 2, 2],
            &[(0, 9999), (1, 12), (1, 31)],
        )
        && fields(
            clock.as_bytes(),
            b':',
            &[2, 2, 2],
            &[(0, 24), (0, 59), (0, 60)],
        )
        && !fraction.is_empty()
        && fraction.bytes().all(|digit| digit.is_ascii_digit())
}

/// Whether a text has numbers of these widths and ranges, all with the separator between them or
/// all without. The last one of a time may be missing, but none of a date.
fn fields(text: &[u8], separator: u8, widths: &[usize], ranges: &[(u32, u32)]) -> bool {
    let separated = text.contains(&separator);
    let mut rest = text;
    let mut found = 0;
    for (width, (least, most)) in widths.iter().zip(ranges) {
        if found > 0 && separated {
            match rest {
                [first, after @ ..] if *first == separator => rest = after,
                _ => break,
            }
        }
        let Some((digits, after)) = rest.split_at_checked(*width) else {
            break;
        };
        let number = core::str::from_utf8(digits).ok();
        let number = number.filter(|_| digits.iter().all(u8::is_ascii_digit));
        let number = number.and_then(|digits| digits.parse::<u32>().ok());
        if !number.is_some_and(|number| (*least..=*most).contains(&number)) {
            return false;
        }
        rest = after;
        found += 1;
    }
    let least = if separator == b'-' { widths.len() } else { 1 };
    rest.is_empty() && found >= least
}

#[cfg(test)]
mod tests {
    use super::is_timestamp;

    #[test]
    fn date_and_time_of_iso_8601() {
        for text in [
            "2025-11-25T10:30:00Z",
            "2025-11-25t10:30:00z",
            "2025-11-25T10:30:00.123456+00:00",
            "2025-11-25T10:30:00,5-0330",
            "2025-11-25T10:30:60+01",
            "2025-11-25T10:30",
            "2025-11-25 10:30:00",
            "20251125T103000Z",
        ] {
            assert!(is_timestamp(text), "{text}");
        }
        for text in [
            "",
            "now",
            "1764066600",
            "2025-11-25",
            "2025-13-25T10:30:00Z",
            "2025-11-32T10:30:00Z",
            "2025-11-25T25:30:00Z",
            "2025-11-25T10:30:00.Z",
            "2025-11-25T10:30:00ZZ",
            "2025-11-25T",
            "2025-11T10:30:00Z",
            "25/11/2025 10:30",
            "Tue Nov 25 2025 10:30:00",
            "2025-1-5T10:30:00Z",
        ] {
            assert!(!is_timestamp(text), "{text}");
        }
    }
}
