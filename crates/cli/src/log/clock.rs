//! Times as texts.

use std::cell::RefCell;
use std::io::Write as _;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use jiff::Timestamp;

use crate::json::push_number;

thread_local! {
    /// The last second that was written, and its text up to the fraction.
    static LAST_SECOND: RefCell<(u64, String)> = const { RefCell::new((u64::MAX, String::new())) };
}

/// Appends a time in UTC as RFC 3339 writes it, with microseconds.
pub(super) fn push_stamp(time: SystemTime, out: &mut Vec<u8>) {
    let timestamp = || Timestamp::try_from(time).unwrap_or(Timestamp::UNIX_EPOCH);
    let Ok(since) = time.duration_since(UNIX_EPOCH) else {
        // Writing to memory cannot fail.
        let _ = write!(out, "{:.6}", timestamp());
        return;
    };
    LAST_SECOND.with_borrow_mut(|(second, text)| {
        if *second != since.as_secs() {
            *second = since.as_secs();
            *text = format!("{:.0}", timestamp());
            text.truncate(text.trim_end_matches('Z').len());
        }
        out.extend_from_slice(text.as_bytes());
    });
    out.push(b'.');
    push_digits(since.subsec_micros(), 100_000, out);
    out.push(b'Z');
}

/// The same for the name of a file, which may not contain a colon on every system.
pub(crate) fn file_stamp(time: SystemTime) -> String {
    let mut out = Vec::new();
    push_stamp(time, &mut out);
    String::from_utf8_lossy(&out).replace(':', "-")
}

/// Appends milliseconds with a useful number of decimals.
pub(super) fn push_milliseconds(duration: Duration, out: &mut Vec<u8>) {
    let micros = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
    push_number(micros / 1000, out);
    out.push(b'.');
    push_digits((micros % 1000) as u32, 100, out);
}

/// Appends a number with leading zeros; `unit` is that of its first digit.
fn push_digits(number: u32, mut unit: u32, out: &mut Vec<u8>) {
    while unit > 0 {
        out.push(b'0' + (number / unit % 10) as u8);
        unit /= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stamp(time: SystemTime) -> String {
        let mut out = Vec::new();
        push_stamp(time, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn times_are_written_as_rfc_3339() {
        for (seconds, text) in [
            (-0.5, "1969-12-31T23:59:59.500000Z"),
            (0.0, "1970-01-01T00:00:00.000000Z"),
            (951_782_399.5, "2000-02-28T23:59:59.500000Z"),
            (951_782_400.0, "2000-02-29T00:00:00.000000Z"),
            (1_709_251_199.0, "2024-02-29T23:59:59.000000Z"),
            (1_752_299_504.25, "2025-07-12T05:51:44.250000Z"),
            (4_107_542_400.0, "2100-03-01T00:00:00.000000Z"),
        ] {
            let distance = Duration::from_secs_f64(f64::abs(seconds));
            let time = if seconds < 0.0 {
                UNIX_EPOCH - distance
            } else {
                UNIX_EPOCH + distance
            };
            assert_eq!(stamp(time), text);
        }
    }

    #[test]
    fn milliseconds_have_three_decimals() {
        for (duration, text) in [
            (Duration::from_nanos(1_234_567), "1.234"),
            (Duration::from_micros(7), "0.007"),
            (Duration::from_secs(2), "2000.000"),
        ] {
            let mut out = Vec::new();
            push_milliseconds(duration, &mut out);
            assert_eq!(out, text.as_bytes());
        }
    }
}
